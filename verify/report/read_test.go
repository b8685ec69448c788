package report_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/verify/report"
)

// written is the file of a finished report.
func written(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lane.json")
	r := report.New("verify:test")
	f, err := report.Create(path, r)
	if err == nil {
		r.Verdict = report.Passed
		r.Checks = []report.Check{{Name: "one", Verdict: report.Passed}, {Name: "two", Verdict: report.Passed}}
		_, err = f.Finish(r, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAReportThatNoLaneWritesIsRefusedByItsMember(t *testing.T) {
	path := written(t)
	right, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := report.Read(path); err != nil {
		t.Fatal(err)
	}
	const said = "what it holds" // and what no error may repeat
	for _, c := range []struct{ from, to, pointer string }{
		{`"schema": 1`, `"schema": 99`, "/schema"},
		{`"schema": 1`, `"schema": "` + said + `"`, "/schema"},
		{`"schema": 1,`, ``, "/schema"},
		{`"lane": "verify:test"`, `"lane": ["` + said + `"]`, "/lane"},
		{`"finished"`, `"` + said + `"`, "/status"},
		{`"status": "finished"`, `"status": "running"`, "/verdict"},
		{`"status": "finished"`, `"status": "interrupted"`, "/verdict"},
		{`"verdict": "passed",` + "\n" + `  "reasons"`, `"verdict": "` + said + `",` + "\n" + `  "reasons"`, "/verdict"},
		{`"verdict": "passed",` + "\n" + `  "reasons"`, `"verdict": "",` + "\n" + `  "reasons"`, "/verdict"},
		{`"two",` + "\n" + `      "verdict": "passed"`, `"two",` + "\n" + `      "verdict": "` + said + `"`, "/checks/1/verdict"},
		{`"two",` + "\n" + `      "verdict": "passed"`, `"two",` + "\n" + `      "verdict": {}`, "/checks/1/verdict"},
		{`"two",` + "\n" + `      "verdict": "passed"`, `"two",` + "\n" + `      "verdict": "failed"`, "/verdict"},
		{`"verdict": "passed",` + "\n" + `  "reasons"`, `"verdict": "failed",` + "\n" + `  "reasons"`, "/verdict"},
		{`"finished": "`, `"finished": null, "of": "`, "/finished"},
		{`"started": "`, `"started": "` + said, "/started or /finished"},
		{`"started": "20`, `"started": "10`, "/finished"},
		{`"started": "20`, `"started": "90`, "/finished"},
		{`"started": "`, `"started": "0001-01-01T00:00:00Z", "of": "`, "/started"},
		{`"lane": "verify:test"`, `"lane": "verify:"`, "/lane"},
		{`"lane": "verify:test"`, `"lane": " "`, "/lane"},
		{`"name": "two"`, `"name": ""`, "/checks/1/name"},
		{`"seconds": 0`, `"seconds": -0.001`, "/checks/0/seconds"},
		{`"seconds": 0`, `"seconds": 1e300`, "/checks/0/seconds"},
		{`"product": null`, `"product": ["` + said + `"]`, "/product"},
	} {
		text := strings.Replace(string(right), c.from, c.to, 1)
		if text == string(right) {
			t.Fatalf("the report has no %s", c.from)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := report.Read(path)
		var member *report.MemberError
		if !errors.As(err, &member) || member.Pointer != c.pointer || strings.Contains(err.Error(), said) || r.Lane != "" {
			t.Errorf("%s: %v", c.to, err)
		}
	}
}

func TestWhatIsNoReportIsSaidWithoutWhatItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	for text, want := range map[string]string{
		"":                        "no JSON from byte 0 on",
		`{"lane": secret}`:        "no JSON from byte ",
		`{"lane": "x"} secret`:    "no JSON from byte ",
		`{"secret": 1}`:           report.ErrNoLane.Error(),
		`{"lane": "", "a": null}`: report.ErrNoLane.Error(),
		`["secret"]`:              report.ErrNoLane.Error(),
		`null`:                    report.ErrNoLane.Error(),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := report.Read(path)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", text, err)
		}
		if errors.Is(err, report.ErrNoLane) != (want == report.ErrNoLane.Error()) {
			t.Errorf("%s: of another kind: %v", text, err)
		}
	}
}
