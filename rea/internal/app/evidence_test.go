package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/judge"
)

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is now\n%s", path, got)
	}
}

// The whole envelope of a small capture, member by member.
func TestEvidence(t *testing.T) {
	private(t)
	path := save(t, "two.har", har(
		entry("https://h.example/a", "https://u:p@h.example/a", `"cache":{}`, `"cache":{},"_big":9007199254740993`)+","+
			entry(`{"size":0,"mimeType":"text/plain"}`, `{"size":3,"mimeType":"image/png","encoding":"base64","text":"AP9B"}`)))
	a := do(t, app.App{}, args{"capture_path": path, "format": "har"})
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(a.text), "", " "); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(b.String(), path, "/captures/two.har")
	golden(t, "evidence.json", strings.ReplaceAll(text, a.EvidenceID, "ev_ID")+"\n")
	if a.at("provider") != a.at("normalized_result.decoder") {
		t.Error("the provider is not the decoder")
	}

	// What was asked for is resolved and kept; what was declared is counted.
	b2 := do(t, app.App{}, args{"capture_path": path, "format": "har", "record_ordinals": []int{1}, "sensitive_values": []string{"x-1", "x-1"}})
	b2.want(t,
		"parameters", fmt.Sprintf(`{"capture_path":%q,"format":"har","record_ordinals":[1],"sensitive_value_count":2}`, path),
		"normalized_result.total_records", "2", "normalized_result.records.0.ordinal", "1", "normalized_result.records.1", "<absent>",
		"authority", `"historical-reference"`, "confidence", `"observed"`)
	// An integer is one by value.
	c := do(t, app.App{}, fmt.Sprintf(`{"capture_path":%q,"format":"har","record_ordinals":[1.0,0e3]}`, path))
	c.want(t, "parameters.record_ordinals", "[1,0]")
	// A capture without records has an empty list, not none.
	d := do(t, app.App{}, args{"capture_path": save(t, "none.har", har("")), "format": "har"})
	d.want(t, "parameters.record_ordinals", "[]", "normalized_result.records", "[]", "normalized_result.total_records", "0")
}

