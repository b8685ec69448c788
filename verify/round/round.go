package round

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"time"

	"rea.example/verify/lane"
	"rea.example/verify/product"
	"rea.example/verify/report"
	"rea.example/verify/results"
	"rea.example/verify/workspace"
)

// Round is several lanes run side by side. Each has folders, containers and networks
// of its own, and ports that its system gave it.
type Round struct {
	Lanes []lane.Lane
	Jobs  int // how many run at a time; 0 for one on each processor
	// Dir is the folder of the reports, each named after its lane and made
	// exclusively; empty for fresh names in the cache folder.
	Dir string
	// Options are those of each lane. Beside its report lies what it printed;
	// Options.Log gets that of all, with the lane's name before each line.
	Options lane.Options
}

// Outcome is what became of one lane of a round.
type Outcome struct {
	Lane   lane.Lane
	Report report.Report
	Path   string // of the report; empty for a lane that did not begin
	Err    error  // as lane.Start gives it, or ErrNotBegun
}

// ErrNotBegun is the error of a lane that an interruption kept from beginning. It
// has no report.
var ErrNotBegun = errors.New("not begun: interrupted")

// Run runs the lanes and gives what became of each, in their order. Where ctx ends,
// or SIGTERM comes, those that run clean up and the others do not begin. With a
// report of one of them in the folder no lane begins, and the error wraps
// fs.ErrExist.
func (r Round) Run(ctx context.Context) (outcomes []Outcome, err error) {
	if err := r.vacant(); err != nil {
		return nil, err
	}
	// The lanes hear by this context: those that run, and those to come.
	ctx, stop := lane.Listen(ctx)
	defer stop()
	folder, err := workspace.Private(os.TempDir(), "rea-round-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	o := r.Options
	build := o.Product
	if build == nil {
		build = func(ctx context.Context) (*product.Product, error) { return product.Build(ctx, o.Root, folder.Path) }
	}
	once := sync.OnceValues(func() (*product.Product, error) { return build(ctx) })
	o.Product = func(context.Context) (*product.Product, error) { return once() }

	jobs := r.Jobs
	if jobs <= 0 {
		jobs = runtime.NumCPU()
	}
	outcomes = make([]Outcome, len(r.Lanes))
	watch := newWatch(o.Log, r.Lanes)
	defer watch.until(ctx)()
	places := make(chan struct{}, jobs)
	var all sync.WaitGroup
	for i, l := range r.Lanes {
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			outcomes[i] = r.one(ctx, l, o, watch)
		})
	}
	all.Wait()
	return outcomes, nil
}

// vacant is no error where every report has a place. Two rounds at once can still
// meet; then each report is made by one of them, and refused to the other.
func (r Round) vacant() error {
	if r.Dir == "" {
		return nil
	}
	for _, l := range r.Lanes {
		path, err := lane.Place(r.Dir, l.Name, time.Now())
		if err != nil {
			return err
		}
		for _, path := range []string{path, results.Beside(path, results.LogExt), results.Beside(path, results.AttestationExt)} {
			if _, err := os.Lstat(path); err == nil {
				return fmt.Errorf("%w: %s; a round wants a folder without reports of its lanes", fs.ErrExist, path)
			}
		}
	}
	return nil
}

func (r Round) one(ctx context.Context, l lane.Lane, o lane.Options, w *watch) Outcome {
	out := Outcome{Lane: l}
	if ctx.Err() != nil {
		out.Err = ErrNotBegun
		return out
	}
	if o.Report, out.Err = lane.Place(r.Dir, l.Name, time.Now()); out.Err != nil {
		return out
	}
	var log *os.File
	log, out.Err = os.OpenFile(results.Beside(o.Report, results.LogExt), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if out.Err != nil {
		return out
	}
	said := w.begin(l.Name)
	o.Log = io.MultiWriter(log, said)
	out.Report, out.Path, out.Err = l.Start(ctx, o)
	said.end(out)
	out.Err = errors.Join(out.Err, log.Close())
	if out.Path == "" { // without a report it would be nobody's
		out.Err = errors.Join(out.Err, os.Remove(log.Name()))
	}
	return out
}
