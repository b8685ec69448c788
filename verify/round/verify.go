package round

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"rea.example/verify/lane"
	"rea.example/verify/report"
	"rea.example/verify/results"
)

// Verify runs the round and prints a table of what its lanes came to. Its error is
// nil where every lane passed, or was unavailable and is one of those that may be.
func (r Round) Verify(ctx context.Context, mayBeUnavailable []string) error {
	allowed, err := r.named(mayBeUnavailable)
	if err != nil {
		return err
	}
	began := time.Now()
	outcomes, err := r.Run(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(r.Options.Log)
	return errors.Join(table(r.Options.Log, outcomes, time.Since(began)), judged(outcomes, allowed))
}

// named wants lanes of the round, with or without "verify:" before them.
func (r Round) named(list []string) (names []string, err error) {
	for _, name := range list {
		name = strings.TrimPrefix(strings.TrimSpace(name), "verify:")
		if !slices.ContainsFunc(r.Lanes, func(l lane.Lane) bool { return l.Name == name }) {
			return nil, fmt.Errorf("there is no lane %q", name)
		}
		names = append(names, name)
	}
	return names, nil
}

func table(out io.Writer, outcomes []Outcome, took time.Duration) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "lane\tverdict\tchecks\tfailed\tnot run\ttime\treport")
	sum := results.Tally{}
	for _, o := range outcomes {
		switch {
		case errors.Is(o.Err, ErrNotBegun):
			fmt.Fprintf(w, "%s\tnot begun\t\t\t\t\t\n", o.Lane.Name)
		case o.Path == "":
			fmt.Fprintf(w, "%s\tno report\t\t\t\t\t\n", o.Lane.Name)
		default:
			l := results.Lane{Report: o.Report}
			row(w, o.Lane.Name, string(l.Verdict()), l.Checks(), l.Took(), o.Path)
			for v, n := range l.Checks() {
				sum[v] += n
			}
		}
	}
	row(w, "all", "", sum, took, "")
	return w.Flush()
}

func row(w io.Writer, name, verdict string, checks results.Tally, took time.Duration, path string) {
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\n",
		name, verdict, checks.Total(), checks[report.Failed], checks[report.Unavailable], results.Span(took), path)
}

// judged is nothing where every lane passed, or was unavailable and allowed to be.
func judged(outcomes []Outcome, allowed []string) error {
	var errs []error
	for _, o := range outcomes {
		switch {
		case o.Err != nil:
			errs = append(errs, fmt.Errorf("verify:%s: %w", o.Lane.Name, o.Err))
		case o.Report.Verdict != report.Unavailable || !slices.Contains(allowed, o.Lane.Name):
			errs = append(errs, o.Report.Err())
		}
	}
	return errors.Join(errs...)
}
