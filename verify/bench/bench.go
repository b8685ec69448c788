package bench

import (
	"context"
	"fmt"
	"io"
	"os"

	"rea.example/verify/judge"
	"rea.example/verify/product"
	"rea.example/verify/report"
)

// Judge says what the reference packages think of captures.
type Judge interface {
	Verdicts(ctx context.Context, paths []string) ([]judge.Verdict, error)
	Pins() []report.Pin
}

// Bench is given to a lane for one run.
type Bench struct {
	Root    string           // of the workspace
	Temp    string           // private to this run, removed by Close
	Product *product.Product // built
	Judge   Judge            // nil unless the lane says that it needs one

	log     io.Writer
	report  *report.Report
	secrets []string
}

// New makes a bench whose checks go into r and whose progress goes to log.
func New(root string, r *report.Report, log io.Writer) (*Bench, error) {
	temp, err := os.MkdirTemp("", "rea-bench-")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return &Bench{Root: root, Temp: temp, log: log, report: r}, nil
}

// Close removes what the bench made.
func (b *Bench) Close() error { return os.RemoveAll(b.Temp) }

// Check runs one comparison and records it under its name. It says whether it
// passed, for lanes whose next check depends on it.
func (b *Bench) Check(name string, compare func() error) bool {
	c := report.Check{Name: name, Verdict: report.Passed}
	if err := compare(); err != nil {
		c.Verdict, c.Detail = report.Failed, err.Error()
		fmt.Fprintf(b.log, "  failed  %s: %s\n", c.Name, c.Detail)
	}
	b.report.Checks = append(b.report.Checks, c)
	return c.Verdict == report.Passed
}

// Pin records something the verdict depends on.
func (b *Bench) Pin(name, value string) {
	b.report.Pins = append(b.report.Pins, report.Pin{Name: name, Value: value})
}

// Plant declares a secret that the lane puts into a capture: it may stand
// nowhere in the report.
func (b *Bench) Plant(secret string) { b.secrets = append(b.secrets, secret) }

// Secrets are those planted so far.
func (b *Bench) Secrets() []string { return b.secrets }
