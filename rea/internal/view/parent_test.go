package view_test

import (
	"bytes"
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
	for _, open := range []func(*evidence.Document) (*view.Parent, error){view.Open, view.OpenForeign} {
		p, err := open(d)
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
	part := func(name string) *tree.Value { return v.Get(name) }
	text := func(name string) string { s, _ := part(name).Str(); return s }
	var subject *evidence.Subject
	if s := part("subject"); s.Kind == tree.Object {
		subject = &evidence.Subject{}
		subject.Name, _ = s.Get("name").Str()
		subject.SHA256, _ = s.At("digest", "sha256").Str()
		subject.LocalPath, _ = s.Get("local_path").Str()
	}
	parameters := map[string]any{}
	for i := range part("parameters").Items {
		m := &part("parameters").Items[i]
		parameters[m.Name.Decode()] = m
	}
	provider := evidence.Identity{}
	provider.ID, _ = part("provider").Get("id").Str()
	provider.Name, _ = part("provider").Get("name").Str()
	provider.Version, _ = part("provider").Get("version").Str()
	_, d, err := evidence.Seal(evidence.Evidence{
		Subject: subject, Provider: provider, PredicateType: text("predicate_type"), Operation: text("operation"),
		Parameters: parameters, Result: []evidence.Part{{Bytes: strictjson.AppendCanonical(nil, part("normalized_result"))}},
		Confidence: text("confidence"), Authority: text("authority"), Limitations: view.Strings(part("limitations")), Locations: []any{}, Links: []string{},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestForeignShapes(t *testing.T) {
	_, d := one.Seal(t)
	doc, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := view.OpenForeign(reseal(t, doc)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, code, where string }{
		{`"operation":"inspect_web_network_capture"`, `"operation":"decompile"`, "unsupported_target", ""},
		{`"predicate_type":"rea.analysis"`, `"predicate_type":"rea.analysis-view"`, "evidence_integrity_mismatch", "wrong_predicate"},
		{viewtest.Digest, strings.Repeat("cd", 32), "evidence_integrity_mismatch", "identity_mismatch"},
		{`"confidence":"observed"`, `"confidence":"certain"`, "invalid_request", "source/confidence"},
		{`"runtime_attribution":"unknown"`, `"runtime_attribution":"known"`, "invalid_request", "source/normalized_result/runtime_attribution"},
		{`"runtime_attribution":"unknown"`, `"runtime_attribution":"unknown","x":1`, "invalid_request", "source/normalized_result/x"},
		{`"runtime_attribution":"unknown",`, ``, "invalid_request", "source/normalized_result/runtime_attribution"},
		{`"total_records":3`, `"total_records":-3`, "invalid_request", "source/normalized_result/total_records"},
		{`"total_records":3`, `"total_records":1`, "invalid_request", "source/normalized_result/records/1/ordinal"},
		{`"total_records":3`, `"qlog":{},"total_records":3`, "invalid_request", "source/normalized_result/qlog"},
		{`"format":"har","limitations"`, `"format":"qlog","limitations"`, "invalid_request", "source/normalized_result/qlog"},
		{`"ordinal":1`, `"ordinal":0`, "invalid_request", "source/normalized_result/records/1/ordinal"},
		{`"kind":"json-pointer"`, `"kind":"byte-range"`, "invalid_request", "source/normalized_result/records/0/location/pointer"},
		{`"kind":"json-pointer"`, `"kind":"elsewhere"`, "invalid_request", "source/normalized_result/records/0/location/kind"},
		{`"binary_fields":[]`, `"binary_fields":[{}]`, "invalid_request", "source/normalized_result/records/0/binary_fields/0/state"},
		{`"binary_fields":[]`, `"binary_fields":[],"deviations":[]`, "invalid_request", "source/normalized_result/records/0/deviations"},
		{`"binary_fields":[]`, `"binary_fields":[],"secret?":1`, "invalid_request", "source/normalized_result/records/0/secret?"},
		{`"reported":null`, `"Reported":null`, "invalid_request", "source/normalized_result/records/1/Reported"},
		{`"records":[`, `"records":3,"x":[`, "invalid_request", "source/normalized_result/x"},
	} {
		bad := bytes.Replace(doc, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(bad, doc) {
			t.Fatalf("%s: nothing was changed", c.old)
		}
		_, err := view.OpenForeign(reseal(t, bad))
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
