package product

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"rea.example/verify/captures"
	"rea.example/verify/child"
	"rea.example/verify/workspace"
)

// Product is a built program.
type Product struct {
	Path    string // of the executable
	SHA256  string // of its bytes
	Version string // what `rea version` says first
	// Env is added to the caller's environment in every run.
	Env []string
}

// Build compiles the program as it is published, with the product module's own
// choice of dependencies (the workspace would lift them to the workbench's) and
// without C, into a folder of the caller's: whoever builds meanwhile, in this tree or
// another, what runs from there stays what it is. The cache folder gets it, too,
// under the name that Cached gives.
func Build(ctx context.Context, root, dir string) (*Product, error) {
	path, err := BuildFor(ctx, root, dir, runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return nil, err
	}
	p, err := Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return p, p.publish()
}

// BuildFor compiles the program for a system that need not be this one, such as that
// of a container. It gives the path of the executable in the folder.
func BuildFor(ctx context.Context, root, dir, system, arch string) (string, error) {
	path := filepath.Join(dir, executable(system))
	if system != runtime.GOOS || arch != runtime.GOARCH {
		path = filepath.Join(dir, system+"-"+arch+"-"+executable(system))
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", fmt.Errorf("product: build: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	build := child.Command(ctx, "go", "build", "-C", filepath.Join(root, "rea"), "-trimpath", "-o", path, ".")
	// What a compiler that is interrupted leaves goes with the folder.
	build.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch, "GOTMPDIR="+work)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("product: build: %w\n%s", err, out)
	}
	return path, nil
}

func executable(system string) string {
	if system == "windows" {
		return "rea.exe"
	}
	return "rea"
}

// Cached is where the program lies that was built last.
func Cached() (string, error) { return workspace.Cache("bin", executable(runtime.GOOS)) }

// publish puts the program in the place of the one that was built before, as a whole:
// who runs that goes on with it.
func (p *Product) publish() error {
	path, err := Cached()
	if err != nil {
		return err
	}
	folder, err := workspace.Private(filepath.Dir(path), ".build-")
	if err != nil {
		return err
	}
	fresh := filepath.Join(folder.Path, filepath.Base(path))
	return errors.Join(link(p.Path, fresh), os.Rename(fresh, path), folder.Close())
}

// Hold gives the product under a second name in a folder of the caller's, which may
// outlive the first.
func (p *Product) Hold(ctx context.Context, dir string) (*Product, error) {
	path := filepath.Join(dir, filepath.Base(p.Path))
	if err := link(p.Path, path); err != nil {
		return nil, fmt.Errorf("product: hold: %w", err)
	}
	held, err := Open(ctx, path)
	if err == nil && held.SHA256 != p.SHA256 {
		err = errors.New("product: hold: the program is no longer what it was")
	}
	return held, err
}

// link gives an executable a second name; on another file system that is a copy. No
// other process may begin while it is copied: it would inherit the open file, and
// what is open for writing can't be run.
func link(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}

// Open takes an executable that is already there.
func Open(ctx context.Context, path string) (*Product, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("product: %w", err)
	}
	p := &Product{Path: path, SHA256: captures.Digest(data)}
	out, err := p.Run(ctx, "version")
	if err != nil {
		return nil, err
	}
	if out.Exit != 0 {
		return nil, fmt.Errorf("product: `rea version` ended with status %d", out.Exit)
	}
	p.Version, _, _ = strings.Cut(strings.TrimSpace(string(out.Stdout)), "\n")
	return p, nil
}

// Output is one finished run.
type Output struct {
	Exit           int
	Stdout, Stderr []byte
}

// commandTime is far over the product's own deadline: past it, the run itself
// is the finding.
const commandTime = 2 * time.Minute

// Run runs the program. A status other than 0 is not an error; a program that
// could not be run, or that a signal ended, is.
func (p *Product) Run(ctx context.Context, args ...string) (Output, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := child.Command(ctx, p.Path, args...)
	cmd.Env = append(os.Environ(), p.Env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	out := Output{Stdout: stdout.Bytes(), Stderr: stderr.Bytes()}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		out.Exit = exit.ExitCode()
		return out, nil
	}
	if err != nil {
		return out, fmt.Errorf("product: run: %w", errors.Join(err, ctx.Err()))
	}
	return out, nil
}
