package mcpserver

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rea.example/rea/internal/app"
)

// TestCostIsThatOfTheWire holds the measure against what the library sends.
func TestCostIsThatOfTheWire(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	pieces := []string{"a", `\"`, `\\`, "<", ">", "&", "\u2028", "\u2029", "\u2027", "\u00e9", "\U0001f600", "\u20a8", `\u001f`, `\ud800`, "\x7f"}
	for range 300 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		doc := `{"x":"` + b.String() + `"}`
		c, err := measure(strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		sent, err := json.Marshal(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: doc}}, StructuredContent: rawJSON(doc)})
		if err != nil {
			t.Fatal(err)
		}
		const frame = `{"content":[{"type":"text","text":}],"structuredContent":}`
		if got := len(sent) - len(frame); int64(got) != c.bytes() {
			t.Fatalf("%q costs %d, not %d: %s", doc, got, c.bytes(), sent)
		}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(utf16.Encode([]rune(string(text)))); int64(got) != c.textUnits || int64(len(text)) != c.text {
			t.Fatalf("%q as a text has %d units, not %d", doc, got, c.textUnits)
		}
		units := 0
		for _, r := range string(sent) {
			units++
			if r > 0xffff {
				units++
			}
		}
		if got := units - len(frame); int64(got) != c.units || int64(len(doc)) != c.size {
			t.Fatalf("%q has %d units, not %d", doc, got, c.units)
		}
	}
}

// TestTooLargeForAMessage: the Evidence is kept, the failure says where, and
// what comes next works.
func TestTooLargeForAMessage(t *testing.T) {
	private(t)
	s := serving(t)
	c := begin(t, s).initialize()
	var entries []string
	for i := range 12 {
		entries = append(entries, strings.Replace(entry(fmt.Sprintf("https://h.example/%d", i)), `"mimeType":"text/plain"`, `"mimeType":"text/plain","text":"`+strings.Repeat("x", 1<<20)+`"`, 1))
	}
	path := save(t, "it's.har", har(entries...))
	arguments := `{"capture_path":"` + path + `","format":"har","record_ordinals":[0,1,2,3,4,5,6,7,8,9,10,11],"conformance":"report"}`
	m := c.tool(app.InspectOperation, arguments)
	if !m.Result.IsError || m.Result.StructuredContent != nil || m.at("error.code") != "resource_constraint" || m.at("error.details.resource") != "transport" {
		t.Fatalf("%.600s", m.wire)
	}
	id, _ := m.at("error.details.reported_limits.evidence_id").(string)
	for path, want := range map[string]any{
		"boundary": "mcp-response", "default_receive_buffer_bytes": 10485760.0, "result_budget_bytes": 10484736.0,
		"max_string_code_units": 536870888.0, "constraint": "receive-buffer",
		"evidence_reference": map[string]any{"kind": "retained-evidence", "evidence_id": id},
	} {
		if got := m.at("error.details.reported_limits." + path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v", path, got)
		}
	}
	if n, _ := m.at("error.details.reported_limits.response_bytes_at_least").(float64); n < 24<<20 {
		t.Errorf("%v bytes", n)
	}
	action, _ := m.at("error.remediation.action").(string)
	if want := `rea inspect-web-network-capture '` + strings.ReplaceAll(path, "'", `'\''`) + `' har --record 0 --record 1 `; !strings.Contains(action, want) || !strings.Contains(action, "--conformance report --json > ") {
		t.Errorf("no %s in %s", want, action)
	}
	declared := c.tool(app.InspectOperation, strings.Replace(arguments, `"format"`, `"sensitive_values":["hunter2"],"format"`, 1))
	if action, _ := declared.at("error.remediation.action").(string); strings.Contains(action, "rea ") {
		t.Errorf("a command line for declared values: %s", action)
	}
	// What is made here is covered as what comes through the door; what Evidence
	// is called stays.
	covered := c.tool(app.InspectOperation, strings.Replace(arguments, `"format"`, `"sensitive_values":["bytes","Evidence","summary"],"format"`, 1))
	said := fmt.Sprint(covered.at("error.message"), covered.at("error.remediation.action"), covered.at("error.details.reason"))
	if strings.Contains(said, "bytes") || strings.Contains(said, "Evidence") || strings.Contains(said, "summary") ||
		!strings.HasPrefix(fmt.Sprint(covered.at("error.details.reported_limits.evidence_reference.evidence_id")), "ev_") {
		t.Errorf("%s", covered.wire)
	}
	if !strings.Contains(action, "rea://evidence/"+id+" ") {
		t.Errorf("no resource in %s", action)
	}

	source := `{"source":{"kind":"retained-evidence","evidence_id":"` + id + `"},"view":`
	if v := c.tool(app.ViewOperation, source+`{"kind":"capture","detail":"complete","limit":12}}`); v.at("error.code") != "resource_constraint" ||
		v.at("error.details.reported_limits.evidence_reference.kind") != "retained-evidence" {
		t.Errorf("%.600s", v.wire)
	}
	for _, view := range []string{`{"kind":"capture"}}`, `{"kind":"capture","detail":"complete","limit":1,"offset":11}}`, `{"kind":"capture","detail":"complete","limit":12,"max_chars":3000000}}`} {
		if v := c.tool(app.ViewOperation, source+view); v.Result.IsError {
			t.Errorf("%s: %.600s", view, v.wire)
		}
	}
	whole := c.ask("resources/read", `{"uri":"rea://evidence/`+id+`"}`)
	if len(whole.Result.Contents) != 1 || len(whole.Result.Contents[0].Text) < 12<<20 {
		t.Errorf("%.300s", whole.wire)
	}
	s.budget = 40 << 20 // as the variable raises it
	if m := c.tool(app.InspectOperation, arguments); m.Result.IsError {
		t.Errorf("%.600s", m.wire)
	}
}

