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

	"github.com/magefile/mage/mg"

	"rea.example/verify/judge"
	"rea.example/verify/lane"
	"rea.example/verify/lanes"
	"rea.example/verify/report"
	"rea.example/verify/workspace"
)

// Web are the lanes about recorded web traffic.
type Web mg.Namespace

// Har compares the product with the npm packages that define the HAR profile.
func (Web) Har(
	ctx context.Context,
	report *string, // path of the report, which must not exist; else a fresh one in the cache folder
	attest *string, // private key in PEM that signs what the report says
) error {
	return one(ctx, lanes.WebHAR, report, attest)
}

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
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "lane\tverdict\tchecks\treport")
	var errs []error
	for _, l := range lanes.All {
		r, path, err := l.Start(ctx, lane.Options{Root: root, Log: os.Stdout, Attest: or(attest)})
		excused := r.Verdict == report.Unavailable && slices.Contains(allowed, l.Name)
		if err == nil && !excused {
			err = verdict(r)
		}
		errs = append(errs, err)
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", l.Name, r.Verdict, len(r.Checks), path)
	}
	if err := table.Flush(); err != nil {
		errs = append(errs, err)
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

func one(ctx context.Context, l lane.Lane, path, attest *string) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	o := lane.Options{Root: root, Log: os.Stdout, Report: or(path), Attest: or(attest)}
	r, _, err := l.Start(ctx, o)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s, %d checks\n", r.Lane, r.Verdict, len(r.Checks))
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
	return fmt.Errorf("%s %s%s", r.Lane, r.Verdict, reasons(r.Reasons))
}

func reasons(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, "; ")
}
