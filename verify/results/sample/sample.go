package sample

import (
	"fmt"
	"strings"
	"time"

	"rea.example/verify/report"
	"rea.example/verify/results"
)

// Hostile is text that every view has to show and none may obey.
const Hostile = `</td></style><script>alert(1)</script>|x| ![i](https://shop.example/i.png) ` + "`code`" + ` ]]> &amp; "q" 'q'` + "\x1b[31m\r\n# not a heading\n\u202edezilaer"

// Long is a name that no narrow page can hold in one line.
var Long = "har/" + strings.Repeat("a-very-long-name-without-a-space-", 4) + "end.har"

// words are comparisons with long names, more than fit beside each other.
var words = []string{
	"the experiment did what it is for", "digest, size, identifier", "events, their places and values",
	"facts as counted byte by byte", "the response's stream is what is known of it",
	"facts cover the whole file whatever is selected", "credentials are left out, json", "credentials are left out, text",
	"credentials are left out, yaml", "both faces say the same", "a summary leads to the retained parent",
	"an uncharacteristically-long-word-of-a-comparison",
}

var began = time.Date(2031, 3, 4, 5, 6, 7, 0, time.UTC)

// Now is the run to show: one lane passed, one failed, one is unavailable, one was
// stopped.
func Now() results.Results {
	har := lane("web:har", 0, 42*time.Second)
	har.Log, har.Attestation = "web-har.log", "web-har.intoto.jsonl"
	har.Pins = append(har.Pins,
		report.Pin{Name: "corpus", Value: "66 captures, table sha256 " + digest("table")},
		report.Pin{Name: "npm ajv", Value: "8.20.0"},
	)
	for i := range 30 {
		har.Report.Checks = append(har.Report.Checks, capture(fmt.Sprintf("har/capture-%02d.har", i), i%3 != 0)...)
	}
	har.Report.Checks = append(har.Report.Checks, capture(Long, true)...)
	for _, trace := range []string{"control", "loss"} {
		for _, each := range words {
			har.Report.Checks = append(har.Report.Checks, check(trace+": "+each, report.Passed, "", 0.004))
		}
	}
	har.Report.Checks = append(har.Report.Checks,
		check(`a view that is wrong: {"kind":"summary","more":1}`, report.Passed, "", 0.001),
		check(`a view that is wrong: {"kind":"capture","offset":-1}`, report.Passed, "", 0.001),
		check("2,100 mutations", report.Passed, "", 12.5),
		check("canaries in both streams", report.Passed, "", 1.25),
		check("bench is empty again", report.Passed, "", 0.031),
	)

	mcp := lane("web:mcp", 43*time.Second, 9*time.Second)
	mcp.Report.Verdict = report.Failed
	mcp.Report.Checks = []report.Check{
		check("product is built", report.Passed, "", 0.9),
		check("har: the faces agree", report.Passed, "", 0.2),
		check("har: text and structure agree", report.Failed, "/result/records/3: 9007199254740993 became 9007199254740992\n"+Hostile, 0.4),
		check("saz: the faces agree", report.Passed, "", 0.2),
		check("saz: text and structure agree", report.Unavailable, "not run here: no corpus", 0),
		check("a second client, the official one", report.Unavailable, "not run here: no container engine answers", 0),
		check("frames that break the protocol", report.Failed, Hostile, 0.1),
	}

	saz := lane("web:saz", 53*time.Second, 40*time.Millisecond)
	saz.Report.Verdict, saz.Product, saz.Pins = report.Unavailable, nil, nil
	saz.Reasons = []string{
		"no container engine answers: /var/run/docker.sock is not there",
		"corpus forest: not fetched yet; run `go tool mage corpora:fetch`",
	}

	views := lane("web:views", 54*time.Second, 0)
	views.Status, views.Report.Verdict, views.Finished = "running", "", nil
	views.Log = "web-views.log"
	return results.Results{Lanes: []results.Lane{har, mcp, saz, views}}
}

