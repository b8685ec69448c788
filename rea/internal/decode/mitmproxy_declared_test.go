package decode_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/tree"
)

func TestDeclaredOctets(t *testing.T) {
	const body = "\x00before secret after\xff"
	field := retained("/c", body)
	digest := field[strings.Index(field, `"sha256":"`)+10:][:64]
	encoded := base64.StdEncoding.EncodeToString(b(body))
	large := strings.Repeat("0123456789abcdef", 4<<10) + body // searched in pieces
	for _, c := range []struct {
		octets, declared string
		hidden           bool
	}{
		{body, "secret", true},
		{body, "Secret", false},
		{body, digest, true},
		{body, digest[7:23], true},
		{body, encoded, true},
		{body, encoded[3:20], true},
		{large, "secret", true},
		{large, base64.StdEncoding.EncodeToString(b(large))[32760:32780], true}, // across the seam of two pieces
		{large, base64.StdEncoding.EncodeToString(b(large))[80000:80040], true},
		{large, strings.Repeat("z", 40000), false},
		{"ü", "\xc3\xbc", true},
		{"😀", "😀", true},
		{"\xf0\x9f\x98\x80", "\xed\xa0\xbd", true}, // half of the pair that the view shows
		{"\xef\xbf\xbd", "\xed\xa0\xbd", false},    // a lone surrogate is no U+FFFD
		{"\xff", "\xed\xa0\xbd", false},
		{"\xed\xa0\xbd", "\xed\xa0\xbd", false}, // and has no UTF-8 form
	} {
		r := ask(t, flows(dict{"c", b(c.octets), "d", b("kept")}), c.declared)
		got := sidecar(r.Records[0], "binary_fields", "/c")
		if c.hidden {
			want(t, r.Records[0], "/reported/c", "null")
			want(t, r.Records[0], "/redactions", `[{"pointer":"/c","reason":"explicit-sensitive-value"}]`)
		}
		if wanted := map[bool]string{true: redactedField("/c"), false: retained("/c", c.octets)}[c.hidden]; got != wanted {
			t.Errorf("%.40q in %.40q: %.200s", c.declared, c.octets, got)
		}
		want(t, r.Records[0], "/reported/d", `"kept"`)
	}
	// Userinfo that was cut, and what is left after the cut.
	for _, declared := range []string{"p4ss", "https://h.example/", "u:p4ss@h"} {
		r := ask(t, flows(dict{"request", dict{"path", b("https://u:p4ss@h.example/")}}), declared)
		want(t, r.Records[0], "/reported/request/path", "null")
		want(t, r.Records[0], "/redactions", `[{"pointer":"/request/path","reason":"explicit-sensitive-value"}]`)
	}
}

func TestDeclaredNativeValues(t *testing.T) {
	state := dict{"id", "a text with secret", "count", 47110815, "time", formattest.Float("1700000000.25"), "never", formattest.Float("inf"),
		"api-secret", dict{"inner", b("x"), "n", 1}, "list", list{dict{"secret/~", nil, "k", 2}}}
	r := ask(t, flows(state), "secret", "4711", "000000.2", "inf").Records[0]
	want(t, r, "/reported", `{"count":null,"id":null,"list":[{"k":2}],"never":null,"time":null}`)
	want(t, r, "/numeric_literals", `[{"literal":"2","pointer":"/list/0/k","producer_type":"integer"}]`)
	want(t, r, "/binary_fields", `[]`)
	want(t, r, "/redactions", `[{"pointer":"/id","reason":"explicit-sensitive-value"},{"pointer":"/count","reason":"explicit-sensitive-value"},`+
		`{"pointer":"/time","reason":"explicit-sensitive-value"},{"pointer":"/never","reason":"explicit-sensitive-value"},`+
		`{"pointer":"","reason":"explicit-sensitive-value","scope":"property-name"},{"pointer":"/list/0","reason":"explicit-sensitive-value","scope":"property-name"}]`)
}

// TestDeclaredPlaces: the numbers of a range of bytes are coordinates.
func TestDeclaredPlaces(t *testing.T) {
	capture := flows(dict{"pad", b(strings.Repeat("x", 12300))}, dict{"pad", b(strings.Repeat("y", 6780))})
	first := len(flows(dict{"pad", b(strings.Repeat("x", 12300))}))
	const unknown = `{"kind":"unknown","reason":"explicit-sensitive-value"}`
	for _, c := range []struct {
		declared string
		hidden   [2]bool
	}{
		{fmt.Sprint(first), [2]bool{true, true}}, // the length of one, the offset of the other
		{fmt.Sprint(first)[1:4], [2]bool{true, true}},
		{fmt.Sprint(len(capture) - first), [2]bool{false, true}},
		{"77777", [2]bool{false, false}},
	} {
		r := ask(t, capture, c.declared)
		for i, hidden := range c.hidden {
			if got := at(r.Records[i], "/location"); (got == unknown) != hidden {
				t.Errorf("%s: record %d is at %s", c.declared, i, got)
			}
		}
		if r.Hidden != (c.hidden[1]) {
			t.Errorf("%s: hidden is %v", c.declared, r.Hidden)
		}
	}
	// A name on the way hides the place of the sidecar, not the value beside.
	r := ask(t, flows(dict{"field/name", list{b("a"), 1}}), "~1").Records[0]
	want(t, r, "/reported", `{"field/name":["a",1]}`)
	want(t, r, "/binary_fields", "[]")
	want(t, r, "/numeric_literals", "[]")
}

// TestDeclaredWordsOfTheContract: they are never renamed, and what this program
// says in sentences is covered.
func TestDeclaredWordsOfTheContract(t *testing.T) {
	for _, declared := range []string{"producer", "bytes", "mitmproxy", "…", "[REDACTED]", "a", "."} {
		r := ask(t, flows(dict{"x", b("\xff"), "x", b("\x01")}), declared)
		if len(r.Records) != 1 || r.Decoder.ID != "rea-tnetstring" {
			t.Fatalf("%q: %+v", declared, r.Header)
		}
		for i, l := range r.Records[0].Get("limitations").Items {
			if text, _ := l.Str(); strings.Contains(text, declared) {
				t.Errorf("%q is in limitation %d", declared, i)
			}
		}
		if got := sidecar(r.Records[0], "binary_fields", "/x"); !strings.Contains(got, `"representation":"producer-bytes"`) {
			t.Errorf("%q: %s", declared, got)
		}
	}
}

// TestWrongBelowWhatIsHidden: what is left out was still checked.
func TestWrongBelowWhatIsHidden(t *testing.T) {
	for _, c := range []struct {
		line  string
		state dict
		at    tree.Pointer
	}{
		{"a key below a declared name", dict{"secret", dict{"a", dict{b("k"), 1}}}, "/secret/a"},
		{"a key below a credential", dict{"request", dict{"headers", list{list{b("Cookie"), dict{b("k"), 1}}}}}, "/request/headers/0/1"},
		{"a header below a declared name", dict{"backup", dict{"request", dict{"trailers", list{list{"secret", b("v")}}}}}, "/backup/request/trailers/0"},
		{"a float below a credential", dict{"request", dict{"headers", list{list{b("Cookie"), formattest.Float("1e5")}}}}, "/request/headers/0/1"},
	} {
		r := formattest.Ask(t, flows(c.state), decode.Request{Format: "mitmproxy", Declared: []string{"secret", "backup"}})
		if r.Problem == nil || r.Problem.Kind != format.Malformed || r.Problem.Pointer != c.at {
			t.Errorf("%s: %+v", c.line, r.Problem)
		}
	}
}