func TestTooLargeAnError(t *testing.T) {
	c := begin(t, serving(t)).initialize()
	m := c.tool(app.InspectOperation, `{"`+strings.Repeat("x", 11<<20)+`":1}`)
	id, _ := m.at("error.details.reported_limits.evidence_id").(string)
	if !m.Result.IsError || m.at("error.code") != "resource_constraint" || m.at("error.details.reported_limits.original_error_code") != "invalid_request" ||
		m.at("error.details.reported_limits.evidence_reference.evidence_id") != id || m.at("error.details.reported_limits.retention") != nil || len(m.wire) > 4096 {
		t.Fatalf("%.900s", m.wire)
	}
	// A failure is text alone: a unit for each byte of it, as it is all ASCII.
	if bytes, units := m.at("error.details.reported_limits.response_bytes_at_least"), m.at("error.details.reported_limits.response_code_units_at_least"); bytes != units {
		t.Errorf("%v bytes, %v units", bytes, units)
	}
	for _, op := range []string{app.InspectOperation, app.ViewOperation} {
		m := c.tool(op, `{"`+strings.Repeat("x", 11<<20)+`":1,"sensitive_values":["message","argument"]}`)
		if said := fmt.Sprint(m.at("error.message"), m.at("error.remediation.action")); strings.Contains(said, "message") || strings.Contains(said, "argument") || m.at("error.code") != "resource_constraint" {
			t.Errorf("%s: %s", op, said)
		}
	}
	if r := c.ask("resources/read", `{"uri":"rea://evidence/`+id+`"}`); len(r.Result.Contents) != 1 || !strings.Contains(r.Result.Contents[0].Text, `"operation":"mcp_tool_error"`) {
		t.Errorf("%.300s", r.wire)
	}
}

// TestDenseCapture: a capture as large and as dense as may be ends in an answer
// that shows no declared value, and the server goes on.
func TestDenseCapture(t *testing.T) {
	private(t)
	c := begin(t, serving(t)).initialize()
	const n = 34098
	body := strings.Repeat("x", 512)
	entries := make([]string, n)
	for i := range entries {
		entries[i] = strings.Replace(entry("https://h.example/"), `"mimeType":"text/plain"`, `"mimeType":"text/plain","text":"`+body+`"`, 1)
	}
	text := har(entries...)
	if len(text) > 32<<20 {
		t.Fatalf("%d bytes", len(text))
	}
	path := save(t, "caller-marked.har", text)
	arguments := func(more string) string {
		return `{"capture_path":"` + path + `","format":"har","sensitive_values":["caller-marked"]` + more + `}`
	}
	m := c.tool(app.InspectOperation, arguments(""))
	if m.at("error.code") != "resource_constraint" || strings.Contains(m.wire, "caller-marked") {
		t.Fatalf("%.600s", m.wire)
	}
	m = c.tool(app.InspectOperation, arguments(`,"detail":"summary"`))
	if m.at("normalized_result.summary.total_records") != float64(n) || strings.Contains(m.wire, "caller-marked") {
		t.Errorf("%.600s", m.wire)
	}
	id := m.at("normalized_result.parent_evidence_id").(string)
	v := c.tool(app.ViewOperation, `{"source":{"kind":"retained-evidence","evidence_id":"`+id+`"},"view":{"kind":"capture","offset":34090}}`)
	if v.at("normalized_result.coverage.examined") != 8.0 || strings.Contains(v.wire, "caller-marked") {
		t.Errorf("%.600s", v.wire)
	}
	if m := c.ask("ping", `{}`); m.Error != nil {
		t.Errorf("%s", m.wire)
	}
	if m := c.tool(app.InspectOperation, `{"capture_path":"`+save(t, "s.har", har(entry("https://h.example/"), entry("https://h.example/")))+`","format":"har"}`); m.Result.IsError {
		t.Errorf("%s", m.wire)
	}
	if err := os.Truncate(path, 32<<20+1); err != nil {
		t.Fatal(err)
	}
	if m := c.tool(app.InspectOperation, arguments("")); m.at("error.code") != "invalid_request" || strings.Contains(m.wire, "caller-marked") {
		t.Errorf("%s", m.wire)
	}
}
