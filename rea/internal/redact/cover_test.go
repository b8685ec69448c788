package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCover(t *testing.T) {
	for _, c := range []struct {
		name     string
		literals []string
		text     string
		want     string
	}{
		{"nothing to cover", []string{"secret"}, "plain", "plain"},
		{"the marker", []string{"secret"}, "a secret, a secret", "a [REDACTED], a [REDACTED]"},
		{"longest first", []string{"sec", "secret"}, "secret sec", "[REDACTED] [REDACTED]"},
		{"duplicates", []string{"secret", "secret"}, "secret", "[REDACTED]"},
		{"the marker holds a literal", []string{"secret", "RED"}, "a secret", "a …"},
		{"the marker holds a bracket", []string{"["}, "a[0]", "a…0]"},
		{"both markers hold literals", []string{"secret", "ACT", "…"}, "a secret…", "a "},
		{"a literal appears around the cover", []string{"ab", "[", "…"}, "aabb", ""},
		{"a literal appears in front of the marker", []string{"a[R", "s"}, "as", ""},
		{"one letter", []string{"a"}, "all records are validated", "[REDACTED]ll records [REDACTED]re v[REDACTED]lid[REDACTED]ted"},
		{"whole text", []string{"the whole"}, "the whole", "[REDACTED]"},
		{"half of a pair", []string{high}, "a" + emoji, "a[REDACTED]" + low},
		{"both halves", []string{high, low}, emoji, "[REDACTED][REDACTED]"},
		{"half of a pair, a pair is formed", []string{low + high, "[", "…"}, emoji + emoji, emoji},
		{"half of a pair, a literal is formed", []string{low + high, "[", "…", "a" + emoji + "b"}, "a" + emoji + emoji + "b", ""},
	} {
		d := NewDeclarations(c.literals)
		if got := d.Cover(c.text); got != c.want {
			t.Errorf("%s: Cover(%q) = %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// Whatever is declared, nothing of it is in a covered text, and a text without
// it is not touched.
func TestCoverLeavesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	pieces := []string{"a", "b", "[", "]", "RE", "DACTED", "…", emoji, high, low, " "}
	word := func(n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return wellFormed(b.String())
	}
	for range 20000 {
		literals := []string{word(3), word(2), word(4)}[:1+r.IntN(3)]
		text := word(10)
		d := NewDeclarations(literals)
		got := d.Cover(text)
		for _, l := range literals {
			if naive(got, l) {
				t.Fatalf("Cover(%q) = %q holds %q of %q", text, got, l, literals)
			}
		}
		if !d.InText(text) && got != text {
			t.Fatalf("Cover(%q) = %q without a literal of %q", text, got, literals)
		}
	}
}
