package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/store"
)

const view = "inspect_analysis_view"

// serving is an app that retains.
func serving(t *testing.T, roots ...string) app.App {
	t.Helper()
	a, err := app.Serving(roots)
	if err != nil {
		t.Fatal(err)
	}
	a.Program = program
	t.Cleanup(func() {
		if err := a.Close(); err != nil || a.Store.Used() != 0 {
			t.Errorf("closing: %v, %d bytes stay", err, a.Store.Used())
		}
	})
	return *a
}

func look(t *testing.T, a app.App, source, view any) answer {
	t.Helper()
	return doCall(t, a, app.Call{Operation: "inspect_analysis_view", Arguments: marshal(t, args{"source": source, "view": view})})
}

func retained(id string) args { return args{"kind": "retained-evidence", "evidence_id": id} }

// inline is a source that carries a document, as it is.
func lookInline(t *testing.T, a app.App, document, view string) answer {
	t.Helper()
	return doCall(t, a, app.Call{Operation: "inspect_analysis_view",
		Arguments: []byte(`{"source":{"kind":"inline","evidence":` + document + `},"view":` + view + `}`)})
}

// many is a capture of n requests to numbered resources.
func many(n int) string {
	var entries []string
	for i := range n {
		entries = append(entries, entry("https://h.example/a", fmt.Sprintf("https://h.example/items/%d?q=%d", i, i)))
	}
	return har(strings.Join(entries, ","))
}

func TestSummaryThenPages(t *testing.T) {
	private(t)
	a := serving(t)
	path := save(t, "s.har", many(45))
	complete := do(t, a, args{"capture_path": path, "format": "har", "record_ordinals": order(45)})
	summary := do(t, a, args{"capture_path": path, "format": "har", "record_ordinals": order(45), "detail": "summary"})
	id := complete.EvidenceID
	summary.want(t, "operation", `"`+view+`"`, "predicate_type", `"rea.analysis-view"`, "confidence", `"derived"`,
		"authority", `"historical-reference"`, "evidence_links.0", `"`+id+`"`, "provider.id", `"rea-analysis-view"`, "raw_result", "null",
		"analysis_profile", "null", "subject", complete.at("subject"), "locations", complete.at("locations"),
		"parameters", `{"parent_evidence_id":"`+id+`","view":{"kind":"summary"}}`,
		"normalized_result.kind", `"summary"`, "normalized_result.parent_evidence_id", `"`+id+`"`,
		"normalized_result.parent_operation", `"`+inspect+`"`, "normalized_result.parent_digest", `"`+id[3:]+`"`,
		"normalized_result.artifact", `{"path":"`+path+`","sha256":`+complete.at("normalized_result.artifact.sha256")+`}`,
		"normalized_result.coverage", `{"examined":1,"exhausted":true,"next_offset":null,"status":"complete-within-view","total":1}`,
		"normalized_result.summary.total_records", "45", "normalized_result.summary.retained_records", "45")
	if len(summary.text) >= len(complete.text)/10 {
		t.Errorf("a summary of %d bytes for %d", len(summary.text), len(complete.text))
	}
	if !summary.Retained || !complete.Retained {
		t.Error("what was given out is not retained")
	}

	// Views need the file no more.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	var items []string
	for offset := "0"; offset != "null"; {
		p := look(t, a, retained(id), args{"kind": "capture", "detail": "complete", "offset": raw64(offset), "limit": 20})
		for i := 0; p.at(fmt.Sprint("normalized_result.items.", i)) != "<absent>"; i++ {
			items = append(items, p.at(fmt.Sprint("normalized_result.items.", i)))
		}
		offset = p.at("normalized_result.coverage.next_offset")
	}
	if got := "[" + strings.Join(items, ",") + "]"; got != complete.at("normalized_result.records") {
		t.Errorf("%d items, put together, are not the records", len(items))
	}
	surface := look(t, a, retained(id), args{"kind": "api-surface"})
	surface.want(t, "confidence", `"inferred"`, "normalized_result.total_groups", "1",
		"normalized_result.groups.0.path_template", `"/items/{numeric}"`, "normalized_result.groups.0.ordinals.0", "44")
	surface.wantNot(t, "?q=")

	// The same from outside says the same.
	for _, v := range []string{`{"kind":"summary"}`, `{"kind":"capture","offset":3}`, `{"kind":"api-surface"}`} {
		inside := doCall(t, a, app.Call{Operation: view, Arguments: []byte(`{"source":{"kind":"retained-evidence","evidence_id":"` + id + `"},"view":` + v + `}`)})
		for _, from := range []app.App{a, {}} {
			if outside := lookInline(t, from, complete.text, v); outside.text != inside.text {
				t.Errorf("%s: inline and retained sources give different views", v)
			}
		}
	}
}

