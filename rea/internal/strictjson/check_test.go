package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rea.example/rea/internal/tree"
)

// line is where a row of a table stands.
func line() int {
	_, _, n, _ := runtime.Caller(1)
	return n
}

func nested(levels int) string {
	return strings.Repeat("[", levels) + strings.Repeat("]", levels)
}

// manyNames is an object of n members, a0 and so on, and then what follows.
func manyNames(n int, then string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		fmt.Fprintf(&b, `"a%d":0,`, i)
	}
	return b.String() + then + "}"
}

type refusal struct {
	line    int
	in      string
	kind    ProblemKind
	offset  int
	pointer tree.Pointer
}

// refused are documents that Check refuses at depth 64.
var refused = []refusal{
	{line(), "", Syntax, 0, ""},
	{line(), " \n", Syntax, 2, ""},
	{line(), bom, Syntax, 3, ""},
	{line(), bom + bom + "{}", Syntax, 3, ""},
	{line(), bom + `{"a":}`, Syntax, 8, "/a"},
	{line(), "\xff", Encoding, 0, ""},
	{line(), "{\"a\":\"b\xc3\"}", Encoding, 7, ""},
	{line(), "[\"\xed\xa0\x80\"]", Encoding, 2, ""},     // a surrogate is not UTF-8
	{line(), "[\"\xc0\xaf\"]", Encoding, 2, ""},         // overlong
	{line(), "[\"\xf4\x90\x80\x80\"]", Encoding, 2, ""}, // beyond U+10FFFF
	{line(), "[1,,\"\xff\"]", Encoding, 5, ""},          // encoding outranks syntax
	{line(), "\ufffd\xff", Encoding, 3, ""},

	{line(), `{`, Syntax, 1, ""},
	{line(), `{"a`, Syntax, 3, ""},
	{line(), `{"a"`, Syntax, 4, "/a"},
	{line(), `{"a":`, Syntax, 5, "/a"},
	{line(), `{"a":1`, Syntax, 6, ""},
	{line(), `{"a":[1`, Syntax, 7, "/a"},
	{line(), `{"a":[1,`, Syntax, 8, "/a/1"},
	{line(), `{"a":[1,-`, Syntax, 9, "/a/1"},
	{line(), `{"a":[1,"\u00`, Syntax, 13, "/a/1"},
	{line(), `{"a":[1,tru`, Syntax, 11, "/a/1"},
	{line(), `{"a/b~":{"":nul}}`, Syntax, 15, "/a~1b~0/"},
	{line(), `{a:1}`, Syntax, 1, ""},
	{line(), `{1:1}`, Syntax, 1, ""},
	{line(), `{null:1}`, Syntax, 1, ""},
	{line(), `{"a" 1}`, Syntax, 5, "/a"},
	{line(), `{"a":1 "b":2}`, Syntax, 7, ""},
	{line(), `{"a":1,}`, Syntax, 6, ""},
	{line(), `{"a":1]`, Syntax, 6, ""},
	{line(), `{"a"}`, Syntax, 4, "/a"},
	{line(), `{,}`, Syntax, 1, ""},
	{line(), `[1 2]`, Syntax, 3, ""},
	{line(), `[1,]`, Syntax, 2, "/1"},
	{line(), `[,1]`, Syntax, 1, "/0"},
	{line(), `[1}`, Syntax, 2, ""},
	{line(), `[1:2]`, Syntax, 2, ""},
	{line(), `]`, Syntax, 0, ""},
	{line(), `["a` + "\x01" + `"]`, Syntax, 3, "/0"},
	{line(), `["a` + "\n" + `"]`, Syntax, 3, "/0"},
	{line(), `["\x"]`, Syntax, 2, "/0"},
	{line(), `["\u12G4"]`, Syntax, 2, "/0"},
	{line(), `{"reason":"a"b"}`, Syntax, 13, ""},
	{line(), `[01]`, Syntax, 2, ""},
	{line(), `[+1]`, Syntax, 1, "/0"},
	{line(), `[.5]`, Syntax, 1, "/0"},
	{line(), `[1.]`, Syntax, 3, "/0"},
	{line(), `[1e]`, Syntax, 3, "/0"},
	{line(), `[NaN]`, Syntax, 1, "/0"},
	{line(), `[Infinity]`, Syntax, 1, "/0"},
	{line(), `[1] // end`, Syntax, 4, ""},
	{line(), `/* x */ 1`, Syntax, 0, ""},
	{line(), "[\u00a01]", Syntax, 1, "/0"},
	{line(), "[\v1]", Syntax, 1, "/0"},
	{line(), "1 2", Syntax, 2, ""},
	{line(), "{}{}", Syntax, 2, ""},
	{line(), "{}\n{}", Syntax, 3, ""},
	{line(), "{},", Syntax, 2, ""},
	{line(), "{}\x00", Syntax, 2, ""},
	{line(), "\x1e{}\n", Syntax, 0, ""},
	{line(), "callback({})", Syntax, 0, ""},
	{line(), "'a'", Syntax, 0, ""},

	{line(), `{"a":1,"a":1}`, Duplicate, 7, "/a"},
	{line(), `{"a":1,"\u0061":2}`, Duplicate, 7, "/a"},
	{line(), `{"\u0061":1, "a":2}`, Duplicate, 13, "/a"},
	{line(), `[0,{"x":{"k/":null,"k\/":null}}]`, Duplicate, 19, "/1/x/k~1"},
	{line(), `{"":1,"":2}`, Duplicate, 6, "/"},
	{line(), `{"__proto__":1,"__proto__":2}`, Duplicate, 15, "/__proto__"},
	{line(), `{"\ud800":1,"\uD800":2}`, Duplicate, 12, "/\xed\xa0\x80"},
	{line(), `{"😀":1,"\ud83d\ude00":2}`, Duplicate, 10, "/😀"},
	{line(), `{"a":1,"a":1,"b":1,"b":1}`, Duplicate, 7, "/a"},
	{line(), `{"a":1,"a":1]`, Syntax, 12, ""}, // syntax outranks duplicates
	{line(), `{"a":1,"a":1}{}`, Syntax, 13, ""},
	{line(), manyNames(few, `"a0":1`), Duplicate, len(manyNames(few, "")) - 1, "/a0"},
	{line(), manyNames(few+1, `"a0":1`), Duplicate, len(manyNames(few+1, "")) - 1, "/a0"},
	{line(), manyNames(few+1, `"a`+fmt.Sprint(few)+`":1`), Duplicate, len(manyNames(few+1, "")) - 1, "/a16"},
	{line(), manyNames(1000, `"\u00617":1`), Duplicate, len(manyNames(1000, "")) - 1, "/a7"},
	{line(), manyNames(1000, `"\u0062":1,"b":2`), Duplicate, len(manyNames(1000, `"\u0062":1,`)) - 1, "/b"},

	{line(), nested(66), Depth, 65, tree.Pointer(strings.Repeat("/0", 65))},
	{line(), strings.Repeat("[", 65) + "1" + strings.Repeat("]", 65), Depth, 65, tree.Pointer(strings.Repeat("/0", 65))},
	{line(), strings.Repeat(`{"a": `, 65) + `"x"` + strings.Repeat("}", 65), Depth, 6 * 65, tree.Pointer(strings.Repeat("/a", 65))},
	{line(), `[0,` + nested(64) + `,` + nested(65) + `]`, Depth, 3 + 128 + 1 + 64, "/2" + tree.Pointer(strings.Repeat("/0", 64))},
	{line(), `{"x":` + nested(65) + `,"y":1,"y":1}`, Duplicate, 5 + 130 + 7, "/y"}, // duplicates outrank depth
	{line(), nested(66) + "x", Syntax, 132, ""},
	{line(), strings.Repeat("[", 66), Syntax, 66, tree.Pointer(strings.Repeat("/0", 66))},
	{line(), nested(tokenizerDepth + 1), Depth, 65, tree.Pointer(strings.Repeat("/0", 65))},
	{line(), `{"a":1,"a":` + nested(tokenizerDepth+1) + `}`, Duplicate, 7, "/a"},
	{line(), strings.Repeat("[", tokenizerDepth) + "0 [", Syntax, tokenizerDepth + 2, tree.Pointer(strings.Repeat("/0", tokenizerDepth-1))},
}

