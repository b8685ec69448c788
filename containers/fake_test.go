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
	"maps"
	"runtime"
	"slices"
	"strings"

	"rea.example/containers/engine"
	"rea.example/containers/supply"
)

// fake is an engine in memory. It remembers what it was asked, in order.
type fake struct {
	images     map[string]engine.Image
	containers map[string]engine.Thing
	networks   map[string]engine.Thing
	asked      []string
	plans      []engine.Plan
	builds     []engine.Build
	imported   int

	// What the next containers do.
	stdout, stderr string
	exit           engine.Exit
	written        map[string]string // files below Work
	waitErr        error
	startErr       error
	pullErr        error
	stuck          string // id that can't be removed
}

func newFake(refs ...string) *fake {
	f := &fake{images: map[string]engine.Image{}, containers: map[string]engine.Thing{}, networks: map[string]engine.Thing{}}
	for _, ref := range refs {
		f.images[ref] = engine.Image{ID: ref}
	}
	return f
}

// built adds an image as Build would leave it.
func (f *fake) built(i Image) *fake {
	f.images[i.Ref()] = engine.Image{Labels: map[string]string{labelInputs: i.Inputs()}}
	return f
}

// dock is a dock on the fake whose packages cost nothing.
func (f *fake) dock() *Dock {
	return &Dock{Engine: f, packages: func(context.Context, Image, string, io.Writer) ([]supply.File, error) {
		return []supply.File{{Name: "wheels/one.whl", Data: []byte("wheel"), Mode: 0o644}}, nil
	}}
}

func (f *fake) note(format string, args ...any) {
	f.asked = append(f.asked, fmt.Sprintf(format, args...))
}

func (f *fake) About() engine.About { return engine.About{Arch: runtime.GOARCH} }
func (f *fake) Close() error        { f.note("close"); return nil }

func (f *fake) Image(_ context.Context, ref string) (engine.Image, error) {
	if i, ok := f.images[ref]; ok {
		return i, nil
	}
	return engine.Image{}, fmt.Errorf("%w: %s", engine.ErrNoImage, ref)
}

func (f *fake) Build(_ context.Context, b engine.Build) error {
	f.note("build %s", b.Ref)
	f.builds = append(f.builds, b)
	f.images[b.Ref] = engine.Image{Labels: b.Labels}
	return nil
}

func (f *fake) Import(_ context.Context, ref string, _ io.Reader) error {
	f.imported++
	f.images[ref] = engine.Image{}
	return nil
}

func (f *fake) Pull(_ context.Context, ref string) error {
	f.note("pull %s", ref)
	if f.pullErr == nil {
		f.images[ref] = engine.Image{}
	}
	return f.pullErr
}

func (f *fake) Start(_ context.Context, p engine.Plan) (engine.Container, error) {
	f.plans = append(f.plans, p)
	if f.startErr != nil {
		return nil, f.startErr
	}
	id := fmt.Sprintf("c%d", len(f.plans))
	f.note("start %s", id)
	f.containers[id] = engine.Thing{ID: id, Labels: p.Labels}
	return &fakeContainer{f, id}, nil
}

func (f *fake) Network(_ context.Context, internal bool, labels map[string]string) (engine.Thing, error) {
	n := engine.Thing{ID: fmt.Sprintf("n%d", len(f.networks)+1), Name: fmt.Sprintf("net-%v", internal), Labels: labels}
	f.networks[n.ID] = n
	return n, nil
}

func listed(things map[string]engine.Thing, label string) ([]engine.Thing, error) {
	var list []engine.Thing
	for _, id := range slices.Sorted(maps.Keys(things)) {
		if _, ok := things[id].Labels[label]; ok {
			list = append(list, things[id])
		}
	}
	return list, nil
}

func (f *fake) Containers(_ context.Context, label string) ([]engine.Thing, error) {
	return listed(f.containers, label)
}

func (f *fake) Networks(_ context.Context, label string) ([]engine.Thing, error) {
	return listed(f.networks, label)
}

func (f *fake) RemoveContainer(ctx context.Context, id string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if id == f.stuck {
		return errors.New("it is stuck")
	}
	f.note("remove %s", id)
	delete(f.containers, id)
	return nil
}

func (f *fake) RemoveNetwork(_ context.Context, id string) error {
	f.note("remove %s", id)
	delete(f.networks, id)
	return nil
}

type fakeContainer struct {
	f  *fake
	id string
}

func (c *fakeContainer) ID() string { return c.id }

func (c *fakeContainer) Wait(context.Context) (engine.Exit, error) { return c.f.exit, c.f.waitErr }

func (c *fakeContainer) Output(_ context.Context, stdout, stderr io.Writer) error {
	_, err := io.WriteString(stdout, c.f.stdout)
	_, err2 := io.WriteString(stderr, c.f.stderr)
	return errors.Join(err, err2)
}

func (c *fakeContainer) Exec(context.Context, []string, io.Writer, io.Writer) (int, error) {
	return 0, errors.ErrUnsupported
}

func (c *fakeContainer) Archive(_ context.Context, path string) (io.ReadCloser, error) {
	text, ok := c.f.written[strings.TrimPrefix(path, Work+"/")]
	if !ok {
		return nil, fmt.Errorf("%w: %s", engine.ErrNoFile, path)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err := w.WriteHeader(&tar.Header{Name: path, Size: int64(len(text)), Mode: 0o644, Typeflag: tar.TypeReg})
	_, err2 := io.WriteString(w, text)
	return io.NopCloser(&b), errors.Join(err, err2, w.Close())
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
