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
	src    []byte
	text   string // the same bytes
	slab   slab
	floats [64]string // that were found good: flows share connections, and their times
	frames []frame    // of what is being read, the innermost last

	// Of the present record:
	root     tree.Value
	suspect  suspect
	repeated bool // a dictionary repeats a key
}

func newReader(src []byte) *reader {
	return &reader{src: src, text: unsafe.String(unsafe.SliceData(src), len(src))}
}

func (r *reader) reset() {
	r.slab.reset()
	r.frames = r.frames[:0]
	if cap(r.frames) > keep {
		r.frames = nil
	}
	r.root, r.suspect, r.repeated = tree.Value{}, suspect{}, false
}

// record reads the record that begins at offset, and gives its end. The value
// is good until the next call.
func (r *reader) record(offset int) (v *tree.Value, end int, f *fault) {
	r.reset()
	t, ok := frameAt(r.src, offset)
	if !ok {
		return nil, 0, misframed(r.src, offset)
	}
	return &r.root, t.end(), r.value(&r.root, "", offset, t, 0)
}

// frame is where the payload of one tnetstring stands. The tag follows it.
type frame struct{ from, to int }

func (t frame) end() int { return t.to + 1 }

// frameAt finds the frame of the tnetstring that begins at start and ends in
// src, if there is one.
func frameAt(src []byte, start int) (frame, bool) {
	n, i := 0, start
	for ; i < len(src); i++ {
		c := src[i] - '0'
		if c > 9 {
			break
		}
		if n = n*10 + int(c); n > len(src) {
			return frame{}, false // it can only grow, and not every int holds twelve digits
		}
	}
	if i == start || i-start > maxDigits || i >= len(src) || src[i] != ':' || n >= len(src)-(i+1) {
		return frame{}, false
	}
	return frame{i + 1, i + 1 + n}, true
}

// misframed says why frameAt finds none.
func misframed(src []byte, start int) *fault {
	i := start
	for i < len(src) && i-start < maxDigits && '0' <= src[i] && src[i] <= '9' {
		i++
	}
	switch {
	case i == len(src):
		return faultAt(i, "a length, a colon and a payload are expected")
	case i == start:
		return faultAt(i, "a length in decimal digits is expected")
	case src[i] != ':':
		return faultAt(i, "a colon is expected after a length of at most 12 digits")
	}
	return faultAt(start, "a length is greater than what is left")
}

// open finds the frames in a payload, up to the first that is malformed, and
// keeps them behind those it has kept so far, of which it gives the number.
func (r *reader) open(t frame) (base int) {
	base = len(r.frames)
	src := r.src[:t.to]
	for i := t.from; i < len(src); {
		item, ok := frameAt(src, i)
		if !ok {
			break
		}
		r.frames = append(r.frames, item)
		i = item.end()
	}
	return base
}

// close forgets what open kept. The last frame ended at end; where that is not
// the end of the payload, the next one is malformed or missing.
func (r *reader) close(base int, t frame, end int) *fault {
	r.frames = r.frames[:base]
	if end < t.to {
		return misframed(r.src[:t.to], end)
	}
	return nil
}