// raw64 lets a number travel as it is spelt.
func raw64(s string) any {
	var n int
	fmt.Sscan(s, &n)
	return n
}

// order selects all of n records, the last one first.
func order(n int) (out []int) {
	for i := range n {
		out = append(out, n-1-i)
	}
	return out
}

func TestSummaryNeedsAStore(t *testing.T) {
	private(t)
	path := save(t, "s.har", har(entry()))
	r := do(t, app.App{}, args{"capture_path": path, "format": "har", "detail": "summary"})
	r.want(t, "code", `"capability_unavailable"`, "details.operation", `"`+inspect+`"`)
	if !strings.Contains(r.at("remediation.action"), "detail: complete") {
		t.Error(r.text)
	}
	look(t, app.App{}, retained("ev_"+strings.Repeat("0", 64)), args{"kind": "summary"}).want(t,
		"code", `"evidence_integrity_mismatch"`, "details.reason", `"missing"`, "details.actual", "null")
}

func TestSourcesThatAreNone(t *testing.T) {
	private(t)
	a := serving(t)
	path, other := save(t, "s.har", har(entry())), args{"capture_path": save(t, "b.har", many(25)), "format": "har"}
	a.Store = store.New(int64(len(do(t, app.App{}, other).text)) + 100)
	first := do(t, a, args{"capture_path": path, "format": "har"})
	look(t, a, retained("ev_"+strings.Repeat("0", 64)), args{"kind": "summary"}).want(t,
		"code", `"evidence_integrity_mismatch"`, "category", `"integrity_mismatch"`, "retryable", "false",
		"details.evidence_id", `"ev_`+strings.Repeat("0", 64)+`"`, "details.reason", `"missing"`)
	summary := look(t, a, retained(first.EvidenceID), args{"kind": "summary"})
	look(t, a, retained(summary.EvidenceID), args{"kind": "summary"}).want(t, "code", `"unsupported_target"`,
		"category", `"unsupported_target"`, "details.operation", `"`+view+`"`, "details.path", `"`+path+`"`)
	lookInline(t, app.App{}, summary.text, `{"kind":"summary"}`).want(t, "code", `"unsupported_target"`)
	do(t, a, other) // takes the place
	look(t, a, retained(first.EvidenceID), args{"kind": "summary"}).want(t,
		"code", `"evidence_integrity_mismatch"`, "details.reason", `"evicted"`)

	tampered := strings.Replace(first.text, "h.example/a", "h.example/b", 1)
	lookInline(t, a, tampered, `{"kind":"summary"}`).want(t, "code", `"evidence_integrity_mismatch"`,
		"details.evidence_id", `"`+first.EvidenceID+`"`, "details.reason", `"identity_mismatch"`)
	lookInline(t, a, strings.Replace(first.text, `"raw_result":null`, `"raw_result":null,"more":1`, 1), `{"kind":"summary"}`).want(t,
		"code", `"invalid_request"`, "details.issues.0.path", `["source","evidence","more"]`, "details.issues.0.reason", `"unknown_argument"`)
	lookInline(t, a, `{}`, `{"kind":"summary"}`).want(t, "code", `"invalid_request"`, "details.issues.0.reason", `"missing_argument"`)
	lookInline(t, a, first.text, `{"kind":"qlog","facet":"traces"}`).want(t, "code", `"invalid_request"`,
		"details.issues.0.path", `["view"]`, "details.issues.0.reason", `"invalid_value"`)
	// What an identifier doesn't cover has to follow from what it does.
	for _, c := range [][2]string{{`"local_path":"` + path, `"local_path":"/forged/s.har`}, {`"name":"s.har"`, `"name":"forged"`}} {
		forged := strings.Replace(first.text, c[0], c[1], 1)
		p := lookInline(t, a, forged, `{"kind":"api-surface"}`)
		p.want(t, "code", `"evidence_integrity_mismatch"`, "details.reason", `"identity_mismatch"`)
		p.wantNot(t, "forged")
	}
	lookInline(t, a, first.text, `{"kind":"api-surface"}`).want(t, "subject.name", `"s.har"`, "subject.local_path", `"`+path+`"`)
	// Laid out otherwise it is the same Evidence.
	lookInline(t, a, strings.ReplaceAll(first.text, `,"`, ",\n \""), `{"kind":"summary"}`).want(t, "evidence_id", `"`+summary.EvidenceID+`"`)
}

