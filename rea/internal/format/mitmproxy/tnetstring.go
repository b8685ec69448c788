package mitmproxy

import (
	"unicode/utf8"
	"unsafe"

	"rea.example/rea/internal/tree"
)

// A tnetstring is
//
//	<length> ":" <payload> <tag>
//
// with the payload's length in decimal. The payload of "," is octets and that
// of ";" UTF-8 text, which is mitmproxy's addition; that of "#" an integer, "^"
// a float, "!" a boolean, "~" nothing, which means null; "]" holds items, and
// "}" keys and values in turn.

// maxDigits is how many digits a length may have.
const maxDigits = 12

// maxOpen is the deepest level that the reader follows, so that its stack is
// bounded. It is well beyond what a capture may have: up to there a record is
// read to its end before its depth is judged, because a repeated key may yet
// discard what is too deep.
const maxOpen = 400

// reader reads records. No text is copied: it points into src.
type reader struct {
	src  []byte
	text string // the same bytes
	slab []tree.Value

	// Of the present record:
	root     tree.Value
	suspect  suspect
	repeated bool // a dictionary repeats a key
}

func newReader(src []byte) *reader {
	return &reader{src: src, text: unsafe.String(unsafe.SliceData(src), len(src))}
}

// keep bounds, in values, what is held on to from one record to the next.
const keep = 1 << 16

func (r *reader) reset() {
	r.slab = r.slab[:0]
	if cap(r.slab) > keep {
		r.slab = nil
	}
	r.root, r.suspect, r.repeated = tree.Value{}, suspect{}, false
}

// take hands out room for n values.
func (r *reader) take(n int) []tree.Value {
	used := len(r.slab)
	if cap(r.slab)-used < n {
		size := max(n, min(2*cap(r.slab), keep/8))
		r.slab = nil // so that it can be collected before the next is there
		r.slab = make([]tree.Value, 0, size)
		used = 0
	}
	r.slab = r.slab[:used+n]
	return r.slab[used : used+n : used+n]
}

// record reads the record that begins at offset, and gives its end. The value
// is good until the next call.
func (r *reader) record(offset int) (v *tree.Value, end int, f *fault) {
	r.reset()
	t, f := r.token(offset, len(r.src))
	if f == nil {
		f = r.value(&r.root, t, 0)
	}
	if f == nil && r.root.Kind != tree.Object {
		f = faultAt(offset, "a record must be a dictionary")
	}
	return &r.root, t.end, f
}

// token is the frame of one tnetstring, which begins at start: its payload is
// [from, to).
type token struct {
	start, from, to, end int
	tag                  byte
}

// token reads the frame that begins at start and must end by limit.
func (r *reader) token(start, limit int) (t token, f *fault) {
	n, i := 0, start
	for ; i < limit && i-start < maxDigits; i++ {
		c := r.src[i] - '0'
		if c > 9 {
			break
		}
		if n = n*10 + int(c); n > limit {
			// It can only grow, and not every int holds twelve digits.
			return t, faultAt(start, "a length is greater than what is left")
		}
	}
	switch {
	case i == limit:
		return t, faultAt(i, "a length, a colon and a payload are expected")
	case i == start:
		return t, faultAt(i, "a length in decimal digits is expected")
	case r.src[i] != ':':
		return t, faultAt(i, "a colon is expected after a length of at most 12 digits")
	}
	t = token{start: start, from: i + 1, to: i + 1 + n, end: i + 2 + n}
	if t.end > limit {
		return t, faultAt(start, "a length is greater than what is left")
	}
	t.tag = r.src[t.to]
	return t, nil
}

// count counts the frames in a payload, up to the first that is malformed.
func (r *reader) count(t token) (n int) {
	for i := t.from; i < t.to; n++ {
		item, f := r.token(i, t.to)
		if f != nil {
			break
		}
		i = item.end
	}
	return n
}

