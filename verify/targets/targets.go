// Package targets holds the mage targets that mage sees as verify:….
//
// It promises to be thin: every exported function here is a target, so there is
// no other exported function, and what a target does stands in another package.
package targets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"rea.example/verify/judge"
	"rea.example/verify/lane"
	"rea.example/verify/lanes"
	"rea.example/verify/report"
	"rea.example/verify/results"
	"rea.example/verify/workspace"
)

// All runs every lane that needs nothing of the caller's, side by side, and prints
// a table.
func All(
	ctx context.Context,
	allowUnavailable *string, // names of lanes that may be unavailable, with commas between
	attest *string, // private key in PEM that signs what each report says
	jobs *int, // lanes at a time; else one for each processor
	reports *string, // folder for the reports, named after their lanes; else fresh names in the cache folder
) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	allowed, err := named(allowUnavailable)
	if err != nil {
		return err
	}
	round := lane.Round{
		Lanes: lanes.All, Dir: or(reports), Options: lane.Options{Root: root, Log: os.Stdout, Attest: or(attest)},
	}
	if jobs != nil {
		round.Jobs = *jobs
	}
	began := time.Now()
	outcomes := round.Run(ctx)
	fmt.Println()
	return errors.Join(table(os.Stdout, outcomes, time.Since(began)), judged(outcomes, allowed))
}

// named are the lanes that a list names.
func named(list *string) ([]string, error) {
	if list == nil {
		return nil, nil
	}
	names := strings.Split(*list, ",")
	for _, name := range names {
		if !slices.ContainsFunc(lanes.All, func(l lane.Lane) bool { return l.Name == name }) {
			return nil, fmt.Errorf("there is no lane %q", name)
		}
	}
	return names, nil
}

// table is the end of a round.
func table(out io.Writer, outcomes []lane.Outcome, took time.Duration) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "lane\tverdict\tchecks\tfailed\tnot run\ttime\treport")
	var sum results.Tally = map[report.Verdict]int{}
	for _, o := range outcomes {
		if o.Path == "" {
			fmt.Fprintf(w, "%s\tnot begun\t\t\t\t\t\n", o.Lane.Name)
			continue
		}
		l := results.Lane{Report: o.Report}
		row(w, o.Lane.Name, string(l.Verdict()), l.Checks(), l.Took(), o.Path)
		for v, n := range l.Checks() {
			sum[v] += n
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
func judged(outcomes []lane.Outcome, allowed []string) error {
	var errs []error
	for _, o := range outcomes {
		switch {
		case o.Err != nil:
			errs = append(errs, fmt.Errorf("verify:%s: %w", o.Lane.Name, o.Err))
		case o.Report.Verdict != report.Unavailable || !slices.Contains(allowed, o.Lane.Name):
			errs = append(errs, verdict(o.Report))
		}
	}
	return errors.Join(errs...)
}

// Judge installs the npm packages that define the HAR profile into the cache folder.
func Judge(ctx context.Context) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	if err := judge.Prepare(ctx, root); err != nil {
		return err
	}
	j, err := judge.Open(ctx, root)
	if err != nil {
		return err
	}
	for _, pin := range j.Pins() {
		fmt.Println(pin.Name, pin.Value)
	}
	return nil
}

// one runs a lane and says what it came to.
func one(ctx context.Context, l lane.Lane, o lane.Options) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	o.Root, o.Log = root, os.Stdout
	r, _, err := l.Start(ctx, o)
	if err != nil {
		return err
	}
	found := results.Lane{Report: r}
	fmt.Printf("%s: %s in %s, %s\n", r.Lane, found.Verdict(), results.Span(found.Took()), found.Checks().Words())
	return verdict(r)
}

// or is an optional argument, or nothing.
func or(given *string) string {
	if given == nil {
		return ""
	}
	return *given
}

// verdict is the report's verdict as an error: only passed is none.
func verdict(r report.Report) error {
	if r.Verdict == report.Passed {
		return nil
	}
	said := fmt.Sprintf("%s: %s", r.Lane, results.Lane{Report: r}.Verdict())
	return errors.New(strings.Join(append([]string{said}, r.Reasons...), "; "))
}