func TestDeclaredValuesAndViews(t *testing.T) {
	private(t)
	a := serving(t)
	path := save(t, "secret/s.har", har(entry("text/plain", "x/secret", "a\",\"httpVersion", "a?secret\",\"httpVersion")))
	r := do(t, a, args{"capture_path": path, "format": "har", "sensitive_values": []string{"secret"}})
	for _, v := range []args{{"kind": "summary"}, {"kind": "capture"}, {"kind": "capture", "detail": "complete"}} {
		p := look(t, a, retained(r.EvidenceID), v)
		p.want(t, "operation", `"`+view+`"`, "locations", "[]", "normalized_result.artifact.path", `""`)
		p.wantNot(t, "secret")
	}
	p := look(t, a, retained(r.EvidenceID), args{"kind": "api-surface"})
	p.want(t, "code", `"unsupported_target"`, "details.reason", `"sensitive_values_unretained"`, "details.path", `""`)
	p.wantNot(t, "secret/")
	if r.Command != "" {
		t.Errorf("a command line would hold what was declared: %s", r.Command)
	}
	hidden := do(t, a, args{"capture_path": path, "format": "har", "sensitive_values": []string{sum(har(entry()))[:8], r.at("subject.digest.sha256")[1:9]}})
	look(t, a, retained(hidden.EvidenceID), args{"kind": "summary"}).want(t, "subject", "null", "normalized_result.artifact.sha256", "null")
}

// sample is the capture of a format that the program carries.
func sample(format string) string {
	for _, p := range app.Formats() {
		if p.Name == format {
			return string(p.Sample)
		}
	}
	return ""
}

// TestEveryFormatComesBack: what is given out of a format is taken inline.
func TestEveryFormatComesBack(t *testing.T) {
	private(t)
	for _, p := range app.Formats() {
		if p.Sample == nil {
			continue
		}
		path := save(t, "sample", string(p.Sample))
		// Declared values hide coordinates, names and totals.
		for _, declared := range [][]string{{}, {"0"}, {"1"}, {"raw"}, {path}, {p.Name}, {"traces"}, {"log"}, {"entries"}, {"a"}, {sum(string(p.Sample))}} {
			for _, ordinals := range []any{nil, []int{1, 0}, []int{2}} {
				call := args{"capture_path": path, "format": p.Name, "sensitive_values": declared}
				if ordinals != nil {
					call["record_ordinals"] = ordinals
				}
				r := do(t, app.App{}, call)
				if r.Failure != nil {
					t.Fatalf("%s %q: %s", p.Name, declared, r.text)
				}
				lookInline(t, app.App{}, r.text, `{"kind":"summary"}`).want(t, "normalized_result.kind", `"summary"`)
			}
		}
	}
}

// TestDeclaredToAView: nothing can be declared there, and yet it covers what is
// said of it and of anything else.
func TestDeclaredToAView(t *testing.T) {
	for _, arguments := range []string{
		`{"source":{"kind":"inline","evidence":{}},"view":{"kind":"summary"},"mysecret":1,"sensitive_values":["secret"]}`,
		`{"source":{"kind":"inline","evidence":{},"mysecret":1},"view":{"kind":"summary","thesecret":1},"sensitive_values":[["secret"],7]}`,
		`{"my_secret":1,"sensitive_values":"secret"}`,
	} {
		r := doCall(t, app.App{}, app.Call{Operation: view, Arguments: []byte(arguments)})
		r.want(t, "code", `"invalid_request"`)
		r.wantNot(t, "secret")
		if !strings.Contains(r.text, `{"path":["sensitive_values"],"reason":"unknown_argument"}`) {
			t.Errorf("%s", r.text)
		}
	}
}

func TestTooLittleRoom(t *testing.T) {
	private(t)
	a := serving(t)
	path := save(t, "s.har", har(entry()+`,`+entry("text/plain", "text/plain; x="+strings.Repeat("y", 9000))))
	r := do(t, a, args{"capture_path": path, "format": "har"})
	v := args{"kind": "capture", "detail": "complete", "max_chars": 5000}
	look(t, a, retained(r.EvidenceID), v).want(t, "normalized_result.coverage.next_offset", "1", "normalized_result.view.max_chars", "5000")
	v["offset"] = 1
	look(t, a, retained(r.EvidenceID), v).want(t, "code", `"resource_constraint"`, "details.operation", `"`+view+`"`,
		"details.reported_limits.ordinal", "1", "details.reported_limits.max_chars", "5000")
}

