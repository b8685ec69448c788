package lanes

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rea.example/verify/product"
	"rea.example/verify/surface"
)

func at(n int) *int { return &n }

func TestPagesCoverWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		got                        coverage
		offset, limit, rows, total int
		right                      bool
	}{
		{coverage{"page", 3, 7, at(3), false}, 0, 3, 3, 7, true},
		{coverage{"page", 1, 7, nil, true}, 6, 3, 1, 7, true},
		{coverage{"page", 3, 3, nil, true}, 0, 3, 3, 3, true},
		{coverage{"empty", 0, 3, nil, true}, 8, 3, 0, 3, true},
		{coverage{"empty", 0, 0, nil, true}, 0, 3, 0, 0, true},
		{coverage{"page", 3, 7, at(4), false}, 0, 3, 3, 7, false},
		{coverage{"page", 3, 7, nil, true}, 0, 3, 3, 7, false},
		{coverage{"page", 3, 8, at(3), false}, 0, 3, 3, 7, false},
		{coverage{"page", 2, 7, at(3), false}, 0, 3, 3, 7, false},
		{coverage{"page", 2, 7, at(2), false}, 0, 3, 2, 7, false},
		{coverage{"page", 0, 3, nil, true}, 8, 3, 0, 3, false},
		{coverage{"page", 3, 3, at(3), true}, 0, 3, 3, 3, false},
	} {
		if err := c.got.right(c.offset, c.limit, c.rows, c.total); (err == nil) != c.right {
			t.Errorf("%+v at %d: %v", c.got, c.offset, err)
		}
	}
}

