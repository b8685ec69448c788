package lane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"rea.example/containers"
	"rea.example/verify/attest"
	"rea.example/verify/bench"
	"rea.example/verify/judge"
	"rea.example/verify/product"
	"rea.example/verify/report"
	"rea.example/verify/results"
	"rea.example/verify/workspace"
)

// Lane is one verification.
type Lane struct {
	Name  string // as the command line spells it after "verify:"
	Doc   string // one sentence
	Needs Needs
	Run   func(context.Context, *bench.Bench) error
}

// Needs is what must be there before a lane begins.
type Needs struct {
	Judge  bool               // node and the reference packages: in their container, else on this machine
	Images []containers.Image // without which there is nothing to do
	Useful []containers.Image // without which some checks are not run
	// Supplied names the files that the caller has to give.
	Supplied []string
}

// Deadline bounds one lane. It stands here and not in mage, whose own time-out
// returns without waiting for the lane to clean up.
const Deadline = 20 * time.Minute

// Options say where a lane runs. The three functions are there for tests; nil
// means the real thing.
type Options struct {
	Root   string // of the workspace
	Report string // path of the report; empty for a fresh name in the cache folder
	// Attest is the path of a private key that signs the finished report; empty for
	// none.
	Attest string
	Log    io.Writer
	// Supplied are paths by the names in the lane's needs.
	Supplied map[string]string
	Product  func(ctx context.Context) (*product.Product, error)
	Judge    func(ctx context.Context, root string) (bench.Judge, error)
	Dock     func(ctx context.Context) (*containers.Dock, error)
}

// ErrNotAttested says that the report is there and finished, but was not signed.
var ErrNotAttested = errors.New("not attested")

