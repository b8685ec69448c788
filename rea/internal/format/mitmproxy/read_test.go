package mitmproxy_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/format/mitmproxy"
	"rea.example/rea/internal/tree"
)

// gathered is a sink that writes down what it is given.
type gathered struct {
	records   []string
	at        []evidence.Location
	limits    [][]string
	container bool
}

func (g *gathered) Record(e *format.Entry) error {
	g.records = append(g.records, spell(e.Reported))
	g.at = append(g.at, e.At)
	g.limits = append(g.limits, e.Limits)
	return nil
}

func (g *gathered) Container(c *format.Container) error {
	g.container = c.Reported == nil && c.RecordsPointer == nil
	return nil
}

// spell writes a tree as text: octets and text quoted, the latter under a t.
func spell(v *tree.Value) string {
	var parts []string
	for i := range v.Items {
		c := &v.Items[i]
		s := spell(c)
		if v.Kind == tree.Object {
			s = fmt.Sprintf("%q=%s", c.Name, s)
		}
		parts = append(parts, s)
	}
	switch v.Kind {
	case tree.Null:
		return "null"
	case tree.True:
		return "true"
	case tree.False:
		return "false"
	case tree.Number:
		if v.Mark.Has(tree.Float) {
			return "f" + v.Text
		}
		return v.Text
	case tree.String:
		return fmt.Sprintf("t%q", v.Decode())
	case tree.Bytes:
		return fmt.Sprintf("%q", v.Text)
	case tree.Array:
		return "[" + strings.Join(parts, " ") + "]"
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// read reads a capture; on a problem it gives nothing else.
func read(t testing.TB, src []byte) (gathered, *format.Problem) {
	t.Helper()
	var g gathered
	err := mitmproxy.Format{}.Read(format.Input{Source: src}, &g)
	var p *format.Problem
	if err != nil && !errors.As(err, &p) {
		t.Fatal(err)
	}
	if err == nil && !g.container {
		t.Fatal("no container was given, or one with content")
	}
	return g, p
}

func line() int {
	_, _, n, _ := runtime.Caller(1)
	return n
}

// one is a capture of one record with one member, x.
func one(v any) []byte { return formattest.TNetString(dict{"x", v}) }

func token(payload string, tag byte) formattest.Token {
	return formattest.Token{Payload: payload, Tag: tag}
}

func TestValues(t *testing.T) {
	for _, r := range []struct {
		line  int
		value any
		want  string
	}{
		{line(), nil, "null"},
		{line(), true, "true"},
		{line(), false, "false"},
		{line(), b(""), `""`},
		{line(), b("3:abc,\x00\xff"), `"3:abc,\x00\xff"`},
		{line(), "", `t""`},
		{line(), "ü😀\x00\"\\", `t"ü😀\x00\"\\"`},
		{line(), list{}, "[]"},
		{line(), dict{}, "{}"},
		{line(), list{nil, list{b("a")}, dict{"", dict{"k", nil}}}, `[null ["a"] {""={"k"=null}}]`},
		{line(), dict{"__proto__", 1, "constructor", dict{"prototype", nil}, "a\"\\/~\n", 2}, `{"__proto__"=1 "constructor"={"prototype"=null} "a\"\\/~\n"=2}`},

		{line(), 0, "0"},
		{line(), -7, "-7"},
		{line(), 9007199254740993, "9007199254740993"},
		{line(), token("007", '#'), "7"},
		{line(), token("-007", '#'), "-7"},
		{line(), token("-0", '#'), "0"},
		{line(), token("000", '#'), "0"},
		{line(), token("-"+strings.Repeat("9", 4300), '#'), "-" + strings.Repeat("9", 4300)},

		{line(), float("0.0"), "f0.0"},
		{line(), float("-0.0"), "f-0.0"},
		{line(), float("1.5"), "f1.5"},
		{line(), float("1700000000.1234567"), "f1700000000.1234567"},
		{line(), float("0.1"), "f0.1"},
		{line(), float("0.0001"), "f0.0001"},
		{line(), float("1e-05"), "f1e-05"},
		{line(), float("9.999999999999999e-05"), "f9.999999999999999e-05"},
		{line(), float("9999999999999998.0"), "f9999999999999998.0"},
		{line(), float("1e+16"), "f1e+16"},
		{line(), float("1.2345678901234568e+16"), "f1.2345678901234568e+16"},
		{line(), float("-1.7976931348623157e+308"), "f-1.7976931348623157e+308"},
		{line(), float("5e-324"), "f5e-324"},
		{line(), float("inf"), "finf"},
		{line(), float("-inf"), "f-inf"},
		{line(), float("nan"), "fnan"},
	} {
		g, p := read(t, one(r.value))
		if p != nil {
			t.Errorf("line %d: %v", r.line, p)
		} else if want := `{"x"=` + r.want + `}`; g.records[0] != want {
			t.Errorf("line %d: %s, want %s", r.line, g.records[0], want)
		}
	}
}

// TestUpstreamSpellings: what the reader in Python takes, and mitmproxy never
// writes, is refused where it stands.
func TestUpstreamSpellings(t *testing.T) {
	for _, r := range []struct {
		name, payload string // of a list, and where in it the fault is
		offset        int
	}{
		{"a signed length", "+1:a,", 0},
		{"a negative length", "-1:1:a,", 0},
		{"a blank before a length", " 1:a,", 0},
		{"a blank after a length", "1 :a,", 1},
		{"a line end in a length", "1\n:a,", 1},
		{"an underscore in a length", "0_1:a,", 1},
		{"a length of 13 digits", "0000000000001:a,", 12},
		{"no digits at all", ":a,", 0},
		{"a signed integer", "2:+1#", 2},
		{"a blank before an integer", "3: 12#", 2},
		{"a blank after an integer", "3:12\n#", 2},
		{"an underscore in an integer", "3:1_2#", 2},
		{"an integer of 4301 digits", "4301:" + strings.Repeat("1", 4301) + "#", 5},
		{"infinity in full", "8:infinity^", 2},
		{"infinity with a capital", "3:Inf^", 2},
		{"infinity with a sign", "4:+inf^", 2},
		{"not a number with capitals", "3:NaN^", 2},
		{"not a number with a sign", "4:-nan^", 2},
		{"a signed float", "4:+1.5^", 2},
		{"a blank before a float", "4: 1.5^", 2},
		{"a blank after a float", "4:1.5 ^", 2},
		{"an underscore in a float", "5:1_0.5^", 2},
		{"a float without a dot", "1:1^", 2},
		{"a float that ends in its dot", "2:1.^", 2},
		{"a float that begins with its dot", "2:.5^", 2},
		{"a needless zero", "4:1.50^", 2},
		{"a leading zero", "4:01.5^", 2},
		{"more digits than a double holds", "19:0.10000000000000001^", 3},
		{"a small exponent", "3:1e5^", 2},
		{"an exponent without sign", "4:1e16^", 2},
		{"an exponent with a capital", "5:1E+16^", 2},
		{"an exponent of one digit", "4:1e-5^", 2},
		{"a float beyond doubles", "6:1e+309^", 2},
	} {
		src := one(token(r.payload, ']'))
		start := strings.Index(string(src), r.payload)
		_, p := read(t, src)
		if p == nil {
			t.Errorf("%s is accepted", r.name)
			continue
		}
		if want := fmt.Sprintf("(byte offset %d)", start+r.offset); p.Kind != format.Malformed || !strings.Contains(p.Message, want) ||
			!strings.HasPrefix(p.Message, "the record at byte offset 0 ") || !strings.HasPrefix(string(p.Pointer), "/x") {
			t.Errorf("%s: %v, want %s", r.name, p, want)
		}
	}
}

func TestMalformed(t *testing.T) {
	good := string(formattest.TNetString(dict{"x", 1}))
	for _, r := range []struct {
		line    int
		src     string
		at      int // of the record
		offset  int // of the fault
		pointer tree.Pointer
	}{
		{line(), "from mitmproxy import ctx\n", 0, 0, ""},
		{line(), "\x89PNG\r\n\x1a\n", 0, 0, ""},
		{line(), `{"log":{"version":"1.2"}}`, 0, 0, ""},
		{line(), "\n", 0, 0, ""},
		{line(), good + "\n", 11, 11, ""},
		{line(), good + good[:5], 11, 11, ""},
		{line(), "12", 0, 0, ""},
		{line(), "02", 0, 2, ""},
		{line(), "12:", 0, 0, ""},
		{line(), "0:", 0, 0, ""},
		{line(), "999999999999:", 0, 0, ""},
		{line(), "99999999999999999999999:", 0, 0, ""},
		{line(), "3:abc", 0, 0, ""},
		{line(), "3:abc,", 0, 0, ""},
		{line(), "0:]", 0, 0, ""},
		{line(), "0:~", 0, 0, ""},
		{line(), "0:?", 0, 2, ""},
		{line(), "3:1:a}", 0, 2, ""},     // an unknown tag, and a key at that
		{line(), "4:1:a;}", 0, 6, ""},    // a key without value
		{line(), "7:1:a;1:}", 0, 0, ""},  // as long as the file is not
		{line(), "7:1:a;9:}}", 0, 6, ""}, // a value that is longer than its dictionary
		{line(), "8:1:x;1:\xff;}", 0, 8, "/x"},
		{line(), "5:1:\xff;~}", 0, 4, ""},
		{line(), "10:1:x;3:abc!}", 0, 9, "/x"},
		{line(), "8:1:x;1:a~}", 0, 8, "/x"},
		{line(), "7:1:x;0:?}", 0, 8, "/x"},
		{line(), "13:1:x;6:0:~0:?]}", 0, 14, "/x/1"},
		{line(), "11:1:x;4:0:~7]}", 0, 13, "/x"},
		{line(), "9:3:a/~;0:?}", 0, 10, "/a~1~0"},
		{line(), "19:1:x;11:1:k,4:0:~7]}}", 0, 20, "/x"}, // below a key that has no pointer
		{line(), "11:4:0:~7]1:a,}", 0, 9, ""},            // in a key
		{line(), "7:0:]1:a,}", 0, 2, ""},                 // a list as key
		{line(), "7:0:}1:a,}", 0, 2, ""},                 // a dictionary as key
		{line(), "7:0:~1:a,}", 0, 0, ""},                 // null as key
		{line(), "8:1:k,1:a,}", 0, 0, ""},                // octets as key
		{line(), "15:1:x;8:1:k,1:a,}}", 0, 7, "/x"},
		{line(), "19:1:x;11:8:1:1#1:a,}]}", 0, 10, "/x/0"},
	} {
		g, p := read(t, []byte(r.src))
		if p == nil {
			t.Errorf("line %d: accepted as %v", r.line, g.records)
			continue
		}
		want := fmt.Sprintf("the record at byte offset %d is refused: ", r.at)
		if r.offset != r.at {
			want = fmt.Sprintf("(byte offset %d)", r.offset)
		}
		if p.Kind != format.Malformed || !strings.Contains(p.Message, want) || p.Pointer != r.pointer {
			t.Errorf("line %d: %v, want %s at %q", r.line, p, want, r.pointer)
		}
	}
}

func TestRecords(t *testing.T) {
	first, second := dict{"version", 999, "type", "http", "id", "a"}, dict{"version", list{0, 18, 2}, "type", "websocket", "id", "a"}
	src := file(first, second, dict{})
	g, p := read(t, src)
	if p != nil {
		t.Fatal(p)
	}
	want := []string{`{"version"=999 "type"=t"http" "id"=t"a"}`, `{"version"=[0 18 2] "type"=t"websocket" "id"=t"a"}`, "{}"}
	if strings.Join(g.records, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v", g.records)
	}
	n := len(file(first))
	if g.at[0].Kind != evidence.AtRange || g.at[0].Offset != 0 || g.at[0].Bytes != int64(n) || g.at[1].Offset != int64(n) || g.at[2].Bytes != 3 {
		t.Errorf("%+v", g.at)
	}
	// Leading zeros are digits.
	if g, p := read(t, []byte("000000000003:0:~~")); p == nil {
		t.Error("a null with a payload is accepted", g.records)
	}
	if g, p := read(t, []byte("0000000000000:}")); p == nil {
		t.Error("13 digits are accepted", g.records)
	}
	if g, p := read(t, []byte("000000000000:}")); p != nil || len(g.records) != 1 {
		t.Error("12 digits are refused", p)
	}
	if g, p := read(t, nil); p != nil || len(g.records) != 0 {
		t.Error("an empty file is not an empty capture", p)
	}
	if _, p := read(t, append(file(first), file(second)[:20]...)); p == nil || !strings.Contains(p.Message, fmt.Sprint("byte offset ", n)) {
		t.Error("half a record behind a whole one", p)
	}
}

func TestRepeatedKeys(t *testing.T) {
	many := dict{}
	for i := range 100 {
		many = append(many, fmt.Sprint("k", i), i)
	}
	for _, r := range []struct {
		line     int
		record   dict
		want     string
		repeated bool
	}{
		{line(), dict{"a", 1, "b", 2, "a", 3}, `{"a"=3 "b"=2}`, true},
		{line(), dict{"a", 1, "a", 1}, `{"a"=1}`, true},
		{line(), dict{"", 1, "", 2}, `{""=2}`, true},
		{line(), dict{"__proto__", 1, "__proto__", dict{}}, `{"__proto__"={}}`, true},
		{line(), dict{"x", dict{"a", 1, "a", 2}, "y", list{dict{"a", 1}, dict{"a", 2}}}, `{"x"={"a"=2} "y"=[{"a"=1} {"a"=2}]}`, true},
		{line(), dict{"x", list{dict{"a", 1}, dict{"a", 2}}}, `{"x"=[{"a"=1} {"a"=2}]}`, false},
		{line(), dict{"ab", 1, "cb", 2, "ad", 3, "A", 4, "a", 5}, `{"ab"=1 "cb"=2 "ad"=3 "A"=4 "a"=5}`, false},
		// What was discarded is not held against the record.
		{line(), dict{"a", dict{b("octets"), 1}, "a", 2}, `{"a"=2}`, true},
		{line(), dict{"a", nested(80), "a", 2}, `{"a"=2}`, true},
		{line(), dict{"x", dict{"request", dict{"headers", list{1}}, "request", nil}}, `{"x"={"request"=null}}`, true},
	} {
		g, p := read(t, formattest.TNetString(r.record))
		if p != nil {
			t.Errorf("line %d: %v", r.line, p)
			continue
		}
		if g.records[0] != r.want || (len(g.limits[0]) == 3) != r.repeated {
			t.Errorf("line %d: %s with %q", r.line, g.records[0], g.limits[0])
		}
	}
	for _, n := range []int{0, 31, 32, 33, 99} {
		g, p := read(t, formattest.TNetString(append(append(dict{}, many...), fmt.Sprint("k", n), "again")))
		if p != nil || !strings.Contains(g.records[0], fmt.Sprintf(`"k%d"=t"again"`, n)) || strings.Count(g.records[0], "=") != 100 {
			t.Errorf("k%d: %v %s", n, p, g.records)
		}
	}
	// A key that is no text is no name that could be repeated.
	if _, p := read(t, formattest.TNetString(dict{1, 1, "", 2, nil, 3, "", 4})); p == nil {
		t.Error("keys that are no text are accepted")
	}
	if _, p := read(t, formattest.TNetString(append(append(dict{}, many...), nil, 1, "", 2, "k7", 3))); p == nil {
		t.Error("a key that is no text is accepted among many")
	}
}

// nested is n lists in each other.
func nested(n int) any {
	var v any = nil
	for range n {
		v = list{v}
	}
	return v
}

func TestDepth(t *testing.T) {
	zeros := func(n int) tree.Pointer { return tree.Pointer(strings.Repeat("/0", n)) }
	for _, r := range []struct {
		line    int
		record  dict
		pointer tree.Pointer // "-" where the record is accepted
	}{
		{line(), dict{"x", nested(63)}, "-"}, // null at level 64
		{line(), dict{"x", nested(64)}, "/x" + zeros(64)},
		{line(), dict{"x", nested(65)}, "/x" + zeros(64)},
		{line(), dict{"x", nested(399)}, "/x" + zeros(64)},
		{line(), dict{"x", nested(400)}, "/x" + zeros(64)},
		{line(), dict{"x", nested(5000)}, "/x" + zeros(64)},
		{line(), dict{"y", 1, "x", list{1, nested(70), nested(80)}}, "/x/1" + zeros(63)},
		{line(), dict{"request", dict{"headers", list{list{b("Cookie"), nested(60)}}}}, "-"},
		{line(), dict{"request", dict{"headers", list{list{b("Cookie"), nested(61)}}}}, "/request/headers/0/1" + zeros(61)},
	} {
		_, p := read(t, formattest.TNetString(r.record))
		switch {
		case r.pointer == "-" && p != nil:
			t.Errorf("line %d: %v", r.line, p)
		case r.pointer == "-":
		case p == nil:
			t.Errorf("line %d: accepted", r.line)
		case p.Kind != format.TooMuch || p.Pointer != r.pointer || p.Maximum != (format.Maximum{Name: "maximum_capture_nesting", Value: 64}):
			t.Errorf("line %d: %v, want %q", r.line, p, r.pointer)
		}
	}
	// What is malformed is so before it is too deep, within reach.
	deep := func(levels int) string {
		s := "0:?"
		for range levels {
			s = fmt.Sprintf("%d:%s]", len(s), s)
		}
		return fmt.Sprintf("%d:1:x;%s}", len(s)+4, s)
	}
	if _, p := read(t, []byte(deep(399))); p == nil || p.Kind != format.Malformed {
		t.Error(p)
	}
	if _, p := read(t, []byte(deep(400))); p == nil || p.Kind != format.TooMuch {
		t.Error(p)
	}
}

func TestHeaderLists(t *testing.T) {
	for _, r := range []struct {
		line    int
		list    any
		pointer tree.Pointer // below the list; "-" where it is accepted
	}{
		{line(), nil, "-"},
		{line(), list{}, "-"},
		{line(), "text", "-"},
		{line(), dict{"Cookie", b("x")}, "-"},
		{line(), list{list{b("n"), b("v")}, list{b(""), "v"}, list{b("n"), nil}, list{b("n"), dict{}}}, "-"},
		{line(), list{list{b("n"), b("v")}, list{"n", b("v")}}, "/1"},
		{line(), list{list{b("n")}}, "/0"},
		{line(), list{list{b("n"), b("v"), b("w")}}, "/0"},
		{line(), list{b("n")}, "/0"},
		{line(), list{dict{"n", b("v")}}, "/0"},
		{line(), list{nil}, "/0"},
	} {
		for _, at := range []string{"request/headers", "response/headers", "request/trailers", "response/trailers", "backup/backup/backup/response/headers"} {
			v := r.list
			names := strings.Split(at, "/")
			for i := len(names) - 1; i >= 0; i-- {
				v = dict{"before", nil, names[i], v}
			}
			_, p := read(t, formattest.TNetString(v))
			switch {
			case r.pointer == "-" && p != nil:
				t.Errorf("line %d, %s: %v", r.line, at, p)
			case r.pointer == "-":
			case p == nil:
				t.Errorf("line %d, %s: accepted", r.line, at)
			case p.Kind != format.Malformed || p.Pointer != "/"+tree.Pointer(at)+r.pointer:
				t.Errorf("line %d, %s: %v", r.line, at, p)
			}
		}
		// Elsewhere it is a list like any other.
		for _, other := range []dict{{"headers", r.list}, {"metadata", dict{"request", dict{"headers", r.list}}}, {"request", list{dict{"headers", r.list}}}} {
			if _, p := read(t, formattest.TNetString(other)); p != nil {
				t.Errorf("line %d: %v", r.line, p)
			}
		}
	}
}
