package matrix_test

import (
	"bytes"
	"strings"
	"testing"

	"rea.example/verify/matrix"
	"rea.example/verify/report"
	"rea.example/verify/results"
	"rea.example/verify/results/sample"
)

func render(t *testing.T, now results.Results, before *results.Results) string {
	t.Helper()
	var since *results.Difference
	if before != nil {
		since = results.Compare(*before, now)
	}
	var b bytes.Buffer
	if err := matrix.Write(&b, now, since, "."); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// alone is the page of a run with nothing to compare it with.
func alone(t *testing.T, now results.Results) string { return render(t, now, nil) }

// whole is the page that shows everything.
func whole(t *testing.T) string {
	before := sample.Before()
	return render(t, sample.Now(), &before)
}

func TestTheSameResultsMakeTheSameBytes(t *testing.T) {
	first := whole(t)
	for range 5 {
		if whole(t) != first {
			t.Fatal("another page")
		}
	}
}

func TestThePageObeysNothingThatAReportQuotes(t *testing.T) {
	html := whole(t)
	for _, part := range []string{"<script", "\x1b", "\r", "\u202e", "</td></style>", "url(", "@import", "http://", " src=", " style=", " on"} {
		// " on" as in onclick=, not as in "What it stood on".
		if part == " on" {
			part = " onclick="
		}
		if strings.Contains(html, part) {
			t.Errorf("the page holds %q", part)
		}
	}
	if !strings.Contains(html, `\x1b[31m\r`) || !strings.Contains(html, `\u202e`) || !strings.Contains(html, "&lt;script&gt;") {
		t.Error("what cannot be seen is not spelled out")
	}
}

func TestANameIsOneLine(t *testing.T) {
	before, now := sample.Before(), sample.Now()
	for _, r := range []results.Results{before, now} {
		for i := range r.Lanes {
			l := &r.Lanes[i]
			l.Report.Lane = l.Report.Lane + "\nLANE"
			for j := range l.Pins {
				l.Pins[j].Name += "\nPIN"
				l.Pins[j].Value += "\nPIN"
			}
			for j := range l.Report.Checks {
				l.Report.Checks[j].Name += "\nCHECK"
			}
		}
	}
	html := render(t, now, &before)
	for _, name := range []string{"LANE", "PIN", "CHECK"} {
		if !strings.Contains(html, `\n`+name) || strings.Contains(html, "\n"+name) {
			t.Errorf("a %s begins a line", name)
		}
	}
}

func TestLinksLeadToTheFilesBesideThePage(t *testing.T) {
	r := sample.Passed()
	r.Lanes[0].Path, r.Lanes[0].Log = "/out/run 1/web:har.json", "/out/run 1/a#b%.log"
	var b bytes.Buffer
	if err := matrix.Write(&b, r, nil, "/out/page"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`href="../run%201/web:har.json"`, `href="../run%201/a%23b%25.log"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	r.Lanes[0].Path = "/out/page/web:har.json"
	b.Reset()
	if err := matrix.Write(&b, r, nil, "/out/page"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `href="./web:har.json"`) {
		t.Error("a colon makes a scheme of the lane's name")
	}
}

func TestARunWithoutFaultsShowsNoPlaceForThem(t *testing.T) {
	html := alone(t, sample.Passed())
	if strings.Contains(html, "What needs a look") || strings.Contains(html, "Before</th>") || !strings.Contains(html, "The lane passed.") {
		t.Error("a look at nothing")
	}
	same := sample.Passed()
	if html := render(t, same, &same); !strings.Contains(html, "No check came to anything else") {
		t.Error("no word on a run that did not change")
	}
}

func TestEveryCheckIsOnThePage(t *testing.T) {
	html := alone(t, sample.Now())
	marks := strings.Count(html, `<td class="passed"`) + strings.Count(html, `<td class="failed"`) + strings.Count(html, `<td class="unavailable"`)
	lists := strings.Count(html, `<span class="label"> `)
	if total := sample.Now().Checks().Total(); marks+lists != total || marks < total/2 || lists < 5 {
		t.Errorf("%d in tables and %d in lists, of %d", marks, lists, total)
	}
}

// grids are the heads of the tables of a page with these checks, and the names in
// its list.
func grids(t *testing.T, names ...string) (heads []string, listed int) {
	t.Helper()
	r := sample.Passed()
	r.Lanes[0].Report.Checks = nil
	for _, name := range names {
		r.Lanes[0].Report.Checks = append(r.Lanes[0].Report.Checks, report.Check{Name: name, Verdict: report.Passed})
	}
	html := alone(t, r)
	for _, table := range strings.Split(html, `<table class="grid`)[1:] {
		head, _, _ := strings.Cut(table, "</thead>")
		var columns []string
		for _, cell := range strings.Split(head, `<th scope="col">`)[1:] {
			column, _, _ := strings.Cut(cell, "</th>")
			columns = append(columns, column)
		}
		heads = append(heads, strings.Join(columns, ", "))
	}
	return heads, strings.Count(html, `<span class="label"> `)
}

func TestATableIsAsWideAsItCanBeRead(t *testing.T) {
	named := func(subjects, comparisons []string) (names []string) {
		for _, s := range subjects {
			for _, c := range comparisons {
				names = append(names, s+": "+c)
			}
		}
		return names
	}
	long := strings.Repeat("x", 40)
	two, four := []string{"a", "b"}, []string{"one", "two", "three", "four"}
	wide := []string{long + "1", long + "2", long + "3"}
	for name, c := range map[string]struct {
		names  []string
		heads  string
		listed int
	}{
		"higher than wide":              {named(four, two), "a, b", 0},
		"wider than high":               {named(two, four), "a, b", 0},
		"one subject":                   {named([]string{"a"}, four), "", 4},
		"names that do not fit":         {named(four, wide), "one, two, three, four", 0},
		"names that fit neither way":    {named(wide, wide), wide[0] + ", " + wide[1], 3}, // of two subjects there is a table
		"a subject with a name too big": {append(named(two, wide), named(wide, wide)...), "a, b, " + wide[0] + ", " + wide[1], 3},
		"one comparison of each":        {named(four, []string{"one"}), "", 4},
	} {
		heads, listed := grids(t, c.names...)
		if strings.Join(heads, "; ") != c.heads || listed != c.listed {
			t.Errorf("%s: %q and %d in a list", name, heads, listed)
		}
	}
}

func TestWhatAnInterruptionPreventedIsOneSentence(t *testing.T) {
	r := sample.Interrupted()
	html := alone(t, r)
	if strings.Contains(html, report.Cut) || strings.Count(html, r.Lanes[0].Prevented()+": the lane was interrupted.") != 1 {
		t.Error("every check that was not run is listed, or none is counted")
	}
	if n := strings.Count(html, `<td class="unavailable"`); n > 0 {
		t.Errorf("%d of them in tables", n)
	}
}

func TestALongDetailIsCutAndSaysSo(t *testing.T) {
	r := sample.Passed()
	r.Lanes[0].Report.Verdict = report.Failed
	r.Lanes[0].Report.Checks = []report.Check{{Name: "long", Verdict: report.Failed, Detail: strings.Repeat("y", 1<<20)}}
	if html := alone(t, r); len(html) > 100_000 || !strings.Contains(html, "1,044,576 more characters in the report") {
		t.Errorf("a page of %d bytes", len(html))
	}
}