// accepted are documents that Check accepts at depth 64.
var accepted = []struct {
	line int
	in   string
}{
	{line(), `null`}, {line(), ` true `}, {line(), "\r\n\tfalse\n"}, {line(), `0`}, {line(), `-0`},
	{line(), `-1.5e+10`}, {line(), `1E400`}, {line(), `123456789012345678901234567890`},
	{line(), `""`}, {line(), `"\"\\\/\b\f\n\r\t\u00e9é\u2028` + "\u2028\x7f" + `"`},
	{line(), `{}`}, {line(), `[]`}, {line(), "[ ]"}, {line(), "{ }"},
	{line(), bom + `{"a":[1,2]}`},
	{line(), bom + ` "` + bom + `"`}, // inside a string it is a character
	{line(), `{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}`},
	{line(), `{"\ud800":1,"\ud801":2,"\udc00":3,"\ufffd":4}`},
	{line(), `{"__proto__":1,"constructor":2}`},
	{line(), `{"a":1,"A":2,"a ":3,"":4,"\u0000":5}`},
	{line(), `{"é":1,"e\u0301":2}`}, // names are not normalized
	{line(), `["\ud800","\udc00\ud800","\ud83d\ude00"]`},
	{line(), nested(65)},
	{line(), strings.Repeat("[", 64) + "1" + strings.Repeat("]", 64)},
	{line(), manyNames(few, `"b":1`)}, {line(), manyNames(few+1, `"b":1`)}, {line(), manyNames(5000, `"b":[`+manyNames(40, `"b":1`)+`]`)},
	{line(), "[" + strings.Repeat(manyNames(40, `"b":1`)+",", 3) + "{\"k\" :\n[ 1 , -2.5 ,\t{ } ] } ]"},
	{line(), `{"log":{"version":"1.2","entries":[{"a\\b":"x\\"},{"c":"\\\"","d":[[],{},[{}]]}]}}`},
}

