package containers

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"rea.example/containers/engine"
	"rea.example/containers/supply"
)

// BaseVariable names the environment variable with the image to build on. It must
// be at hand: it is not looked up in a registry.
const BaseVariable = "REA_BASE_IMAGE"

// BaseRef is the bootstrapped base image.
const BaseRef = "rea-base:" + supply.Suite

// The labels of images.
const (
	labelInputs = "rea.image.inputs" // Image.Inputs
	labelBase   = "rea.image.base"   // name of the base image
)

// Ensure makes the image ready: built from the files of this program, and with
// the tools in it that its pins name, which it gives as they report themselves.
func (d *Dock) Ensure(ctx context.Context, i Image) ([]Pin, error) {
	err := d.fresh(ctx, i)
	if errors.Is(err, ErrNotBuilt) {
		err = d.Build(ctx, i)
	}
	if err != nil {
		return nil, err
	}
	return d.Check(ctx, i)
}

// fresh is nil for an image that is there and made of the files of this program.
func (d *Dock) fresh(ctx context.Context, i Image) error {
	have, err := d.Engine.Image(ctx, i.Ref())
	if errors.Is(err, engine.ErrNoImage) {
		return fmt.Errorf("containers: image %s is not built: %w", i.Ref(), ErrNotBuilt)
	}
	if err != nil {
		return err
	}
	if have.Labels[labelInputs] != i.Inputs() {
		return fmt.Errorf("containers: image %s is built from other files: %w", i.Ref(), ErrNotBuilt)
	}
	return nil
}

// Build builds the image. Its packages come from the cache of the host, and from
// pip or npm where the cache lacks them.
func (d *Dock) Build(ctx context.Context, i Image) error {
	base, err := d.base(ctx, i)
	if err != nil {
		return err
	}
	packages := d.packages
	if packages == nil {
		packages = fetch
	}
	extra, err := packages(ctx, i, d.Engine.About().Arch, d.log())
	if err != nil {
		return fmt.Errorf("containers: image %s: %w", i.Name, err)
	}
	content, err := i.context(extra)
	if err != nil {
		return err
	}
	err = d.Engine.Build(ctx, engine.Build{
		Ref: i.Ref(), Context: content, Log: d.log(),
		Args:   map[string]string{"BASE_IMAGE": base},
		Labels: map[string]string{labelInputs: i.Inputs(), labelBase: base},
	})
	if err != nil {
		return fmt.Errorf("containers: image %s: %w", i.Name, err)
	}
	return nil
}

// fetch gets the packages of an image to where its Dockerfile expects them.
func fetch(ctx context.Context, i Image, arch string, log io.Writer) ([]supply.File, error) {
	if i.kind == wheels {
		lock, err := i.File("requirements.lock")
		if err != nil {
			return nil, err
		}
		list, err := supply.Wheels(ctx, lock, arch, log)
		return under("wheels/", list), err
	}
	var all []supply.File
	for _, folder := range []string{"", "mcp/"} {
		manifest, err := i.File(folder + "package.json")
		if err != nil {
			return nil, err
		}
		lock, err := i.File(folder + "package-lock.json")
		if err != nil {
			return nil, err
		}
		list, err := supply.NPM(ctx, manifest, lock, log)
		if err != nil {
			return nil, err
		}
		all = append(all, under(folder, list)...)
	}
	return all, nil
}

func under(folder string, list []supply.File) []supply.File {
	for at := range list {
		list[at].Name = folder + list[at].Name
	}
	return list
}

// context is the tar that the builder gets. Equal files give equal bytes, so that
// the builder's cache holds.
func (i Image) context(extra []supply.File) (io.Reader, error) {
	all := slices.Clone(extra)
	for _, name := range i.names() {
		data, err := i.File(name)
		if err != nil {
			return nil, err
		}
		all = append(all, supply.File{Name: name, Data: data, Mode: 0o644})
	}
	slices.SortFunc(all, func(a, b supply.File) int { return strings.Compare(a.Name, b.Name) })
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range all {
		header := &tar.Header{Name: f.Name, Mode: f.Mode, Size: int64(len(f.Data)), ModTime: time.Unix(0, 0)}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
	}
	return &b, w.Close()
}

