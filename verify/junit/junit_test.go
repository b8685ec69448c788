package junit_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rea.example/verify/junit"
	"rea.example/verify/report"
	"rea.example/verify/results"
	"rea.example/verify/results/sample"
)

func document(t *testing.T, r results.Results) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := junit.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hostile is a run whose every name is hard to write.
func hostile() results.Results {
	r := sample.Now()
	for i := range r.Lanes {
		l := &r.Lanes[i]
		l.Report.Lane += sample.Hostile
		for j := range l.Pins {
			l.Pins[j].Name, l.Pins[j].Value = sample.Hostile, sample.Hostile
		}
		if l.Product != nil {
			l.Product.Version, l.Product.SHA256 = sample.Hostile, sample.Hostile
		}
		for j := range l.Report.Checks {
			l.Report.Checks[j].Name = sample.Hostile + strconv.Itoa(j)
		}
		l.Report.Checks = append(l.Report.Checks, report.Check{Verdict: report.Failed, Seconds: -1})
	}
	return r
}

// element is a node of the document as the schema sees it.
type element struct {
	name       string
	attributes []string
	children   []*element
}

func parse(t *testing.T, data []byte) *element {
	t.Helper()
	root := &element{}
	stack := []*element{root}
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root.children[0]
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local}
			for _, a := range token.Attr {
				e.attributes = append(e.attributes, a.Name.Local)
				if a.Value != results.Line(a.Value) || strings.Contains(a.Value, "\uFFFD") {
					t.Errorf("%s of %s is not visible in one line: %q", a.Name.Local, e.name, a.Value)
				}
			}
			stack[len(stack)-1].children = append(stack[len(stack)-1].children, e)
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

// TestTheDocumentIsBuiltAsTheSchemaSays needs no validator: the elements, their
// order and their attributes.
func TestTheDocumentIsBuiltAsTheSchemaSays(t *testing.T) {
	ended := []string{"message", "type"}
	for _, r := range []results.Results{sample.Now(), hostile(), {}} {
		root := parse(t, document(t, r))
		if root.name != "testsuites" || len(root.attributes) > 0 || len(root.children) != len(r.Lanes) {
			t.Fatalf("%+v", root)
		}
		for _, s := range root.children {
			if s.name != "testsuite" || !slices.Equal(s.attributes, []string{"id", "package", "name", "timestamp", "hostname",
				"tests", "failures", "errors", "skipped", "time"}) {
				t.Errorf("%s %q", s.name, s.attributes)
			}
			n := len(s.children)
			if n < 3 || s.children[0].name != "properties" || s.children[n-2].name != "system-out" || s.children[n-1].name != "system-err" {
				t.Fatalf("a suite of %d", n)
			}
			for _, p := range s.children[0].children {
				if p.name != "property" || !slices.Equal(p.attributes, []string{"name", "value"}) {
					t.Errorf("%s %q", p.name, p.attributes)
				}
			}
			for _, c := range s.children[1 : n-2] {
				if c.name != "testcase" || !slices.Equal(c.attributes, []string{"name", "classname", "time"}) || len(c.children) > 1 {
					t.Errorf("%+v", c)
				}
				for _, e := range c.children {
					if !slices.Contains([]string{"skipped", "error", "failure"}, e.name) || !slices.Equal(e.attributes, ended) {
						t.Errorf("%s %q", e.name, e.attributes)
					}
				}
			}
		}
	}
}

// TestXMLLintFindsTheDocumentValid asks a validator that is not ours. Where CI=true
// it has to be there.
func TestXMLLintFindsTheDocumentValid(t *testing.T) {
	lint, err := exec.LookPath("xmllint")
	if err != nil {
		const reason = "unavailable: no xmllint on this machine (Debian: apt-get install libxml2-utils)"
		if os.Getenv("CI") == "true" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	for name, r := range map[string]results.Results{"sample": sample.Now(), "hostile": hostile(), "nothing": {}} {
		file := filepath.Join(t.TempDir(), name+".xml")
		if err := os.WriteFile(file, document(t, r), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(lint, "--nonet", "--noout", "--schema", "junit.xsd", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.xml")
	data := bytes.Replace(document(t, sample.Now()), []byte(` classname=`), []byte(` class=`), 1)
	if err := os.WriteFile(bad, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if exec.Command(lint, "--nonet", "--noout", "--schema", "junit.xsd", bad).Run() == nil {
		t.Error("the schema accepts anything")
	}
}

// counted is what a reader of such documents adds up.
type counted struct {
	Suites []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Cases    []struct {
			Name    string    `xml:"name,attr"`
			Skipped *struct{} `xml:"skipped"`
			Error   *struct {
				Text string `xml:",chardata"`
			} `xml:"error"`
			Failure *struct {
				Text string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestTheCountsAreThoseOfTheCases(t *testing.T) {
	r := sample.Now()
	var seen counted
	if err := xml.Unmarshal(document(t, r), &seen); err != nil {
		t.Fatal(err)
	}
	for i, s := range seen.Suites {
		checks, added := r.Lanes[i].Checks(), [4]int{}
		for _, c := range s.Cases {
			added[0]++
			switch {
			case c.Failure != nil:
				added[1]++
			case c.Error != nil:
				added[2]++
			case c.Skipped != nil:
				added[3]++
			}
		}
		if added != [4]int{s.Tests, s.Failures, s.Errors, s.Skipped} || s.Failures != checks[report.Failed] {
			t.Errorf("%s: counted %v, said %+v, checks %v", s.Name, added, s, checks)
		}
	}
	saz, views := seen.Suites[2], seen.Suites[3]
	if saz.Tests != 1 || saz.Skipped != 1 {
		t.Errorf("a lane that is unavailable: %+v", saz)
	}
	if views.Tests != 1 || views.Errors != 1 {
		t.Errorf("a lane that did not finish: %+v", views)
	}
}

func TestWhatAnInterruptionPreventedIsCountedInOneCase(t *testing.T) {
	for _, v := range []report.Verdict{"", report.Failed} {
		r := sample.Interrupted()
		l := &r.Lanes[0]
		l.Report.Verdict = v
		var seen counted
		if err := xml.Unmarshal(document(t, r), &seen); err != nil {
			t.Fatal(err)
		}
		s := seen.Suites[0]
		if s.Tests != 5 || s.Skipped != 0 || s.Errors != 1 || len(s.Cases) != 5 {
			t.Fatalf("%q: %+v", v, s)
		}
		if last := s.Cases[4]; last.Name != "the lane finished" || !strings.HasSuffix(last.Error.Text, "signal received\n"+l.Prevented()) {
			t.Errorf("%q: %+v", v, last.Error)
		}
	}
}

func TestADetailIsQuotedVisibly(t *testing.T) {
	var seen counted
	if err := xml.Unmarshal(document(t, sample.Now()), &seen); err != nil {
		t.Fatal(err)
	}
	if got := seen.Suites[1].Cases[6].Failure.Text; got != results.Visible(sample.Hostile) || !strings.Contains(got, "]]>") {
		t.Errorf("%q", got)
	}
}

func TestTheSameResultsMakeTheSameBytes(t *testing.T) {
	if !bytes.Equal(document(t, sample.Now()), document(t, sample.Now())) {
		t.Error("another document")
	}
}
