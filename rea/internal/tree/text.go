package tree

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unescape decodes the inside of a valid JSON string literal to WTF-8.
// Escaped surrogate pairs become one code point; lone surrogates stay, as
// three bytes each.
func Unescape(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i >= 0 {
		b = append(b, s[:i]...)
		c := s[i+1]
		n := 2
		switch c {
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			r := hex4(s[i+2:])
			n = 6
			if isHigh(r) && len(s) >= i+12 && s[i+6] == '\\' && s[i+7] == 'u' {
				if lo := hex4(s[i+8:]); isLow(lo) {
					r = 0x10000 + (r-0xd800)<<10 + (lo - 0xdc00)
					n = 12
				}
			}
			b = AppendWTF8(b, r)
		default: // '"', '\\', '/'
			b = append(b, c)
		}
		s = s[i+n:]
		i = strings.IndexByte(s, '\\')
	}
	return string(append(b, s...))
}

func hex4(s string) rune {
	var r rune
	for i := 0; i < 4; i++ {
		c := s[i]
		switch {
		case c <= '9':
			c -= '0'
		case c <= 'F':
			c -= 'A' - 10
		default:
			c -= 'a' - 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

func isHigh(r rune) bool { return 0xd800 <= r && r < 0xdc00 }
func isLow(r rune) bool  { return 0xdc00 <= r && r < 0xe000 }

// AppendWTF8 appends a code point, a lone surrogate included.
func AppendWTF8(b []byte, r rune) []byte {
	if 0xd800 <= r && r < 0xe000 {
		return append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(b, r)
}

// SurrogateAt decodes the lone surrogate whose three bytes begin s, or gives
// false. No other text of valid WTF-8 begins with these bytes.
func SurrogateAt(s string) (rune, bool) {
	if len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), true
	}
	return 0, false
}

// HasLoneSurrogate says whether WTF-8 text holds a lone surrogate, and so has
// no UTF-8 form.
func HasLoneSurrogate(s string) bool {
	for i := strings.IndexByte(s, 0xed); i >= 0; {
		if _, ok := SurrogateAt(s[i:]); ok {
			return true
		}
		j := strings.IndexByte(s[i+1:], 0xed)
		if j < 0 {
			return false
		}
		i += 1 + j
	}
	return false
}

// CompareUTF16 orders decoded texts by UTF-16 code units, the order of RFC 8785
// section 3.2.3. It differs from byte order only where a supplementary code
// point (whose units are surrogates) meets one from U+E000 to U+FFFF.
func CompareUTF16(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		switch {
		case len(a) < len(b):
			return -1
		case len(a) > len(b):
			return 1
		}
		return 0
	}
	x, y := a[i], b[i]
	// Lead bytes of four-byte sequences (0xf0 and up) must sort below 0xee and
	// 0xef; against 0xed it may be a lone surrogate that they meet.
	if x >= 0xed && y >= 0xed && (x >= 0xf0) != (y >= 0xf0) {
		return slices.Compare(units(a[i:]), units(b[i:]))
	}
	if x < y {
		return -1
	}
	return 1
}

// units gives the UTF-16 code units of WTF-8 text.
func units(s string) []uint16 {
	var u []uint16
	for s != "" {
		if r, ok := SurrogateAt(s); ok {
			u, s = append(u, uint16(r)), s[3:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		u, s = utf16.AppendRune(u, r), s[n:]
	}
	return u
}
