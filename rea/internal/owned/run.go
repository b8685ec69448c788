package owned

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"time"

	"rea.example/rea/internal/limits"
)

// Command is one run of this program as a child.
type Command struct {
	Args     []string      // its arguments, without the program's name
	Path     string        // another program than this one; for tests
	Foreign  *Foreign      // what this program is to become, in place of Args
	Dir      string        // its private directory: working directory, HOME, TMPDIR
	Request  []byte        // what it reads at descriptor 3, to the end
	Reply    *os.File      // its descriptor 4, sharing the offset; not nil
	Snapshot *os.File      // its descriptor 5; not nil
	Deadline time.Duration // its wall-clock time; 0 means limits.Deadline
	Started  func()        // called once it holds all its descriptors
}

// Outcome is how a run ended.
type Outcome struct {
	Ending         Ending
	ExitCode       *int   // nil when a signal ended it, or nothing ran
	Signal         string // "SIGKILL" and the like, else ""
	Stdout, Stderr string // valid text, together at most limits.DiagnosticBytes of output
	Truncated      bool   // more was written than is kept
	StdoutBytes    int64  // what was written
	StderrBytes    int64
	MaxRSS         int64    // largest resident size seen, in bytes; 0 when unknown
	Residue        []string // "pid:N", "process-group:N" or the run's id: what could not be confirmed gone
	RunID          string
	Deadline       time.Duration
	Foreign        bool
	Err            error // why nothing was started; never rendered
}

// How long the system may take for what is already decided.
const (
	// killPatience: a killed process to be gone, and what it started.
	killPatience = 5 * time.Second
	// drainPatience: the output of a group that is gone to end.
	drainPatience = time.Second
	// tracebackPatience: a dying child to finish its traceback, which can be long.
	tracebackPatience = time.Second
	// samplePeriod: how often a child's size is noted.
	samplePeriod = 100 * time.Millisecond
)

// process is a started child and whatever it started, as one system sees it.
type process interface {
	// ended is closed when the child itself has ended.
	ended() <-chan struct{}
	// kill ends all of it at once. It may be called until reap is.
	kill()
	// sample notes the child's present size.
	sample()
	// reap gives the child's end, after ended was closed.
	reap() end
	// residue looks for what is still alive, ends it where it can, and names
	// what stays. It may be called without reap when the child does not end.
	residue() []string
}

// end is what the system says of a child that ended.
type end struct {
	code     *int
	signal   string
	resident int64
	oomKill  bool
}

// launcher starts cmd with files as descriptors 3, 4 and 5.
type launcher func(cmd *exec.Cmd, files []*os.File, runID string) (process, error)

// Run starts the child, waits for its end or brings it about, and leaves no
// process behind. It does not return before that is certain or known to have
// failed.
func Run(ctx context.Context, c Command) Outcome { return run(ctx, c, launch) }

func run(ctx context.Context, c Command, launch launcher) Outcome {
	out := Outcome{RunID: newRunID(), Deadline: c.Deadline, Foreign: c.Foreign != nil}
	if out.Deadline == 0 {
		out.Deadline = limits.Deadline
	}
	if out.Err = ctx.Err(); out.Err != nil {
		out.Ending = CancelledByCaller
		return out
	}
	pipes, err := openPipes()
	defer pipes.close()
	var child process
	if err == nil {
		child, err = start(c, &out, pipes, launch)
	}
	if err != nil {
		out.Ending, out.Err = NotStarted, err
		return out
	}
	if c.Started != nil {
		c.Started()
	}

	diag := newDiagnostics()
	drained := pipes.serve(c.Request, diag)
	stop := supervise(ctx, child, diag, out.Deadline)
	d := death{killed: stop.killed}
	if stop.gone {
		child.kill() // what the child left running
		e := child.reap()
		out.ExitCode, out.Signal, out.MaxRSS = e.code, e.signal, e.resident
		d.code, d.signal, d.resident, d.oomKill = e.code, e.signal, e.resident, e.oomKill
	}
	out.Residue = child.residue()
	select {
	case <-drained:
	case <-time.After(drainPatience):
		// Somebody who is not to be found still holds the output.
		out.Residue = append(out.Residue, out.RunID)
	}
	diag.report(&out)
	d.stderr = out.Stderr

	switch {
	case ctx.Err() != nil:
		out.Ending = CancelledByCaller
	case stop.timedOut:
		out.Ending = TimedOut
	case diag.overflowed():
		out.Ending = DiagnosticsOverflow
	case out.Foreign:
		out.Ending = d.foreign()
	default:
		out.Ending = d.ending()
	}
	return out
}

