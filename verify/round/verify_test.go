package round

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"rea.example/verify/lane"
	"rea.example/verify/report"
)

func outcomes() []Outcome {
	began := time.Date(2031, 3, 4, 5, 6, 7, 0, time.UTC)
	out := func(name string, v report.Verdict, took time.Duration, checks ...report.Verdict) Outcome {
		r := report.New("verify:" + name)
		end := began.Add(took)
		r.Started, r.Finished, r.Status, r.Verdict = began, &end, "finished", v
		for _, c := range checks {
			r.Checks = append(r.Checks, report.Check{Name: "x", Verdict: c})
		}
		return Outcome{Lane: lane.Lane{Name: name}, Report: r, Path: "/r/" + name}
	}
	list := []Outcome{
		out("web:a", report.Passed, 90*time.Second, report.Passed, report.Unavailable),
		out("web:b", report.Failed, time.Second, report.Failed, report.Passed),
		out("web:c", report.Unavailable, 0),
		out("web:d", "", 2*time.Second, report.Passed),
		{Lane: lane.Lane{Name: "web:e"}, Err: ErrNotBegun},
	}
	list[2].Report.Reasons = []string{"no engine", "no judge"}
	list[3].Report.Status, list[3].Report.Reasons = report.Interrupted, []string{"interrupted: enough"}
	return list
}

func TestTheTableAtTheEndHasEveryLaneAndTheirSum(t *testing.T) {
	var b bytes.Buffer
	if err := table(&b, outcomes(), 95*time.Second); err != nil {
		t.Fatal(err)
	}
	want := `lane verdict checks failed not run time report
web:a passed 2 0 1 1 min 30 s /r/web:a
web:b failed 2 1 0 1.0 s /r/web:b
web:c unavailable 0 0 0 0 ms /r/web:c
web:d unfinished 1 0 0 2.0 s /r/web:d
web:e not begun
all 5 1 1 1 min 35 s
`
	got := regexp.MustCompile(` +`).ReplaceAllString(b.String(), " ")
	if got = strings.ReplaceAll(got, " \n", "\n"); got != want {
		t.Errorf("the table is\n%s", got)
	}
}

func TestALaneThatIsAllowedToBeUnavailableMustBeOne(t *testing.T) {
	r := Round{Lanes: []lane.Lane{{Name: "web:har"}, {Name: "web:mcp"}}}
	for given, want := range map[string]string{
		"web:har": "web:har", "web:har, verify:web:mcp": "web:har,web:mcp", "web:harr": "", "web:har,": "",
	} {
		names, err := r.named(strings.Split(given, ","))
		if strings.Join(names, ",") != want || (err != nil) != (want == "") {
			t.Errorf("%q: %q, %v", given, names, err)
		}
	}
}

func TestOnlyPassedAndExcusedLanesAreNoError(t *testing.T) {
	all := outcomes()
	if err := judged(all[:1], nil); err != nil {
		t.Error(err)
	}
	if err := judged(all[2:3], []string{"web:c"}); err != nil {
		t.Error(err)
	}
	err := judged(all, []string{"web:b", "web:d", "web:e"})
	want := []string{
		"verify:web:b: failed", // being unavailable is all that is excused
		"verify:web:c: unavailable; no engine; no judge",
		"verify:web:d: interrupted: enough",
		"verify:web:e: not begun: interrupted",
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("%v", err)
	}
	if !errors.Is(err, ErrNotBegun) {
		t.Error("the cause is lost")
	}
}
