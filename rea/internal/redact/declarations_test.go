package redact

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"rea.example/rea/internal/tree"
)

const (
	high  = "\xed\xa0\xbd" // U+D83D
	low   = "\xed\xb8\x80" // U+DE00
	emoji = "😀"            // the pair of both
)

var inText = []struct {
	literal, text string
	want          bool
}{
	{"secret", "a secret b", true},
	{"secret", "a Secret b", false},
	{"secret", "secre", false},
	{"", "anything", false},
	{"é", "caf\u00e9", true},
	{"é", "cafe\u0301", false},
	{"\ufffd", "a\ufffdb", true},
	{"\ufffd", "a" + high + "b", false},
	{high, "\ufffd", false},
	{emoji, "x" + emoji, true},
	{emoji, high, false},
	{high, emoji, true},
	{low, emoji, true},
	{low, "x" + low, true},
	{"\xed\xb8\x81", emoji, false},
	{"\xed\xa0\xbc", emoji, false},
	{"a" + high, "a" + emoji, true},
	{"a" + high, "b" + emoji, false},
	{low + "b", emoji + "b", true},
	{low + "b", emoji + "c", false},
	{low + high, emoji + emoji, true},
	{low + high, emoji, false},
	{low + "é" + high, emoji + "éé" + emoji + "é" + emoji, true},
	{"a" + high + "b", "a" + high + "b", true},
	{"a" + high + "b", "a" + emoji + "b", false},
	{low + low, emoji + low, true},
}

func TestInText(t *testing.T) {
	filler := fillers(50)
	for _, c := range inText {
		for _, literals := range [][]string{{c.literal}, append([]string{c.literal}, filler...)} {
			d := NewDeclarations(literals)
			if got := d.InText(c.text); got != c.want {
				t.Errorf("%q among %d literals in %q: %v", c.literal, len(literals), c.text, got)
			}
			wantBytes := c.want && utf8.ValidString(c.literal)
			if got := d.InBytes([]byte(c.text)); got != wantBytes {
				t.Errorf("%q among %d literals in the bytes of %q: %v", c.literal, len(literals), c.text, got)
			}
		}
	}
}

// fillers are literals that occur in none of the tables.
func fillers(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("filler<%d>", i), fmt.Sprintf("¤%c", rune(0x4e00+i)))
	}
	return out
}

func TestNoDeclarations(t *testing.T) {
	for _, d := range []*Declarations{nil, NewDeclarations(nil), NewDeclarations([]string{""})} {
		s := d.NewSearcher()
		_, _ = s.Write([]byte("text"))
		if !d.Empty() || d.InText("text") || d.InText("") || d.InBytes([]byte("text")) || s.Found() || d.Cover("text") != "text" {
			t.Errorf("%v matches something", d)
		}
	}
	if n := NewDeclarations([]string{"a", "b", "a"}).Count(); n != 3 {
		t.Errorf("Count = %d, want the number as declared", n)
	}
	var none *Declarations
	if none.Count() != 0 {
		t.Error("nil counts something")
	}
}

// naive is the definition: a substring of UTF-16 code units.
func naive(text, literal string) bool {
	u, l := units(text), units(literal)
	for i := 0; i+len(l) <= len(u); i++ {
		if slices.Equal(u[i:i+len(l)], l) {
			return len(l) > 0
		}
	}
	return false
}

// wellFormed joins halves that stand side by side, as every reader does.
func wellFormed(s string) string { return text16(units(s)) }

// TestInTextIsNaive compares with the definition over texts made of few
// pieces, so that near misses and overlaps are frequent.
func TestInTextIsNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	pieces := []string{"a", "b", "ab", "é", "€", emoji, "😁", high, low, "\xed\xa0\x80", "\ufffd", "/"}
	word := func(n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return wellFormed(b.String())
	}
	found := 0
	for range 20000 {
		literals := make([]string, 1+r.IntN(30))
		for i := range literals {
			literals[i] = word(6)
		}
		text := word(12)
		d := NewDeclarations(literals)
		want := slices.ContainsFunc(literals, func(l string) bool { return naive(text, l) })
		if got := d.InText(text); got != want {
			t.Fatalf("%q in %q: %v", literals, text, got)
		}
		if want {
			found++
		}
		b := []byte(text)
		want = slices.ContainsFunc(literals, func(l string) bool {
			return utf8.ValidString(l) && bytes.Contains(b, []byte(l))
		})
		if got := d.InBytes(b); got != want {
			t.Fatalf("%q in the bytes of %q: %v", literals, text, got)
		}
	}
	if found < 1000 || found > 19000 {
		t.Errorf("%d of 20000 texts hold a literal: the law was hardly tried", found)
	}
}

