package results_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rea.example/verify/bench"
	"rea.example/verify/report"
	"rea.example/verify/results"
	"rea.example/verify/results/sample"
)

// write makes a report file and gives its path.
func write(t *testing.T, dir, name string, r report.Report, finish bool) string {
	t.Helper()
	path := filepath.Join(dir, name)
	f, err := report.Create(path, r)
	if err == nil && finish {
		_, err = f.Finish(r, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func of(lane string, started time.Time, v report.Verdict) report.Report {
	r := report.New(lane)
	r.Started, r.Verdict = started, v
	if v != "" {
		r.Checks = []report.Check{{Name: "one", Verdict: v}}
	}
	return r
}

func TestAFolderIsTheNewestReportOfEachLane(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `odd [name]\*?`)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	write(t, dir, "z-old.json", of("verify:a", at, report.Failed), true)
	write(t, dir, "a-new.json", of("verify:a", at.Add(time.Hour), report.Passed), true)
	write(t, dir, "b.json", of("verify:b", at.Add(time.Minute), ""), false)
	for _, name := range []string{"b.log", "a-new.intoto.jsonl", "note.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := results.Open(dir)
	if err != nil || len(r.Lanes) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	b, a := r.Lanes[0], r.Lanes[1]
	if b.Name() != "b" || b.Verdict() != results.Unfinished || b.Took() != 0 || b.Log != filepath.Join(dir, "b.log") || b.Attestation != "" {
		t.Errorf("first lane %+v", b)
	}
	if a.Name() != "a" || a.Verdict() != report.Passed || a.Attestation != filepath.Join(dir, "a-new.intoto.jsonl") || a.Log != "" {
		t.Errorf("second lane %+v", a)
	}
	if r.Verdict() != results.Unfinished {
		t.Errorf("a run with an unfinished lane is %s", r.Verdict())
	}
}

func TestOneReportIsARun(t *testing.T) {
	path := write(t, t.TempDir(), "r.json", of("verify:a", time.Now(), report.Passed), true)
	if r, err := results.Open(path); err != nil || len(r.Lanes) != 1 || r.Verdict() != report.Passed {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestWhatIsNoReportIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		beside bool // that it may lie in a folder of reports
	}{
		"no JSON":               {"{", false},
		"no lane":               {`{"schema":1}`, true},
		"another document":      {`[]`, true},
		"another version":       {`{"schema":99,"lane":"verify:a","status":"finished"}`, false},
		"a status nobody knows": {`{"schema":1,"lane":"verify:a","status":"splendid"}`, false},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "x.json")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := results.Open(path); err == nil || !strings.Contains(err.Error(), "x.json is no report") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := results.Open(dir); err == nil || c.beside != strings.Contains(err.Error(), "holds no report") {
			t.Errorf("%s, alone in a folder: %v", name, err)
		}
		write(t, dir, "r.json", of("verify:a", time.Now(), report.Passed), true)
		r, err := results.Open(dir)
		if c.beside && (err != nil || len(r.Lanes) != 1) || !c.beside && (err == nil || !strings.Contains(err.Error(), "x.json is no report")) {
			t.Errorf("%s, beside a report: %+v, %v", name, r, err)
		}
	}
	if _, err := results.Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no report") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := results.Open(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("an absent path is a run")
	}
}

func TestWhatLiesBesideReportsIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "r.json", of("verify:a", time.Now(), report.Passed), true)
	if err := os.Mkdir(filepath.Join(dir, "d.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"package.json": `{"name":"x","version":"1.0.0"}`, "r.json.part": "{"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := results.Open(dir); err != nil || len(r.Lanes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "z.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := results.Open(dir); err == nil {
		t.Error("a report that has gone is not missed")
	}
}

func TestAnErrorIsOneLineWhateverAFileIsCalled(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a\n::error::x.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := results.Open(dir); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

func TestAVerdictNobodyKnowsIsUnfinished(t *testing.T) {
	l := sample.Passed().Lanes[0]
	l.Report.Verdict = "splendid"
	if l.Verdict() != results.Unfinished {
		t.Errorf("it is %s", l.Verdict())
	}
}

func TestTheMostUrgentVerdictIsTheRuns(t *testing.T) {
	r := sample.Now()
	want := []report.Verdict{report.Failed, results.Unfinished, report.Unavailable, report.Passed}
	for _, v := range want {
		if r.Verdict() != v {
			t.Errorf("the run is %s, not %s", r.Verdict(), v)
		}
		r.Lanes = slices.DeleteFunc(r.Lanes, func(l results.Lane) bool { return l.Verdict() == v })
	}
	if r.Verdict() != results.Unfinished {
		t.Errorf("no lane at all is %s", r.Verdict())
	}
}

func TestCompareSeesEveryKindOfChangeOnce(t *testing.T) {
	d := results.Compare(sample.Before(), sample.Now())
	want := map[results.Kind]string{
		results.Broken: "har: text and structure agree", results.Lost: "saz: text and structure agree",
		results.Gone: "a client that no longer exists", results.Mended: "saz: the faces agree",
		results.Found: "har: the faces agree",
	}
	for kind, name := range want {
		if got := d.Of(kind); len(got) != 1 || got[0].Check != name || got[0].Lane != "web:mcp" {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	if got := d.Of(results.Arrived); len(got) != 2 || got[0].Lane != "web:har" {
		t.Errorf("arrived: %+v", got)
	}
	if len(d.Moves) != 1 || d.Moves[0] != (results.Move{Lane: "web:har", Pin: "npm ajv", Was: "8.19.0", Is: "8.20.0"}) {
		t.Errorf("pins: %+v", d.Moves)
	}
	if s := d.Shift("web:saz"); s == nil || s.Was != report.Passed || s.Is != report.Unavailable {
		t.Errorf("saz: %+v", s)
	}
	if s := d.Shift("web:views"); s == nil || s.Was != "" || s.Is != results.Unfinished {
		t.Errorf("a new lane: %+v", s)
	}
	if s := d.Shift("web:offline"); s == nil || s.Was != report.Passed || s.Is != "" {
		t.Errorf("a lane that was left out: %+v", s)
	}
}

func TestARunDoesNotDifferFromItself(t *testing.T) {
	d := results.Compare(sample.Now(), sample.Now())
	if len(d.Changes)+len(d.Moves) != 0 {
		t.Errorf("%+v, %+v", d.Changes, d.Moves)
	}
}

func TestOfChecksThatShareANameTheWorstCounts(t *testing.T) {
	before, now := sample.Passed(), sample.Passed()
	again := now.Lanes[0].Report.Checks[0]
	again.Verdict = report.Failed
	now.Lanes[0].Report.Checks = append(now.Lanes[0].Report.Checks, again)
	if got := results.Compare(before, now).Of(results.Broken); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestAVerdictNobodyKnowsHidesNoFailure(t *testing.T) {
	before, now := sample.Passed(), sample.Passed()
	checks := now.Lanes[0].Report.Checks
	again, other := checks[0], &checks[1]
	again.Verdict, checks[0].Verdict, other.Verdict = "splendid", report.Failed, "splendid"
	now.Lanes[0].Report.Checks = append(checks, again)
	got := results.Compare(before, now).Of(results.Broken)
	if len(got) != 2 || got[0].Check != again.Name || got[1].Check != other.Name {
		t.Errorf("%+v", got)
	}
}

func TestOnlyBetweenLanesThatRanToTheirEndIsACheckGoneOrNew(t *testing.T) {
	cut := func(checks int) results.Results {
		r := sample.Passed()
		l := &r.Lanes[0]
		l.Status, l.Report.Verdict, l.Report.Checks = report.Interrupted, "", l.Report.Checks[:checks]
		return r
	}
	whole, some := sample.Passed(), cut(3)
	if d := results.Compare(some, whole); len(d.Changes) > 0 {
		t.Errorf("from an interrupted lane to a whole one: %+v", d.Changes)
	}
	if d := results.Compare(whole, some); len(d.Changes) > 0 {
		t.Errorf("from a whole lane to an interrupted one: %+v", d.Changes)
	}
	// The one has a check that the other never came to, and a name that no longer is.
	some.Lanes[0].Report.Checks = append(some.Lanes[0].Report.Checks, report.Check{Name: "of old", Verdict: report.Passed})
	if d := results.Compare(some, whole); len(d.Changes) > 0 {
		t.Errorf("a check that an interrupted lane had: %+v", d.Changes)
	}
	// What a lane did say before it was cut short counts.
	some.Lanes[0].Report.Checks[0].Verdict = report.Failed
	if got := results.Compare(whole, some).Of(results.Broken); len(got) != 1 {
		t.Errorf("a check that fails now: %+v", got)
	}
}

func TestWhatAnInterruptionPreventedIsCountedAndNotCompared(t *testing.T) {
	cut := sample.Interrupted()
	l := cut.Lanes[0]
	if n := l.Checks()[report.Unavailable]; n < 100 || l.Prevented() != results.Counted(n, "check")+" were not run" {
		t.Errorf("%d checks: %q", n, l.Prevented())
	}
	for _, d := range []*results.Difference{results.Compare(sample.Passed(), cut), results.Compare(cut, sample.Passed())} {
		if len(d.Changes) > 0 {
			t.Errorf("%d changes, first %+v", len(d.Changes), d.Changes[0])
		}
	}
	l.Report.Checks = []report.Check{{Name: "one", Verdict: report.Unavailable, Detail: report.Cut}}
	if got := l.Prevented(); got != "1 check was not run" {
		t.Errorf("%q", got)
	}
	l.Report.Checks[0].Detail = "not run here: no engine"
	if got := l.Prevented(); got != "" {
		t.Errorf("another reason: %q", got)
	}
}

// TestABenchSaysWhatAnInterruptionPrevented holds the views to what lanes write.
func TestABenchSaysWhatAnInterruptionPrevented(t *testing.T) {
	stopped := make(chan struct{})
	close(stopped)
	r := report.New("verify:a")
	b, err := bench.New("", &r, io.Discard, stopped)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.Check("one", func() error { return nil })
	r.Status = report.Interrupted
	if got := (results.Lane{Report: r}).Prevented(); got != "1 check was not run" {
		t.Errorf("%q of %+v", got, r.Checks)
	}
}
