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
	size := len(octets)
	for _, o := range octets {
		size += int(o >> 7) // two octets of UTF-8 for each of these
	}
	text := make([]byte, 0, size) // growing it would take both old and new from the budget
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
