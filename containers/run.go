package containers

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"rea.example/containers/engine"
)

// Work is the one folder of a container that can be written, filled and read
// from outside; every command starts in it. It lies on disk, /tmp in memory.
const Work = "/work"

// The bounds of a container whose Spec names no others.
const (
	Memory = 1 << 30
	PIDs   = 256
	Life   = 10 * time.Minute

	// tmp bounds /tmp, and counts as memory.
	tmp = 256 << 20
	// printed bounds each stream that is kept of a container.
	printed = 64 << 20
	// slack is what an expired container has before a sweep takes it, so that its
	// own end, by the clock inside, comes first.
	slack = time.Minute
)

// nobody owns what is copied in, and runs the command.
const nobody = 65534

// File is put into a container before it starts.
type File struct {
	Name string // below Work, slash-separated
	Data []byte
	Path string // on the host, instead of Data
	Mode int64  // 0 for 0644
}

// Spec is a command to run in a container.
type Spec struct {
	Image Image
	Cmd   []string // the whole command
	Env   map[string]string
	Files []File
	// Outputs name files below Work that Run gives back. One that the command
	// did not write is not in the result.
	Outputs []string

	Network *Network // nil for none at all
	Alias   string   // the container's name there

	Memory  int64         // bytes; 0 for Memory
	PIDs    int64         // 0 for PIDs
	Life    time.Duration // then it is killed, exit status 124; 0 for Life
	Seccomp string        // a profile as JSON instead of the engine's own

	// Ready is a text that Start waits for in what the command prints.
	Ready string
}

// Result is what a command left.
type Result struct {
	ExitCode       int
	OOMKilled      bool // a process was killed for want of memory
	Stdout, Stderr []byte
	Files          map[string][]byte // by the names in Spec.Outputs
}

// plan adds the bounds.
func (d *Dock) plan(s Spec) (engine.Plan, error) {
	content, err := archive(s.Files)
	if err != nil {
		return engine.Plan{}, err
	}
	if len(s.Cmd) == 0 {
		return engine.Plan{}, errors.New("containers: nothing to run")
	}
	life := orElse(s.Life, Life)
	p := engine.Plan{
		Image: s.Image.Ref(),
		// The clock that kills it is inside: it runs on when this process does not.
		Cmd:    append([]string{"timeout", "--kill-after=5", strconv.FormatFloat(life.Seconds(), 'f', -1, 64)}, s.Cmd...),
		Env:    s.Env,
		Dir:    Work,
		User:   fmt.Sprintf("%d:%d", nobody, nobody),
		Labels: d.labels(life + slack),

		ReadOnly: true, DropAll: true, NoNewPrivileges: true, Init: true,
		Memory: orElse(s.Memory, Memory), PIDs: orElse(s.PIDs, PIDs), Seccomp: s.Seccomp,
		Tmpfs: []string{"/tmp"}, TmpfsBytes: tmp,
		Volume: Work, Files: content,

		Network: "none",
		Ready:   s.Ready, ReadyTimeout: min(life, time.Minute),
	}
	if s.Network != nil {
		p.Network = s.Network.name
		if s.Alias != "" {
			p.Aliases = []string{s.Alias}
		}
	}
	return p, nil
}

func orElse[T comparable](given, otherwise T) T {
	var none T
	if given == none {
		return otherwise
	}
	return given
}

// archive is the tar of the files and of the folders above them.
func archive(list []File) (io.Reader, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	made := map[string]bool{".": true}
	var folder func(name string) error
	folder = func(name string) error {
		if made[name] {
			return nil
		}
		made[name] = true
		if err := folder(path.Dir(name)); err != nil {
			return err
		}
		return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755, Uid: nobody, Gid: nobody})
	}
	for _, f := range list {
		if !filepath.IsLocal(filepath.FromSlash(f.Name)) || path.Clean(f.Name) != f.Name {
			return nil, fmt.Errorf("containers: %q is no name of a file below %s", f.Name, Work)
		}
		data := f.Data
		if f.Path != "" {
			var err error
			if data, err = os.ReadFile(f.Path); err != nil {
				return nil, fmt.Errorf("containers: %w", err)
			}
		}
		if err := folder(path.Dir(f.Name)); err != nil {
			return nil, err
		}
		header := &tar.Header{Name: f.Name, Mode: orElse(f.Mode, 0o644), Size: int64(len(data)), Uid: nobody, Gid: nobody}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	return &b, w.Close()
}

