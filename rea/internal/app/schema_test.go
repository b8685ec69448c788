package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

func resolve2020(t testing.TB, raw []byte) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSchemasAreTyped: clients make forms and types of them. Every property has
// a type, every array says what is in it, no schema refers to itself, and an
// object is closed where it lists its members.
func TestSchemasAreTyped(t *testing.T) {
	for _, s := range AllSchemas() {
		for name, raw := range map[string][]byte{"input": s.Input, "head": s.Head, "output": s.Output} {
			resolve2020(t, raw)
			var v any
			if err := json.Unmarshal(raw, &v); err != nil {
				t.Fatal(err)
			}
			at := s.Operation + " " + name
			if root := v.(map[string]any); root["type"] != "object" || root["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
				t.Errorf("%s: the root is %v", at, root["type"])
			}
			if bytes.Contains(raw, []byte(`"$ref"`)) {
				t.Errorf("%s refers", at)
			}
			checkTyped(t, at, v)
		}
	}
}

func checkTyped(t *testing.T, at string, v any) {
	switch v := v.(type) {
	case []any:
		for i := range v {
			checkTyped(t, at+"/"+strconv.Itoa(i), v[i])
		}
	case map[string]any:
		if properties, ok := v["properties"].(map[string]any); ok {
			for name, p := range properties {
				if p.(map[string]any)["type"] == nil {
					t.Errorf("%s: property %s has no type", at, name)
				}
			}
			if v["type"] != nil && v["additionalProperties"] != false {
				t.Errorf("%s is open", at)
			}
		}
		if isArray := v["type"] == "array"; isArray != (v["items"] != nil) {
			t.Errorf("%s: an array without items, or items without an array", at)
		}
		for name, member := range v {
			switch name {
			case "enum", "default", "required":
			case "properties":
				for property, p := range member.(map[string]any) {
					checkTyped(t, at+"/"+property, p)
				}
			default:
				checkTyped(t, at+"/"+name, member)
			}
		}
	}
}

func accepts(operation string, raw []byte) bool {
	if operation == InspectOperation {
		_, _, f := readInspect(raw)
		return f == nil
	}
	_, _, f := readView(raw, 0)
	return f == nil
}

// compare holds the contract against the schema. Documents that a reader of
// doubles and of UTF-8 sees otherwise than they are say nothing.
func compare(t *testing.T, resolved map[string]*jsonschema.Resolved, raw []byte) (accepted bool) {
	v, err := strictjson.Parse(raw, limits.ArgumentDepth)
	if err != nil || !plainValue(&v) {
		return false
	}
	var decoded any
	if err := json.Unmarshal(raw, &decoded); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	for operation, schema := range resolved {
		bySchema := schema.Validate(decoded) == nil
		byContract := accepts(operation, raw)
		if bySchema != byContract {
			t.Errorf("%s: the schema says %v, the contract %v: %s", operation, bySchema, byContract, raw)
		}
		accepted = accepted || byContract
	}
	return accepted
}

func plainValue(v *tree.Value) bool {
	switch v.Kind {
	case tree.Number:
		if !strictjson.Safe(v.Text) {
			return false
		}
	case tree.String:
		if s, _ := v.Str(); tree.HasLoneSurrogate(s) {
			return false
		}
	}
	for i := range v.Items {
		if tree.HasLoneSurrogate(v.Items[i].Name) || !plainValue(&v.Items[i]) {
			return false
		}
	}
	return true
}

func resolvedInputs(t testing.TB) map[string]*jsonschema.Resolved {
	out := map[string]*jsonschema.Resolved{}
	for _, s := range AllSchemas() {
		out[s.Operation] = resolve2020(t, s.Input)
	}
	return out
}

var id64 = "ev_" + strings.Repeat("0a", 32)

