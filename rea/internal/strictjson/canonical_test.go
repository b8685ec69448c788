package strictjson

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"rea.example/rea/internal/tree"
)

var canonical = []struct {
	line     int
	in, want string
}{
	{line(), ` { } `, `{}`}, {line(), `[ ]`, `[]`}, {line(), `[ null , true,false ]`, `[null,true,false]`},
	{line(), `{"b":1,"a":{"d":[],"c":{}}}`, `{"a":{"c":{},"d":[]},"b":1}`},
	// The example of RFC 8785 section 3.2.3, with € before the ligature but
	// after the emoji, whose first code unit is smaller.
	{line(), `{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
		`{"\r":"Carriage Return","1":"One","` + "\u0080" + `":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","` + "\ufb33" + `":"Hebrew Letter Dalet With Dagesh"}`},
	{line(), `{"10":1,"9":2,"":3,"__proto__":4,"B":5,"a":6}`, `{"":3,"10":1,"9":2,"B":5,"__proto__":4,"a":6}`},
	{line(), `{"\udc00":1,"\ud800":2,"\ue000":3,"\ud83d\ude00":4,"\ud7ff":5}`, `{"` + "\ud7ff" + `":5,"\ud800":2,"😀":4,"\udc00":1,"` + "\ue000" + `":3}`},
	{line(), `{"\u0062":1,"a":2,"\u0061\u0061":3}`, `{"a":2,"aa":3,"b":1}`},
	{line(), `["\/\u002f\u0041\u00E9\u2028\u007F"]`, `["//Aé` + "\u2028\x7f" + `"]`},
	{line(), `["\u0000\u0007\u0008\u0009\u000a\u000b\u000c\u000d\u000e\u001F\u0022\u005c\b\t\n\f\r\"\\"]`,
		`["\u0000\u0007\b\t\n\u000b\f\r\u000e\u001f\"\\\b\t\n\f\r\"\\"]`},
	{line(), `["\u001A\u001a\u000B\u000F\u0010"]`, `["\u001a\u001a\u000b\u000f\u0010"]`},
	{line(), `["\uD83D\uDE00\ud83d\ude00","\uD83D","\uDE00\uD83D","\ud83dx\ude00","\uD83D\ud83d\ude00"]`,
		`["😀😀","\ud83d","\ude00\ud83d","\ud83dx\ude00","\ud83d😀"]`},
	{line(), `["\ud83d\\ude00","\ud83d\n","\ud83d\u0041","\\ud83d\ude00"]`, `["\ud83d\\ude00","\ud83d\n","\ud83dA","\\ud83d\ude00"]`},
	{line(), `["\ud7ff\ue000\uD7FF\uE000\ud800\udbff\udc00\udfff"]`,
		`["` + "\ud7ff\ue000\ud7ff\ue000" + `\ud800` + "\U0010fc00" + `\udfff"]`},
	{line(), `["a\/b\\c\"d\u0065","\\\\\/"]`, `["a/b\\c\"de","\\\\/"]`},
	{line(), `[1.0,-0,1e2,0.10]`, `[1,0,100,0.1]`},
	{line(), manyNames(30, `"\u0061":0`), ""},
}

func TestCanonical(t *testing.T) {
	for _, r := range canonical {
		v, err := Parse([]byte(r.in), 64)
		if err != nil {
			t.Fatalf("line %d: %v", r.line, err)
		}
		got := string(AppendCanonical([]byte("x"), &v))
		if r.want != "" && got != "x"+r.want {
			t.Errorf("line %d: %s\nwant %s", r.line, got, r.want)
		}
		// Decoded text is written as Raw text is.
		decode(&v)
		if again := string(AppendCanonical([]byte("x"), &v)); again != got {
			t.Errorf("line %d: decoded %s\nraw %s", r.line, again, got)
		}
	}
}

func decode(v *tree.Value) {
	if v.Kind == tree.String {
		v.Text, v.Raw = v.Decode(), false
	}
	for i := range v.Items {
		decode(&v.Items[i])
	}
}

func TestCanonicalOfManyMembers(t *testing.T) {
	v, err := Parse([]byte(manyNames(100, `"a":0`)), 64)
	if err != nil {
		t.Fatal(err)
	}
	got := string(AppendCanonical(nil, &v))
	if !strings.HasPrefix(got, `{"a":0,"a0":0,"a1":0,"a10":0,"a11":0,`) || !strings.HasSuffix(got, `,"a98":0,"a99":0}`) {
		t.Error(got)
	}
}

func TestAppendString(t *testing.T) {
	for _, r := range []struct {
		line     int
		in, want string
	}{
		{line(), "", `""`},
		{line(), "0123456789abcdef", `"0123456789abcdef"`},
		{line(), "01234567\"89abcdef\\", `"01234567\"89abcdef\\"`},
		{line(), "\x00\x1f\b\t\n\f\r\x7f <>&'/", `"\u0000\u001f\b\t\n\f\r` + "\x7f" + ` <>&'/"`},
		{line(), "é€😀\u2028\ufffd", `"é€😀` + "\u2028\ufffd" + `"`},
		{line(), "\xed\xa0\xbd", `"\ud83d"`},
		{line(), "a\xed\xb8\x80\xed\xa0\xbdb", `"a\ude00\ud83db"`},
		{line(), "\xed\xa0\xbd\xed\xb8\x80", `"😀"`}, // two halves that came together
		{line(), "\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80", `"\ud83d😀"`},
		{line(), "a\xffb\xc3", `"a` + "\ufffd" + `b` + "\ufffd" + `"`}, // not text at all
		{line(), "\xed", `"` + "\ufffd" + `"`},
	} {
		if got := string(AppendString(nil, r.in)); got != r.want {
			t.Errorf("line %d: %s, want %s", r.line, got, r.want)
		}
	}
	// Whatever byte stands wherever in a word.
	for c := range 0x80 {
		for i := range 20 {
			in := strings.Repeat("-", i) + string(rune(c)) + strings.Repeat("~", 19-i)
			if again, err := Parse(AppendString(nil, in), 0); err != nil || !again.Is(in) {
				t.Errorf("%q is written as %s", in, AppendString(nil, in))
			}
		}
	}
}

func TestAppendValue(t *testing.T) {
	v, err := Parse([]byte(`{"b":1.0,"a":[]}`), 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []struct {
		line int
		in   any
		want string
	}{
		{line(), nil, `null`}, {line(), true, `true`}, {line(), false, `false`},
		{line(), 0, `0`}, {line(), -5, `-5`}, {line(), int64(1<<53 - 1), `9007199254740991`},
		{line(), int64(math.MaxInt64), `9223372036854776000`}, {line(), int64(math.MinInt64), `-9223372036854776000`},
		{line(), "a\n\xed\xa0\x80", `"a\n\ud800"`},
		{line(), []any(nil), `[]`}, {line(), []any{nil, []any{}, "x"}, `[null,[],"x"]`},
		{line(), []string(nil), `[]`}, {line(), []string{"b", "a"}, `["b","a"]`}, {line(), []int{3, 1}, `[3,1]`},
		{line(), map[string]any(nil), `{}`},
		{line(), map[string]any{"\uffff": 1, "😀": 2, "b": map[string]any{}, "": []int{}}, `{"":[],"b":{},"😀":2,"` + "\uffff" + `":1}`},
		{line(), v, `{"a":[],"b":1}`}, {line(), []any{&v}, `[{"a":[],"b":1}]`}, {line(), (*tree.Value)(nil), `null`},
	} {
		if got := string(AppendValue(nil, r.in)); got != r.want {
			t.Errorf("line %d: %s, want %s", r.line, got, r.want)
		}
	}
	defer func() {
		if got := fmt.Sprint(recover()); got != "strictjson: no canonical form for a float64" {
			t.Error(got)
		}
	}()
	AppendValue(nil, 1.5)
}

// FuzzText: Raw text is written as the text that it decodes to, and reads back.
func FuzzText(f *testing.F) {
	for _, r := range canonical {
		f.Add([]byte(r.in))
	}
	f.Add([]byte(`"\uD83D\uDE00\ud83d\ude00 \uD83D \uDE00\/\u001F"`))
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := Parse(append(append([]byte{'"'}, in...), '"'), 0)
		if err != nil {
			return
		}
		text := v.Decode()
		raw, plain := appendText(nil, &v), AppendString(nil, text)
		if !bytes.Equal(raw, plain) {
			t.Fatalf("raw %s, decoded %s", raw, plain)
		}
		if again, err := Parse(plain, 0); err != nil || again.Decode() != text {
			t.Fatalf("%q reads back as %q, %v", text, again.Decode(), err)
		}
	})
}
