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
// without C, and puts it into the cache folder.
func Build(ctx context.Context, root string) (*Product, error) {
	path, err := BuildFor(ctx, root, runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return nil, err
	}
	return Open(ctx, path)
}

// BuildFor is Build for a system that need not be this one, such as that of a
// container. It gives the path of the executable, which is replaced as a whole:
// who runs the one before goes on with that.
func BuildFor(ctx context.Context, root, system, arch string) (string, error) {
	name := "rea"
	if system != runtime.GOOS || arch != runtime.GOARCH {
		name += "-" + system + "-" + arch
	}
	if system == "windows" {
		name += ".exe"
	}
	path, err := workspace.Cache("bin", name)
	if err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(path), ".build-")
	if err != nil {
		return "", fmt.Errorf("product: build: %w", err)
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	made := filepath.Join(fresh, name)
	build := exec.CommandContext(ctx, "go", "build", "-C", filepath.Join(root, "rea"), "-trimpath", "-o", made, ".")
	build.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("product: build: %w\n%s", err, out)
	}
	if err := os.Rename(made, path); err != nil {
		return "", fmt.Errorf("product: build: %w", err)
	}
	return path, nil
}

// Hold gives the product under a second name in a folder of the caller's. Whoever
// builds meanwhile, what runs under that name stays what it is.
func (p *Product) Hold(ctx context.Context, dir string) (*Product, error) {
	path := filepath.Join(dir, filepath.Base(p.Path))
	if os.Link(p.Path, path) != nil { // another file system
		if err := duplicate(p.Path, path); err != nil {
			return nil, fmt.Errorf("product: hold: %w", err)
		}
	}
	return Open(ctx, path)
}

// duplicate copies an executable. No other process may begin meanwhile: it would
// inherit the open file, and what is open for writing can't be run.
func duplicate(from, to string) error {
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
	cmd := exec.CommandContext(ctx, p.Path, args...)
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