// value reads what t frames into v, whose name is given, at the given depth.
func (r *reader) value(v *tree.Value, name string, start int, t frame, depth int) *fault {
	*v = tree.Value{Name: name, Offset: uint32(start)}
	payload := r.text[t.from:t.to]
	switch r.src[t.to] {
	case ',':
		v.Kind, v.Text = tree.Bytes, payload
	case ';':
		v.Kind, v.Text = tree.String, payload
		if !utf8.ValidString(payload) {
			return faultAt(t.from, "text is not UTF-8")
		}
	case '#':
		v.Kind, v.Mark, v.Text = tree.Number, tree.Integer, integer(payload)
		if v.Text == "" {
			return faultAt(t.from, "an integer is not 1 to 4300 decimal digits, perhaps after a minus sign")
		}
	case '^':
		v.Kind, v.Mark, v.Text = tree.Number, tree.Float, payload
		if !r.isFloat(payload) {
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

// isFloat is isFloat for texts that come again and again.
func (r *reader) isFloat(payload string) bool {
	if len(payload) < 2 {
		return false
	}
	known := &r.floats[(payload[len(payload)-1]^payload[len(payload)-2]<<3)%64]
	if *known == payload {
		return true
	}
	if !isFloat(payload) {
		return false
	}
	*known = payload
	return true
}

// descend notes that there are values one level below depth.
func (r *reader) descend(t frame, depth int) *fault {
	if depth == maxOpen {
		return tooDeep(t.from)
	}
	r.suspect.depth = max(r.suspect.depth, depth+1)
	return nil
}

func (r *reader) list(v *tree.Value, t frame, depth int) *fault {
	if t.from == t.to {
		return nil
	}
	if f := r.descend(t, depth); f != nil {
		return f
	}
	base := r.open(t)
	v.Items = r.slab.take(len(r.frames) - base)
	at := t.from
	for i := range v.Items {
		item := r.frames[base+i]
		if f := r.value(&v.Items[i], "", at, item, depth+1); f != nil {
			return f.in(step(v, i), depth)
		}
		at = item.end()
	}
	return r.close(base, t, at)
}

func (r *reader) dict(v *tree.Value, t frame, depth int) *fault {
	if t.from == t.to {
		return nil
	}
	if f := r.descend(t, depth); f != nil {
		return f
	}
	base := r.open(t)
	n := len(r.frames) - base
	v.Items = r.slab.take(n / 2)
	at, used := t.from, 0
	var known names
	for i := 0; i < n; i += 2 {
		key := r.frames[base+i]
		name, f := r.key(at, key, depth)
		if f != nil {
			return f.in(nowhere, depth)
		}
		if i+1 == n {
			return misframed(r.src[:t.to], key.end())
		}
		value := r.frames[base+i+1]
		m := &v.Items[used]
		if f := r.value(m, name, key.end(), value, depth+1); f != nil {
			return f.in(step(v, used), depth)
		}
		switch tag := r.src[key.to]; {
		case name != notText:
			if first := known.add(v.Items[:used+1]); first < used {
				v.Items[first] = *m
				r.repeated = true
				used--
			}
		case tag == ']' || tag == '}':
			return faultAt(at, "a dictionary key is a collection")
		default:
			r.suspect.key = true
		}
		used++
		at = value.end()
	}
	v.Items = v.Items[:used]
	return r.close(base, t, at)
}

// key reads a dictionary's key. One that is no text is read all the same, since
// what is malformed in it is malformed before that.
func (r *reader) key(start int, t frame, depth int) (name string, f *fault) {
	if r.src[t.to] != ';' {
		return notText, r.value(new(tree.Value), "", start, t, depth+1)
	}
	name = r.text[t.from:t.to]
	if !utf8.ValidString(name) {
		return name, faultAt(t.from, "text is not UTF-8")
	}
	return name, nil
}

// notText is the name of a member whose key is no text. It is not UTF-8, and so
// no text is the same.
const notText = "\xff"

// names finds repeated names among the members of one dictionary.
type names struct {
	seen  [4]uint64 // a bit for each name so far, by its length and ends
	index map[string]int
}

// few is up to how many members are compared one after the other.
const few = 32

// add gives the place of the first member that is called like the last.
func (n *names) add(members []tree.Value) int {
	last := len(members) - 1
	name := members[last].Name
	sum := len(name)
	if name != "" {
		sum += 7*int(name[0]) + 29*int(name[len(name)-1])
	}
	word, bit := &n.seen[sum>>6&3], uint64(1)<<(sum&63)
	fresh := *word&bit == 0
	*word |= bit
	if last <= few {
		if fresh {
			return last
		}
		for i := range members[:last] {
			if members[i].Name == name {
				return i
			}
		}
		return last
	}
	if n.index == nil {
		n.index = make(map[string]int)
		for i := range members[:last] {
			n.index[members[i].Name] = i
		}
	}
	if i, ok := n.index[name]; ok {
		return i
	}
	n.index[name] = last
	return last
}