// Before is the run before it: SAZ was there, another lane was, too, and some
// checks came to something else.
func Before() results.Results {
	r := Now()
	day := -24 * time.Hour
	har, mcp, saz := &r.Lanes[0], &r.Lanes[1], &r.Lanes[2]
	har.Pins[len(har.Pins)-1].Value = "8.19.0"
	har.Report.Checks = har.Report.Checks[:len(har.Report.Checks)-2] // still without two that Now has
	mcp.Report.Checks[2].Verdict = report.Passed
	mcp.Report.Checks[3].Verdict = report.Failed
	mcp.Report.Checks[4].Verdict = report.Passed
	mcp.Report.Checks[1].Verdict = report.Unavailable
	mcp.Report.Checks = append(mcp.Report.Checks, check("a client that no longer exists", report.Passed, "", 0.1))
	saz.Report.Verdict, saz.Reasons = report.Passed, nil
	end := saz.Started.Add(8 * time.Second)
	saz.Finished = &end
	saz.Report.Checks = []report.Check{check("product is built", report.Passed, "", 0.9)}
	r.Lanes[3] = lane("web:offline", 54*time.Second, 3*time.Second)
	for i := range r.Lanes {
		l := &r.Lanes[i]
		l.Started = l.Started.Add(day)
		end := l.Finished.Add(day - time.Second)
		l.Finished, l.Log, l.Attestation = &end, "", ""
	}
	return r
}

// Passed is a run in which nothing went wrong.
func Passed() results.Results {
	r := Now()
	r.Lanes = r.Lanes[:1]
	return r
}

// Interrupted is the same run, stopped after its first three checks.
func Interrupted() results.Results {
	r := Passed()
	l := &r.Lanes[0]
	l.Status, l.Report.Verdict, l.Reasons = report.Interrupted, "", []string{"interrupted: terminated signal received"}
	last := len(l.Report.Checks) - 1
	for i := 3; i < last; i++ {
		c := &l.Report.Checks[i]
		c.Verdict, c.Detail, c.Seconds = report.Unavailable, report.Cut, 0
	}
	return r
}

func lane(name string, after, took time.Duration) results.Lane {
	end := began.Add(after + took)
	return results.Lane{
		Path: strings.ReplaceAll(name, ":", "-") + ".json",
		Report: report.Report{
			Schema: 1, Lane: "verify:" + name, Status: "finished", Verdict: report.Passed,
			Product: &report.Product{Version: "rea v1.2.3 go1.26.8 linux/amd64", SHA256: digest("product")},
			Pins: []report.Pin{
				{Name: "engine", Value: "Docker Engine - Community 28.5.1, API 1.51"},
				{Name: "image npm-har", Value: "sha256:" + digest("image"), Digests: []string{"sha256:" + digest("layer")}},
			},
			Started: began.Add(after), Finished: &end,
			Environment: report.Environment{OS: "linux", Arch: "amd64", Go: "go1.26.8", CPUs: 2},
		},
	}
}

func check(name string, v report.Verdict, detail string, seconds float64) report.Check {
	return report.Check{Name: name, Verdict: v, Detail: detail, Seconds: seconds}
}

// capture is what one capture is compared in; one that is refused has fewer.
func capture(name string, accepted bool) (list []report.Check) {
	names := []string{"runs and cleans up", "refused", "conformance report"}
	if accepted {
		names = []string{"runs and cleans up", "accepted", "evidence id", "artifact and counts", "numbers", "bodies",
			"credentials", "reported values", "conformance report"}
	}
	for i, each := range names {
		list = append(list, check(name+": "+each, report.Passed, "", float64(i+1)/500))
	}
	return list
}

// digest is 64 hex digits that look like one.
func digest(of string) string {
	const hex = "0123456789abcdef"
	text := make([]byte, 64)
	for i := range text {
		text[i] = hex[(i*7+len(of)*5+int(of[i%len(of)]))%16]
	}
	return string(text)
}
