package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"rea.example/verify/report"
	"rea.example/verify/results"
)

// detail is how much of a check's detail is written, in characters.
const detail = 16000

type suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []suite  `xml:"testsuite"`
}

type suite struct {
	ID         int        `xml:"id,attr"`
	Package    string     `xml:"package,attr"`
	Name       string     `xml:"name,attr"`
	Timestamp  string     `xml:"timestamp,attr"` // UTC, without a zone: one of the schemas wants none
	Hostname   string     `xml:"hostname,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testcase `xml:"testcase"`
	Out        string     `xml:"system-out"`
	Err        string     `xml:"system-err"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testcase struct {
	Name    string `xml:"name,attr"`
	Class   string `xml:"classname,attr"`
	Time    string `xml:"time,attr"`
	Skipped *ended `xml:"skipped"`
	Error   *ended `xml:"error"`
	Failure *ended `xml:"failure"`
}

// ended is why a case did not pass.
type ended struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// Write writes the document.
func Write(w io.Writer, r results.Results) error {
	var all suites
	for i, l := range r.Lanes {
		all.Suites = append(all.Suites, of(i, l))
	}
	data, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	}
	if err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	return nil
}

func of(id int, l results.Lane) suite {
	class := "rea." + strings.ReplaceAll(token(l.Name()), ":", ".")
	s := suite{
		ID: id, Package: "rea.verify", Name: token(l.Report.Lane),
		Timestamp: l.Started.UTC().Format("2006-01-02T15:04:05"),
		// A report does not name its machine, and the schema wants a name.
		Hostname:   "localhost",
		Time:       seconds(l.Took().Seconds()),
		Properties: properties(l),
	}
	for _, c := range l.Report.Checks {
		if l.Cut(c) { // counted in the case about the lane
			continue
		}
		s.add(testcase{Name: token(c.Name), Class: class, Time: seconds(c.Seconds)}, c.Verdict, c.Detail)
	}
	whole := func(name string, v report.Verdict, why ...string) {
		s.add(testcase{Name: name, Class: class, Time: seconds(0)}, v, strings.Join(why, "\n"))
	}
	switch {
	case l.Verdict() == report.Unavailable:
		whole("the lane is available", report.Unavailable, l.Reasons...)
	case l.Verdict() == results.Unfinished || l.Status == report.Interrupted:
		why := append([]string{"its report says " + l.Status}, l.Reasons...)
		if text := l.Prevented(); text != "" {
			why = append(why, text)
		}
		whole("the lane finished", results.Unfinished, why...)
	}
	return s
}

// properties are what the lane stood on.
func properties(l results.Lane) (list []property) {
	if l.Product != nil {
		list = append(list, property{"product", results.Line(l.Product.Version)}, property{"product sha256", results.Line(l.Product.SHA256)})
	}
	for _, p := range l.Pins {
		list = append(list, property{token(p.Name), results.Line(p.Value)})
	}
	return list
}

func (s *suite) add(c testcase, v report.Verdict, text string) {
	text = results.Visible(results.Short(text, detail))
	first, _, _ := strings.Cut(text, "\n")
	why := &ended{results.Short(first, 200), string(v), text}
	s.Tests++
	switch v {
	case report.Passed:
	case report.Failed:
		s.Failures++
		c.Failure = why
	case report.Unavailable:
		s.Skipped++
		c.Skipped = why
	default:
		s.Errors++
		c.Error = why
	}
	s.Cases = append(s.Cases, c)
}

// token is a text that one line of an attribute can hold, and never empty.
func token(text string) string {
	if text = strings.Join(strings.Fields(results.Line(text)), " "); text == "" {
		return "unnamed"
	}
	return text
}

func seconds(s float64) string { return strconv.FormatFloat(max(0, s), 'f', 3, 64) }