func TestRoots(t *testing.T) {
	private(t)
	inside := open(t)
	path := filepath.Join(inside, "deep", "s.har")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(har(entry())), 0o644); err != nil {
		t.Fatal(err)
	}
	outside := save(t, "s.har", har(entry()))
	link := filepath.Join(open(t), "link") // a root may be a link, a way out may not
	if err := os.Symlink(inside, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(inside, "out")); err != nil {
		t.Fatal(err)
	}
	a := serving(t, link)
	for _, p := range []string{path, filepath.Join(link, "deep", "s.har"), filepath.Join(inside, "deep", "..", "deep", "s.har")} {
		if r := do(t, a, args{"capture_path": p, "format": "har"}); r.Failure != nil {
			t.Errorf("%s: %s", p, r.text)
		}
	}
	do(t, a, args{"capture_path": filepath.Join(inside, "none.har"), "format": "har"}).want(t, "code", `"invalid_request"`)
	for _, p := range []string{outside, filepath.Join(inside, "out", "s.har"), filepath.Join(inside, "..", "s.har"), inside + "2/s.har",
		filepath.Join(filepath.Dir(outside), "none.har"), "/none/of/these.har", filepath.Join(inside, "none", "..", "..", "s.har")} {
		r := do(t, a, args{"capture_path": p, "format": "har"})
		r.want(t, "code", `"access_denied"`, "category", `"unavailable"`, "details.boundary", `"allowed-roots"`, "details.system_code", "<absent>",
			"details.operation", `"`+inspect+`"`)
	}
	do(t, a, args{"capture_path": outside, "format": "har", "sensitive_values": []string{filepath.Base(filepath.Dir(outside))}}).wantNot(t, filepath.Base(filepath.Dir(outside))+"/")
	for _, bad := range []string{filepath.Join(inside, "none"), path, ""} {
		if _, err := app.Serving([]string{bad}); err == nil {
			t.Errorf("%s is taken for a root", bad)
		}
	}
}

// TestRootsAreNotSpelling: a system follows a link before it goes up from it.
func TestRootsAreNotSpelling(t *testing.T) {
	private(t)
	root, outside := open(t), open(t)
	for _, d := range []string{filepath.Join(root, "deep"), filepath.Join(outside, "d")} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{filepath.Join(root, "s.har"), filepath.Join(outside, "s.har")} {
		if err := os.WriteFile(f, []byte(har(entry())), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"out": filepath.Join(outside, "d"), "in": filepath.Join(root, "deep"), "gone": filepath.Join(outside, "none"),
	} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	a := serving(t, root)
	for _, p := range []string{"/out/../s.har", "/deep/../out/../s.har", "/out/.././s.har", "/out//..//s.har", "/none/../out/../s.har",
		"/gone/s.har", "/gone/../s.har", "/out/..", "/out/.", "/out/", "/..", "/s.har/../s.har"} {
		do(t, a, args{"capture_path": root + p, "format": "har"}).want(t, "code", `"access_denied"`, "details.boundary", `"allowed-roots"`,
			"details.path", `"`+root+p+`"`)
	}
	// What is opened lies elsewhere than the spelling says; Evidence repeats the spelling.
	for _, p := range []string{"/in/../s.har", "/deep//../s.har", "/./s.har", "//s.har"} {
		do(t, a, args{"capture_path": root + p, "format": "har"}).want(t, "normalized_result.artifact.path", `"`+root+p+`"`,
			"parameters.capture_path", `"`+root+p+`"`)
	}
	for _, p := range []string{"/deep", "/deep/", "/none/s.har", "/deep/none/s.har"} {
		do(t, a, args{"capture_path": root + p, "format": "har"}).want(t, "code", `"invalid_request"`)
	}
}

// TestCancelledView: whichever step a view has come to, its caller may cancel;
// nothing is then given out, nor retained.
func TestCancelledView(t *testing.T) {
	private(t)
	path := save(t, "s.har", many(50))
	for _, at := range []app.Step{"", app.Opening, app.Viewing} {
		for _, kind := range []args{{"kind": "summary"}, {"kind": "capture"}, {"kind": "capture", "max_chars": 5000}, {"kind": "api-surface"}} {
			a := serving(t)
			r := do(t, a, args{"capture_path": path, "format": "har"})
			cancelledAt(t, a, at, view, args{"source": retained(r.EvidenceID), "view": kind})
			cancelledAt(t, a, at, view, args{"source": args{"kind": "inline", "evidence": json.RawMessage(r.text)}, "view": kind})
		}
	}
	trace := save(t, "s.qlog", sample("qlog"))
	for _, facet := range qlogViews {
		a := serving(t)
		r := do(t, a, args{"capture_path": trace, "format": "qlog"})
		cancelledAt(t, a, app.Viewing, view, args{"source": retained(r.EvidenceID), "view": facet})
	}
}

// TestCancelledSummary: neither the summary of what was inspected.
func TestCancelledSummary(t *testing.T) {
	private(t)
	for format, path := range map[string]string{"har": save(t, "s.har", many(5)), "qlog": save(t, "s.qlog", sample("qlog"))} {
		for _, at := range []app.Step{app.Sealing, app.Viewing} {
			a := serving(t)
			cancelledAt(t, a, at, inspect, args{"capture_path": path, "format": format, "detail": "summary"})
			do(t, a, args{"capture_path": path, "format": format, "detail": "summary"}).want(t, "normalized_result.kind", `"summary"`)
		}
	}
}

// cancelledAt cancels a call when it tells of a step.
func cancelledAt(t *testing.T, a app.App, at app.Step, operation string, arguments args) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if at == "" {
		cancel()
	}
	used := a.Store.Used()
	out := a.Do(ctx, app.Call{Operation: operation, Arguments: marshal(t, arguments), Progress: func(s app.Step) {
		if s == at {
			cancel()
		}
	}})
	read(t, out).want(t, "code", `"cancelled"`, "details.operation", `"`+operation+`"`, "details.cleanup", `"complete"`)
	if operation == view && a.Store.Used() != used {
		t.Errorf("%s, cancelled: retained all the same", arguments)
	}
}

