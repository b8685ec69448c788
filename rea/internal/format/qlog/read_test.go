package qlog_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/qlog"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// kept is what a reading handed on.
type kept struct {
	pointers  []tree.Pointer
	container string
	facet     string
}

func (k *kept) Record(e *format.Entry) error {
	k.pointers = append(k.pointers, e.At.Pointer)
	return nil
}

func (k *kept) Container(c *format.Container) error {
	k.container = string(strictjson.AppendCanonical(nil, c.Reported))
	for piece := range c.Facet.JSON {
		k.facet += string(piece)
	}
	return nil
}

func read(capture string, declared ...string) (kept, *format.Problem) {
	var k kept
	err := qlog.Format{}.Read(format.Input{Source: []byte(capture), Declared: redact.NewDeclarations(declared)}, &k)
	var p *format.Problem
	if err != nil && !errors.As(err, &p) {
		panic(err)
	}
	return k, p
}

// document makes a capture of traces, each of them the text of its events.
func document(traces ...string) string {
	for i, t := range traces {
		traces[i] = `{"common_fields":{"ODCID":"c0"},"events":[` + t + `],"vantage_point":{"name":"aioquic","type":"server"}}`
	}
	return `{"qlog_format":"JSON","qlog_version":"0.3","traces":[` + strings.Join(traces, ",") + `]}`
}

func event(name, data string) string {
	return `{"name":"` + name + `","time":1,"data":` + data + `}`
}

func sent(frames ...string) string {
	return event("transport:packet_sent", `{"frames":[`+strings.Join(frames, ",")+`]}`)
}

func received(frames ...string) string {
	return event("transport:packet_received", `{"frames":[`+strings.Join(frames, ",")+`]}`)
}

// stream is a STREAM frame; members replace or take away what it has.
func stream(id, offset, length, fin string) string {
	s := `{"frame_type":"stream"`
	for _, m := range [][2]string{{"stream_id", id}, {"offset", offset}, {"length", length}, {"fin", fin}} {
		if m[1] != "" {
			s += `,"` + m[0] + `":` + m[1]
		}
	}
	return s + "}"
}

// facet is the public shape of the facet.
type facet struct {
	Profile, Scope string
	Clock          map[string]string
	BodyBytes      string `json:"body_bytes"`
	Traces         []struct {
		Index   int `json:"trace_index"`
		Pointer *string
		ODCID   *string
		Vantage *struct{ Name, Type *string } `json:"vantage_point"`
		Events  int
		Streams []struct {
			ID            string `json:"stream_id"`
			Direction     string
			Contributions []struct {
				Ordinal        int
				Index          int `json:"frame_index"`
				Offset, Length *string
				Fin            *bool
			}
			Ranges   []struct{ Start, End string }
			Unique   *string `json:"unique_bytes"`
			Sum      *string `json:"frame_length_sum"`
			Repeated *string `json:"repeated_bytes"`
			Finals   []struct {
				Size     string
				Ordinals []int
			} `json:"final_sizes"`
		}
		Losses []struct {
			Ordinal int
			Number  *string `json:"packet_number"`
			Type    *string `json:"packet_type"`
		} `json:"loss_declarations"`
		Incomplete []int `json:"incomplete_records"`
	}
}

func parseFacet(t testing.TB, text string) (f facet) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatal(err)
	}
	v, err := strictjson.Parse([]byte(text), limits.ArgumentDepth)
	if err != nil {
		t.Fatal(err)
	}
	if string(strictjson.AppendCanonical(nil, &v)) != text {
		t.Fatal("the facet is not canonical")
	}
	return f
}

func or[T any](p *T) string {
	if p == nil {
		return "?"
	}
	return fmt.Sprint(*p)
}

// brief spells the facts of a facet for tables: for each stream its frames as
// ordinal.index@offset+length, with a ! for FIN; then ranges and totals.
func brief(f facet) string {
	var lines []string
	for _, t := range f.Traces {
		for _, s := range t.Streams {
			line := s.ID + " " + s.Direction + ":"
			for _, c := range s.Contributions {
				line += fmt.Sprintf(" %d.%d@%s+%s", c.Ordinal, c.Index, or(c.Offset), or(c.Length))
				switch {
				case c.Fin == nil:
					line += "?"
				case *c.Fin:
					line += "!"
				}
			}
			line += " |"
			for _, r := range s.Ranges {
				line += " " + r.Start + "-" + r.End
			}
			line += fmt.Sprintf(" | %s of %s, %s again", or(s.Unique), or(s.Sum), or(s.Repeated))
			for _, e := range s.Finals {
				line += fmt.Sprintf(" | ends %s by %v", e.Size, e.Ordinals)
			}
			lines = append(lines, line)
		}
		for _, l := range t.Losses {
			lines = append(lines, fmt.Sprintf("lost: %d says %s %s", l.Ordinal, or(l.Type), or(l.Number)))
		}
		if len(t.Incomplete) > 0 {
			lines = append(lines, fmt.Sprintf("incomplete: %v", t.Incomplete))
		}
		lines = append(lines, "--")
	}
	return strings.Join(lines[:max(len(lines)-1, 0)], "\n")
}