// argumentDocuments are documents that are right, or wrong in one place.
var argumentDocuments = []string{
	`{"capture_path":"/a b/\u00fc x.har","format":"har"}`,
	`{"capture_path":"/a","format":"har","record_ordinals":[2,0.0,1e1],"sensitive_values":["a"],"conformance":"report","detail":"summary"}`,
	`{"capture_path":"","format":"har"}`, `{"capture_path":"a","format":"har"}`, `{"capture_path":"/\u0000","format":"har"}`,
	`{"capture_path":"/a","format":"har","record_ordinals":[]}`, `{"capture_path":"/a","format":"har","record_ordinals":[1,1.0]}`,
	`{"capture_path":"/a","format":"har","record_ordinals":"[1]"}`, `{"capture_path":"/a","format":"har","record_ordinals":[9007199254740992]}`,
	`{"capture_path":"/a","format":"qlog","conformance":"report"}`, `{"capture_path":"/a","format":"har","sensitive_values":[""]}`,
	`{"source":{"kind":"retained-evidence","evidence_id":"` + id64 + `"},"view":{"kind":"summary"}}`,
	`{"source":{"kind":"inline","evidence":{"a":[]}},"view":{"kind":"capture","detail":"complete","offset":0,"limit":1,"max_chars":4000}}`,
	`{"source":{"kind":"inline","evidence":{}},"view":{"kind":"api-surface","offset":-0,"limit":5e0}}`,
	`{"source":{"kind":"inline","evidence":{}},"view":{"kind":"qlog","facet":"ranges","trace_index":0,"stream_id":"0","direction":"sent","limit":1}}`,
	`{"source":{"kind":"inline","evidence":{}},"view":{"kind":"qlog","facet":"traces","trace_index":0}}`,
	`{"source":{"kind":"inline","evidence":[]},"view":{"kind":"qlog","facet":"streams"}}`,
	`null`, `[]`, `{}`, `{"source":null,"view":null}`,
}

func TestSchemaIsTheContract(t *testing.T) {
	resolved := resolvedInputs(t)
	for _, d := range argumentDocuments {
		compare(t, resolved, []byte(d))
	}
	r := rand.New(rand.NewPCG(51, 52))
	accepted := 0
	for range 10000 {
		if compare(t, resolved, []byte(randomArguments(r))) {
			accepted++
		}
		if t.Failed() {
			break
		}
	}
	if accepted < 400 {
		t.Errorf("only %d of the documents are accepted", accepted)
	}
}

func FuzzSchemaIsTheContract(f *testing.F) {
	for _, d := range argumentDocuments {
		f.Add([]byte(d))
	}
	resolved := resolvedInputs(f)
	f.Fuzz(func(t *testing.T, raw []byte) { compare(t, resolved, raw) })
}

// randomArguments makes a document of members and values that are mostly right.
func randomArguments(r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	number := func() string {
		return pick("0", "1", "20", "2.0", "-0", "-1", "1.5", "4000", "3999", "5000000", "5000001", "9007199254740991", "9007199254740992", "1e300", `"1"`, "null", "true")
	}
	member := func(b *[]string, odds int, name string, value func() string) {
		if r.IntN(10) < odds {
			*b = append(*b, strconv.Quote(name)+":"+value())
		}
	}
	object := func(members []string) string {
		if r.IntN(40) == 0 {
			members = append(members, `"other":1`)
		}
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		return "{" + strings.Join(members, ",") + "}"
	}
	of := func(values ...string) func() string { return func() string { return pick(values...) } }
	if r.IntN(3) == 0 {
		var m []string
		member(&m, 9, "capture_path", of(`"/a"`, `"/a"`, `"/a/b.har"`, `"a"`, `""`, `7`, `"/\u0000"`, `"/\n"`))
		member(&m, 9, "format", of(`"har"`, `"har"`, `"har"`, `"HAR"`, `null`, `"qlog"`, `"mitmproxy"`, `"saz"`))
		member(&m, 5, "record_ordinals", func() string {
			var items []string
			for range r.IntN(4) {
				items = append(items, number())
			}
			return pick("["+strings.Join(items, ",")+"]", "[3,1]", "{}")
		})
		member(&m, 4, "sensitive_values", of(`[]`, `["a"]`, `["a","a"]`, `[""]`, `[1]`, `"a"`))
		member(&m, 4, "conformance", of(`"strict"`, `"report"`, `"none"`, `0`))
		member(&m, 3, "decoder", of(`"auto"`, `"upstream"`, `"embedded"`, `"mitmdump"`, `null`))
		member(&m, 4, "detail", of(`"complete"`, `"summary"`, `"preview"`, `[]`))
		return object(m)
	}
	var s, v, m []string
	kind := pick(`"retained-evidence"`, `"inline"`, `"inline"`, `"file"`, `1`)
	member(&s, 9, "kind", of(kind))
	odds := 1
	if kind == `"inline"` {
		odds = 9
	}
	member(&s, odds, "evidence", of(`{}`, `{"a":{"b":[1]}}`, `[]`, `"{}"`))
	member(&s, 10-odds, "evidence_id", of(`"`+id64+`"`, `"`+id64+`"`, `"ev_"`, `"`+strings.ToUpper(id64)+`"`, `1`))

	view := pick("summary", "capture", "capture", "api-surface", "qlog", "qlog", "qlog", "native")
	facet := pick("traces", "streams", "contributions", "ranges", "final-sizes", "loss-declarations", "incomplete-records", "events")
	often := func(when bool) int {
		if when {
			return 9
		}
		return 1
	}
	paged := 0
	if view != "summary" {
		paged = 4
	}
	stream := view == "qlog" && (facet == "contributions" || facet == "ranges" || facet == "final-sizes")
	member(&v, 9, "kind", of(strconv.Quote(view)))
	member(&v, often(view == "capture")/2, "detail", of(`"preview"`, `"complete"`, `"summary"`))
	member(&v, paged, "offset", number)
	member(&v, paged, "limit", number)
	member(&v, paged, "max_chars", number)
	member(&v, often(view == "qlog"), "facet", of(strconv.Quote(facet)))
	member(&v, often(view == "qlog" && facet != "traces"), "trace_index", number)
	member(&v, often(stream), "stream_id", of(`"0"`, `""`, `0`))
	member(&v, often(stream), "direction", of(`"sent"`, `"received"`, `"both"`))
	member(&m, 9, "source", func() string { return object(s) })
	member(&m, 9, "view", func() string { return object(v) })
	return object(m)
}

