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
	lists := 0
	for _, l := range sample.Now().Lanes {
		for _, c := range l.Report.Checks {
			if !strings.Contains(c.Name, ": ") {
				lists++
			}
		}
	}
	total := sample.Now().Checks().Total()
	if marks+lists != total {
		t.Errorf("%d in tables and %d in lists, of %d", marks, lists, total)
	}
	if lists != strings.Count(html, `<span class="label"> `) {
		t.Errorf("%d in lists, of %d", strings.Count(html, `<span class="label"> `), lists)
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