var qlogViews = []args{
	{"kind": "summary"},
	{"kind": "qlog", "facet": "traces"},
	{"kind": "qlog", "facet": "streams", "trace_index": 0},
	{"kind": "qlog", "facet": "loss-declarations", "trace_index": 0},
}

// TestDenseFacts: what a page of facts costs the process is that of the page,
// however many facts there are.
func TestDenseFacts(t *testing.T) {
	private(t)
	a := serving(t)
	events := make([]string, 20000)
	for i := range events {
		events[i] = fmt.Sprintf(`{"name":"transport:packet_sent","time":1,"data":{"frames":[{"frame_type":"stream","stream_id":%d,"offset":0,"length":1,"fin":true}]}}`, 4*i)
	}
	path := save(t, "many.qlog", `{"qlog_format":"JSON","qlog_version":"0.3","traces":[{"events":[`+strings.Join(events, ",")+`]}]}`)
	r := do(t, a, args{"capture_path": path, "format": "qlog", "record_ordinals": order(1)})
	size := r.Document.Size()
	for _, facet := range append(qlogViews,
		args{"kind": "qlog", "facet": "streams", "trace_index": 0, "offset": len(events) - 1},
		args{"kind": "qlog", "facet": "ranges", "trace_index": 0, "stream_id": fmt.Sprint(4 * (len(events) - 1)), "direction": "sent"}) {
		var before, after runtime.MemStats
		call := app.Call{Operation: view, Arguments: marshal(t, args{"source": retained(r.EvidenceID), "view": facet})}
		runtime.ReadMemStats(&before)
		out := a.Do(t.Context(), call)
		runtime.ReadMemStats(&after)
		if out.Failure != nil {
			t.Fatalf("%v: %v", facet, out.Failure)
		}
		if used := int64(after.TotalAlloc - before.TotalAlloc); used > size/4 {
			t.Errorf("%v: %d bytes for a page of a document of %d", facet, used, size)
		}
		out.Close()
	}
}

// TestRetainedNote: what this program has to say of itself is Evidence too.
func TestRetainedNote(t *testing.T) {
	a := serving(t)
	id, err := a.RetainNote("mcp_tool_error", "rea-mcp", "1", []byte(`{"code":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	out, f := a.Retained(id)
	if f != nil {
		t.Fatal(f)
	}
	read(t, out).want(t, "operation", `"mcp_tool_error"`, "provider.id", `"rea-mcp"`, "normalized_result", `{"code":"x"}`)
}
