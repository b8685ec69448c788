package qlog_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/tree"
)

var refusals = []struct {
	name, capture string
	kind          format.Kind
	pointer       tree.Pointer
}{
	// Not one JSON document.
	{"Q01: a killed process", `{"qlog_format":"JSON","qlog_version":"0.3","traces":[{"events":[` + event("a:b", "{}"), format.Malformed, "/traces/0/events"},
	{"Q03: a line for each event", `{"qlog_version":"0.3","qlog_format":"NDJSON","trace":{}}` + "\n" + `{"time":1,"name":"a:b","data":{}}`, format.Malformed, ""},
	{"a JSON text sequence", "\x1e" + document(""), format.Malformed, ""},
	{"a script", "var x = " + document(""), format.Malformed, ""},
	{"Q13: a quote inside a text", document(event("a:b", `{"reason":"a"b"}`)), format.Malformed, "/traces/0/events/0/data"},
	{"Q13: a control character inside a text", document(event("a:b", "{\"reason\":\"\x01\"}")), format.Malformed, "/traces/0/events/0/data/reason"},
	{"nothing", "", format.Malformed, ""},

	// Another profile.
	{"Q03: NDJSON in one document", `{"qlog_version":"0.3","qlog_format":"NDJSON","traces":[]}`, format.Unsupported, "/qlog_format"},
	{"Q12: a log of Chrome", `{"constants":{},"events":[]}`, format.Unsupported, ""},
	{"no format", `{"qlog_version":"0.3","traces":[]}`, format.Unsupported, ""},
	{"no version", `{"qlog_format":"JSON","traces":[]}`, format.Unsupported, ""},
	{"no traces", `{"qlog_format":"JSON","qlog_version":"0.3"}`, format.Unsupported, ""},
	{"a format in lower case", strings.Replace(document(""), "JSON", "json", 1), format.Unsupported, "/qlog_format"},
	{"a sequence", strings.Replace(document(""), "JSON", "JSON-SEQ", 1), format.Unsupported, "/qlog_format"},
	{"another version", strings.Replace(document(""), "0.3", "0.4", 1), format.Unsupported, "/qlog_version"},
	{"a draft", strings.Replace(document(""), "0.3", "draft-02", 1), format.Unsupported, "/qlog_version"},
	{"a version as a number", strings.Replace(document(""), `"0.3"`, "0.3", 1), format.Unsupported, "/qlog_version"},
	{"an array", `[]`, format.Unsupported, ""},
	{"null", `null`, format.Unsupported, ""},
	{"traces as an object", `{"qlog_format":"JSON","qlog_version":"0.3","traces":{"0":{"events":[]}}}`, format.Unsupported, "/traces"},
	{"a trace as an array", `{"qlog_format":"JSON","qlog_version":"0.3","traces":[[]]}`, format.Unsupported, "/traces/0"},
	{"a trace without events", `{"qlog_format":"JSON","qlog_version":"0.3","traces":[{"events":[]},{"error_description":"x"}]}`, format.Unsupported, "/traces/1"},
	{"events as null", `{"qlog_format":"JSON","qlog_version":"0.3","traces":[{"events":null}]}`, format.Unsupported, "/traces/0/events"},
	{"events in columns", document(`[1,"transport","packet_sent",{}]`), format.Unsupported, "/traces/0/events/0"},
	{"columns after a bad event", document(`{}`, `[1]`), format.Unsupported, "/traces/1/events/0"},
	{"another version and a bad event", strings.Replace(document(`{}`), "0.3", "0.4", 1), format.Unsupported, "/qlog_version"},

	// An event that isn't one.
	{"an event as null", document(`null`), format.Malformed, "/traces/0/events/0"},
	{"no name", document(`{"time":1,"data":{}}`), format.Malformed, "/traces/0/events/0"},
	{"no data", document(`{"time":1,"name":"a:b"}`), format.Malformed, "/traces/0/events/0"},
	{"Q16: no time", document(event("a:b", "{}") + `,{"name":"a:b","data":{}}`), format.Malformed, "/traces/0/events/1"},
	{"Q16: time as text", document(`{"name":"a:b","time":"1700000000000","data":{}}`), format.Malformed, "/traces/0/events/0/time"},
	{"Q16: time out of range", document("", `{"name":"a:b","time":1e400,"data":{}}`), format.Malformed, "/traces/1/events/0/time"},
	{"a name as a number", document(`{"name":1,"time":1,"data":{}}`), format.Malformed, "/traces/0/events/0/name"},
	{"data as an array", document(`{"name":"a:b","time":1,"data":[]}`), format.Malformed, "/traces/0/events/0/data"},
	{"data as null", document(`{"name":"a:b","time":1,"data":null}`), format.Malformed, "/traces/0/events/0/data"},

	// Interpreted fields of a wrong type.
	{"Q04: an offset as text", document(sent(stream("0", `"16384"`, "1", "false"))), format.Malformed, "/traces/0/events/0/data/frames/0/offset"},
	{"a length as text", document(sent(stream("0", "0", `"1"`, "false"))), format.Malformed, "/traces/0/events/0/data/frames/0/length"},
	{"a stream as null", document(sent(`{"frame_type":"ping"}`, stream("null", "0", "1", "false"))), format.Malformed, "/traces/0/events/0/data/frames/1/stream_id"},
	{"FIN as a number", document(sent(stream("0", "0", "1", "1"))), format.Malformed, "/traces/0/events/0/data/frames/0/fin"},
	{"FIN as null", document(sent(stream("0", "0", "1", "null"))), format.Malformed, "/traces/0/events/0/data/frames/0/fin"},
	{"a fraction", document(sent(stream("0", "0.5", "1", "true"))), format.Malformed, "/traces/0/events/0/data/frames/0/offset"},
	{"below zero", document(received(stream("0", "0", "-1", "true"))), format.Malformed, "/traces/0/events/0/data/frames/0/length"},
	{"2^62", document(sent(stream("4611686018427387904", "0", "0", "true"))), format.Malformed, "/traces/0/events/0/data/frames/0/stream_id"},
	{"2^62 in another spelling", document(sent(stream("0", "4611686018427387.904e3", "0", "true"))), format.Malformed, "/traces/0/events/0/data/frames/0/offset"},
	{"an end at 2^62", document(sent(stream("0", top, "1", "false"))), format.Malformed, "/traces/0/events/0/data/frames/0"},
	{"frames as an object", document(event("transport:packet_sent", `{"frames":{}}`)), format.Malformed, "/traces/0/events/0/data/frames"},
	{"frames as null", document(event("transport:packet_received", `{"frames":null}`)), format.Malformed, "/traces/0/events/0/data/frames"},
	{"a frame as text", document(sent(`"stream"`)), format.Malformed, "/traces/0/events/0/data/frames/0"},
	{"a frame's type as a number", document(sent(`{"frame_type":8}`)), format.Malformed, "/traces/0/events/0/data/frames/0/frame_type"},
	{"a lost number as text", document(event("recovery:packet_lost", `{"packet_number":"4"}`)), format.Malformed, "/traces/0/events/0/data/packet_number"},
	{"a lost type as a number", document(event("recovery:packet_lost", `{"type":4}`)), format.Malformed, "/traces/0/events/0/data/type"},
	{"the first of two", document(sent(stream("0", "0", "1", "1")) + "," + event("recovery:packet_lost", `{"type":4}`)), format.Malformed, "/traces/0/events/0/data/frames/0/fin"},

	// The order of checks.
	{"a duplicate before another profile", `{"qlog_format":"x","qlog_format":"JSON","traces":[]}`, format.Malformed, "/qlog_format"},
	{"a duplicate in an event", document(event("a:b", `{"x":1,"\u0078":1}`)), format.Malformed, "/traces/0/events/0/data/x"},
	{"two lists of events", `{"qlog_format":"JSON","qlog_version":"0.3","traces":[{"events":[],"events":[{}]}]}`, format.Malformed, "/traces/0/events"},
	{"depth before another profile", `{"qlog_format":"x","y":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`, format.TooMuch, "/y" + tree.Pointer(strings.Repeat("/0", 64))},
	{"an event too deep", document(event("a:b", `{"x":`+strings.Repeat("[", 60)+strings.Repeat("]", 60)+`}`)), format.TooMuch, "/traces/0/events/0/data/x" + tree.Pointer(strings.Repeat("/0", 59))},
	{"two marks in front", "\ufeff\ufeff" + document(""), format.Malformed, ""},
}

