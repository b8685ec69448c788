package report_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/verify/report"
)

func TestReportSaysRunningUntilItIsFinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lane.json")
	r := report.New("web:test")
	file, err := report.Create(path, r)
	if err != nil {
		t.Fatal(err)
	}
	if seen, err := report.Read(path); err != nil || seen.Status != "running" || seen.Verdict != "" || seen.Finished != nil {
		t.Errorf("a lane killed now would leave %+v, %v", seen, err)
	}
	r.Verdict = report.Passed
	r.Checks = append(r.Checks, report.Check{Name: "one", Verdict: report.Passed})
	if _, err := file.Finish(r, nil); err != nil {
		t.Fatal(err)
	}
	seen, err := report.Read(path)
	if err != nil || seen.Status != "finished" || seen.Verdict != report.Passed || len(seen.Checks) != 1 || seen.Finished == nil {
		t.Errorf("finished report %+v, %v", seen, err)
	}
	left, _ := os.ReadDir(filepath.Dir(path))
	if len(left) != 1 {
		t.Errorf("left beside the report: %v", left)
	}
}

func TestALaneEndsNoEarlierThanItBegan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lane.json")
	r := report.New("verify:test")
	r.Started = r.Started.AddDate(1, 0, 0) // as if the clock had been set back since
	file, err := report.Create(path, r)
	if err != nil {
		t.Fatal(err)
	}
	r.Verdict = report.Passed
	if _, err := file.Finish(r, nil); err != nil {
		t.Fatal(err)
	}
	if seen, err := report.Read(path); err != nil || !seen.Finished.Equal(r.Started) {
		t.Errorf("%+v, %v", seen, err)
	}
}

func TestReportIsMadeExclusively(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lane.json")
	if err := os.WriteFile(path, []byte("someone else's"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := report.Create(path, report.New("web:test")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != "someone else's" {
		t.Errorf("the file was changed: %q", data)
	}
}

func TestReportWithASecretIsWithheld(t *testing.T) {
	const secret = "canary \"one\"/two+three?<&"
	for name, text := range map[string]string{
		"plain":          "saw " + secret,
		"in a URL":       "saw canary+%22one%22%2Ftwo%2Bthree%3F%3C%26",
		"hex":            hex.EncodeToString([]byte(secret)),
		"base64":         base64.StdEncoding.EncodeToString([]byte("user:" + secret + ";x")),
		"base64 for URL": base64.URLEncoding.EncodeToString([]byte("p:" + secret)),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lane.json")
			r := report.New("web:test")
			file, err := report.Create(path, r)
			if err != nil {
				t.Fatal(err)
			}
			r.Verdict = report.Passed
			r.Checks = []report.Check{{Name: "leaky", Verdict: report.Passed, Detail: text}}
			published, err := file.Finish(r, []string{"another secret", secret})
			if err != nil {
				t.Fatal(err)
			}
			if published.Verdict != report.Failed || !strings.Contains(published.Checks[0].Detail, "number 1") {
				t.Errorf("published %+v", published)
			}
			data, err := os.ReadFile(path)
			if err != nil || report.Leaks(data, secret) || strings.Contains(string(data), "leaky") {
				t.Errorf("the file holds it: %s, %v", data, err)
			}
		})
	}
}

func TestSpellingsAtEveryAlignment(t *testing.T) {
	const secret = "s3cr3t-canary-0042"
	for before := range 7 {
		for after := range 4 {
			text := strings.Repeat("x", before) + secret + strings.Repeat("y", after)
			if !report.Leaks([]byte(base64.StdEncoding.EncodeToString([]byte(text))), secret) {
				t.Errorf("not seen in base64 after %d and before %d other bytes", before, after)
			}
		}
	}
	if report.Leaks([]byte("nothing of the kind s3cr3t"), secret) {
		t.Error("seen where it is not")
	}
}
