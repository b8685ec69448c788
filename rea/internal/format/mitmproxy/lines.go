package mitmproxy

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
	"unsafe"

	"rea.example/rea/internal/tree"
)

// lineReader reads what bridge.py writes; the lines are described there. It
// believes none of them: whatever wrote them was not this program.
type lineReader struct {
	src    string
	at     int
	slab   slab
	octets []byte // decoded, of the present record

	// Of the present record:
	root    tree.Value
	suspect suspect
}

func newLineReader(src []byte) *lineReader {
	return &lineReader{src: unsafe.String(unsafe.SliceData(src), len(src))}
}

// line gives the next line, without its end.
func (l *lineReader) line() (string, bool) {
	n := strings.IndexByte(l.src[l.at:], '\n')
	if n < 1 {
		return "", false
	}
	line := l.src[l.at : l.at+n]
	l.at += n + 1
	return line, true
}

// record reads the lines of a record's value, which is good until the next call.
func (l *lineReader) record() (v *tree.Value, ok bool) {
	l.slab.reset()
	if cap(l.octets) > 1<<20 {
		l.octets = nil
	}
	l.octets, l.root, l.suspect = l.octets[:0], tree.Value{}, suspect{}
	return &l.root, l.value(&l.root, "", 0)
}

// value reads the lines of one value into v, whose name is given.
func (l *lineReader) value(v *tree.Value, name string, depth int) bool {
	line, ok := l.line()
	if !ok || depth > maxOpen {
		return false
	}
	l.suspect.depth = max(l.suspect.depth, depth)
	*v = tree.Value{Name: name}
	rest := line[1:]
	switch line[0] {
	case ',':
		v.Kind = tree.Bytes
		v.Text, ok = l.decode(rest)
	case ';':
		v.Kind = tree.String
		v.Text, ok = l.decode(rest)
		ok = ok && utf8.ValidString(v.Text)
	case '#':
		v.Kind, v.Mark, v.Text = tree.Number, tree.Integer, rest
		ok = integer(rest) == rest
	case '^':
		v.Kind, v.Mark, v.Text = tree.Number, tree.Float, rest
		ok = isFloat(rest)
	case '!':
		v.Kind = tree.False
		if rest == "1" {
			v.Kind = tree.True
		}
		ok = rest == "0" || rest == "1"
	case '~':
		ok = rest == ""
	case '[':
		v.Kind = tree.Array
		return l.items(v, rest, 1, depth)
	case '{':
		v.Kind = tree.Object
		return l.items(v, rest, 2, depth)
	default:
		return false
	}
	return ok
}

// items reads children of so many lines each, at least.
func (l *lineReader) items(v *tree.Value, count string, lines, depth int) bool {
	n := 0
	for i := range len(count) {
		// Each line has a tag and an end: so many can't be promised in vain.
		if n = n*10 + int(count[i]-'0'); count[i] < '0' || count[i] > '9' || n > (len(l.src)-l.at)/(2*lines) {
			return false
		}
	}
	if count == "" {
		return false
	}
	v.Items = l.slab.take(n)
	for i := range v.Items {
		name, ok := "", true
		if lines == 2 {
			name, ok = l.key()
		}
		if !ok || !l.value(&v.Items[i], name, depth+1) {
			return false
		}
	}
	return true
}

// key reads a dictionary's key as the name of a member.
func (l *lineReader) key() (name string, ok bool) {
	var key tree.Value
	if !l.value(&key, "", 0) || key.Kind == tree.Array || key.Kind == tree.Object {
		return "", false
	}
	if key.Kind != tree.String {
		l.suspect.key = true
		return notText, true
	}
	return key.Text, true
}

// decode decodes base64 behind what was decoded before. Text that was given out
// stays where it is when more room is needed.
func (l *lineReader) decode(encoded string) (string, bool) {
	if encoded == "" {
		return "", true
	}
	n := base64.StdEncoding.DecodedLen(len(encoded))
	if cap(l.octets)-len(l.octets) < n {
		l.octets = make([]byte, 0, max(n, 64<<10))
	}
	start := len(l.octets)
	b, err := base64.StdEncoding.Strict().AppendDecode(l.octets, unsafe.Slice(unsafe.StringData(encoded), len(encoded)))
	if err != nil {
		return "", false
	}
	l.octets = b
	return unsafe.String(unsafe.SliceData(b[start:]), len(b)-start), true
}
