package summary_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"rea.example/verify/report"
	"rea.example/verify/results"
	"rea.example/verify/results/sample"
	"rea.example/verify/summary"
)

func write(t *testing.T, now results.Results, since *results.Difference) string {
	t.Helper()
	var b bytes.Buffer
	if err := summary.Write(&b, now, since); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestASummaryAsAWhole compares with testdata/sample.md, which one can look at. The
// environment variable UPDATE writes it anew.
func TestASummaryAsAWhole(t *testing.T) {
	got := write(t, sample.Now(), results.Compare(sample.Before(), sample.Now()))
	path := filepath.Join("testdata", "sample.md")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%v, and now it is\n%s", err, got)
	}
}

func TestAPassedRunHasNothingToLookAt(t *testing.T) {
	got := write(t, sample.Passed(), nil)
	if !strings.HasPrefix(got, "## ✓ The lane passed\n") || strings.Contains(got, "look") || strings.Contains(got, "before") {
		t.Errorf("%s", got)
	}
	same := sample.Passed()
	if got := write(t, same, results.Compare(same, same)); !strings.Contains(got, "No check came to anything else") {
		t.Errorf("%s", got)
	}
}

func TestWhatAnInterruptionPreventedIsOneLine(t *testing.T) {
	r := sample.Interrupted()
	got := write(t, r, results.Compare(sample.Passed(), r))
	if !strings.Contains(got, "\n- "+r.Lanes[0].Prevented()+"\n") || strings.Count(got, "\n") > 20 {
		t.Errorf("%s", got)
	}
}

// TestNothingThatIsQuotedIsMarkdown looks for what only a reader of Markdown would
// make of the hostile text.
func TestNothingThatIsQuotedIsMarkdown(t *testing.T) {
	r := sample.Now()
	for i := range r.Lanes {
		r.Lanes[i].Report.Lane = sample.Hostile
		r.Lanes[i].Reasons = []string{sample.Hostile}
		for j := range r.Lanes[i].Report.Checks {
			r.Lanes[i].Report.Checks[j].Name = sample.Hostile
			r.Lanes[i].Report.Checks[j].Detail = "````\n" + sample.Hostile + "\n```"
		}
	}
	fence, inside := "", false
	for line := range strings.SplitSeq(write(t, r, nil), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case inside && trimmed == fence:
			inside = false
		case inside:
		case strings.HasPrefix(trimmed, "```"):
			inside, fence = true, strings.TrimSuffix(trimmed, "text")
		case strings.Contains(line, "<") || strings.Contains(line, "](") || strings.Contains(line, " `") || strings.Contains(line, "https:"):
			t.Errorf("%s", line)
		case strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 5:
			t.Errorf("not four cells: %s", line)
		case strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "## ✗") && line != "### What needs a look":
			t.Errorf("a heading: %s", line)
		}
	}
	if inside {
		t.Error("a block of code has no end")
	}
}

func TestASummaryEndsBeforeTheLimit(t *testing.T) {
	r := sample.Now()
	l := &r.Lanes[1]
	for range 5000 {
		l.Report.Checks = append(l.Report.Checks, report.Check{
			Name: strings.Repeat("n", 400), Verdict: report.Failed, Detail: strings.Repeat("漢", 3000),
		})
	}
	for range 200 {
		r.Lanes = append(r.Lanes, r.Lanes[0])
	}
	got := write(t, r, results.Compare(sample.Before(), r))
	if len(got) > summary.Limit || len(got) < summary.Limit-16_000 || !utf8.ValidString(got) {
		t.Errorf("%d bytes", len(got))
	}
	if !strings.Contains(got, "for want of room") || !strings.HasSuffix(got, ".\n") {
		t.Error("it does not say that something is left out")
	}
}