// Run runs a command to its end and removes its container, whatever happens. An
// exit status other than 0 is no error.
func (d *Dock) Run(ctx context.Context, s Spec) (Result, error) {
	r, err := d.Start(ctx, s)
	if err != nil {
		return Result{}, err
	}
	result, err := r.Wait(ctx)
	if err != nil {
		return Result{}, errors.Join(err, r.Close())
	}
	result.Files = map[string][]byte{}
	for _, name := range s.Outputs {
		data, err := r.ReadFile(ctx, name)
		if errors.Is(err, engine.ErrNoFile) {
			continue
		}
		if err != nil {
			return Result{}, errors.Join(err, r.Close())
		}
		result.Files[name] = data
	}
	return result, r.Close()
}

// Start starts a command whose container stays until it is closed.
func (d *Dock) Start(ctx context.Context, s Spec) (*Running, error) {
	p, err := d.plan(s)
	if err != nil {
		return nil, err
	}
	if err := d.fresh(ctx, s.Image); err != nil {
		return nil, err
	}
	c, err := d.Engine.Start(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("containers: %s: %w", s.Image.Name, err)
	}
	return &Running{dock: d, c: c, thing: d.keep(c.ID(), d.Engine.RemoveContainer)}, nil
}

// Running is a started container.
type Running struct {
	dock  *Dock
	c     engine.Container
	thing *thing
}

// Wait waits for the command's end. The container stays.
func (r *Running) Wait(ctx context.Context) (Result, error) {
	end, err := r.c.Wait(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("containers: %w", err)
	}
	stdout, stderr, err := r.Output(ctx)
	return Result{ExitCode: end.Code, OOMKilled: end.OOMKilled, Stdout: stdout, Stderr: stderr}, err
}

// Output is what the command printed so far.
func (r *Running) Output(ctx context.Context) (stdout, stderr []byte, err error) {
	out, errs := capped{}, capped{}
	if err := r.c.Output(ctx, &out, &errs); err != nil {
		return nil, nil, fmt.Errorf("containers: output: %w", err)
	}
	return out.data, errs.data, nil
}

// Exec runs one more command in the container, as the same nobody.
func (r *Running) Exec(ctx context.Context, cmd ...string) (Result, error) {
	out, errs := capped{}, capped{}
	code, err := r.c.Exec(ctx, cmd, &out, &errs)
	if err != nil {
		return Result{}, fmt.Errorf("containers: exec: %w", err)
	}
	return Result{ExitCode: code, Stdout: out.data, Stderr: errs.data}, nil
}

// ReadFile reads a file below Work. The command may have ended.
func (r *Running) ReadFile(ctx context.Context, name string) ([]byte, error) {
	var found []byte
	err := r.each(ctx, name, func(h *tar.Header, content io.Reader) (err error) {
		if h.Typeflag != tar.TypeReg {
			return fmt.Errorf("containers: %s is no file", name)
		}
		found, err = io.ReadAll(content)
		return err
	})
	return found, err
}

// CopyOut copies a file or folder below Work into a folder of the host, under its
// own name. Links are left out.
func (r *Running) CopyOut(ctx context.Context, name, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return r.each(ctx, name, func(h *tar.Header, content io.Reader) error {
		to := filepath.FromSlash(path.Clean(h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			return root.MkdirAll(to, 0o755)
		case tar.TypeReg:
			file, err := root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err != nil {
				return err
			}
			_, err = io.Copy(file, content)
			return errors.Join(err, file.Close())
		}
		return nil
	})
}

func (r *Running) each(ctx context.Context, name string, visit func(*tar.Header, io.Reader) error) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("containers: %q is no name below %s", name, Work)
	}
	a, err := r.c.Archive(ctx, path.Join(Work, name))
	if err != nil {
		return err
	}
	defer a.Close()
	for t := tar.NewReader(a); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(h, t); err != nil {
			return err
		}
	}
}

// Close kills and removes the container.
func (r *Running) Close() error { return r.dock.drop(r.thing) }

// Network joins containers of one lane. Nothing is forwarded from it: beside its
// members, no more than the engine's own machine can be reached.
type Network struct {
	dock  *Dock
	name  string
	thing *thing
}

// Network makes one that lives as long as a lane may.
func (d *Dock) Network(ctx context.Context, life time.Duration) (*Network, error) {
	n, err := d.Engine.Network(ctx, true, d.labels(orElse(life, Life)+slack))
	if err != nil {
		return nil, fmt.Errorf("containers: network: %w", err)
	}
	return &Network{dock: d, name: n.Name, thing: d.keep(n.ID, d.Engine.RemoveNetwork)}, nil
}

// Close removes the network, whose containers must be closed.
func (n *Network) Close() error { return n.dock.drop(n.thing) }

// capped keeps what is written to it, up to a bound.
type capped struct{ data []byte }

func (c *capped) Write(p []byte) (int, error) {
	if len(c.data)+len(p) > printed {
		return 0, fmt.Errorf("more than %d bytes printed", printed)
	}
	c.data = append(c.data, p...)
	return len(p), nil
}