func TestPreviewsAreOutlinesOfTheirRecords(t *testing.T) {
	var record product.Record
	const whole = `{"ordinal":1,"location":{"kind":"json-pointer"},"reported":{"request":{"method":"GET","url":"u"},"response":{"status":200}},
"binary_fields":[{"pointer":"/p","representation":"r","state":"retained","sha256":"00","content_base64":"AA=="}]}`
	if err := json.Unmarshal([]byte(whole), &record); err != nil {
		t.Fatal(err)
	}
	const row = `{"ordinal":1,"location":{"kind":"json-pointer"},"headline":{"method":"GET","url":"u","status":200,"mime_type":null,"started":null,"http_version":null,"event":null,"time":null},
"binary_fields":[{"pointer":"/p","representation":"r","state":"retained","bytes":1,"sha256":"00"}]}`
	if err := samePreview([]byte(row), record, "har"); err != nil {
		t.Error(err)
	}
	for name, change := range map[string][2]string{
		"an ordinal":   {`"ordinal":1`, `"ordinal":0`},
		"a place":      {"json-pointer", "unknown"},
		"a method":     {`"GET"`, `"PUT"`},
		"a status":     {`"status":200`, `"status":null`},
		"an invention": {`"started":null`, `"started":"now"`},
		"a field lost": {`"binary_fields":[{`, `"binary_fields":[],"x":[{`},
		"a digest":     {`"sha256":"00"`, `"sha256":"01"`},
		"a state":      {"retained", "redacted"},
		"its content":  {`"bytes":1`, `"bytes":1,"content_base64":"AA=="`},
	} {
		if err := samePreview([]byte(strings.Replace(row, change[0], change[1], 1)), record, "har"); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
}

func TestHeadlinesOfEveryFormat(t *testing.T) {
	for _, c := range []struct{ format, reported, name, want string }{
		{"mitmproxy", `{"request":{"scheme":"https","host":"h","port":443,"path":"/a"}}`, "url", "https://h/a"},
		{"mitmproxy", `{"request":{"scheme":"http","host":"::1","port":8080,"path":"/a"}}`, "url", "http://[::1]:8080/a"},
		{"mitmproxy", `{"request":{"path":"/a"}}`, "url", "/a"},
		{"mitmproxy", `{"response":{"headers":[["X","y"],["Content-TYPE","a/b"]]}}`, "mime_type", "a/b"},
		{"mitmproxy", `{"response":{"headers":[["content-type",null],["content-type","a/b"]]}}`, "mime_type", "<nil>"},
		{"saz", `{"response":{"headers":[{"name":"content-type","value":"a/b"}]}}`, "mime_type", "a/b"},
		{"saz", `{"metadata":{"children":[{"kind":"text"},{"name":"SessionTimers","attributes":[{"name":"ClientBeginRequest","value":"t"}]}]}}`, "started", "t"},
		{"qlog", `{"name":"n","time":1.50}`, "time", "1.50"},
		{"har", `{"request":{"method":7}}`, "method", "<nil>"},
	} {
		v, err := value([]byte(c.reported))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(headline(v, c.format)[c.name]); got != c.want {
			t.Errorf("%s %s: %s", c.format, c.reported, got)
		}
	}
}

func TestGroupsAreHeldToTheSecondGrouping(t *testing.T) {
	want := surface.Group{
		Method: "GET", Origin: "o", Template: "/{numeric}", Ordinals: []int{0, 3}, Statuses: []string{"200", "404"}, MIMETypes: []string{"a/b"},
		UnknownMIMETypes: 1, Flags: []string{"mixed-statuses"}, Segments: []surface.Segment{{Index: 0, Rule: "numeric", Literals: []string{"1", "2"}}},
	}
	const row = `{"method":"GET","origin":"o","path_template":"/{numeric}","ordinals":[0,3],"statuses":[200,404],"mime_types":["a/b"],"unknown_statuses":0,"unknown_mime_types":1,
"flags":["mixed-statuses"],"segments":[{"index":0,"rule":"numeric","placeholder":"{numeric}","literals":["2","1"],"basis":"inferred"}]}`
	if err := sameGroup([]byte(row), want); err != nil {
		t.Error(err)
	}
	for name, change := range map[string][2]string{
		"a method":      {`"GET"`, `"PUT"`},
		"an origin":     {`"o"`, `"p"`},
		"a template":    {`"/{numeric}"`, `"/1"`},
		"an ordinal":    {`[0,3]`, `[0]`},
		"a status":      {`[200,404]`, `[200]`},
		"a type":        {`"a/b"`, `"a/c"`},
		"an unknown":    {`"unknown_mime_types":1`, `"unknown_mime_types":0`},
		"a flag":        {`"flags":["mixed-statuses"]`, `"flags":[]`},
		"a rule":        {`"rule":"numeric"`, `"rule":"hex"`},
		"a literal":     {`["2","1"]`, `["2"]`},
		"a basis":       {`"inferred"`, `"observed"`},
		"a placeholder": {`"placeholder":"{numeric}"`, `"placeholder":"{n}"`},
		"no segment":    {`"segments":[{`, `"x":[{`},
	} {
		if err := sameGroup([]byte(strings.Replace(row, change[0], change[1], 1)), want); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
}

func TestSummariesAreCounted(t *testing.T) {
	e := new(product.Evidence)
	e.Result.TotalRecords, e.Result.Records, e.Result.Limitations = 3, make([]product.Record, 2), []string{"a"}
	e.Result.Format, e.Result.Decoder.ID = "qlog", "d"
	e.Result.Qlog = facts(t, traceFacts)
	const good = `{"total_records":3,"retained_records":2,"limitation_count":1,"format":"qlog","decoder":{"id":"d"},
"qlog":{"traces":1,"streams":1,"contributions":2,"ranges":1,"final_sizes":1,"loss_declarations":1,"incomplete_records":0}}`
	check := func(text string) error {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return sameSummary(v, e)
	}
	if err := check(good); err != nil {
		t.Error(err)
	}
	for _, change := range [][2]string{
		{`"total_records":3`, `"total_records":2`}, {`"retained_records":2`, `"retained_records":3`}, {`"limitation_count":1`, `"x":1`},
		{`"format":"qlog"`, `"format":"har"`}, {`"id":"d"`, `"id":"e"`}, {`"contributions":2`, `"contributions":1`}, {`"qlog":{`, `"x":{`},
	} {
		if err := check(strings.Replace(good, change[0], change[1], 1)); err == nil {
			t.Errorf("%s goes unseen", change[1])
		}
	}
}

func TestTheURLCaptureIsAHAR(t *testing.T) {
	var h struct {
		Log struct {
			Entries []json.RawMessage `json:"entries"`
		} `json:"log"`
	}
	if err := json.Unmarshal([]byte(urlCapture()), &h); err != nil || len(h.Log.Entries) < 60 {
		t.Errorf("%d entries, %v", len(h.Log.Entries), err)
	}
}

func TestFailuresOfViewsHaveACode(t *testing.T) {
	const f = `{"code":"unsupported_target","details":{"reason":"r"}}`
	if err := sameCode([]byte(f), "unsupported_target", "r"); err != nil {
		t.Error(err)
	}
	for _, want := range [][2]string{{"invalid_request", ""}, {"unsupported_target", "s"}} {
		if err := sameCode([]byte(f), want[0], want[1]); err == nil {
			t.Errorf("%v is what it says", want)
		}
	}
}