func TestRefusals(t *testing.T) {
	for _, r := range refusals {
		k, p := read(r.capture)
		if r.kind == format.TooMuch { // and one level less is not
			if _, less := read(strings.Replace(r.capture, "[]", "", 1)); less != nil && less.Kind == format.TooMuch {
				t.Errorf("%s: one level less: %v", r.name, less)
			}
		}
		if p == nil {
			t.Errorf("%s: accepted", r.name)
			continue
		}
		if p.Kind != r.kind || p.Pointer != r.pointer {
			t.Errorf("%s: %v; want %s at %q", r.name, p, r.kind, r.pointer)
		}
		if k.container != "" || k.facet != "" {
			t.Errorf("%s: a container all the same", r.name)
		}
	}
	if _, p := read("\ufeff" + document("")); p != nil {
		t.Errorf("one mark in front: %v", p)
	}
}

// TestCorpus: captures of other producers and other times are of another
// profile, or of none.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("REA_EXTRA_CORPORA")
	if dir == "" {
		t.Skip("the captures are not here; REA_EXTRA_CORPORA says where they are")
	}
	manifest, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(manifest)) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if row[0] != "qlog" {
			continue
		}
		n++
		verdict := row[len(row)-1]
		want := format.Unsupported
		if strings.Contains(verdict, "not a JSON document") {
			want = format.Malformed
		}
		if _, p := read(string(capture(t, filepath.Join(dir, row[1])))); p == nil || p.Kind != want {
			t.Errorf("%s: %v; want %s (%s)", row[1], p, want, verdict)
		}
	}
	if n == 0 {
		t.Error("the manifest names no qlog file")
	}
}

// TestPointersStandApart: a message gives an offset; names of the capture are in
// the pointer alone, where they are looked for and have one spelling.
func TestPointersStandApart(t *testing.T) {
	for name, pointer := range map[string]tree.Pointer{`\ud800`: "/\xed\xa0\x80", `a\"b`: `/a"b`, `caf\u00e9`: "/caf\u00e9"} {
		_, p := read(`{"qlog_format":"JSON","` + name + `":1,"` + name + `":2}`)
		if p == nil || p.Pointer != pointer || !strings.HasPrefix(p.Message, "duplicate member name at offset ") || strings.Contains(p.Message, `"`) {
			t.Errorf("%s: %v", name, p)
		}
	}
}