const top = "4611686018427387903" // 2^62-1

// readings are captures that open, and their facts. Those with an identifier
// guard a trouble that somebody reported somewhere.
var readings = []struct{ name, capture, facts string }{
	{"no traces", document(), ""},
	{"no events", document(""), ""},
	{"one frame", document(sent(stream("0", "0", "5", "false"))),
		"0 sent: 0.0@0+5 | 0-5 | 5 of 5, 0 again"},
	{"frames in two packets touch", document(sent(stream("0", "0", "5", "false")) + "," + sent(stream("0", "5", "5", "true"))),
		"0 sent: 0.0@0+5 1.0@5+5! | 0-10 | 10 of 10, 0 again | ends 10 by [1]"},
	{"ranges begin above zero and have gaps", document(received(stream("3", "10", "5", "false"), stream("3", "20", "1", "false"))),
		"3 received: 0.0@10+5 0.1@20+1 | 10-15 20-21 | 6 of 6, 0 again"},
	{"overlap", document(sent(stream("0", "0", "10", "false"), stream("0", "5", "10", "false"), stream("0", "0", "10", "false"))),
		"0 sent: 0.0@0+10 0.1@5+10 0.2@0+10 | 0-15 | 15 of 30, 15 again"},
	{"directions and streams are apart, in numeric order", document(sent(stream("10", "0", "1", "false"), stream("9", "0", "2", "false")), "") +
		"", "9 sent: 0.1@0+2 | 0-2 | 2 of 2, 0 again\n10 sent: 0.0@0+1 | 0-1 | 1 of 1, 0 again\n--"},
	{"both directions", document(sent(stream("0", "0", "1", "false")) + "," + received(stream("0", "0", "2", "false"))),
		"0 received: 1.0@0+2 | 0-2 | 2 of 2, 0 again\n0 sent: 0.0@0+1 | 0-1 | 1 of 1, 0 again"},
	{"traces are apart, ordinals go on", document(sent(stream("0", "0", "1", "false")), "", sent(stream("0", "0", "1", "false"))),
		"0 sent: 0.0@0+1 | 0-1 | 1 of 1, 0 again\n--\n--\n0 sent: 1.0@0+1 | 0-1 | 1 of 1, 0 again"},
	{"an end without bytes", document(sent(stream("0", "5", "0", "true"))),
		"0 sent: 0.0@5+0! | | 0 of 0, 0 again | ends 5 by [0]"},
	{"ends that contradict each other stay", document(sent(stream("0", "0", "9", "true")) + "," + sent(stream("0", "0", "5", "true")) + "," + sent(stream("0", "4", "5", "true"), stream("0", "9", "0", "true"))),
		"0 sent: 0.0@0+9! 1.0@0+5! 2.0@4+5! 2.1@9+0! | 0-9 | 9 of 19, 10 again | ends 5 by [1] | ends 9 by [0 2]"},
	{"other frames and events say nothing", document(sent(`{"frame_type":"crypto","offset":"x","length":-1}`, `{"frame_type":"padding"}`) + "," + event("transport:frames", `{"frames":[`+stream("0", "0", "1", "true")+`]}`)), ""},

	// Q06, Q07: what is missing is unknown, never zero.
	{"no length", document(sent(stream("0", "0", "", ""))),
		"0 sent: 0.0@0+?? | | 0 of 0, 0 again\nincomplete: [0]"},
	{"no offset and no FIN", document(sent(stream("4", "", "10", ""))),
		"4 sent: 0.0@?+10? | | 0 of 0, 0 again\nincomplete: [0]"},
	{"no offset, with FIN", document(sent(stream("4", "", "10", "true"))),
		"4 sent: 0.0@?+10! | | 0 of 0, 0 again\nincomplete: [0]"},
	{"no FIN alone", document(sent(stream("4", "0", "10", ""))),
		"4 sent: 0.0@0+10? | 0-10 | 10 of 10, 0 again\nincomplete: [0]"},
	{"no stream", document(sent(stream("", "0", "10", "true"), stream("0", "0", "1", "false"))),
		"0 sent: 0.1@0+1 | 0-1 | 1 of 1, 0 again\nincomplete: [0]"},
	{"no type of a frame", document(sent(`{"stream_id":0,"offset":0,"length":1}`)), "incomplete: [0]"},
	{"a good event among bad ones", document(sent(stream("0", "", "", "")) + "," + sent(stream("0", "0", "1", "false")) + "," + sent(stream("0", "1", "", "false"), stream("0", "", "1", "false"))),
		"0 sent: 0.0@?+?? 1.0@0+1 2.0@1+? 2.1@?+1 | 0-1 | 1 of 1, 0 again\nincomplete: [0 2]"},
	// Q15: packets without frames, unknown versions.
	{"no frames", document(event("transport:packet_received", `{"header":{"version":"6b3343cf"}}`)), "incomplete: [0]"},
	{"an empty list of frames is complete", document(sent()), ""},
	// Q09: the order of the file.
	{"times go back", document(`{"name":"recovery:packet_lost","time":2,"data":{"packet_number":7}},{"name":"recovery:packet_lost","time":1,"data":{"packet_number":6}}`),
		"lost: 0 says ? 7\nlost: 1 says ? 6"},
	// Q10: losses of which little is known.
	{"a loss", document(event("recovery:packet_lost", `{"type":"1RTT","packet_number":4}`)), "lost: 0 says 1RTT 4"},
	{"a loss of nothing known", document(event("recovery:packet_lost", `{}`)), "lost: 0 says ? ?"},
	{"a loss whose header says it", document(event("recovery:packet_lost", `{"header":{"packet_number":"x","packet_type":1}}`)), "lost: 0 says ? ?"},

	// Exact integers in every spelling.
	{"spellings", document(sent(stream("0.0", "1e1", "50e-1", "false"), stream("-0", "1.5E1", "5", "false"))),
		"0 sent: 0.0@10+5 0.1@15+5 | 10-20 | 10 of 10, 0 again"},
	{"beyond a double", document(sent(stream("9007199254740993", "9007199254740993", "1", "false"))),
		"9007199254740993 sent: 0.0@9007199254740993+1 | 9007199254740993-9007199254740994 | 1 of 1, 0 again"},
	{"the largest", document(sent(stream(top, "0", top, "true"), stream(top, top, "0", "true"))),
		top + " sent: 0.0@0+" + top + "! 0.1@" + top + "+0! | 0-" + top + " | " + top + " of " + top + ", 0 again | ends " + top + " by [0]"},
	{"a sum beyond 64 bits", document(sent(slices.Repeat([]string{stream("0", "0", top, "false")}, 5)...)),
		"0 sent: 0.0@0+" + top + " 0.1@0+" + top + " 0.2@0+" + top + " 0.3@0+" + top + " 0.4@0+" + top +
			" | 0-" + top + " | " + top + " of 23058430092136939515, 18446744073709551612 again"},
	{"a name with escapes", document(strings.Replace(sent(`{"frame_typ\u0065":"stre\u0061m","\u006fffset":0,"length":1,"fin":false,"stream_id":0}`), "packet_sent", `packet\u005fsent`, 1)),
		"0 sent: 0.0@0+1 | 0-1 | 1 of 1, 0 again"},
}

