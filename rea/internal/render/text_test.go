package render

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// spelt is what must never reach a terminal as itself, by kind.
var spelt = []struct {
	kind     string
	from, to rune
}{
	{"C0", 0x00, 0x1f},
	{"DEL", 0x7f, 0x7f},
	{"C1", 0x80, 0x9f},
	{"line separator", 0x2028, 0x2028},
	{"paragraph separator", 0x2029, 0x2029},
	{"Arabic letter mark", 0x061c, 0x061c},
	{"left-to-right and right-to-left marks", 0x200e, 0x200f},
	{"embeddings and overrides", 0x202a, 0x202e},
	{"isolates", 0x2066, 0x2069},
	{"soft hyphen", 0x00ad, 0x00ad},
	{"combining grapheme joiner", 0x034f, 0x034f},
	{"Hangul fillers", 0x115f, 0x1160},
	{"Khmer inherent vowels", 0x17b4, 0x17b5},
	{"Mongolian selectors and separator", 0x180b, 0x180f},
	{"zero-width space, non-joiner, joiner", 0x200b, 0x200d},
	{"word joiner and invisible operators", 0x2060, 0x2064},
	{"deprecated format characters", 0x206a, 0x206f},
	{"Hangul filler", 0x3164, 0x3164},
	{"variation selectors", 0xfe00, 0xfe0f},
	{"byte-order mark", 0xfeff, 0xfeff},
	{"halfwidth Hangul filler", 0xffa0, 0xffa0},
	{"interlinear annotation", 0xfff9, 0xfffb},
	{"shorthand format controls", 0x1bca0, 0x1bca3},
	{"musical format controls", 0x1d173, 0x1d17a},
	{"tags", 0xe0001, 0xe0001},
	{"tag characters", 0xe0020, 0xe007f},
	{"variation selectors supplement", 0xe0100, 0xe01ef},
}

func TestEscapeSpellsOut(t *testing.T) {
	short := map[rune]string{'\t': `\t`, '\n': `\n`, '\r': `\r`}
	for _, c := range spelt {
		for r := c.from; r <= c.to; r++ {
			want := short[r]
			switch {
			case want != "":
			case r > 0xffff:
				want = fmt.Sprintf(`\u{%x}`, r)
			default:
				want = fmt.Sprintf(`\u%04x`, r)
			}
			if got := Escape("a" + string(r) + "b"); got != "a"+want+"b" {
				t.Errorf("%s: Escape of %U gives %q", c.kind, r, got)
			}
		}
	}
}

// Over all of Unicode: what is drawn stays, what takes no cell of its own and is
// no combining mark is spelt out.
func TestEscapeAllOfUnicode(t *testing.T) {
	listed := map[rune]bool{}
	for _, c := range spelt {
		for r := c.from; r <= c.to; r++ {
			listed[r] = true
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		s := string(r)
		kept := Escape(s) == s
		switch {
		case listed[r] && kept:
			t.Errorf("%U is kept", r)
		case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control, unicode.Join_Control) && kept:
			t.Errorf("%U controls and is kept", r)
		case !kept && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Zs) && uniseg.StringWidth(s) > 0 &&
			!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
			t.Errorf("%U is drawn and was spelt out", r)
		}
	}
}

func TestEscapeWhatIsNoCharacter(t *testing.T) {
	for in, want := range map[string]string{
		"":                                  "",
		"plain text, 'quoted' \"too\" \\ ~": "plain text, 'quoted' \"too\" \\ ~",
		"é 漢字 👍🏽 \u0600":                    "é 漢字 👍🏽 \u0600",
		"\xed\xa0\x80\xed\xbf\xbf":          `\ud800\udfff`,
		"a\xffb":                            "a\ufffdb",
		"\xc3":                              "\ufffd",
		"\x1b]0;title\x07":                  `\u001b]0;title\u0007`,
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, c := range spelt {
		f.Add("a"+string(c.from)+string(c.to), 10)
	}
	f.Add("https://h.example/"+strings.Repeat("漢e\u0301👩", 30), 17)
	f.Add("\xed\xa0\x80\xff", 1)
	f.Fuzz(func(t *testing.T, s string, cells int) {
		e := Escape(s)
		if !utf8.ValidString(e) || Escape(e) != e {
			t.Fatalf("Escape(%q) = %q, which isn't final", s, e)
		}
		for _, r := range e {
			if hidden(r) {
				t.Fatalf("Escape(%q) holds %U", s, r)
			}
		}
		cells = max(0, min(cells, 300))
		short := shorten(e, cells)
		if n := width(short); n > cells {
			t.Fatalf("shorten(%q, %d) = %q of %d cells", e, cells, short, n)
		}
		if width(e) <= cells && len(e) <= 32*cells && short != e {
			t.Fatalf("shorten(%q, %d) = %q, but all of it fits", e, cells, short)
		}
		if short != e && cells > 0 {
			front, back, ok := strings.Cut(short, ellipsis)
			if !ok || !strings.HasPrefix(e, front) || !strings.HasSuffix(e, back) && !strings.Contains(e, ellipsis) {
				t.Fatalf("shorten(%q, %d) = %q", e, cells, short)
			}
		}
	})
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text  string
		cells int
		want  string
	}{
		{"", 5, ""},
		{"abcde", 5, "abcde"},
		{"abcdef", 5, "ab…ef"},
		{"abcdef", 4, "ab…f"},
		{"abcdef", 1, "…"},
		{"abcdef", 0, ""},
		{"漢字漢字", 8, "漢字漢字"},
		{"漢字漢字", 7, "漢…字"},
		{"漢字漢字", 6, "漢…字"},
		{"ae\u0301oe\u0301uy", 5, "ae\u0301…uy"},
		{"👍🏽👍🏽👍🏽", 5, "👍🏽…👍🏽"},
	} {
		if got := shorten(c.text, c.cells); got != c.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", c.text, c.cells, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		cells int
		want  string
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"one two three", 100, "one two three"},
		{"a /very/long/path/that/stands/alone b", 10, "a|/very/long/path/that/stands/alone|b"},
		{"two  blanks", 100, "two  blanks"},
		{"漢字 漢字 漢字", 9, "漢字 漢字|漢字"},
	} {
		if got := strings.Join(wrap(c.text, c.cells), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.cells, got, c.want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "0": "0", "999": "999", "1000": "1,000", "33554432": "33,554,432", "1e+21": "1e+21", "-1000": "-1000", "12.5000": "12.5000",
	} {
		if got := grouped(in); got != want {
			t.Errorf("grouped(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{
		"":                  "PATH",
		"/data/a-b_c.1.har": "/data/a-b_c.1.har",
		"/data/a b.har":     "'/data/a b.har'",
		"/data/it's.har":    `'/data/it'\''s.har'`,
		"/data/$(x)`y`.har": "'/data/$(x)`y`.har'",
		"/data/ü.har":       "'/data/ü.har'",
		"/data/a\nb.har":    "PATH",
		"/data/\u202ex":     "PATH",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", in, got, want)
		}
	}
}
