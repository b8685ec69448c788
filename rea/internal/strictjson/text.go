package strictjson

import (
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"rea.example/rea/internal/tree"
)

const hex = "0123456789abcdef"

// appendText appends the text of a String in the form of RFC 8785 section 3.2.2.2.
// Raw text, or the parts of it that already have that form, is copied.
func appendText(dst []byte, v *tree.Value) []byte {
	if !v.Raw {
		return AppendString(dst, v.Text)
	}
	s := v.Text
	dst = append(dst, '"')
	done := 0 // s up to here is in dst
	for i := strings.IndexByte(s, '\\'); i >= 0; {
		n := escapeLen(s[i:])
		if n == 0 { // not as it should be
			dst = append(dst, s[done:i]...)
			dst, n = respell(dst, s[i:])
			done = i + n
		}
		i += n
		j := strings.IndexByte(s[i:], '\\')
		if j < 0 {
			break
		}
		i += j
	}
	dst = append(dst, s[done:]...)
	return append(dst, '"')
}

// escapeLen is the length of the escape that begins s, if it is spelled as the
// canonical form spells it, or else 0.
func escapeLen(s string) int {
	switch s[1] {
	case '/':
		return 0
	case 'u':
	default:
		return 2
	}
	for i := 2; i < 6; i++ {
		if 'A' <= s[i] && s[i] <= 'F' {
			return 0
		}
	}
	switch {
	case s[2:5] == "000" && strings.IndexByte("89acd", s[5]) < 0, // control characters without a
		s[2:5] == "001": // short escape
		return 6
	case s[2] == 'd' && s[3] >= 'c': // a low surrogate that no high one precedes
		return 6
	case s[2] == 'd' && s[3] >= '8' && !lowEscape(s[6:]): // a high one that no low one follows
		return 6
	}
	return 0
}

// lowEscape says whether s begins with an escaped low surrogate.
func lowEscape(s string) bool {
	return len(s) >= 6 && s[0] == '\\' && s[1] == 'u' && s[2]|0x20 == 'd' && (s[3]|0x20 >= 'c' && s[3]|0x20 <= 'f')
}

// respell appends the canonical form of what the escape at the begin of s says,
// and gives the length that the escape has there.
func respell(dst []byte, s string) ([]byte, int) {
	if s[1] != 'u' {
		return append(dst, s[1]), 2
	}
	n := 6
	if s[2]|0x20 == 'd' && s[3]|0x20 < 'c' && s[3] >= '8' && lowEscape(s[6:]) {
		n = 12
	}
	return appendInside(dst, tree.Unescape(s[:n])), n
}

// AppendString appends decoded text, which is WTF-8, as a JSON string in the
// form of RFC 8785 section 3.2.2.2. A lone surrogate is written as an escape in
// lower case; the two halves of a pair that stand as two surrogates become the
// one code point that they are; a byte that belongs to no code point becomes
// U+FFFD.
func AppendString(dst []byte, s string) []byte {
	return append(appendInside(append(dst, '"'), s), '"')
}

func appendInside(dst []byte, s string) []byte {
	done := 0
	for i := simple(s, 0); i < len(s); i = simple(s, i) {
		c := s[i]
		if c >= utf8.RuneSelf {
			_, n := utf8.DecodeRuneInString(s[i:])
			if n == 1 {
				dst, n = appendSurrogate(append(dst, s[done:i]...), s[i:])
				done = i + n
			}
			i += n
			continue
		}
		dst = append(dst, s[done:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = appendEscape(dst, rune(c))
		}
		i++
		done = i
	}
	return append(dst, s[done:]...)
}

// appendSurrogate appends what begins s, where that is not UTF-8, and gives the
// number of bytes it took.
func appendSurrogate(dst []byte, s string) ([]byte, int) {
	high, ok := tree.SurrogateAt(s)
	if !ok {
		return utf8.AppendRune(dst, utf8.RuneError), 1
	}
	if low, ok := tree.SurrogateAt(s[3:]); ok && high < 0xdc00 && low >= 0xdc00 {
		return utf8.AppendRune(dst, utf16.DecodeRune(high, low)), 6
	}
	return appendEscape(dst, high), 3
}

func appendEscape(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// simple gives the first place at or after i of a byte that is not ASCII or
// must be escaped, or the length of s.
func simple(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		// The last term marks bytes below a blank.
		if m := special(w) | w&topBits | (w-' '*eachByte)&^w&topBits; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] < utf8.RuneSelf && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}
