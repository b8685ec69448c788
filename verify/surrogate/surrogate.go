package surrogate

import (
	"bytes"
	"strconv"
	"unicode/utf16"
)

// base is the first of 2048 characters that stand for the lone halves.
const base = 0x10f000

// Keep gives the JSON text with its lone surrogates replaced. A text without any
// is given as it is.
func Keep(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\ud`)) && !bytes.Contains(text, []byte(`\uD`)) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			i++
			continue
		}
		half := unit(text[i:])
		switch other := rune(-1); {
		case !utf16.IsSurrogate(half):
			out = append(out, text[i], text[i+1])
			i += 2
		default:
			if len(text) > i+6 {
				other = unit(text[i+6:])
			}
			if utf16.DecodeRune(half, other) != '\uFFFD' {
				out = append(out, text[i:i+12]...)
				i += 12
				continue
			}
			out = append(out, string(base+half-0xd800)...)
			i += 6
		}
	}
	return out
}

// unit is the UTF-16 unit that an escape at the beginning of text names, or -1.
func unit(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