// TestIssues names the place and reason of each mistake, and quotes no value.
func TestViewIssues(t *testing.T) {
	source := `"source":{"kind":"inline","evidence":{}}`
	for _, c := range []struct{ raw, issues string }{
		{`{`, `[] invalid_format`},
		{`{} {}`, `[] invalid_format`},
		{`{"a":1,"a":1}`, `[] invalid_format`},
		{`7`, `[] invalid_type`},
		{`{}`, `[source] missing_argument, [view] missing_argument`},
		{`{` + source + `,"view":{}}`, `[view kind] missing_argument`},
		{`{` + source + `,"view":{"kind":"hunter2"}}`, `[view kind] invalid_value`},
		{`{` + source + `,"view":{"kind":7}}`, `[view kind] invalid_type`},
		{`{` + source + `,"view":{"kind":"summary","extra":1}}`, `[view extra] unknown_argument`},
		{`{` + source + `,"view":{"kind":"summary","limit":1}}`, `[view limit] unknown_argument`},
		{`{` + source + `,"view":{"kind":"capture","facet":"traces"}}`, `[view facet] unknown_argument`},
		{`{` + source + `,"view":{"kind":"capture","limit":0,"offset":-1,"max_chars":3999}}`, `[view offset] out_of_range, [view limit] out_of_range, [view max_chars] out_of_range`},
		{`{` + source + `,"view":{"kind":"qlog"}}`, `[view facet] missing_argument`},
		{`{` + source + `,"view":{"kind":"qlog","facet":"ranges","trace_index":0}}`, `[view stream_id] missing_argument, [view direction] missing_argument`},
		{`{` + source + `,"view":{"kind":"qlog","facet":"traces","trace_index":0}}`, `[view trace_index] unknown_argument`},
		{`{"source":{"kind":"inline","evidence_id":"x"},"view":{"kind":"summary"}}`, `[source evidence_id] unknown_argument, [source evidence] missing_argument`},
		{`{"source":{"kind":"retained-evidence"},"view":{"kind":"summary"}}`, `[source evidence_id] missing_argument`},
		{`{"source":{"kind":"retained-evidence","evidence_id":"hunter2"},"view":{"kind":"summary"}}`, `[source evidence_id] invalid_format`},
		{`{"source":{"kind":"inline","evidence":"hunter2"},"view":{"kind":"summary"}}`, `[source evidence] invalid_type`},
	} {
		_, _, f := readView([]byte(c.raw), 0)
		if f == nil {
			t.Errorf("%s is accepted", c.raw)
			continue
		}
		var got []string
		for _, is := range f.Issues {
			got = append(got, fmt.Sprint(is.Path, " ", is.Reason))
		}
		if strings.Join(got, ", ") != c.issues || f.Details["operation"] != "inspect_analysis_view" {
			t.Errorf("%s: %s, want %s", c.raw, strings.Join(got, ", "), c.issues)
		}
		if p := fmt.Sprint(f.Projection()); strings.Contains(p, "hunter2") {
			t.Errorf("%s: quoted in %s", c.raw, p)
		}
	}
	if _, _, f := readView([]byte(`{`+source+`,"view":{"kind":"x"}}`), 0); fmt.Sprint(f.Issues[0].Expected) != "[summary capture api-surface qlog]" {
		t.Errorf("%v", f.Issues)
	}
}