// Nothing of a call is left, whether it succeeds or fails, and the capture is
// what it was.
func TestCaptureIsLeftAlone(t *testing.T) {
	tmp := private(t)
	for name, capture := range map[string]string{"good": har(entry()), "bad": "{"} {
		path := save(t, name, capture)
		old := time.Date(2020, 1, 2, 3, 4, 5, 6000, time.UTC)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		do(t, app.App{}, args{"capture_path": path, "format": "har"})
		mustBeTidy(t, tmp)
		after, err := os.Lstat(path)
		if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(old) || after.Mode() != before.Mode() {
			t.Errorf("%s: %v, %v", name, after, err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != capture {
			t.Errorf("%s: the content is another, %v", name, err)
		}
		if beside, _ := os.ReadDir(filepath.Dir(path)); len(beside) != 1 {
			t.Errorf("%s: something stands beside it: %v", name, beside)
		}
	}
}

// The documents whose identifiers are recomputed: everything that can be spelt
// in more than one way is in them.
func identified(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range []string{"every-field", "urls", "unsafe-numbers", "escaped"} {
		b, err := os.ReadFile("../format/har/schema/testdata/" + name + ".har")
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(b)
	}
	for _, f := range app.Formats() {
		if f.Name == "har" {
			out["sample"] = string(f.Sample)
		}
	}
	out["spellings"] = har(entry(), `"entries"`, `"_s":"\ud800 \u0000\u001f\u007f\u2028 é\ud83d\ude00\/ \udc00","_n":[1e21,1e-7,0.1,-0,5e-324,1.7976931348623157e308,123456789012345680000,4.50],`+
		`"\ue000":1,"\ud83d\ude00":2,"é":3,"":4,"_":{"b":1,"a":2,"A":3,"1":4,"10":5,"2":6,"__proto__":7},"entries"`)
	return out
}

// The identifier is the SHA-256 of the canonical JSON (RFC 8785) of the document
// without evidence_id and with the subject reduced: another implementation of
// all of that comes to the same.
func TestIdentifierElsewhere(t *testing.T) {
	private(t)
	j := judge.Start(t)
	if !j.Available() {
		return
	}
	for name, capture := range identified(t) {
		a := do(t, app.App{}, args{"capture_path": save(t, name+".har", capture), "format": "har", "conformance": "report"})
		if a.Failure != nil {
			t.Fatalf("%s: %v", name, a.Failure)
		}
		canonical := j.Canonical(t, hashed(t, []byte(a.text)))
		if id := "ev_" + j.SHA256(t, []byte(canonical)); id != a.EvidenceID {
			t.Errorf("%s: %s elsewhere, %s here", name, id, a.EvidenceID)
		}
	}
}

// hashed is what an identifier is computed from, with its numbers and strings as
// they stand in the document.
func hashed(t *testing.T, document []byte) string {
	t.Helper()
	var doc, subject map[string]json.RawMessage
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
	delete(doc, "evidence_id")
	if err := json.Unmarshal(doc["subject"], &subject); err != nil {
		t.Fatal(err)
	}
	if subject != nil {
		delete(subject, "name")
		delete(subject, "local_path")
		doc["subject"] = raw(t, subject)
	}
	return string(raw(t, doc))
}

// raw joins members without touching them; encoding/json would escape HTML.
func raw(t *testing.T, members map[string]json.RawMessage) json.RawMessage {
	t.Helper()
	var parts []string
	for name, v := range members {
		parts = append(parts, string(marshal(t, map[string]int{name: 0})[1:len(name)+4])+string(v))
	}
	return json.RawMessage("{" + strings.Join(parts, ",") + "}")
}

// Identifiers change only with a line in the change log: whoever keeps Evidence
// keeps them. The path, which is part of them, is hidden by a declaration.
func TestGoldenIdentifiers(t *testing.T) {
	private(t)
	var b strings.Builder
	captures := identified(t)
	for _, name := range []string{"sample", "every-field", "spellings"} {
		for _, conformance := range []string{"strict", "report"} {
			a := do(t, app.App{}, args{
				"capture_path": save(t, "golden-captures/"+name+".har", captures[name]), "format": "har",
				"conformance": conformance, "sensitive_values": []string{"golden-captures"},
			})
			fmt.Fprintf(&b, "%s %s %s\n", name, conformance, a.EvidenceID)
			a.want(t, "parameters.capture_path", `""`)
		}
	}
	golden(t, "identifiers.txt", b.String())
}

// The identifier depends on where the capture lies, and on nothing else of the
// host: not on time, not on the run.
func TestIdentifierIsOfTheContent(t *testing.T) {
	private(t)
	path := save(t, "a.har", har(entry()))
	first := do(t, app.App{}, args{"capture_path": path, "format": "har"})
	again := do(t, app.App{}, args{"format": "har", "capture_path": path})
	if first.text != again.text {
		t.Error("the same call has two results")
	}
	copied := do(t, app.App{}, args{"capture_path": save(t, "a.har", har(entry())), "format": "har"})
	if copied.EvidenceID == first.EvidenceID {
		t.Error("two files have one identifier")
	}
	if copied.at("normalized_result.records") != first.at("normalized_result.records") {
		t.Error("two copies have two contents")
	}
}

// Conformance is kept only where it isn't what it would be anyway.
func TestConformance(t *testing.T) {
	private(t)
	path := save(t, "a.har", har(entry()))
	bare := do(t, app.App{}, args{"capture_path": path, "format": "har"})
	strict := do(t, app.App{}, args{"capture_path": path, "format": "har", "conformance": "strict"})
	report := do(t, app.App{}, args{"capture_path": path, "format": "har", "conformance": "report"})
	if strict.text != bare.text {
		t.Error("strict is not the default")
	}
	bare.want(t, "parameters.conformance", "<absent>", "normalized_result.records.0.deviations", "<absent>", "normalized_result.container.deviations", "<absent>")
	report.want(t, "parameters.conformance", `"report"`, "normalized_result.records.0.deviations", "[]", "normalized_result.records.0.deviation_total", "0",
		"normalized_result.container.deviations", "[]", "normalized_result.container.deviation_total", "0")

	// Strict lists up to 32 pairs and the total, and says how to go on.
	broken := save(t, "b.har", har(strings.Repeat(entry(`"time":1`, `"time":null`, `"GET"`, "1")+",", 39)+entry(`"time":1`, `"time":null`)))
	a := do(t, app.App{}, args{"capture_path": broken, "format": "har"})
	a.want(t, "code", `"invalid_request"`, "details.schema_error_total", "79",
		"details.issues.0.path", `["capture_path","/log/entries/0/time"]`, "details.issues.0.reason", `"invalid_format"`,
		"details.schema_errors.0", `{"keyword":"type","pointer":"/log/entries/0/time"}`,
		"details.schema_errors.31", `{"keyword":"type","pointer":"/log/entries/15/request/method"}`, "details.schema_errors.32", "<absent>")
	if !strings.Contains(a.at("remediation.action"), "conformance: report") {
		t.Errorf("no way out: %s", a.at("remediation.action"))
	}
	b := do(t, app.App{}, args{"capture_path": broken, "format": "har", "conformance": "report"})
	b.want(t, "normalized_result.total_records", "40", "normalized_result.records.0.deviation_total", "2", "normalized_result.records.0.reported.time", "null")
}

func sum(capture string) string {
	s := sha256.Sum256([]byte(capture))
	return hex.EncodeToString(s[:])
}
