package results

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rea.example/verify/report"
)

// Unfinished is what the other verdicts are not: the lane was stopped, or still
// runs, and no check of it had failed.
const Unfinished report.Verdict = "unfinished"

// Verdicts lists what a lane can have come to, the most urgent first.
var Verdicts = []report.Verdict{report.Failed, Unfinished, report.Unavailable, report.Passed}

// Results is one run: its lanes in the order in which they began.
type Results struct{ Lanes []Lane }

// Lane is one report with the files beside it.
type Lane struct {
	report.Report
	Path        string // of the report
	Log         string // of what the lane printed; empty where there is none
	Attestation string // of the signed statement; empty where there is none
}

// Beside is the path of a file that belongs to a report: "web-har.log" beside
// "web-har.json".
func Beside(path, ext string) string { return strings.TrimSuffix(path, ".json") + ext }

// The endings of the files beside a report.
const (
	LogExt         = ".log"
	AttestationExt = ".intoto.jsonl" // the name that in-toto asks for
)

// Open reads a report, or every report of a folder: the *.json files in it that
// say which lane they are of. Other documents there are left alone, and so is what
// is no regular file; a file that is no JSON, or a report that no lane writes, is
// refused, for it may be half of what was to be shown.
func Open(path string) (Results, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Results{}, fmt.Errorf("results: %w", err)
	}
	if !info.IsDir() {
		l, err := open(path)
		return Results{[]Lane{l}}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return Results{}, fmt.Errorf("results: %w", err)
	}
	newest := map[string]Lane{}
	for _, entry := range entries {
		file := filepath.Join(path, entry.Name())
		if filepath.Ext(file) != ".json" || other(file) {
			continue
		}
		l, err := open(file)
		if errors.Is(err, report.ErrNoLane) {
			continue
		}
		if err != nil {
			return Results{}, err
		}
		if have, ok := newest[l.Name()]; !ok || order(have, l) < 0 {
			newest[l.Name()] = l
		}
	}
	if len(newest) == 0 {
		return Results{}, fmt.Errorf("results: %s holds no report", Line(path))
	}
	return Results{slices.SortedFunc(maps.Values(newest), order)}, nil
}

// other says whether a path leads to what is no file: a folder, or a pipe that
// nobody may ever write to. A link that leads nowhere is not passed over so.
func other(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

func order(a, b Lane) int {
	return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.Name(), b.Name()), strings.Compare(a.Path, b.Path))
}

func open(path string) (Lane, error) {
	r, err := report.Read(path)
	if err != nil {
		return Lane{}, fmt.Errorf("results: %s is no report: %w", Line(path), err)
	}
	l := Lane{Report: r, Path: path}
	for ext, to := range map[string]*string{LogExt: &l.Log, AttestationExt: &l.Attestation} {
		if info, err := os.Stat(Beside(path, ext)); err == nil && info.Mode().IsRegular() {
			*to = Beside(path, ext)
		}
	}
	return l, nil
}

// Name is the lane as the command line spells it after "verify:".
func (l Lane) Name() string { return strings.TrimPrefix(l.Report.Lane, report.Prefix) }

// Verdict is the report's, or Unfinished.
func (l Lane) Verdict() report.Verdict {
	if l.Finished == nil || !slices.Contains(Verdicts, l.Report.Verdict) {
		return Unfinished
	}
	return l.Report.Verdict
}

// Took is how long the lane ran: zero for one that never finished.
func (l Lane) Took() time.Duration {
	if l.Finished == nil {
		return 0
	}
	return l.Finished.Sub(l.Started)
}

// Cut says whether it was an interruption of the lane that prevented a check.
func (l Lane) Cut(c report.Check) bool {
	return l.Status == report.Interrupted && c.Verdict == report.Unavailable && c.Detail == report.Cut
}

// Prevented says how many checks an interruption prevented, as part of a sentence:
// "37 checks were not run". It is empty for none. They may be hundreds, and none of
// them says anything.
func (l Lane) Prevented() string {
	n := 0
	for _, c := range l.Report.Checks {
		if l.Cut(c) {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "1 check was not run"
	default:
		return Counted(n, "check") + " were not run"
	}
}

// Tally counts by verdict.
type Tally map[report.Verdict]int

// Total is how many were counted.
func (t Tally) Total() (n int) {
	for _, each := range t {
		n += each
	}
	return n
}

// Checks counts the lane's checks.
func (l Lane) Checks() Tally {
	t := Tally{}
	for _, c := range l.Report.Checks {
		t[c.Verdict]++
	}
	return t
}

// Checks counts the checks of every lane.
func (r Results) Checks() Tally {
	t := Tally{}
	for _, l := range r.Lanes {
		for v, n := range l.Checks() {
			t[v] += n
		}
	}
	return t
}

// Tally counts the lanes.
func (r Results) Tally() Tally {
	t := Tally{}
	for _, l := range r.Lanes {
		t[l.Verdict()]++
	}
	return t
}

// Verdict is the most urgent one of the lanes.
func (r Results) Verdict() report.Verdict {
	t := r.Tally()
	for _, v := range Verdicts {
		if t[v] > 0 {
			return v
		}
	}
	return Unfinished
}

// Began is when the first lane began.
func (r Results) Began() time.Time {
	if len(r.Lanes) == 0 {
		return time.Time{}
	}
	return r.Lanes[0].Started
}

// Took is the time from the first beginning to the last end.
func (r Results) Took() time.Duration {
	end := r.Began()
	for _, l := range r.Lanes {
		if l.Finished != nil && l.Finished.After(end) {
			end = *l.Finished
		}
	}
	return end.Sub(r.Began())
}
