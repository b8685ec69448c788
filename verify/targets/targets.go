// Package targets holds the mage targets that mage sees as verify:….
//
// It promises to be thin: every exported function here is a target, so there is
// no other exported function, and what a target does stands in another package.
package targets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"rea.example/verify/judge"
	"rea.example/verify/lane"
	"rea.example/verify/lanes"
	"rea.example/verify/report"
	"rea.example/verify/workspace"
)

// All runs every lane that needs nothing of the caller's, and prints a table.
func All(
	ctx context.Context,
	allowUnavailable *string, // names of lanes that may be unavailable, with commas between
	attest *string, // private key in PEM that signs what each report says
) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	var allowed []string
	if allowUnavailable != nil {
		allowed = strings.Split(*allowUnavailable, ",")
	}
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "lane\tverdict\tchecks\tfailed\tnot run\tseconds\treport")
	var errs []error
	for _, l := range lanes.All {
		r, path, err := l.Start(ctx, lane.Options{Root: root, Log: os.Stdout, Attest: or(attest)})
		excused := r.Verdict == report.Unavailable && slices.Contains(allowed, l.Name)
		if err == nil && !excused {
			err = verdict(r)
		}
		errs = append(errs, err)
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t%.0f\t%s\n",
			l.Name, r.Verdict, len(r.Checks), count(r, report.Failed), count(r, report.Unavailable), seconds(r), path)
	}
	errs = append(errs, table.Flush())
	fmt.Printf("\n%s\n", &b)
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
	fmt.Printf("%s: %s, %d checks in %.0f seconds", r.Lane, r.Verdict, len(r.Checks), seconds(r))
	if n := count(r, report.Unavailable); n > 0 {
		fmt.Printf(", %d of them not run here", n)
	}
	fmt.Println()
	return verdict(r)
}

func count(r report.Report, v report.Verdict) (n int) {
	for _, c := range r.Checks {
		if c.Verdict == v {
			n++
		}
	}
	return n
}

func seconds(r report.Report) float64 {
	if r.Finished == nil {
		return 0
	}
	return r.Finished.Sub(r.Started).Seconds()
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
	return fmt.Errorf("%s %s%s", r.Lane, r.Verdict, reasons(r.Reasons))
}

func reasons(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, "; ")
}
