package views

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"rea.example/corpora"
	"rea.example/verify/attest"
	"rea.example/verify/junit"
	"rea.example/verify/matrix"
	"rea.example/verify/results"
	"rea.example/verify/summary"
	"rea.example/verify/workspace"
)

// Options say what to show and where. An empty path asks for nothing.
type Options struct {
	Path   string // a report, or a folder of reports
	Before string // the run to compare with, likewise

	Key  string // public key that must have signed the attestation of every report at Path
	Here bool   // and what they name must be what this machine has

	HTML, JUnit, Markdown string // files to write
}

// Show shows the run, in the terminal to out.
func Show(ctx context.Context, out io.Writer, o Options) error {
	if o.Here && o.Key == "" {
		return errors.New("views: what a report names here is worth looking up once a key has vouched for it: give -key, too")
	}
	now, err := results.Open(o.Path)
	if err != nil {
		return err
	}
	if o.Key != "" {
		if err := check(ctx, out, now, o); err != nil {
			return err
		}
	}
	var since *results.Difference
	if o.Before != "" {
		before, err := results.Open(o.Before)
		if err != nil {
			return err
		}
		since = results.Compare(before, now)
	}
	if err := write(now, since, o); err != nil {
		return err
	}
	return table(out, now, since)
}

// write makes the files that were asked for.
func write(now results.Results, since *results.Difference, o Options) error {
	for _, v := range []struct {
		path string
		make func(io.Writer) error
	}{
		{o.HTML, func(w io.Writer) error { return matrix.Write(w, now, since, filepath.Dir(o.HTML)) }},
		{o.JUnit, func(w io.Writer) error { return junit.Write(w, now) }},
		{o.Markdown, func(w io.Writer) error { return summary.Write(w, now, since) }},
	} {
		if v.path == "" {
			continue
		}
		var b bytes.Buffer
		err := v.make(&b)
		if err == nil {
			err = os.WriteFile(v.path, b.Bytes(), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check holds every report to its attestation.
func check(ctx context.Context, out io.Writer, now results.Results, o Options) error {
	var here attest.Here
	if o.Here {
		var err error
		if here, err = machine(); err != nil {
			return err
		}
	}
	var errs []error
	for _, l := range now.Lanes {
		s, err := attest.Check(ctx, l.Path, o.Key)
		if err == nil && o.Here {
			err = here.Holds(ctx, s)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", results.Line(l.Name()), err))
			continue
		}
		fmt.Fprintf(out, "%s: attested, %s\n", results.Line(l.Name()), s.Predicate.Result)
	}
	return errors.Join(errs...)
}

func machine() (attest.Here, error) {
	root, err := workspace.Root()
	if err != nil {
		return attest.Here{}, err
	}
	product, err := workspace.Cache("bin", "rea")
	if err != nil {
		return attest.Here{}, err
	}
	locks, err := corpora.Load(root)
	return attest.Here{Product: product, Layers: attest.Layers, Locks: locks}, err
}

func table(out io.Writer, now results.Results, since *results.Difference) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "lane\tverdict\tchecks\ttime")
	if since != nil {
		fmt.Fprint(w, "\tbefore")
	}
	fmt.Fprintln(w)
	for _, l := range now.Lanes {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s", results.Line(l.Name()), l.Verdict(), l.Checks().Words(), l.Time())
		if s := since.Shift(l.Name()); s != nil {
			fmt.Fprintf(w, "\t%s", s.Then())
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if since != nil {
		changed(out, since)
	}
	_, err := fmt.Fprintf(out, "%s.\n", now.Headline())
	return err
}

// changed says what the lanes' own lines do not.
func changed(out io.Writer, since *results.Difference) {
	for _, c := range since.Changes {
		fmt.Fprintf(out, "%s: %s, %s\n", c.Kind, results.Line(c.Lane), results.Line(c.Check))
	}
	for _, m := range since.Moves {
		fmt.Fprintf(out, "another version: %s, %s: %s → %s\n", results.Line(m.Lane), results.Line(m.Pin), value(m.Was), value(m.Is))
	}
	for _, s := range since.Shifts {
		if s.Is == "" {
			fmt.Fprintf(out, "not part of this run: %s, then %s in %s\n", results.Line(s.Lane), s.Was, results.Span(s.Before))
		}
	}
}

func value(pin string) string {
	if pin == "" {
		return "nothing"
	}
	return results.Line(pin)
}
