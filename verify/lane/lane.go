package lane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"rea.example/verify/bench"
	"rea.example/verify/judge"
	"rea.example/verify/product"
	"rea.example/verify/report"
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
	Judge bool // node and the reference packages
}

// Deadline bounds one lane. It stands here and not in mage, whose own time-out
// returns without waiting for the lane to clean up.
const Deadline = 20 * time.Minute

// Options say where a lane runs. The two functions are there for tests; nil
// means the real thing.
type Options struct {
	Root    string // of the workspace
	Report  string // path of the report; empty for a fresh name in the cache folder
	Log     io.Writer
	Product func(ctx context.Context, root string) (*product.Product, error)
	Judge   func(ctx context.Context, root string) (bench.Judge, error)
}

// Start runs the lane. Its error says that there is no report to believe; what
// the lane found stands in the report alone, whose path is given too.
func (l Lane) Start(ctx context.Context, o Options) (report.Report, string, error) {
	// SIGTERM kills a mage binary at once unless somebody listens.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, Deadline)
	defer cancel()

	r := report.New("verify:" + l.Name)
	path, err := reportPath(o.Report, l.Name, r.Started)
	if err != nil {
		return r, "", err
	}
	file, err := report.Create(path, r)
	if err != nil {
		return r, "", err
	}
	fmt.Fprintf(o.Log, "%s: report %s\n", r.Lane, file.Path())

	b, err := bench.New(o.Root, &r, o.Log)
	if err != nil {
		return r, path, err
	}
	l.run(ctx, b, &r, o)
	b.Check("bench is empty again", b.Close)
	settle(&r)
	r, err = file.Finish(r, b.Secrets())
	return r, path, err
}

// run prepares the needs and makes the checks. Whatever goes wrong becomes a
// reason or a failed check.
func (l Lane) run(ctx context.Context, b *bench.Bench, r *report.Report, o Options) {
	if l.Needs.Judge {
		j, err := o.judge(ctx)
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
		b.Product, err = o.product(ctx)
		return err
	})
	if !built {
		return
	}
	r.Product = &report.Product{Version: b.Product.Version, SHA256: b.Product.SHA256}
	before := len(r.Checks)
	if err := l.Run(ctx, b); err != nil {
		b.Check("lane ran to its end", func() error { return err })
		return
	}
	if len(r.Checks) == before {
		b.Check("lane checked something", func() error { return errors.New("it checked nothing") })
	}
}

func (o Options) product(ctx context.Context) (*product.Product, error) {
	if o.Product != nil {
		return o.Product(ctx, o.Root)
	}
	return product.Build(ctx, o.Root)
}

func (o Options) judge(ctx context.Context) (bench.Judge, error) {
	if o.Judge != nil {
		return o.Judge(ctx, o.Root)
	}
	return judge.Open(ctx, o.Root)
}

// settle gives the report its verdict: one failed check fails it, and a reason
// for being unavailable never hides a failure.
func settle(r *report.Report) {
	r.Verdict = report.Passed
	if len(r.Reasons) > 0 {
		r.Verdict = report.Unavailable
	}
	for _, c := range r.Checks {
		if c.Verdict == report.Failed {
			r.Verdict = report.Failed
		}
	}
}

// reportPath is the asked path, or a name that no other run has.
func reportPath(asked, lane string, started time.Time) (string, error) {
	if asked != "" {
		return filepath.Abs(asked)
	}
	// Some file systems refuse a colon in a name.
	name := fmt.Sprintf("%s-%s.json", strings.ReplaceAll(lane, ":", "-"), started.Format("20060102T150405.000000000Z"))
	return workspace.Cache("reports", name)
}