// base chooses what to build on among what is at hand: the one asked for, the
// bootstrapped one, the public one.
func (d *Dock) base(ctx context.Context, i Image) (string, error) {
	candidates := []string{BaseRef, i.Base()}
	if asked := os.Getenv(BaseVariable); asked != "" {
		candidates = []string{asked}
	}
	for _, ref := range candidates {
		_, err := d.Engine.Image(ctx, ref)
		if err == nil {
			return ref, nil
		}
		if !errors.Is(err, engine.ErrNoImage) {
			return "", err
		}
	}
	return "", fmt.Errorf("containers: no base image (%s): `go tool mage containers:base` bootstraps one, with -pull it asks a registry",
		strings.Join(candidates, ", "))
}

// Bases makes base images available. With pull it asks a registry for the public
// ones, and goes on without them if none answers. A Debian is bootstrapped where
// no base is at hand, or afresh where that is asked for.
func (d *Dock) Bases(ctx context.Context, pull, afresh bool) error {
	if pull {
		err := d.pull(ctx)
		if err == nil {
			return nil
		}
		fmt.Fprintf(d.log(), "no registry: %v\n", err)
	}
	if _, err := d.base(ctx, All[0]); err == nil && !afresh {
		return nil
	}
	if arch := d.Engine.About().Arch; arch != runtime.GOARCH {
		return fmt.Errorf("containers: the engine's machine is %s, this one %s: no base can be bootstrapped for it here", arch, runtime.GOARCH)
	}
	root, err := supply.Debian(ctx, afresh, d.log())
	if err != nil {
		return err
	}
	tried, err := files.ReadFile("base/packages.txt")
	if err != nil {
		return err
	}
	if list := supply.Differences(string(tried), root.Packages); len(list) > 0 {
		fmt.Fprintf(d.log(), "%d packages differ from those this was tried with, such as %s\n", len(list), list[0])
	}
	file, err := os.Open(root.Tar)
	if err != nil {
		return err
	}
	defer file.Close()
	// An equal file system stays the same image, and what was built on it stays in
	// the builder's cache.
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	have, err := d.Engine.Image(ctx, BaseRef)
	if err == nil && slices.Equal(have.Layers, []string{"sha256:" + hex.EncodeToString(sum.Sum(nil))}) {
		return nil
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return d.Engine.Import(ctx, BaseRef, file)
}

// pull asks a registry for the base of every image.
func (d *Dock) pull(ctx context.Context) error {
	asked := map[string]bool{}
	for _, i := range All {
		if ref := i.Base(); !asked[ref] {
			asked[ref] = true
			fmt.Fprintf(d.log(), "pull %s\n", ref)
			if err := d.Engine.Pull(ctx, ref); err != nil {
				return err
			}
		}
	}
	return nil
}

// Check runs the image's tool, and gives what it reports if every pin is in it.
func (d *Dock) Check(ctx context.Context, i Image) ([]Pin, error) {
	r, err := d.Run(ctx, Spec{Image: i, Cmd: i.Probe})
	if err != nil {
		return nil, err
	}
	if r.ExitCode != 0 {
		return nil, fmt.Errorf("containers: image %s: %s ended with %d: %s", i.Name, i.Probe[0], r.ExitCode, firstLine(r.Stderr))
	}
	var reported []Pin
	for _, line := range strings.Split(string(r.Stdout), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 {
			reported = append(reported, Pin{strings.TrimSuffix(fields[0], ":"), strings.Join(fields[1:], " ")})
		}
	}
	for _, want := range i.Pins {
		at := slices.IndexFunc(reported, func(p Pin) bool { return strings.EqualFold(p.Name, want.Name) })
		if at < 0 {
			return nil, fmt.Errorf("containers: image %s is refused: %s %s is pinned, and not reported at all", i.Name, want.Name, want.Version)
		}
		if got := reported[at].Version; got != want.Version {
			return nil, fmt.Errorf("containers: image %s is refused: %s reports %s, pinned is %s", i.Name, want.Name, got, want.Version)
		}
	}
	return reported, nil
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return line
}