func start(c Command, out *Outcome, p *pipes, launch launcher) (process, error) {
	path := c.Path
	if path == "" {
		var err error
		if path, err = self(); err != nil {
			return nil, err
		}
	}
	args, env := c.Args, environment(c.Dir, out.RunID, os.LookupEnv)
	if c.Foreign != nil {
		args, env = c.Foreign.command(), append(env, c.Foreign.Environment...)
	}
	cmd := &exec.Cmd{
		Path:   path,
		Args:   append([]string{"rea"}, args...),
		Dir:    c.Dir,
		Env:    env,
		Stdout: p.out.w,
		Stderr: p.err.w,
	}
	child, err := launch(cmd, []*os.File{p.request.r, c.Reply, c.Snapshot}, out.RunID)
	p.closeFar()
	return child, err
}

// stopped is what supervise saw and did.
type stopped struct {
	gone     bool // the child has ended
	killed   bool // because it was made to
	timedOut bool
}

// supervise returns when the child has ended, or will not although it was
// killed.
func supervise(ctx context.Context, p process, diag *diagnostics, deadline time.Duration) (s stopped) {
	timer := time.NewTimer(deadline)
	defer timer.Stop()
	sampling := time.NewTicker(samplePeriod)
	defer sampling.Stop()
	cancelled, overflow, dying := ctx.Done(), diag.overflow, diag.dying
	var tooLong, stubborn <-chan time.Time
	kill := func() {
		if !s.killed {
			s.killed = true
			p.kill()
			stubborn = time.After(killPatience)
		}
	}
	for {
		select {
		case <-p.ended():
			s.gone = true
			return s
		case <-cancelled:
			cancelled = nil
			kill()
		case <-timer.C:
			s.timedOut = true
			kill()
		case <-overflow:
			overflow = nil
			kill()
		case <-dying:
			dying = nil
			tooLong = time.After(tracebackPatience)
		case <-tooLong:
			kill()
		case <-sampling.C:
			p.sample()
		case <-stubborn:
			return s
		}
	}
}

// pipe has an end for reading and one for writing.
type pipe struct{ r, w *os.File }

// pipes are the three between a parent and its child.
type pipes struct{ request, out, err pipe }

func openPipes() (*pipes, error) {
	p := &pipes{}
	for _, one := range []*pipe{&p.request, &p.out, &p.err} {
		var err error
		if one.r, one.w, err = os.Pipe(); err != nil {
			return p, err
		}
	}
	return p, nil
}

// closeFar closes the child's ends, which the child by now holds itself.
func (p *pipes) closeFar() {
	for _, f := range []*os.File{p.request.r, p.out.w, p.err.w} {
		f.Close()
	}
}

// close closes whatever is still open. Closing twice, or nothing, is harmless.
func (p *pipes) close() {
	for _, f := range []*os.File{p.request.r, p.request.w, p.out.r, p.out.w, p.err.r, p.err.w} {
		f.Close()
	}
}

// serve writes the request and collects the output; the channel is closed when
// both outputs have ended.
func (p *pipes) serve(request []byte, diag *diagnostics) <-chan struct{} {
	go func() {
		// A child that does not read its request says so by its own end.
		_, _ = p.request.w.Write(request)
		p.request.w.Close()
	}()
	var open sync.WaitGroup
	open.Go(func() { diag.drain(&diag.out, p.out.r) })
	open.Go(func() { diag.drain(&diag.err, p.err.r) })
	drained := make(chan struct{})
	go func() {
		open.Wait()
		close(drained)
	}()
	return drained
}