// Start runs the lane. Its error, but for ErrNotAttested, says that there is no
// report to believe; what the lane found stands in the report alone, whose path is
// given too. Where ctx ends, or SIGTERM comes, it cleans up and the report says
// that it was interrupted.
func (l Lane) Start(ctx context.Context, o Options) (report.Report, string, error) {
	caller, stop := Listen(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(caller, Deadline)
	defer cancel()

	r := report.New("verify:" + l.Name)
	path, err := filepath.Abs(o.Report)
	if o.Report == "" {
		path, err = Place("", l.Name, r.Started)
	}
	if err != nil {
		return r, "", err
	}
	sign, err := o.signer(ctx, path)
	if err != nil {
		return r, "", err
	}
	file, err := report.Create(path, r)
	if err != nil {
		return r, "", err
	}
	fmt.Fprintf(o.Log, "%s\nreport %s\n", l.Doc, file.Path())

	var secrets []string
	b, err := bench.New(o.Root, &r, o.Log, caller.Done())
	if err != nil {
		r.Reasons = []string{err.Error()}
	} else {
		l.run(ctx, b, &r, o)
		b.End()
		secrets = b.Secrets()
	}
	settle(&r, context.Cause(caller))
	if r, err = file.Finish(r, secrets); err == nil {
		err = sign()
	}
	return r, path, err
}

// Listen gives a context that ends when this process is told to, which would
// otherwise end a mage binary at once (SIGINT is mage's own): by SIGTERM, or SIGHUP
// unless the process was started to outlive its terminal. A reader of the output who
// has gone is an error of a write, and no end. Below a context that listens, that one
// goes on: two that each heard for themselves would hear one after the other.
func Listen(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Value(listening{}) != nil {
		return context.WithCancel(ctx)
	}
	ctx = context.WithValue(ctx, listening{}, true)
	ends := []os.Signal{syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	pipes := make(chan os.Signal, 1) // to ignore the signal would be inherited by children
	signal.Notify(pipes, syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(ctx, ends...)
	return ctx, func() {
		stop()
		signal.Stop(pipes)
	}
}

// listening is the key under which a context says that it is one of Listen's.
type listening struct{}

// Place is where the report of a lane goes: a name in a folder, which is made; or
// without a folder one in the cache that no other run has.
func Place(dir, lane string, started time.Time) (string, error) {
	name := strings.ReplaceAll(lane, ":", "-") // some file systems refuse a colon
	if dir == "" {
		return workspace.Cache("reports", name+started.UTC().Format("-20060102T150405.000000000Z")+".json")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return filepath.Abs(filepath.Join(dir, name+".json"))
}

// signer opens the key before the lane begins, and gives what attests its report,
// for which there has to be a place. A lane that tested nothing has nothing to
// attest, which is no error.
func (o Options) signer(ctx context.Context, path string) (func() error, error) {
	if o.Attest == "" {
		return func() error { return nil }, nil
	}
	key, err := attest.OpenKey(o.Attest)
	if err != nil {
		return nil, err
	}
	if taken := results.Beside(path, results.AttestationExt); exists(taken) {
		return nil, fmt.Errorf("%w: %s", fs.ErrExist, taken)
	}
	return func() error {
		attestation, err := key.Sign(ctx, path)
		if errors.Is(err, attest.ErrNothing) {
			fmt.Fprintln(o.Log, err)
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrNotAttested, err)
		}
		fmt.Fprintf(o.Log, "  attested in %s\n", attestation)
		return nil
	}, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// run prepares the needs and makes the checks. Whatever goes wrong becomes a
// reason or a failed check.
func (l Lane) run(ctx context.Context, b *bench.Bench, r *report.Report, o Options) {
	r.Reasons = append(r.Reasons, l.supplied(b, o)...)
	node := l.images(ctx, b, r, o)
	if l.Needs.Judge {
		j, err := o.judge(ctx, b, node)
		if err != nil {
			r.Reasons = append(r.Reasons, err.Error())
		} else {
			b.Judge = j
			r.Pins = append(r.Pins, j.Pins()...)
		}
	}
	if len(r.Reasons) > 0 {
		return
	}
	built := b.Check("product is built", func() (err error) {
		b.Product, err = o.product(ctx, b.Temp)
		return err
	})
	if !built {
		return
	}
	r.Product = &report.Product{Version: b.Product.Version, SHA256: b.Product.SHA256}
	b.Check("lane ran to its end", func() error {
		before := ran(r.Checks)
		err := l.Run(ctx, b)
		if err == nil && ran(r.Checks) == before {
			err = errors.New("it checked nothing")
		}
		return err
	})
}

func ran(checks []report.Check) (n int) {
	for _, c := range checks {
		if c.Verdict != report.Unavailable {
			n++
		}
	}
	return n
}

// supplied gives the reasons why the caller's files can't be used.
func (l Lane) supplied(b *bench.Bench, o Options) (reasons []string) {
	b.Supplied = o.Supplied
	for _, name := range l.Needs.Supplied {
		path := o.Supplied[name]
		info, err := os.Stat(path)
		switch {
		case path == "":
			reasons = append(reasons, name+": no path was given")
		case err != nil:
			reasons = append(reasons, name+": "+err.Error())
		case !info.Mode().IsRegular():
			reasons = append(reasons, name+": no regular file")
		}
	}
	return reasons
}

// images opens the engine where an image is of use, and looks for each. A tool in
// an image must report the version that is pinned. What those of the judge report
// is given.
func (l Lane) images(ctx context.Context, b *bench.Bench, r *report.Report, o Options) (node []containers.Pin) {
	useful := slices.Clone(l.Needs.Useful)
	if l.Needs.Judge && !slices.ContainsFunc(useful, isJudge) && !slices.ContainsFunc(l.Needs.Images, isJudge) {
		useful = append(useful, containers.NPMHar)
	}
	if len(useful)+len(l.Needs.Images) == 0 {
		return nil
	}
	dock, err := o.dock(ctx)
	if err == nil {
		b.Dock = dock
		about := dock.Engine.About()
		b.Pin("engine", strings.TrimSpace(about.Name+" "+about.Version)+", API "+about.API)
	}
	look := func(i containers.Image) string {
		if err != nil {
			return err.Error()
		}
		pins, err := dock.Check(ctx, i)
		if err != nil {
			return err.Error()
		}
		if isJudge(i) {
			node = pins
		}
		for _, p := range pins {
			switch {
			case !isJudge(i):
				b.Pin(p.Name+" in image "+i.Name, p.Version)
			case !l.Needs.Judge: // else it names its own
				b.Pin(judge.PinName(p.Name), p.Version)
			}
		}
		if id, err := dock.Engine.Image(ctx, i.Ref()); err == nil {
			b.Pin("image "+i.Name, id.ID, id.Layers...)
		}
		return ""
	}
	for _, i := range l.Needs.Images {
		if reason := look(i); reason != "" {
			r.Reasons = append(r.Reasons, reason)
		}
	}
	for _, i := range useful {
		if reason := look(i); reason != "" {
			b.Lack(i, reason)
		}
	}
	return node
}

func isJudge(i containers.Image) bool { return i.Name == containers.NPMHar.Name }

// product is built in a folder of the lane's, or held there.
func (o Options) product(ctx context.Context, dir string) (*product.Product, error) {
	if o.Product == nil {
		return product.Build(ctx, o.Root, dir)
	}
	p, err := o.Product(ctx)
	if err != nil {
		return nil, err
	}
	return p.Hold(ctx, dir)
}

// judge is the container's where there is one, else this machine's.
func (o Options) judge(ctx context.Context, b *bench.Bench, node []containers.Pin) (bench.Judge, error) {
	if o.Judge != nil {
		return o.Judge(ctx, o.Root)
	}
	if len(node) > 0 {
		return judge.Contained(b.Dock, node), nil
	}
	j, err := judge.Open(ctx, o.Root)
	if err != nil {
		return nil, fmt.Errorf("%w; and no container: %s", err, b.Lacks(containers.NPMHar))
	}
	return j, nil
}

func (o Options) dock(ctx context.Context) (*containers.Dock, error) {
	if o.Dock != nil {
		return o.Dock(ctx)
	}
	return containers.Open(ctx, o.Log)
}

// settle gives the report its verdict: one failed check fails it, and neither a
// reason for being unavailable nor an interruption hides a failure.
func settle(r *report.Report, interruption error) {
	r.Verdict = report.Passed
	if len(r.Reasons) > 0 {
		r.Verdict = report.Unavailable
	}
	if interruption != nil {
		r.Status, r.Verdict = report.Interrupted, ""
		r.Reasons = []string{"interrupted: " + interruption.Error()}
	}
	for _, c := range r.Checks {
		if c.Verdict == report.Failed {
			r.Verdict = report.Failed
		}
	}
}