func TestFacts(t *testing.T) {
	for _, r := range readings {
		k, p := read(r.capture)
		if p != nil {
			t.Errorf("%s: %v", r.name, p)
			continue
		}
		if got := brief(parseFacet(t, k.facet)); got != r.facts {
			t.Errorf("%s:\n%s\nwant\n%s", r.name, got, r.facts)
		}
	}
}

func TestFacetAroundTheFacts(t *testing.T) {
	k, p := read(document("", sent()) + "\n")
	if p != nil {
		t.Fatal(p)
	}
	const row = `"loss_declarations":[],"odcid":"c0","pointer":"/traces/%d","streams":[],"trace_index":%[1]d,"vantage_point":{"name":"aioquic","type":"server"}}`
	want := `{"body_bytes":"not-reported","clock":{"basis":"profile-assumption-aioquic-1.5.0","epoch":"unix","unit":"milliseconds"},` +
		`"profile":"aioquic-1.5.0-json-0.3","scope":"all-recorded-events-before-selection","traces":[` +
		fmt.Sprintf(`{"events":0,"incomplete_records":[],`+row+`,{"events":1,"incomplete_records":[],`, 0) + fmt.Sprintf(row, 1) + `]}`
	if k.facet != want {
		t.Errorf("%s\nwant\n%s", k.facet, want)
	}
	if !slices.Equal(k.pointers, []tree.Pointer{"/traces/1/events/0"}) {
		t.Errorf("records at %v", k.pointers)
	}
	if want := `{"common_fields":{"ODCID":"c0"},"events":null,"vantage_point":{"name":"aioquic","type":"server"}}`; !strings.HasSuffix(k.container, `"traces":[`+want+`,`+want+`]}`) {
		t.Errorf("container %s", k.container)
	}
}

// TestOddDescriptions: what a trace says of itself is not interpreted beyond
// two texts, and nothing of it is required.
func TestOddDescriptions(t *testing.T) {
	for _, c := range []struct{ trace, odcid, vantage string }{
		{`{"events":[]}`, `null`, `null`},
		{`{"events":[],"common_fields":[],"vantage_point":"client"}`, `null`, `null`},
		{`{"events":[],"common_fields":{"ODCID":5},"vantage_point":{}}`, `null`, `{"name":null,"type":null}`},
		{`{"vantage_point":{"type":"client","flow":"x"},"common_fields":{"ODCID":"é\ud800"},"events":[]}`, `"é\ud800"`, `{"name":null,"type":"client"}`},
	} {
		k, p := read(`{"traces":[` + c.trace + `],"qlog_version":"0.3","qlog_format":"JSON","title":1e400}`)
		if p != nil {
			t.Errorf("%s: %v", c.trace, p)
			continue
		}
		if !strings.Contains(k.facet, `"odcid":`+c.odcid+`,`) || !strings.Contains(k.facet, `"vantage_point":`+c.vantage+`}`) {
			t.Errorf("%s: %s", c.trace, k.facet)
		}
	}
}

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
