package qlog_test

import (
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// concealed are captures with something declared, and the facts that are left.
var concealed = []struct{ name, capture, declared, facts string }{
	{"nothing that is there", document(sent(stream("0", "0", "5", "true"))), "nowhere",
		"0 sent: 0.0@0+5! | 0-5 | 5 of 5, 0 again | ends 5 by [0]"},

	// What is hidden in the event is as if it were missing.
	{"an offset", document(sent(stream("0", "1234", "5", "true"), stream("0", "0", "7", "false"))), "1234",
		"0 sent: 0.0@?+5! 0.1@0+7 | 0-7 | 7 of 7, 0 again\nincomplete: [0]"},
	{"a part of a length", document(sent(stream("0", "0", "1234", "true"))), "23",
		"0 sent: 0.0@0+?! | | 0 of 0, 0 again\nincomplete: [0]"},
	{"the spelling of a number", document(sent(stream("0", "0", "1e3", "false"))), "1e3",
		"0 sent: 0.0@0+? | | 0 of 0, 0 again\nincomplete: [0]"},
	{"the value of a number", document(sent(stream("0", "0", "1e3", "false"))), "1000",
		"0 sent: 0.0@0+? | | 0 of 0, 0 again\nincomplete: [0]"},
	{"the value of a number that no double holds", document(sent(stream("0", "9.007199254740993e15", "1", "false"))), "9007199254740993",
		"0 sent: 0.0@?+1 | | 0 of 0, 0 again\nincomplete: [0]"},
	{"a stream", document(sent(stream("44", "0", "5", "false"), stream("0", "0", "5", "false"))), "44",
		"0 sent: 0.1@0+5 | 0-5 | 5 of 5, 0 again\nincomplete: [0]"},
	{"the name of a number", document(sent(stream("0", "0", "5", "true")) + "," + sent(`{"frame_type":"ping"}`)), "offset",
		"0 sent: 0.0@?+5! | | 0 of 0, 0 again\nincomplete: [0]"},
	{"the name of FIN", document(sent(stream("0", "0", "5", "true"))), "fin",
		"0 sent: 0.0@0+5? | 0-5 | 5 of 5, 0 again\nincomplete: [0]"},
	{"the type of a frame", document(sent(stream("0", "0", "5", "true")) + "," + sent(`{"frame_type":"ping"}`)), "strea",
		"incomplete: [0]"},
	{"the name of a frame's type", document(sent(stream("0", "0", "5", "true")) + "," + sent(`{"frame_type":"ping"}`) + "," + sent()), "frame_t",
		"incomplete: [0 1]"},
	{"the name of the frames", document(sent(stream("0", "0", "5", "true")) + "," + event("a:b", "{}")), "frames", "incomplete: [0]"},
	{"the name of an event", document(sent(stream("0", "0", "5", "true")) + "," + received(stream("0", "0", "6", "true"))), "_sent",
		"0 received: 1.0@0+6! | 0-6 | 6 of 6, 0 again | ends 6 by [1]\nincomplete: [0]"},
	{"the name of names", document(sent(stream("0", "0", "5", "true")) + "," + event("recovery:packet_lost", "{}") + "," + event("a:b", "{}")), "name",
		"incomplete: [0 1]"},
	{"the name of events", document(sent(stream("0", "0", "5", "true")) + "," + event("recovery:packet_lost", "{}")), "vents",
		"incomplete: [0 1]"},
	{"a packet's number", document(event("recovery:packet_lost", `{"packet_number":77,"type":"1RTT"}`)), "77",
		"lost: 0 says 1RTT ?\nincomplete: [0]"},
	{"a packet's type", document(event("recovery:packet_lost", `{"packet_number":77,"type":"1RTT"}`)), "RTT",
		"lost: 0 says ? 77\nincomplete: [0]"},
	{"that a packet was lost", document(event("recovery:packet_lost", `{"packet_number":77,"type":"1RTT"}`)), "packet_lost",
		"incomplete: [0]"},

	// What follows from several events is hidden by its own text.
	{"totals and a range", document(sent(stream("0", "0", "5", "false")) + "," + sent(stream("0", "5", "6", "false"), stream("0", "", "2", "false"))), "11",
		"0 sent: 0.0@0+5 1.0@5+6 1.1@?+2 | | ? of ?, 0 again\nincomplete: [0 1]"},
	{"a total alone", document(sent(stream("0", "10", "5", "false")) + "," + sent(stream("0", "20", "6", "false"))), "11",
		"0 sent: 0.0@10+5 1.0@20+6 | 10-15 20-26 | ? of ?, 0 again\nincomplete: [0 1]"},
	{"repeated bytes", document(sent(stream("0", "0", "30", "false")) + "," + sent(stream("0", "10", "20", "false"), stream("0", "15", "15", "false"))), "35",
		"0 sent: 0.0@0+30 1.0@10+20 1.1@15+15 | 0-30 | 30 of 65, ? again\nincomplete: [0 1]"},
	{"one of two ranges", document(sent(stream("0", "0", "5", "false")) + "," + sent(stream("0", "70", "9", "false")) + "," + sent(stream("0", "79", "0", "true"))), "79",
		"0 sent: 0.0@0+5 1.0@70+9 2.0@?+0! | 0-5 | 14 of 14, 0 again\nincomplete: [1 2]"},
	{"a range, not the frame without bytes in it", document(sent(stream("0", "70", "9", "false")) + "," + sent(stream("0", "72", "0", "true"))), "79",
		"0 sent: 0.0@70+9 1.0@72+0! | | 9 of 9, 0 again | ends 72 by [1]\nincomplete: [0]"},
	{"a final size", document(sent(stream("0", "30", "7", "true")) + "," + sent(stream("0", "30", "5", "true"))), "37",
		"0 sent: 0.0@30+7! 1.0@30+5! | | 7 of 12, 5 again | ends 35 by [1]\nincomplete: [0 1]"},
	{"a final size, not its stream", document(sent(stream("0", "30", "7", "true")) + "," + sent(stream("4", "0", "1", "true"))), "37",
		"0 sent: 0.0@30+7! | | 7 of 7, 0 again\n4 sent: 1.0@0+1! | 0-1 | 1 of 1, 0 again | ends 1 by [1]\nincomplete: [0]"},
}

func TestDeclared(t *testing.T) {
	for _, c := range concealed {
		k, p := read(c.capture, c.declared)
		if p != nil {
			t.Errorf("%s: %v", c.name, p)
			continue
		}
		if got := brief(parseFacet(t, k.facet)); got != c.facts {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.facts)
		}
	}
}

