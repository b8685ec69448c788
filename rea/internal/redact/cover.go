package redact

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"rea.example/rea/internal/tree"
)

// covers are what may stand in place of a literal, in order of preference.
var covers = []string{"[REDACTED]", "…", ""}

// Cover takes a sentence that this program wrote, and replaces the literals
// in it, longest first, by the first of covers that holds no literal itself.
// Where a literal appears even so, formed by what was left around a cover,
// nothing of the sentence is kept.
func (d *Declarations) Cover(text string) string {
	if !d.InText(text) {
		return text
	}
	cover := covers[slices.IndexFunc(covers, func(c string) bool { return !d.InText(c) })]
	for _, l := range d.unique {
		text = replace(text, l, cover)
	}
	if d.InText(text) {
		return ""
	}
	return text
}

// replace replaces every occurrence by UTF-16 code units.
func replace(text, literal, with string) string {
	s := split(literal)
	if !s.isSplit() {
		return strings.ReplaceAll(text, literal, with)
	}
	if !s.in(text) {
		return text
	}
	u, l, w := units(text), units(literal), units(with)
	var out []uint16
	for len(u) >= len(l) {
		if slices.Equal(u[:len(l)], l) {
			out, u = append(out, w...), u[len(l):]
		} else {
			out, u = append(out, u[0]), u[1:]
		}
	}
	return text16(append(out, u...))
}

// units gives the UTF-16 code units of WTF-8 text.
func units(s string) []uint16 {
	var u []uint16
	for s != "" {
		if r, ok := tree.SurrogateAt(s); ok {
			u, s = append(u, uint16(r)), s[3:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		u, s = utf16.AppendRune(u, r), s[n:]
	}
	return u
}

// text16 gives the WTF-8 of UTF-16 code units.
func text16(u []uint16) string {
	var b []byte
	for i := 0; i < len(u); i++ {
		r := rune(u[i])
		if i+1 < len(u) {
			if pair := utf16.DecodeRune(r, rune(u[i+1])); pair != utf8.RuneError {
				r = pair
				i++
			}
		}
		b = tree.AppendWTF8(b, r)
	}
	return string(b)
}
