package view_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view"
	"rea.example/rea/internal/view/viewtest"
)

var one = viewtest.Capture{Reported: []string{viewtest.Entry("GET", "https://h/", 200, "text/html"), `null`}, Total: 3, Limitations: []string{"B."}}

func TestOpen(t *testing.T) {
	id, d := one.Seal(t)
	for _, open := range []func(context.Context, *evidence.Document) (*view.Parent, error){view.Open, view.OpenForeign} {
		p, err := open(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if p.ID != id || p.Format != "har" || p.Decoder.ID != "rea-test" || p.Authority != "historical-reference" || p.Total != 3 || p.Retained() != 2 ||
			p.Declared != 0 || p.Report || p.Artifact.Path != "/captures/s.har" || p.Artifact.SHA256 != viewtest.Digest || p.Artifact.Bytes != 3 ||
			p.Subject == nil || p.Subject.Name != "s.har" || strings.Join(p.Limitations, "") != "Captured.B." || len(p.Notes) != 2 {
			t.Errorf("%+v", p)
		}
		for i, want := range []string{one.Record(0, one.Reported[0]), one.Record(1, `null`)} {
			if b, err := p.Record(i); err != nil || string(b) != want {
				t.Errorf("record %d: %s, %v", i, b, err)
			}
		}
		if b, err := p.Member("runtime_attribution"); err != nil || string(b) != `"unknown"` {
			t.Errorf("%s, %v", b, err)
		}
		if b, err := p.Member("nothing"); b != nil || err != nil {
			t.Errorf("%s, %v", b, err)
		}
	}
}

func TestHiddenStaysHidden(t *testing.T) {
	c := one
	c.Hidden, c.Declared = true, false
	p := c.Open(t)
	if p.Subject != nil || p.Artifact.Path != "" || p.Artifact.SHA256 != "" || p.Declared >= 0 {
		t.Errorf("%+v", p)
	}
	_, d, err := p.Seal(view.Result{Kind: "summary", View: map[string]any{}, Coverage: view.Single()})
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"subject":null`, `"locations":[]`, `"artifact":{"path":"","sha256":null}`} {
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("no %s in %s", want, b)
		}
	}
}

// reseal gives a document that was changed the identifier of what it is now:
// anyone can do that.
func reseal(t *testing.T, doc []byte) *evidence.Document {
	t.Helper()
	v, err := strictjson.Parse(doc, 80)
	if err != nil {
		t.Fatal(err)
	}
	hashed := v
	hashed.Items = nil
	for _, m := range v.Items {
		if m.Name == "subject" {
			m.Items = slices.DeleteFunc(slices.Clone(m.Items), func(m tree.Value) bool { return m.Name == "name" || m.Name == "local_path" })
		}
		if m.Name != "evidence_id" {
			hashed.Items = append(hashed.Items, m)
		}
	}
	id, _ := v.Get("evidence_id").Str()
	sum := sha256.Sum256(strictjson.AppendCanonical(nil, &hashed))
	canonical := strictjson.AppendCanonical(nil, &v)
	return evidence.NewDocument(bytes.Replace(canonical, []byte(id), []byte("ev_"+hex.EncodeToString(sum[:])), 1))
}

// field is where the first binary field of a document is.
const field = "source/evidence/normalized_result/records/0/binary_fields/0/"

func binary(content string, bytes int, sum string) string {
	return fmt.Sprintf(`"binary_fields":[{"bytes":%d,"content_base64":"%s","pointer":"/x","representation":"producer-bytes","sha256":"%s","state":"retained"}]`, bytes, content, sum)
}

func TestForeignShapes(t *testing.T) {
	refuses(t, one, []forgery{
		{`"operation":"inspect_web_network_capture"`, `"operation":"decompile"`, "unsupported_target", ""},
		{`"predicate_type":"rea.analysis"`, `"predicate_type":"rea.analysis-view"`, "evidence_integrity_mismatch", "wrong_predicate"},
		{viewtest.Digest, strings.Repeat("cd", 32), "evidence_integrity_mismatch", "identity_mismatch"},
		{`"confidence":"observed"`, `"confidence":"certain"`, "invalid_request", "source/evidence/confidence"},
		{`"runtime_attribution":"unknown"`, `"runtime_attribution":"known"`, "invalid_request", "source/evidence/normalized_result/runtime_attribution"},
		{`"runtime_attribution":"unknown"`, `"runtime_attribution":"unknown","x":1`, "invalid_request", "source/evidence/normalized_result/x"},
		{`"runtime_attribution":"unknown",`, ``, "invalid_request", "source/evidence/normalized_result/runtime_attribution"},
		{`"total_records":3`, `"total_records":-3`, "invalid_request", "source/evidence/normalized_result/total_records"},
		{`"total_records":3`, `"total_records":1`, "invalid_request", "source/evidence/normalized_result/records/1/ordinal"},
		{`"total_records":3`, `"qlog":{},"total_records":3`, "invalid_request", "source/evidence/normalized_result/qlog"},
		{`"format":"har","limitations"`, `"format":"qlog","limitations"`, "invalid_request", "source/evidence/normalized_result/qlog"},
		{`"ordinal":1`, `"ordinal":0`, "invalid_request", "source/evidence/normalized_result/records/1/ordinal"},
		{`"kind":"json-pointer"`, `"kind":"byte-range"`, "invalid_request", "source/evidence/normalized_result/records/0/location/kind"},
		{`"kind":"json-pointer","pointer":"/log/entries/0"`, `"kind":"json-pointer","offset":1`, "invalid_request", "source/evidence/normalized_result/records/0/location/offset"},
		{`"kind":"json-pointer","pointer":"/log/entries/0"`, `"kind":"unknown","reason":"because"`, "invalid_request", "source/evidence/normalized_result/records/0/location/reason"},
		{`"format":"har","limitations"`, `"format":"pcap","limitations"`, "invalid_request", "source/evidence/normalized_result/format"},
		{`"format":"har","limitations"`, `"format":"saz","limitations"`, "invalid_request", "source/evidence/parameters/format"},
		{`"decoder":{"id":"rea-test"`, `"decoder":{"id":""`, "invalid_request", "source/evidence/normalized_result/decoder/id"},
		{`"decoder":{"id":"rea-test"`, `"decoder":{"id":"rea-har"`, "invalid_request", "source/evidence/provider"},
		{`"analysis_profile":null`, `"analysis_profile":{}`, "invalid_request", "source/evidence/analysis_profile"},
		{`"evidence_links":[]`, `"evidence_links":["x"]`, "invalid_request", "source/evidence/evidence_links"},
		{`"locations":[{`, `"locations":[{"more":1,`, "invalid_request", "source/evidence/locations"},
		{`"capture_path":"`, `"capture_path":"x`, "invalid_request", "source/evidence/parameters/capture_path"},
		{`"record_ordinals":[`, `"record_ordinals":["0",`, "invalid_request", "source/evidence/parameters/record_ordinals/0"},
		{`"record_ordinals":[0,1]`, `"record_ordinals":[1,0]`, "invalid_request", "source/evidence/parameters/record_ordinals"},
		{`"record_ordinals":[0,1]`, `"record_ordinals":[0]`, "invalid_request", "source/evidence/parameters/record_ordinals"},
		{`"record_ordinals":[0,1]`, `"record_ordinals":[0,1,2]`, "invalid_request", "source/evidence/parameters/record_ordinals"},
		{`"record_ordinals":[0,1]`, `"record_ordinals":[0,1,1]`, "invalid_request", "source/evidence/parameters/record_ordinals"},
		{`"confidence":"observed"`, `"confidence":"inferred"`, "invalid_request", "source/evidence/confidence"},
		{`"authority":"historical-reference"`, `"authority":"controlled-replay"`, "invalid_request", "source/evidence/authority"},
		{`"limitations":["Captured.","B."],"records"`, `"limitations":[],"records"`, "invalid_request", "source/evidence/limitations"},
		{`"limitations":["Captured.","B."],"locations"`, `"limitations":["B.","Captured."],"locations"`, "invalid_request", "source/evidence/limitations"},
		{`"records_pointer":"/log/entries"`, `"records_pointer":"/log/pages"`, "invalid_request", "source/evidence/normalized_result/container/records_pointer"},
		{`"binary_fields":[]`, binary("AAE=", 2, "b413f47d13ee2fe6c845b2ee141af81de858df4ec549a58b7970bb96645bc8d1"), "invalid_request", field + "sha256"},
		{`"binary_fields":[]`, binary("AAE=", 3, "b413f47d13ee2fe6c845b2ee141af81de858df4ec549a58b7970bb96645bc8d2"), "invalid_request", field + "bytes"},
		{`"binary_fields":[]`, binary("AAF=", 2, "b413f47d13ee2fe6c845b2ee141af81de858df4ec549a58b7970bb96645bc8d2"), "invalid_request", field + "content_base64"},
		{`"binary_fields":[]`, binary(`AA\nE=`, 2, "b413f47d13ee2fe6c845b2ee141af81de858df4ec549a58b7970bb96645bc8d2"), "invalid_request", field + "content_base64"},
		{`"record_ordinals":[`, `"more":[`, "invalid_request", "source/evidence/parameters/more"},
		{`"sensitive_value_count":0`, `"sensitive_value_count":-1`, "invalid_request", "source/evidence/parameters/sensitive_value_count"},
		{`"kind":"json-pointer"`, `"kind":"elsewhere"`, "invalid_request", "source/evidence/normalized_result/records/0/location/kind"},
		{`"binary_fields":[]`, `"binary_fields":[{}]`, "invalid_request", "source/evidence/normalized_result/records/0/binary_fields/0/state"},
		{`"binary_fields":[]`, `"binary_fields":[],"deviations":[]`, "invalid_request", "source/evidence/normalized_result/records/0/deviations"},
		{`"binary_fields":[]`, `"binary_fields":[],"secret?":1`, "invalid_request", "source/evidence/normalized_result/records/0/secret?"},
		{`"reported":null`, `"Reported":null`, "invalid_request", "source/evidence/normalized_result/records/1/Reported"},
		{`"records":[`, `"records":3,"x":[`, "invalid_request", "source/evidence/normalized_result/x"},
	})
}

func TestForeignFacets(t *testing.T) {
	const profile, traces = "source/evidence/analysis_profile/", "source/evidence/normalized_result/qlog/traces"
	stream := viewtest.Facet[strings.Index(viewtest.Facet, `{"contributions"`):strings.Index(viewtest.Facet, `],"trace_index"`)]
	trace := viewtest.Facet[strings.Index(viewtest.Facet, `{"events"`) : len(viewtest.Facet)-len(`]}`)]
	var cases []forgery
	for _, c := range [][3]string{
		{`"schema_version":1}`, `"schema_version":2}`, profile + "schema_version"},
		{`"qlog_version":"0.3"`, `"qlog_version":"0.4"`, profile + "digest"},
		{`"qlog_version":"0.3"`, `"qlog_version":""`, profile + "parameters/qlog_version"},
		{`"qlog_version":"0.3"`, `"qlog_version":"0.3","x":1`, profile + "parameters/x"},
		{`"unit":"milliseconds"`, `"unit":"seconds"`, profile + "parameters/clock"},
		{`"body_bytes":"not-reported"`, `"body_bytes":"7"`, "source/evidence/normalized_result/qlog/body_bytes"},
		{`"traces":[{`, `"traces":[[],{`, traces + "/0"},
		{`"traces":[`, `"traces":[` + trace + `,`, traces + "/1/trace_index"},
		{`"streams":[`, `"streams":[` + stream + `,`, traces + "/0/streams/1/stream_id"},
		{`"events":1`, `"events":"1"`, traces + "/0/events"},
		{`"incomplete_records":[]`, `"incomplete_records":[null]`, traces + "/0/incomplete_records/0"},
		{`"packet_number":"4"`, `"packet_number":4`, traces + "/0/loss_declarations/0/packet_number"},
		{`"packet_type":null`, `"packet_type":1`, traces + "/0/loss_declarations/0/packet_type"},
		{`"odcid":null`, `"odcid":false`, traces + "/0/odcid"},
		{`"pointer":"/traces/0"`, `"pointer":[]`, traces + "/0/pointer"},
		{`"fin":true`, `"fin":"true"`, traces + "/0/streams/0/contributions/0/fin"},
		{`"length":"8"`, `"length":"08"`, traces + "/0/streams/0/contributions/0/length"},
		{`"offset":"0"`, `"offset":"-1"`, traces + "/0/streams/0/contributions/0/offset"},
		{`"direction":"sent"`, `"direction":"both"`, traces + "/0/streams/0/direction"},
		{`"ordinals":[0]`, `"ordinals":{}`, traces + "/0/streams/0/final_sizes/0/ordinals"},
		{`"end":"8"`, `"end":null`, traces + "/0/streams/0/ranges/0/end"},
		{`"repeated_bytes":"0"`, `"repeated_bytes":""`, traces + "/0/streams/0/repeated_bytes"},
		{`"stream_id":"4"`, `"stream_id":null`, traces + "/0/streams/0/stream_id"},
		{`"type":"server"`, `"type":"server","x":1`, traces + "/0/vantage_point/x"},
	} {
		cases = append(cases, forgery{c[0], c[1], "invalid_request", c[2]})
	}
	refuses(t, viewtest.Capture{Format: "qlog", Reported: []string{"null"}}, cases)
}

func TestForeignPlaces(t *testing.T) {
	const location = "source/evidence/normalized_result/records/0/location/"
	refuses(t, viewtest.Capture{Format: "mitmproxy", Reported: []string{"null"}}, []forgery{
		{`"bytes":9,"kind"`, `"bytes":0,"kind"`, "invalid_request", location + "bytes"},
		{`"kind":"byte-range","offset":0`, `"kind":"byte-range","offset":-1`, "invalid_request", location + "offset"},
		{`"bytes":9,"kind":"byte-range","offset":0`, `"kind":"json-pointer","pointer":""`, "invalid_request", location + "kind"},
	})
	refuses(t, viewtest.Capture{Format: "saz", Reported: []string{"null"}}, []forgery{
		{`"records_pointer":null`, `"records_pointer":"/log/entries"`, "invalid_request", "source/evidence/normalized_result/container/records_pointer"},
		{`"members":["`, `"members":[7,"`, "invalid_request", location + "members/0"},
	})
}

// forgery is a change to a document, and what is said of it.
type forgery struct{ old, new, code, where string }

// refuses sees to it that a capture's Evidence is taken, and that it isn't once it
// was changed.
func refuses(t *testing.T, capture viewtest.Capture, cases []forgery) {
	t.Helper()
	_, d := capture.Seal(t)
	doc, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := view.OpenForeign(t.Context(), reseal(t, doc)); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		bad := bytes.Replace(doc, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(bad, doc) {
			t.Fatalf("%s: nothing was changed", c.old)
		}
		_, err := view.OpenForeign(t.Context(), reseal(t, bad))
		f := failure.As(err)
		if f == nil || string(f.Code) != c.code {
			t.Errorf("%s: %v", c.new, err)
			continue
		}
		where, _ := f.Details["reason"].(string)
		if len(f.Issues) > 0 {
			var steps []string
			for _, s := range f.Issues[0].Path {
				steps = append(steps, strings.Trim(string(strictjson.AppendValue(nil, s)), `"`))
			}
			where = strings.Join(steps, "/")
		}
		if c.where != "" && where != c.where {
			t.Errorf("%s: at %s, want %s", c.new, where, c.where)
		}
	}
}
