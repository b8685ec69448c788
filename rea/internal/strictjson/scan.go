package strictjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unsafe"
)

const (
	eachByte = 0x0101010101010101
	topBits  = 0x8080808080808080
)

// special marks, with the top bit of its byte, the first byte of w (lowest
// address first) that ends or escapes a string: a quote or a backslash. Bits
// above the first one mean nothing.
func special(w uint64) uint64 {
	q := w ^ '"'*eachByte
	b := w ^ '\\'*eachByte
	return ((q - eachByte) &^ q & topBits) | ((b - eachByte) &^ b & topBits)
}

// closing finds the quote that ends the string whose inside begins at i. Most
// strings are short, or have their escapes close together: words are looked at
// one by one until the vector search of the library is worth its call.
func closing(s []byte, i int) int {
	for {
		for near := i + 32; i < near && i+8 <= len(s); {
			m := special(binary.LittleEndian.Uint64(s[i:]))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) >> 3
			if s[i] == '"' {
				return i
			}
			i += 2
			near = i + 32
		}
		start := i
		i += bytes.IndexByte(s[i:], '"')
		if !escaped(s, start, i) {
			return i
		}
		i++
	}
}

// escaped says whether the byte at i is the second of an escape, given that no
// escape of the same string covers the byte at start: an odd number of
// backslashes then stands before it.
func escaped(s []byte, start, i int) bool {
	k := i
	for k > start && s[k-1] == '\\' {
		k--
	}
	return (i-k)&1 == 1
}

// space gives the first place at or after i that is not JSON white space.
func space(s []byte, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t') {
		i++
	}
	return i
}

// view is the bytes as a string that shares their memory. It is used where the
// bytes are promised not to change and to outlive the strings cut from it.
func view(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
