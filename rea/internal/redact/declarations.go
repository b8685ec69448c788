package redact

import (
	"cmp"
	"slices"
	"strings"
	"unsafe"

	"rea.example/rea/internal/tree"
)

// Declarations are the literals that a caller marked as sensitive. The nil
// Declarations, and those of no literals, match nothing. They may be used by
// several goroutines at once.
type Declarations struct {
	count int
	// unique holds each literal once, longest first, as Cover needs them.
	unique []string
	// text finds the literals whose UTF-16 units are matched by their bytes;
	// split finds the rest.
	text  set
	split []splitLiteral
	// bytes finds the literals that have a UTF-8 form.
	bytes set
	// longest is the length in bytes of the longest literal in bytes.
	longest int
}

// NewDeclarations takes literals as WTF-8. Duplicates count, the empty literal
// counts and matches nothing.
func NewDeclarations(literals []string) *Declarations {
	d := &Declarations{count: len(literals)}
	seen := make(map[string]bool, len(literals))
	for _, l := range literals {
		if l != "" && !seen[l] {
			seen[l] = true
			d.unique = append(d.unique, l)
		}
	}
	slices.SortStableFunc(d.unique, func(a, b string) int {
		return cmp.Compare(unitLen(b), unitLen(a))
	})
	var text, utf8 []string
	for _, l := range d.unique {
		s := split(l)
		if s.isSplit() {
			d.split = append(d.split, s)
		} else {
			text = append(text, l)
		}
		if !tree.HasLoneSurrogate(l) {
			utf8 = append(utf8, l)
			d.longest = max(d.longest, len(l))
		}
	}
	d.text = newSet(text)
	d.bytes = d.text
	if len(utf8) != len(text) {
		d.bytes = newSet(utf8)
	}
	return d
}

// Count is the number of literals as they were declared. It is all that is
// ever kept of them.
func (d *Declarations) Count() int {
	if d == nil {
		return 0
	}
	return d.count
}

// Empty says that nothing can match.
func (d *Declarations) Empty() bool { return d == nil || len(d.unique) == 0 }

// InText says whether decoded text (WTF-8) holds a literal.
func (d *Declarations) InText(s string) bool {
	if d.Empty() {
		return false
	}
	if d.text.in(s) {
		return true
	}
	for _, l := range d.split {
		if l.in(s) {
			return true
		}
	}
	return false
}

// InBytes says whether b holds the UTF-8 form of a literal.
func (d *Declarations) InBytes(b []byte) bool {
	if d.Empty() || len(b) == 0 {
		return false
	}
	// The set only reads, and keeps nothing of what it reads.
	return d.bytes.in(unsafe.String(unsafe.SliceData(b), len(b)))
}

// unitLen is the number of UTF-16 code units of WTF-8 text.
func unitLen(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 0xf0:
			n += 2
		case c < 0x80 || c >= 0xc0:
			n++
		}
	}
	return n
}

// A splitLiteral begins with a lone low surrogate or ends with a lone high
// one. Those match the half of a pair too, and a pair is four bytes of which
// no run is the surrogate, so the bytes alone can't find it.
type splitLiteral struct {
	lead  rune // the low surrogate in front, or 0
	body  string
	trail rune // the high surrogate at the end, or 0
}

func split(literal string) splitLiteral {
	s := splitLiteral{body: literal}
	if r, ok := tree.SurrogateAt(literal); ok && r >= 0xdc00 {
		s.lead, s.body = r, literal[3:]
	}
	if n := len(s.body) - 3; n >= 0 {
		if r, ok := tree.SurrogateAt(s.body[n:]); ok && r < 0xdc00 {
			s.trail, s.body = r, s.body[:n]
		}
	}
	return s
}

func (s splitLiteral) isSplit() bool { return s.lead != 0 || s.trail != 0 }

func (s splitLiteral) in(text string) bool {
	for at := 0; at <= len(text); at++ {
		i := strings.Index(text[at:], s.body)
		if i < 0 {
			return false
		}
		at += i
		if at < len(text) && text[at]&0xc0 == 0x80 {
			continue // an empty body is found inside a character too
		}
		if (s.lead == 0 || lastUnit(text[:at]) == s.lead) &&
			(s.trail == 0 || firstUnit(text[at+len(s.body):]) == s.trail) {
			return true
		}
	}
	return false
}

// firstUnit is the first UTF-16 code unit of text if it is a surrogate, or 0.
func firstUnit(text string) rune {
	if r, ok := tree.SurrogateAt(text); ok {
		return r
	}
	if len(text) >= 4 && text[0] >= 0xf0 {
		high, _ := surrogates(text)
		return high
	}
	return 0
}

// lastUnit is the last UTF-16 code unit of text if it is a surrogate, or 0.
func lastUnit(text string) rune {
	if n := len(text) - 3; n >= 0 {
		if r, ok := tree.SurrogateAt(text[n:]); ok {
			return r
		}
	}
	if n := len(text) - 4; n >= 0 && text[n] >= 0xf0 {
		_, low := surrogates(text[n:])
		return low
	}
	return 0
}

// surrogates gives the pair of the four-byte character that begins text.
func surrogates(text string) (high, low rune) {
	r := rune(text[0]&7)<<18 | rune(text[1]&0x3f)<<12 | rune(text[2]&0x3f)<<6 | rune(text[3]&0x3f)
	r -= 0x10000
	return 0xd800 + r>>10, 0xdc00 + r&0x3ff
}
