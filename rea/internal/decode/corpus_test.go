package decode

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/judge"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/tree"
)

// captures are the HARs to compare with the judge: the project's own, and those
// of the corpus, where there is one.
func captures(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../format/har/schema/testdata/*.har")
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	dir := os.Getenv("REA_EXTRA_CORPORA")
	if dir == "" {
		if judge.CI() {
			t.Fatal("REA_EXTRA_CORPORA is not set")
		}
		t.Log("corpus: none; REA_EXTRA_CORPORA is not set")
		return files
	}
	corpus, err := filepath.Glob(filepath.Join(dir, "har", "*"))
	if err != nil || len(corpus) == 0 {
		t.Fatalf("the corpus has no HAR: %v", err)
	}
	return append(files, corpus...)
}

// TestCapturesAgainstJudge compares whole captures with the packages that judge
// them: the verdict and the list of broken rules under strict conformance, and
// the same list as deviations under report.
func TestCapturesAgainstJudge(t *testing.T) {
	j := judge.Start(t)
	if !j.Available() {
		t.Skip("no judge: the recorded verdicts are compared in format/har/schema")
	}
	for _, file := range captures(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := j.Verdict(t, src)
			compareStrict(t, ask(t, string(src), Request{}), want)
			compareReport(t, ask(t, string(src), Request{Report: true}), want)
		})
	}
}

func compareStrict(t *testing.T, d decoded, want judge.Verdict) {
	t.Helper()
	p := d.Problem
	switch {
	case want.Verdict == "accept":
		if p != nil {
			t.Errorf("refused: %v", p)
		}
		return
	case p == nil:
		t.Errorf("accepted, the judge says %+v", want)
		return
	}
	switch want.Stage {
	case "version":
		if p.Kind != format.Unsupported || p.Pointer != want.Pointer {
			t.Errorf("%v, the judge says %s at %s", p, want.Stage, want.Pointer)
		}
	case "schema":
		if p.SchemaTotal != len(want.All) || p.Pointer != want.Pointer {
			t.Errorf("%d rules at %q, the judge says %d at %q", p.SchemaTotal, p.Pointer, len(want.All), want.Pointer)
		}
		for i, e := range p.Schema {
			if got, row := string(e.Pointer)+" "+e.Keyword, string(want.All[i].Pointer)+" "+want.All[i].Keyword; got != row {
				t.Errorf("rule %d is %s, the judge says %s", i, got, row)
			}
		}
	default:
		if p.Kind != format.Malformed || p.SchemaTotal != 0 {
			t.Errorf("%v, the judge says %s", p, want.Stage)
		}
	}
}

var inEntry = regexp.MustCompile(`^/log/entries/(\d+)(/.*|$)`)

func compareReport(t *testing.T, d decoded, want judge.Verdict) {
	t.Helper()
	if d.Problem != nil {
		if want.Verdict == "accept" || want.Stage == "version" {
			t.Errorf("refused under report: %v", d.Problem)
		}
		if want.Stage == "schema" && !strings.Contains(d.Problem.Message, "a HAR capture needs") {
			t.Errorf("refused under report: %v", d.Problem)
		}
		return
	}
	rows := map[string][]string{} // by record; "" is the container
	for _, r := range want.All {
		at, pointer := "", string(r.Pointer)
		if m := inEntry.FindStringSubmatch(string(r.Pointer)); m != nil {
			at, pointer = m[1], m[2]
		}
		rows[at] = append(rows[at], pointer+" "+r.Keyword)
	}
	compareDeviations(t, "the container", d.container, rows[""])
	for i, r := range d.records {
		compareDeviations(t, fmt.Sprintf("record %d", i), r, rows[fmt.Sprint(i)])
	}
}

func compareDeviations(t *testing.T, what string, v tree.Value, want []string) {
	t.Helper()
	var got []string
	own := 0 // rows of what the judge does not see
	for _, d := range v.Get("deviations").Items {
		pointer, _ := d.Get("pointer").Str()
		keyword, _ := d.Get("keyword").Str()
		if keyword == "profile" || keyword == "contentEncoding" {
			own++
			continue
		}
		got = append(got, pointer+" "+keyword)
	}
	if total := v.Get("deviation_total").Text; total != fmt.Sprint(len(want)+own) {
		t.Errorf("%s counts %s deviations, the judge %d", what, total, len(want))
	}
	if len(want) > limits.Deviations-own {
		want = want[:limits.Deviations-own]
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s deviates at\n%s\nthe judge says\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