func TestDeclaredDescriptions(t *testing.T) {
	for declared, want := range map[string]string{
		"nowhere":      `"odcid":"c0","pointer":"/traces/0","streams":[],"trace_index":0,"vantage_point":{"name":"aioquic","type":"server"}}`,
		"c0":           `"odcid":null,"pointer":"/traces/0","streams":[],"trace_index":0,"vantage_point":{"name":"aioquic","type":"server"}}`,
		"ODCID":        `"odcid":null,"pointer":"/traces/0","streams":[],"trace_index":0,"vantage_point":{"name":"aioquic","type":"server"}}`,
		"/0":           `"odcid":"c0","pointer":null,"streams":[],"trace_index":0,"vantage_point":{"name":"aioquic","type":"server"}}`,
		"aioq":         `"odcid":"c0","pointer":"/traces/0","streams":[],"trace_index":0,"vantage_point":{"name":null,"type":"server"}}`,
		"server":       `"odcid":"c0","pointer":"/traces/0","streams":[],"trace_index":0,"vantage_point":{"name":"aioquic","type":null}}`,
		"vantage":      `"odcid":"c0","pointer":"/traces/0","streams":[],"trace_index":0,"vantage_point":{"name":null,"type":null}}`,
		"traces":       `"odcid":null,"pointer":null,"streams":[],"trace_index":0,"vantage_point":{"name":null,"type":null}}`,
		"common_field": `"odcid":null,"pointer":"/traces/0","streams":[],"trace_index":0,"vantage_point":{"name":"aioquic","type":"server"}}`,
	} {
		k, p := read(document(""), declared)
		if p != nil || !strings.Contains(k.facet, want) {
			t.Errorf("%s: %v %s\nwant %s", declared, p, k.facet, want)
		}
	}
}

// TestDeclaredIsChecked: what may not be shown must be as it should be all the
// same.
func TestDeclaredIsChecked(t *testing.T) {
	for _, c := range []struct{ capture, declared string }{
		{document(sent(stream("0", `"x"`, "1", "true"))), "offset"},
		{document(sent(stream("0", "0", "1", "5"))), "fin"},
		{document(sent(stream("0", top, "1", "true"))), "length"},
		{document(sent(stream("0", top, "1", "true"))), top},
		{document(sent(stream("0", `"x"`, "1", "true"))), "stream"},
		{document(sent(stream("0", `"x"`, "1", "true"))), "frames"},
		{document(event("recovery:packet_lost", `{"type":5}`)), "packet_lost"},
	} {
		if _, p := read(c.capture, c.declared); p == nil || p.Kind != format.Malformed {
			t.Errorf("%s, declared %q: %v", c.capture, c.declared, p)
		}
	}
}

// fixed are the texts of the facet that are constants of the contract.
var fixed = map[string]bool{"not-reported": true, "profile-assumption-aioquic-1.5.0": true, "unix": true, "milliseconds": true,
	"aioquic-1.5.0-json-0.3": true, "all-recorded-events-before-selection": true}

// holds says whether a text of the facet, and not of the contract, holds a
// literal.
func holds(v *tree.Value, literal string) bool {
	if s, ok := v.Str(); ok && !fixed[s] && v.Name != "direction" && strings.Contains(s, literal) {
		return true
	}
	for i := range v.Items {
		if holds(&v.Items[i], literal) {
			return true
		}
	}
	return false
}

// FuzzRead states the laws of every answer: a refusal leaves nothing behind; a
// facet is canonical JSON; a declared value is in none of its texts; and what is
// declared changes no verdict and no count of events.
func FuzzRead(f *testing.F) {
	for _, r := range readings {
		f.Add(r.capture, "5")
	}
	for _, r := range refusals {
		f.Add(r.capture, "x")
	}
	for _, c := range concealed {
		f.Add(c.capture, c.declared)
	}
	f.Fuzz(func(t *testing.T, capture, declared string) {
		open, p := read(capture)
		hidden, q := read(capture, declared)
		if (p == nil) != (q == nil) || p != nil && (p.Kind != q.Kind || p.Pointer != q.Pointer) {
			t.Fatalf("%v, but with something declared %v", p, q)
		}
		if p != nil {
			if open.facet != "" || open.container != "" {
				t.Fatal("a refusal, and facts")
			}
			return
		}
		if len(open.pointers) != len(hidden.pointers) {
			t.Fatal("a declaration changes the number of records")
		}
		for _, k := range []kept{open, hidden} {
			total := 0
			for _, tr := range parseFacet(t, k.facet).Traces {
				total += tr.Events
			}
			if total != len(k.pointers) {
				t.Fatalf("%d events, %d records", total, len(k.pointers))
			}
		}
		v, err := strictjson.Parse([]byte(hidden.facet), 80)
		if err != nil {
			t.Fatal(err)
		}
		if declared != "" && holds(&v, declared) {
			t.Fatalf("%q is in %s", declared, hidden.facet)
		}
	})
}