func TestInlineBound(t *testing.T) {
	inline := func(n int) string { return `{"a":"` + strings.Repeat("x", n-8) + `"}` }
	for n, want := range map[int]bool{100: true, 101: false} {
		_, _, f := readView([]byte(`{"view":{"kind":"summary"},"source":{"kind":"inline","evidence":`+inline(n)+`}}`), 100)
		if (f == nil) != want {
			t.Errorf("%d bytes: %v", n, f)
		}
		if f != nil && (fmt.Sprint(f.Issues[0].Path) != "[source evidence]" || f.Issues[0].Reason != "out_of_range" || fmt.Sprint(f.Issues[0].Expected) != "map[maximum_inline_evidence_bytes:100]") {
			t.Errorf("%+v", f.Issues)
		}
		if f != nil && (!strings.Contains(f.Action, "this server") || strings.Contains(f.Action, correct)) {
			t.Error(f.Action)
		}
	}
	_, _, f := readView(make([]byte, 101+limits.ArgumentBytes), 100)
	if fmt.Sprint(f.Issues[0].Path) != "[source evidence]" || !strings.Contains(f.Action, "this server") {
		t.Errorf("%+v, %s", f.Issues, f.Action)
	}
	// A message may be as large as the Evidence in it, but hold no more values than that.
	crowded := `{"x":[` + strings.Repeat("0,", limits.EvidenceValues) + `0]}`
	if _, _, f = readView([]byte(crowded), limits.InlineMessage); f == nil || f.Issues[0].Reason != "out_of_range" || fmt.Sprint(f.Issues[0].Expected) != fmt.Sprintf("map[maximum_argument_values:%d]", limits.EvidenceValues) {
		t.Errorf("%+v", f)
	}
	if f = asFault(&evidence.Fault{Kind: evidence.Crowded}); fmt.Sprint(f.Issues[0].Path) != "[source evidence]" || f.Issues[0].Reason != "out_of_range" {
		t.Errorf("%+v", f)
	}
	// Where more is wrong, both is said.
	_, _, f = readView([]byte(`{"view":{"kind":"x"},"source":{"kind":"inline","evidence":`+inline(101)+`}}`), 100)
	if len(f.Issues) != 2 || !strings.Contains(f.Action, "this server") || !strings.Contains(f.Action, correct) {
		t.Errorf("%+v, %s", f.Issues, f.Action)
	}
	if _, _, f = readView(make([]byte, MaxViewArguments+1), 0); strings.Contains(f.Action, "this server") {
		t.Error(f.Action)
	}
}

func TestViewDefaults(t *testing.T) {
	for view, want := range map[string]string{
		`{"kind":"summary"}`: `{"kind":"summary"}`,
		`{"kind":"capture"}`: `{"detail":"preview","kind":"capture","limit":20,"offset":0}`,
		`{"kind":"capture","limit":2.0,"detail":"complete"}`: `{"detail":"complete","kind":"capture","limit":2,"offset":0}`,
		`{"kind":"api-surface","max_chars":5e3}`:             `{"kind":"api-surface","limit":50,"max_chars":5000,"offset":0}`,
		`{"kind":"qlog","facet":"streams","trace_index":1}`:  `{"facet":"streams","kind":"qlog","limit":64,"offset":0,"trace_index":1}`,
		`{"kind":"qlog","facet":"traces","max_chars":4000}`:  `{"facet":"traces","kind":"qlog","limit":64,"max_chars":4000,"offset":0}`,
	} {
		req, _, f := readView([]byte(`{"source":{"kind":"inline","evidence":{}},"view":`+view+`}`), 0)
		if f != nil {
			t.Errorf("%s: %v", view, f)
			continue
		}
		if got := string(strictjson.AppendValue(nil, req.view)); got != want {
			t.Errorf("%s: %s, want %s", view, got, want)
		}
	}
}
