package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"rea.example/rea/internal/tree"
)

// ellipsis stands where text was shortened; it takes one cell.
const ellipsis = "…"

// Escape spells out every character of decoded text (WTF-8) that could act on
// a terminal or can't be seen there: controls (C0, DEL, C1), line and paragraph
// separators, bidirectional controls, zero-width and other ignorable
// characters, and lone surrogates. Bytes that are no UTF-8 become U+FFFD.
func Escape(s string) string {
	i := 0
	for i < len(s) && ' ' <= s[i] && s[i] < 0x7f {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for s = s[i:]; s != ""; {
		if r, ok := tree.SurrogateAt(s); ok {
			fmt.Fprintf(&b, `\u%04x`, r)
			s = s[3:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		switch {
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// hidden says that a character controls, or can't be seen. Format characters
// (Cf) hold the bidirectional controls and most zero-width ones; those that
// are drawn, like the Arabic number sign, are not hidden.
func hidden(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' '
	case r < 0xa0:
		return true
	}
	return unicode.In(r, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// width is the number of terminal cells that escaped text takes.
func width(s string) int {
	if isASCII(s) {
		return len(s)
	}
	return uniseg.StringWidth(s)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// shorten takes the middle out of escaped text that is wider than so many
// cells, so that a URL keeps its host and its end. Nothing is cut inside a
// grapheme cluster.
func shorten(s string, cells int) string {
	if len(s) <= cells {
		return s // no character is wider than it has bytes
	}
	if cells < 1 {
		return ""
	}
	// No more is looked at than can matter, however long the text is.
	const most = 32 // bytes a cell
	if len(s) <= most*cells && width(s) <= cells {
		return s
	}
	front := cells / 2
	back := cells - 1 - front
	if isASCII(s) {
		return s[:front] + ellipsis + s[len(s)-back:]
	}
	head, n := "", 0
	for rest, state := s, -1; rest != "" && len(s)-len(rest) < most*cells; {
		var w int
		_, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if n += w; n > front {
			break
		}
		head = s[:len(s)-len(rest)]
	}
	tail := s[max(len(head), len(s)-most*cells):]
	for !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	n = uniseg.StringWidth(tail)
	for state := -1; n > back; {
		var w int
		_, tail, w, state = uniseg.FirstGraphemeClusterInString(tail, state)
		n -= w
	}
	return head + ellipsis + tail
}

// wrap breaks a sentence at blanks into lines of at most so many cells. A word
// that is wider stands alone.
func wrap(s string, cells int) []string {
	var lines []string
	line, n := "", 0
	for i, word := range strings.Split(s, " ") {
		w := width(word)
		switch {
		case i == 0:
			line, n = word, w
		case n+1+w <= cells:
			line, n = line+" "+word, n+1+w
		default:
			lines = append(lines, line)
			line, n = word, w
		}
	}
	return append(lines, line)
}

// grouped puts a comma between each three digits of a decimal integer, and
// leaves any other text as it is.
func grouped(digits string) string {
	if len(digits) < 4 || strings.Trim(digits, "0123456789") != "" {
		return digits
	}
	var b strings.Builder
	for i := 0; i < len(digits); i++ {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}
