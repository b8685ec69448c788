package viewtest

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format/qlog/facts"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/view"
)

// Capture is the Evidence of a capture, as a test wants it. The zero value is an
// empty HAR.
type Capture struct {
	Format   string   // "" is har
	Reported []string // of each record, as canonical JSON
	// Records stand in place of Reported where a test writes them whole.
	Records     []string
	Ordinals    []int // of the records; nil is their places
	Total       int   // of the whole capture; 0 is the number of records
	Declared    any   // sensitive_value_count; nil is 0, false leaves it out
	Report      bool
	Path        string // "" is /captures/s.har
	Hidden      bool   // path and digest are left out
	Limitations []string
	Facet       string // of a qlog, as canonical JSON; "" is Facet
	Binary      string // a record's binary fields, as canonical JSON
}

// Digest is the digest of every capture here.
var Digest = strings.Repeat("ab", 32)

// Facet is that of a qlog with one trace, in which one stream was heard of.
var Facet = `{"body_bytes":"not-reported","clock":` + string(strictjson.AppendValue(nil, facts.Clock())) + `,"profile":"` + facts.Profile + `","scope":"` + facts.Scope + `","traces":[` +
	`{"events":1,"incomplete_records":[],"loss_declarations":[{"ordinal":0,"packet_number":"4","packet_type":null}],"odcid":null,"pointer":"/traces/0","streams":[` +
	`{"contributions":[{"fin":true,"frame_index":0,"length":"8","offset":"0","ordinal":0}],"direction":"sent","final_sizes":[{"ordinals":[0],"size":"8"}],` +
	`"frame_length_sum":"8","ranges":[{"end":"8","start":"0"}],"repeated_bytes":"0","stream_id":"4","unique_bytes":null}],` +
	`"trace_index":0,"vantage_point":{"name":null,"type":"server"}}]}`

// Seal gives the sealed document.
func (c Capture) Seal(t testing.TB) (id string, d *evidence.Document) {
	t.Helper()
	if c.Format == "" {
		c.Format = "har"
	}
	a := evidence.Artifact{Path: "/captures/s.har", SHA256: Digest, Bytes: 3}
	if c.Path != "" {
		a.Path = c.Path
	}
	if c.Hidden {
		a.Path, a.SHA256 = "", ""
	}
	records := c.Records
	for i, r := range c.Reported {
		records = append(records, c.Record(i, r))
	}
	if c.Total == 0 {
		c.Total = len(records)
	}
	ordinals := c.Ordinals
	for i := len(ordinals); i < len(records); i++ {
		ordinals = append(ordinals, i)
	}
	parameters := map[string]any{"capture_path": a.Path, "format": c.Format, "record_ordinals": ordinals, "sensitive_value_count": 0}
	switch c.Declared {
	case nil:
	case false:
		delete(parameters, "sensitive_value_count")
	default:
		parameters["sensitive_value_count"] = c.Declared
	}
	deviations := ""
	if c.Report {
		parameters["conformance"] = "report"
		deviations = `"deviation_total":2,"deviations":[],`
	}
	facet := ""
	if c.Format == "qlog" {
		facet = `,"qlog":` + cmp.Or(c.Facet, Facet)
	}
	var sum any
	locations := []any{}
	if !c.Hidden {
		sum = a.SHA256
		locations = append(locations, map[string]any{"kind": "artifact-path", "path": a.Path})
	}
	provider := evidence.Identity{ID: "rea-test", Name: "test", Version: "1"}
	notes := append([]string{"Captured."}, c.Limitations...)
	pointer := "null"
	if c.Format == "har" {
		pointer = `"/log/entries"`
	}
	result := fmt.Sprintf(`{"artifact":%s,"container":{%s"numeric_literals":[],"records_pointer":%s,"redactions":[],"reported":{"log":{"entries":null}}},`+
		`"decoder":{"id":"rea-test","name":"test","version":"1"},"format":"%s","limitations":%s%s,"records":[%s],"runtime_attribution":"unknown","total_records":%d}`,
		strictjson.AppendValue(nil, map[string]any{"path": a.Path, "sha256": sum, "bytes": a.Bytes}), deviations, pointer, c.Format,
		strictjson.AppendValue(nil, notes), facet, strings.Join(records, ","), c.Total)
	var analysis map[string]any
	if c.Format == "qlog" {
		analysis = map[string]any{"clock": facts.Clock(), "producer": "aioquic@1.5.0", "qlog_format": "JSON", "qlog_version": "0.3"}
	}
	if c.Hidden { // the note on it stands first here
		notes = append([]string{notes[len(notes)-1]}, notes[:len(notes)-1]...)
	}
	id, d, err := evidence.Seal(evidence.Evidence{
		Subject: evidence.SubjectOf(a), Provider: provider, Analysis: analysis, PredicateType: "rea.analysis", Operation: evidence.InspectCapture,
		Parameters: parameters, Result: []evidence.Part{{Bytes: []byte(result)}}, Confidence: "observed", Authority: "historical-reference",
		Limitations: notes, Locations: locations, Links: []string{},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return id, d
}

// Record is the canonical record that holds a reported value.
func (c Capture) Record(i int, reported string) string {
	ordinal, deviations := i, ""
	if c.Ordinals != nil {
		ordinal = c.Ordinals[i]
	}
	if c.Report {
		deviations = `"deviation_total":3,"deviations":[],`
	}
	if c.Binary == "" {
		c.Binary = "[]"
	}
	place := fmt.Sprintf(`"kind":"json-pointer","pointer":"/log/entries/%d"`, ordinal)
	switch c.Format {
	case "mitmproxy":
		place = fmt.Sprintf(`"bytes":9,"kind":"byte-range","offset":%d`, 9*ordinal)
	case "saz":
		place = fmt.Sprintf(`"kind":"archive-members","members":["raw/%d_c.txt"]`, ordinal)
	}
	return fmt.Sprintf(`{"binary_fields":%s,%s"limitations":["Of a record."],"location":{%s},`+
		`"numeric_literals":[],"ordinal":%d,"redactions":[],"reported":%s}`, c.Binary, deviations, place, ordinal, reported)
}

// Open gives the parent, opened as a foreign document, so that its shape is
// checked too.
func (c Capture) Open(t testing.TB) *view.Parent {
	t.Helper()
	_, d := c.Seal(t)
	p, err := view.OpenForeign(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Entry is what a HAR reports of a request and its answer.
func Entry(method, url string, status int, mimeType string) string {
	return string(strictjson.AppendValue(nil, map[string]any{
		"startedDateTime": "2024-01-01T00:00:00Z", "time": 1,
		"request":  map[string]any{"method": method, "url": url, "httpVersion": "HTTP/1.1"},
		"response": map[string]any{"status": status, "content": map[string]any{"mimeType": mimeType}},
	}))
}

// Result opens sealed Evidence and gives its normalized_result as canonical JSON.
func Result(t testing.TB, d *evidence.Document, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := evidence.Open(b); err != nil {
		t.Fatalf("the view is no Evidence: %v", err)
	}
	v, err := strictjson.Parse(b, 80)
	if err != nil {
		t.Fatal(err)
	}
	return string(strictjson.AppendCanonical(nil, v.Get("normalized_result")))
}
