package mcpserver

import "bytes"

// idWindow is how much of a line is searched for an identifier.
const idWindow = 64 << 10

// longestID is the longest identifier that is repeated.
const longestID = 256

// idOf finds the identifier of a message that can't be read as one: the value of
// the member "id" of the outermost object, where that is a number or a plain
// string near the start. Else it is null.
func idOf(text []byte) []byte {
	text = text[:min(len(text), idWindow)]
	depth, name := 0, false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
			name = depth == 1
		case '}', ']':
			depth--
		case ',':
			name = depth == 1
		case '"':
			end := closing(text, i+1)
			if end < 0 {
				return null
			}
			if name && depth == 1 && string(text[i:end+1]) == `"id"` {
				return scalar(text[end+1:])
			}
			name = false
			i = end
		}
	}
	return null
}

var null = []byte("null")

// closing finds the quote that ends the string whose inside begins at i, or -1.
func closing(text []byte, i int) int {
	for ; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// scalar is the number or plain string behind a colon, or null.
func scalar(text []byte) []byte {
	text, ok := bytes.CutPrefix(bytes.TrimLeft(text, " \t\r"), []byte{':'})
	text = bytes.TrimLeft(text, " \t\r")
	if !ok || len(text) == 0 {
		return null
	}
	end := 0
	if text[0] == '"' {
		if end = closing(text, 1) + 1; end == 0 || bytes.ContainsFunc(text[:end], func(r rune) bool { return r < ' ' || r > '~' || r == '\\' }) {
			return null
		}
	} else {
		for end < len(text) && bytes.IndexByte([]byte("-0123456789"), text[end]) >= 0 {
			end++
		}
		digits := bytes.TrimPrefix(text[:end], []byte{'-'})
		whole := end < len(text) && bytes.IndexByte([]byte(" \t\r,}"), text[end]) >= 0
		if len(digits) == 0 || len(digits) > 1 && digits[0] == '0' || bytes.IndexByte(digits, '-') >= 0 || !whole {
			return null
		}
	}
	if end > longestID {
		return null
	}
	return text[:end]
}
