package tree

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// line is where a row of a table stands.
func line() int {
	_, _, n, _ := runtime.Caller(1)
	return n
}

var spellings = []struct {
	line      int
	raw       string // between the quotes
	want      string // WTF-8
	surrogate bool   // whether a lone surrogate is in it
}{
	{line(), ``, "", false},
	{line(), `plain é😀`, "plain é😀", false},
	{line(), `\"\\\/\b\f\n\r\t`, "\"\\/\b\f\n\r\t", false},
	{line(), `a\u0041\u00e9\u20AC\uFFFFz`, "aAé€\uffffz", false},
	{line(), `\u0000`, "\x00", false},
	{line(), `\ud83d\ude00`, "😀", false},
	{line(), `\uD83D\uDE00!`, "😀!", false},
	{line(), `\udbff\udfff\ud800\udc00`, "\U0010ffff\U00010000", false},
	{line(), `\ud83d`, "\xed\xa0\xbd", true},
	{line(), `\ude00`, "\xed\xb8\x80", true},
	{line(), `\ude00\ud83d`, "\xed\xb8\x80\xed\xa0\xbd", true},
	{line(), `\ud83d\ud83d\ude00`, "\xed\xa0\xbd😀", true},
	{line(), `\ud83d\\ude00`, "\xed\xa0\xbd\\ude00", true},
	{line(), `\ud83dude00`, "\xed\xa0\xbdude00", true},
	{line(), `\ud83d\n`, "\xed\xa0\xbd\n", true},
	{line(), `\ud83d\u0041`, "\xed\xa0\xbdA", true},
	{line(), `\ud7ff\ue000\ufffd`, "\ud7ff\ue000\ufffd", false},
	{line(), `\\u0041\\\\n\\`, `\u0041\\n\`, false},
}

// spelt is a string as a source spells it, and decoded one of decoded text.
func spelt(raw string) *Value { return &Value{Kind: String, Text: raw, Raw: true} }
func decoded(s string) *Value { return &Value{Kind: String, Text: s} }

func TestUnescape(t *testing.T) {
	for _, r := range spellings {
		if got := Unescape(r.raw); got != r.want {
			t.Errorf("line %d: %q, want %q", r.line, got, r.want)
		}
		if got := spelt(r.raw).Decode(); got != r.want {
			t.Errorf("line %d: Decode of Raw text gives %q", r.line, got)
		}
		if got := decoded(r.raw).Decode(); got != r.raw {
			t.Errorf("line %d: Decode of decoded text gives %q", r.line, got)
		}
		if got := HasLoneSurrogate(r.want); got != r.surrogate {
			t.Errorf("line %d: HasLoneSurrogate is %v", r.line, got)
		}
	}
}

func TestIs(t *testing.T) {
	for _, r := range spellings {
		text := spelt(r.raw)
		if !text.Is(r.want) || text.Is(r.want+"x") || text.Is("x"+r.want) {
			t.Errorf("line %d: Raw text is not what it decodes to, or something else", r.line)
		}
		// A spelling with escapes is never its own meaning.
		if text.Is(r.raw) != (r.raw == r.want) {
			t.Errorf("line %d: Raw text is its spelling: %v", r.line, text.Is(r.raw))
		}
		if plain := decoded(r.raw); !plain.Is(r.raw) || plain.Is(r.want) != (r.raw == r.want) {
			t.Errorf("line %d: decoded text is not itself, or something else", r.line)
		}
	}
}

func TestHasLoneSurrogate(t *testing.T) {
	for _, r := range []struct {
		line int
		in   string
		want bool
	}{
		{line(), "\ud7ff\xed\x9f\xbf한", false}, // lead byte 0xed, and no surrogate
		{line(), "\ud7ff\xed\xa0\x80", true},
		{line(), "한글 \xed\xbf\xbf", true},
		{line(), "\xed", false},
		{line(), "한\xed\xa0", false},
	} {
		if got := HasLoneSurrogate(r.in); got != r.want {
			t.Errorf("line %d: %v", r.line, got)
		}
	}
}

func TestSurrogatesRoundTrip(t *testing.T) {
	for r := rune(0xd7fe); r < 0xe002; r++ {
		b := string(AppendWTF8(nil, r))
		got, ok := SurrogateAt(b)
		if lone := 0xd800 <= r && r < 0xe000; ok != lone || lone && got != r || len(b) != 3 {
			t.Fatalf("%U is %x, and then %U, %v", r, b, got, ok)
		}
		if !lone(r) && b != string(r) {
			t.Fatalf("%U is %x", r, b)
		}
	}
}

func lone(r rune) bool { return 0xd800 <= r && r < 0xe000 }

// encode gives the code units of WTF-8 text, one code point after the other, by
// way of the library.
func encode(s string) (u []uint16) {
	for s != "" {
		if r, ok := SurrogateAt(s); ok {
			u, s = append(u, uint16(r)), s[3:]
			continue
		}
		r := []rune(s[:min(4, len(s))])[0]
		u, s = append(u, utf16.Encode([]rune{r})...), s[len(string(r)):]
	}
	return u
}

// ordered are texts in the order of their UTF-16 code units.
var ordered = []string{
	"", "\x00", "A", "AA", "A\x7f", "Aé", "A한", "A\xed\xa0\x80", "A\U00010000", "A\U00010000\ue000", "A😀", "A\U0010ffff", "A\xed\xbf\xbf", "A\ue000", "A\uffff",
	"B", "a", "é", "€", "\ud7ff", "\xed\xa0\x80", "\xed\xa0\x80A", "\U00010000", "\xed\xa0\x80\ue000", "\xed\xa0\xbd", "\xed\xa0\xbdA", "😀", "\xed\xa0\xbd\ue000", "\xed\xa0\xbe",
	"\U0010ffff", "\xed\xb0\x80", "\xed\xbf\xbf", "\ue000", "\ufb33", "\uffff", "\uffff\U00010000",
}

func TestCompareUTF16(t *testing.T) {
	for i, a := range ordered {
		for j, b := range ordered {
			if got, want := CompareUTF16(a, b), cmp.Compare(i, j); got != want {
				t.Errorf("%q and %q: %d, want %d", a, b, got, want)
			}
		}
	}
}

// FuzzCompareUTF16: the order is that of the code units.
func FuzzCompareUTF16(f *testing.F) {
	for i := range ordered[1:] {
		f.Add(ordered[i], ordered[i+1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = wellFormed(a), wellFormed(b)
		if got, want := CompareUTF16(a, b), slices.Compare(encode(a), encode(b)); got != want {
			t.Errorf("%q and %q: %d, want %d", a, b, got, want)
		}
	})
}

// wellFormed makes WTF-8 of any bytes: a lone surrogate stays, the halves of a
// pair that stand together become one, and all else is UTF-8.
func wellFormed(s string) string {
	var escapes strings.Builder
	for s != "" {
		n := 1
		if _, ok := SurrogateAt(s); ok {
			n = 3
			const hex = "0123456789abcdef"
			r, _ := SurrogateAt(s)
			escapes.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				escapes.WriteByte(hex[r>>shift&15])
			}
		} else {
			for n < len(s) && s[n] != 0xed {
				n++
			}
			escapes.WriteString(strings.ReplaceAll(strings.ToValidUTF8(s[:n], "?"), `\`, `\\`))
		}
		s = s[n:]
	}
	return Unescape(escapes.String())
}

// FuzzIs: text is what it decodes to, and nothing else.
func FuzzIs(f *testing.F) {
	for _, r := range spellings {
		f.Add(r.raw, r.want)
		f.Add(r.raw, r.raw)
	}
	f.Fuzz(func(t *testing.T, raw, s string) {
		if strings.HasSuffix(strings.ReplaceAll(raw, `\\`, ""), `\`) || strings.Contains(raw, `\u`) {
			return // not the inside of a string, or perhaps not
		}
		text := spelt(raw)
		if got, want := text.Is(s), text.Decode() == s; got != want {
			t.Errorf("%q is %q: %v", raw, s, got)
		}
	})
}