func TestRefused(t *testing.T) {
	for _, r := range refused {
		err := Check([]byte(r.in), 64, nil, nil)
		var p *Problem
		if !errors.As(err, &p) {
			t.Errorf("line %d: %v, want a Problem", r.line, err)
			continue
		}
		if want := (Problem{r.kind, r.offset, r.pointer}); *p != want {
			t.Errorf("line %d: %v, want %v", r.line, p, &want)
		}
	}
}

func TestAccepted(t *testing.T) {
	for _, r := range accepted {
		if err := Check([]byte(r.in), 64, nil, nil); err != nil {
			t.Errorf("line %d: %v", r.line, err)
		}
	}
}

func TestDepthIsCrossedByOne(t *testing.T) {
	for _, depth := range []int{0, 1, 64, 80, 200, tokenizerDepth - 1} {
		if err := Check([]byte(nested(depth+1)), depth, nil, nil); err != nil {
			t.Errorf("depth %d: %v", depth, err)
		}
		var p *Problem
		if err := Check([]byte(nested(depth+2)), depth, nil, nil); !errors.As(err, &p) || p.Kind != Depth || p.Offset != depth+1 {
			t.Errorf("depth %d crossed: %v", depth, err)
		}
	}
	// Where no bound of ours is met, the tokenizer's is a Depth too.
	var p *Problem
	err := Check([]byte(nested(tokenizerDepth+1)), 1<<20, nil, nil)
	if !errors.As(err, &p) || p.Kind != Depth || p.Offset != tokenizerDepth || len(p.Pointer) != 2*tokenizerDepth {
		t.Errorf("depth of the tokenizer crossed: %v", err)
	}
}

// Names come in the same number whatever table they end up in.
func TestEveryRepetitionIsFound(t *testing.T) {
	for n := 1; n < 300; n++ {
		for _, again := range []int{0, n / 2, n - 1} {
			in := manyNames(n, fmt.Sprintf(`"a%d":0`, again))
			var p *Problem
			if err := Check([]byte(in), 64, nil, nil); !errors.As(err, &p) || p.Kind != Duplicate || p.Pointer != tree.Pointer(fmt.Sprintf("/a%d", again)) {
				t.Fatalf("%d names, a%d repeated: %v", n, again, err)
			}
		}
	}
}

func TestMillionNames(t *testing.T) {
	if err := Check([]byte(manyNames(1<<20, `"b":0`)), 1, nil, nil); err != nil {
		t.Error(err)
	}
}

