package results_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"rea.example/verify/report"
	"rea.example/verify/results"
	"rea.example/verify/results/sample"
)

func TestVisibleLeavesNothingUnseen(t *testing.T) {
	for text, want := range map[string]string{
		"plain, äöü 漢字 🙂":        "plain, äöü 漢字 🙂",
		"two\nlines":             "two\nlines",
		"\x1b[31m\r\t\x00\u0085": `\x1b[31m\r\t\x00\u0085`,
		"\u202ereversed\u200b":   `\u202ereversed\u200b`,
		"bad\xff\xc3":            `bad\xff\xc3`,
		"\uFFFD stays":           "\uFFFD stays",
	} {
		if got := results.Visible(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

func TestALineHasNoEnd(t *testing.T) {
	if got := results.Line("a\n::error::b\r\n\u2028"); got != `a\n::error::b\r\n\u2028` {
		t.Errorf("%q", got)
	}
}

func TestShortSaysWhatWasCut(t *testing.T) {
	if got := results.Short("äbc", 3); got != "äbc" {
		t.Errorf("%q", got)
	}
	if got := results.Short(strings.Repeat("ä", 1502), 2); got != "ää … (1,500 more characters in the report)" {
		t.Errorf("%q", got)
	}
}

func TestNumbersAsOneSaysThem(t *testing.T) {
	for n, want := range map[int]string{0: "0 lanes", 1: "1 lane", 999: "999 lanes", 1000: "1,000 lanes", 1234567: "1,234,567 lanes"} {
		if got := results.Counted(n, "lane"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "0 ms", 999 * time.Millisecond: "999 ms", 59990 * time.Millisecond: "59.9 s",
		time.Minute: "1 min 0 s", 192 * time.Second: "3 min 12 s", 125 * time.Minute: "2 h 5 min",
		47 * time.Hour: "47 h 0 min", 50 * time.Hour: "2 days", math.MaxInt64: "106,751 days",
	} {
		if got := results.Span(d); got != want {
			t.Errorf("%d: %q, not %q", d, got, want)
		}
	}
}

func TestCountsInASentence(t *testing.T) {
	for want, tally := range map[string]results.Tally{
		"No check was made":                               {},
		"1 check: 1 passed":                               {report.Passed: 1},
		"2 checks, all passed":                            {report.Passed: 2},
		"4 checks: 3 passed, 1 of no known verdict":       {report.Passed: 3, "splendid": 1},
		"1,003 checks: 1 failed, 2 not run, 1,000 passed": {report.Passed: 1000, report.Failed: 1, report.Unavailable: 2},
	} {
		if got := tally.Sum(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestTheHeadlineIsASentence(t *testing.T) {
	only := func(v report.Verdict, n int) results.Results {
		var r results.Results
		for _, l := range sample.Now().Lanes {
			for range n {
				if l.Verdict() == v {
					r.Lanes = append(r.Lanes, l)
				}
			}
		}
		return r
	}
	both := only(report.Unavailable, 1)
	both.Lanes = append(both.Lanes, only(report.Passed, 2).Lanes...)
	for want, r := range map[string]results.Results{
		"1 of 4 lanes failed":         sample.Now(),
		"All 2 lanes passed":          only(report.Passed, 2),
		"The lane passed":             only(report.Passed, 1),
		"The lane failed":             only(report.Failed, 1),
		"The lane did not finish":     only(results.Unfinished, 1),
		"All 3 lanes did not finish":  only(results.Unfinished, 3),
		"The lane is unavailable":     only(report.Unavailable, 1),
		"1 of 3 lanes is unavailable": both,
		"All 2 lanes are unavailable": only(report.Unavailable, 2),
		"No lane ran":                 {},
	} {
		if got := r.Headline(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
