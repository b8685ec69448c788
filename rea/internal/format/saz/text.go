package saz

import (
	"unicode/utf8"
	"unsafe"
)

// view is the text of octets, which are not copied: it holds until the memory
// of the member they are from is used for the next.
func view(octets []byte) string { return unsafe.String(unsafe.SliceData(octets), len(octets)) }

// latin1 decodes ISO-8859-1, in which each octet is the code point of its value.
func latin1(octets []byte) string {
	text := make([]byte, 0, len(octets)+len(octets)/4)
	for _, o := range octets {
		text = utf8.AppendRune(text, rune(o))
	}
	return view(text)
}

// decoded is octets as UTF-8, or else as ISO-8859-1.
func decoded(octets []byte) (text string, isLatin1 bool) {
	if utf8.Valid(octets) {
		return view(octets), false
	}
	return latin1(octets), true
}
