package qlog_test

import (
	"encoding/json"
	"errors"
	"fmt"
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
	hidden    int // values that were marked as credentials
	container string
	facet     string
}

func (k *kept) Record(e *format.Entry) error {
	k.pointers = append(k.pointers, e.At.Pointer)
	k.hidden += credentials(e.Reported)
	return nil
}

func credentials(v *tree.Value) (n int) {
	if v.Mark&tree.Credential != 0 {
		return 1
	}
	for i := range v.Items {
		n += credentials(&v.Items[i])
	}
	return n
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

// TestTokens: tokens are hidden by the type of the frame that holds them, and
// stay where nothing says that they are tokens.
func TestTokens(t *testing.T) {
	for _, c := range []struct {
		name, data string
		hidden     int
	}{
		{"transport:packet_sent", `{"frames":[{"frame_type":"new_token","token":"T"}]}`, 1},
		{"recovery:packet_lost", `{"frames":[{"frame_type":"ping"},{"frame_type":"new_connection_id","reset_token":"T"}]}`, 1},
		{"transport:packet_buffered", `{"frames":[{"frame_type":"New_Token","token":{"data":"T"}}]}`, 1},
		{"transport:frames_processed", `{"frames":{"frame_type":"new_connection_id","stateless_reset_token":"T"}}`, 1},
		{"a:b", `{"frame":{"frame_type":"new_token","token":"T"}}`, 1},
		{"transport:parameters_restored", `{"stateless_reset_token":"T"}`, 1},
		{"transport:parameters_restored", `{"preferred_address":{"reset_token":"T"}}`, 1},
		{"a:b", `{"frames":[{"frame_type":"new_token","token":null}]}`, 0},
		{"a:b", `{"frames":[{"frame_type":"ping","token":"T","reset_token":"T"},5,[{"frame_type":"new_token","token":"T"}]]}`, 0},
		{"a:b", `{"token":"T","reset_token":"T"}`, 0},
		{"a:b", `{"frames":"new_token","frame":null}`, 0},
	} {
		k, p := read(document(event(c.name, c.data)))
		if p != nil {
			t.Errorf("%s %s: %v", c.name, c.data, p)
			continue
		}
		if k.hidden != c.hidden {
			t.Errorf("%s %s: %d are hidden", c.name, c.data, k.hidden)
		}
	}
}