// value reads what t frames into v, all but its name, at the given depth.
func (r *reader) value(v *tree.Value, t token, depth int) *fault {
	v.Mark, v.Text, v.Items = tree.Unmarked, tree.Text{}, nil
	v.Span = tree.Span{Start: t.start, End: t.end}
	payload := r.text[t.from:t.to]
	switch t.tag {
	case ',':
		v.Kind, v.Text.S = tree.Bytes, payload
	case ';':
		v.Kind, v.Text.S = tree.String, payload
		if !utf8.ValidString(payload) {
			return faultAt(t.from, "text is not UTF-8")
		}
	case '#':
		v.Kind, v.Mark, v.Text.Raw = tree.Number, tree.Integer, true
		if v.Text.S = integer(payload); v.Text.S == "" {
			return faultAt(t.from, "an integer is not 1 to 4300 decimal digits, perhaps after a minus sign")
		}
	case '^':
		v.Kind, v.Mark, v.Text = tree.Number, tree.Float, tree.Text{S: payload, Raw: true}
		if !isFloat(payload) {
			return faultAt(t.from, "a float is not spelt as Python prints it")
		}
	case '!':
		switch payload {
		case "true":
			v.Kind = tree.True
		case "false":
			v.Kind = tree.False
		default:
			return faultAt(t.from, "a boolean is neither true nor false")
		}
	case '~':
		v.Kind = tree.Null
		if payload != "" {
			return faultAt(t.from, "a null has a payload")
		}
	case ']':
		v.Kind = tree.Array
		return r.list(v, t, depth)
	case '}':
		v.Kind = tree.Object
		return r.dict(v, t, depth)
	default:
		return faultAt(t.to, "there is no such type tag")
	}
	return nil
}

// open goes one level down, if t has anything there.
func (r *reader) open(t token, depth int) *fault {
	if t.from == t.to {
		return nil
	}
	if depth == maxOpen {
		return tooDeep(t.from)
	}
	r.suspect.depth = max(r.suspect.depth, depth+1)
	return nil
}

func (r *reader) list(v *tree.Value, t token, depth int) *fault {
	if f := r.open(t, depth); f != nil {
		return f
	}
	v.Items = r.take(r.count(t))
	for n, i := 0, t.from; i < t.to; n++ {
		item, f := r.token(i, t.to)
		if f != nil {
			return f
		}
		c := &v.Items[n]
		c.Name, c.NameSpan = tree.Text{}, tree.Span{}
		if f := r.value(c, item, depth+1); f != nil {
			return f.in(step(v, n), depth)
		}
		i = item.end
	}
	return nil
}

func (r *reader) dict(v *tree.Value, t token, depth int) *fault {
	if f := r.open(t, depth); f != nil {
		return f
	}
	// Of an odd number of frames the last has no room: that its value is
	// missing is found before it would need any.
	v.Items = r.take(r.count(t) / 2)
	used := 0
	var known names
	for i := t.from; i < t.to; {
		kt, f := r.token(i, t.to)
		if f != nil {
			return f
		}
		var key tree.Value
		if f := r.value(&key, kt, depth+1); f != nil {
			return f
		}
		vt, f := r.token(kt.end, t.to)
		if f != nil {
			return f
		}
		m := &v.Items[used]
		m.Name, m.NameSpan = memberName(&key)
		if f := r.value(m, vt, depth+1); f != nil {
			return f.in(step(v, used), depth)
		}
		i = vt.end
		switch key.Kind {
		case tree.String:
			if j := known.add(v.Items[:used+1]); j < used {
				v.Items[j] = *m
				r.repeated = true
				continue
			}
		case tree.Array, tree.Object:
			return faultAt(kt.start, "a dictionary key is a collection")
		default:
			r.suspect.key = true
		}
		used++
	}
	v.Items = v.Items[:used]
	return nil
}

// notText is the place of the name of a member whose key is no text.
var notText = tree.Span{Start: -1, End: -1}

func memberName(key *tree.Value) (tree.Text, tree.Span) {
	if key.Kind != tree.String {
		return tree.Text{}, notText
	}
	return tree.Text{S: key.Text.S, Raw: printable(key.Text.S)}, key.Span
}

// printable says that a text is spelt in JSON as it is.
func printable(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// names finds repeated names among the members of one dictionary.
type names struct {
	seen  uint64 // a bit for each name so far, by its length and ends
	index map[string]int
}

// few is up to how many members are compared one after the other.
const few = 32

// add gives the place of the first member that is called like the last.
func (n *names) add(members []tree.Value) int {
	last := len(members) - 1
	name := members[last].Name.S
	bit := uint64(1) << (len(name) & 63)
	if name != "" {
		bit = 1 << ((len(name) + 7*int(name[0]) + 29*int(name[len(name)-1])) & 63)
	}
	fresh := n.seen&bit == 0
	n.seen |= bit
	if last <= few {
		if fresh {
			return last
		}
		for i := range members[:last] {
			if m := &members[i]; m.Name.S == name && m.NameSpan != notText {
				return i
			}
		}
		return last
	}
	if n.index == nil {
		n.index = make(map[string]int)
		for i := range members[:last] {
			if m := &members[i]; m.NameSpan != notText {
				n.index[m.Name.S] = i
			}
		}
	}
	if i, ok := n.index[name]; ok {
		return i
	}
	n.index[name] = last
	return last
}