func TestManyLiterals(t *testing.T) {
	const n = 10000
	literals := make([]string, n)
	for i := range literals {
		literals[i] = fmt.Sprintf("https://h.example/token/%d?", i)
	}
	d := NewDeclarations(literals)
	text := strings.Repeat("https://h.example/token/x https://h.example/token/12 ", 2000)
	if d.InText(text) {
		t.Error("found a literal that isn't there")
	}
	for _, i := range []int{0, 1, 12, 4711, n - 1} {
		if !d.InText(text + literals[i]) {
			t.Errorf("literal %d was not found at the end", i)
		}
	}
}

func FuzzInText(f *testing.F) {
	for _, c := range inText {
		f.Add(c.literal, "filler", c.text)
	}
	f.Fuzz(func(t *testing.T, a, b, text string) {
		if !utf8.ValidString(text) || !utf8.ValidString(a) || !utf8.ValidString(b) {
			return // the law is about decoded text
		}
		// Take some letters for surrogates, which a fuzzer can't write.
		halves := strings.NewReplacer("H", high, "L", low)
		a, b, text = wellFormed(halves.Replace(a)), wellFormed(halves.Replace(b)), wellFormed(halves.Replace(text))
		want := naive(text, a) || naive(text, b)
		for _, literals := range [][]string{{a, b}, append([]string{a, b}, fillers(10)...)} {
			if strings.Contains(text, "filler<") || strings.Contains(text, "¤") {
				literals = literals[:2]
			}
			if got := NewDeclarations(literals).InText(text); got != want {
				t.Fatalf("%q in %q: %v", literals, text, got)
			}
		}
	})
}

func TestSearcherAcrossSeams(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, literal := range []string{"x", "needle", strings.Repeat("long", 10000)} {
		for _, many := range []bool{false, true} {
			literals := []string{literal}
			if many {
				literals = append(literals, fillers(20)...)
			}
			d := NewDeclarations(literals)
			for _, at := range []int{0, 1, windowBytes - 3, windowBytes, 3*windowBytes - 1} {
				body := []byte(strings.Repeat("-", at) + literal + "--")
				for _, with := range []bool{true, false} {
					if !with {
						body[at] = '-'
					}
					s := d.NewSearcher()
					for rest := body; len(rest) > 0; {
						n := min(len(rest), 1+r.IntN(1+len(body)/7))
						if k, err := s.Write(rest[:n]); k != n || err != nil {
							t.Fatal(k, err)
						}
						rest = rest[n:]
						if r.IntN(3) == 0 {
							s.Found()
						}
					}
					if found := s.Found(); found != with || s.Found() != found {
						t.Fatalf("literal of %d bytes at %d: found %v, want %v", len(literal), at, s.Found(), with)
					}
				}
			}
		}
	}
}

func TestSplitKeepsInteriorSurrogates(t *testing.T) {
	if s := split("a" + high + "b"); s.isSplit() || !tree.HasLoneSurrogate(s.body) {
		t.Errorf("split = %+v", s)
	}
}

func BenchmarkInText(b *testing.B) {
	text := strings.Repeat(`{"name":"x-request-id","value":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"},`, 1<<17)
	for _, n := range []int{1, 8, 100, 10000} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		literals := make([]string, n)
		for i := range literals {
			literals[i] = fmt.Sprintf("%08x%08x", r.Uint32(), r.Uint32())
		}
		d := NewDeclarations(literals)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for range b.N {
				d.InText(text)
			}
		})
	}
}