func TestWatch(t *testing.T) {
	const in = bom + ` {"log" : {"version":"1.2", "*":1, "entries": [ {"a":1} , 2,[3 ]], "\u0070ages":[ ]},"x":[{"log":0}]} `
	watch := []Path{{}, {"log"}, {"log", "version"}, {"log", "entries"}, {"log", "entries", "*"}, {"log", "entries", "*", "a"},
		{"log", "pages"}, {"log", "pages", "*"}, {"log", "*"}, {"x", "*", "log"}, {"none"}}
	var got []string
	found := func(which int, s tree.Span) {
		got = append(got, fmt.Sprintf("%d %s", which, in[s.Start:s.End]))
	}
	if err := Check([]byte(in), 64, watch, found); err != nil {
		t.Fatal(err)
	}
	const log = `{"version":"1.2", "*":1, "entries": [ {"a":1} , 2,[3 ]], "\u0070ages":[ ]}`
	want := []string{`2 "1.2"`, `5 1`, `4 {"a":1}`, `4 2`, `4 [3 ]`, `3 [ {"a":1} , 2,[3 ]]`, `6 [ ]`, `1 ` + log, `9 0`,
		`0 {"log" : ` + log + `,"x":[{"log":0}]}`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestNothingIsFoundAfterAProblem(t *testing.T) {
	var got []int
	err := Check([]byte(`{"a":1,"b":{"c":1,"c":1},"d":1}`), 64, []Path{{"a"}, {"b"}, {"d"}, {}}, func(which int, _ tree.Span) { got = append(got, which) })
	if err == nil || !slices.Equal(got, []int{0}) {
		t.Errorf("found %v, %v", got, err)
	}
}

func TestManyWatches(t *testing.T) {
	watch := slices.Repeat([]Path{{"a"}}, 64)
	n := 0
	if err := Check([]byte(`{"a":1}`), 64, watch, func(int, tree.Span) { n++ }); err != nil || n != 64 {
		t.Errorf("found %d, %v", n, err)
	}
}

func TestProblemNamesNoContent(t *testing.T) {
	err := Check([]byte(`{"k":"secret`+"\x01"+`"}`), 64, nil, nil)
	if want := `malformed JSON at offset 12, pointer "/k"`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// The encoding is looked at in pieces; none is cut within a code point.
func TestEncodingInPieces(t *testing.T) {
	for shift := range 4 {
		good := "[\"" + strings.Repeat("-", shift) + strings.Repeat("é€😀", piece/4)
		if err := Check([]byte(good+"\"]"), 64, nil, nil); err != nil {
			t.Errorf("shift %d: %v", shift, err)
		}
		for _, bad := range []string{"\x80", "\xf0\x9f\x98", "\xed\xa0\x80"} {
			// At the begin or the end of a piece, and far beyond a mistake of another kind.
			at := 2*piece - 2 + shift
			src := []byte("[,\"" + strings.Repeat("-", at-3) + bad + "\"]")
			var p *Problem
			if err := Check(src, 64, nil, nil); !errors.As(err, &p) || p.Kind != Encoding || p.Offset != at {
				t.Errorf("%q at %d: %v", bad, at, err)
			}
		}
	}
}

// FuzzCheck: a verdict does not depend on white space around the document, the
// input is not written to, and a problem stands inside the document.
func FuzzCheck(f *testing.F) {
	for _, r := range refused {
		if len(r.in) < 1000 {
			f.Add([]byte(r.in))
		}
	}
	for _, r := range accepted {
		f.Add([]byte(r.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		was := bytes.Clone(in)
		err := Check(in, 10, nil, nil)
		if !bytes.Equal(in, was) {
			t.Fatal("the input was changed")
		}
		var p *Problem
		if err != nil && (!errors.As(err, &p) || p.Offset < 0 || p.Offset > len(in)) {
			t.Fatal(err)
		}
		var q *Problem
		errors.As(Check(append(was, " \r\n\t"...), 10, nil, nil), &q)
		if (p == nil) != (q == nil) || p != nil && p.Kind != q.Kind {
			t.Fatalf("%v, but with white space behind it %v", p, q)
		}
	})
}
