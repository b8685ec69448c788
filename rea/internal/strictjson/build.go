package strictjson

import (
	"cmp"
	"math"
	"slices"

	"rea.example/rea/internal/tree"
)

// Arena is memory for the values of Build. The zero Arena is ready. It is for
// one goroutine.
type Arena struct {
	slab   []tree.Value // what is handed out so far, and room behind it
	counts []uint32     // of the children of each array and object, in source order
	open   []uint32     // while counting: the indexes in counts of those still open
	skip   []tree.Span
}

// keep bounds, in elements, what Reset holds on to, so that one record of
// unusual size does not cost its memory until the end.
const keep = 1 << 16

// Reset makes the memory of all values built with the arena free for the next
// Build. They must not be used any more.
func (a *Arena) Reset() {
	a.slab = a.slab[:0]
	if cap(a.slab) > keep {
		a.slab = nil
	}
	if cap(a.counts) > keep {
		a.counts = nil
	}
}

// take hands out room for n values.
func (a *Arena) take(n int) []tree.Value {
	used := len(a.slab)
	if cap(a.slab)-used < n {
		size := max(n, min(2*cap(a.slab), keep/8))
		a.slab = nil // so that it can be collected before the next is there
		a.slab = make([]tree.Value, 0, size)
		used = 0
	}
	a.slab = a.slab[:used+n]
	return a.slab[used : used+n : used+n]
}

// Build reads the value at span, which is that of a value in bytes that Check
// accepted. Offsets in the result are those in src.
//
// No text is copied, but for names with an escape: all Text is as it is spelt and
// points into src, which must therefore stay as it is for as long as the arena or
// any value of it is reachable. A value whose span equals one of skip, spans that
// Check reported, becomes Null at its place and is not read.
//
// It goes over the bytes twice: to count the children of every array and
// object, and to fill them in. So children stand together, and no memory is
// used but that of the values and four bytes for each array and object.
func Build(src []byte, span tree.Span, a *Arena, skip ...tree.Span) tree.Value {
	v, _ := BuildWithin(math.MaxInt, src, span, a, skip...)
	return v
}

// BuildWithin is Build for a value that holds no more than so many others; ok is
// false for a larger one, of which nothing is built.
func BuildWithin(most int, src []byte, span tree.Span, a *Arena, skip ...tree.Span) (v tree.Value, ok bool) {
	a.skip = append(a.skip[:0], skip...)
	slices.SortFunc(a.skip, func(x, y tree.Span) int { return cmp.Compare(x.Start, y.Start) })
	n := a.count(src, span)
	if n > most {
		return v, false
	}
	b := builder{src: src, text: view(src), counts: a.counts, free: a.take(n), skip: a.skip}
	b.value(&v, "", span.Start, span.End)
	return v, true
}

// Parse checks and builds a whole document. Text in the result points into src,
// which must stay as it is.
func Parse(src []byte, maxDepth int) (tree.Value, error) {
	var root tree.Span
	err := Check(src, maxDepth, []Path{{}}, func(_ int, s tree.Span) { root = s })
	if err != nil {
		return tree.Value{}, err
	}
	return Build(src, root, new(Arena)), nil
}

const (
	plain = iota
	quote
	comma
	opening
	ending
)

var class = [256]uint8{'"': quote, ',': comma, '{': opening, '[': opening, '}': ending, ']': ending}

// count fills a.counts for the value at span, and gives their sum.
func (a *Arena) count(src []byte, span tree.Span) (total int) {
	a.counts, a.open = a.counts[:0], a.open[:0]
	top := uint32(0)
	skip := a.skip
	for i := span.Start; i < span.End; {
		for len(skip) > 0 && skip[0].Start <= i {
			if skip[0].Start == i {
				i = skip[0].End
			}
			skip = skip[1:]
			if i >= span.End {
				return total
			}
		}
		switch class[src[i]] {
		case plain:
			i++
		case quote:
			i = closing(src, i+1) + 1
		case comma:
			a.counts[top]++
			total++
			i++
		case opening:
			i = space(src, i+1)
			if class[src[i]] == ending {
				a.counts = append(a.counts, 0)
				i++
				continue
			}
			a.open = append(a.open, top)
			top = uint32(len(a.counts))
			a.counts = append(a.counts, 1)
			total++
		case ending:
			top = a.open[len(a.open)-1]
			a.open = a.open[:len(a.open)-1]
			i++
		}
	}
	return total
}

// builder is the second pass. All of its slices are used up from the front.
type builder struct {
	src    []byte
	text   string
	counts []uint32
	free   []tree.Value
	skip   []tree.Span
}

// value reads the value that begins at i into v, whose name is given, and gives
// its end. limit is a place at or after the end.
func (b *builder) value(v *tree.Value, name string, i, limit int) int {
	*v = tree.Value{Name: name, Offset: uint32(i)}
	for len(b.skip) > 0 && b.skip[0].Start <= i {
		s := b.skip[0]
		b.skip = b.skip[1:]
		if s.Start == i {
			return s.End
		}
	}
	start := i
	switch b.src[i] {
	case '"':
		i = closing(b.src, i+1)
		v.Kind, v.Text, v.Raw = tree.String, b.text[start+1:i], true
		i++
	case '{':
		v.Kind = tree.Object
		v.Items = b.children()
		i = b.members(v.Items, i+1, limit)
	case '[':
		v.Kind = tree.Array
		v.Items = b.children()
		i = b.items(v.Items, i+1, limit)
	case 'n':
		i += len("null")
	case 't':
		v.Kind = tree.True
		i += len("true")
	case 'f':
		v.Kind = tree.False
		i += len("false")
	default:
		for i < limit && inNumber(b.src[i]) {
			i++
		}
		v.Kind, v.Text = tree.Number, b.text[start:i]
	}
	return i
}

func inNumber(c byte) bool {
	return '0' <= c && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'
}

func (b *builder) children() []tree.Value {
	n := b.counts[0]
	b.counts = b.counts[1:]
	if n == 0 {
		return nil
	}
	c := b.free[:n:n]
	b.free = b.free[n:]
	return c
}

func (b *builder) members(items []tree.Value, i, limit int) int {
	for k := range items {
		v := &items[k]
		start := space(b.src, i)
		end := closing(b.src, start+1)
		name := tree.Unescape(b.text[start+1 : end])
		i = space(b.src, end+1) + 1
		i = b.value(v, name, space(b.src, i), limit)
		i = space(b.src, i) + 1
	}
	if len(items) == 0 {
		i = space(b.src, i) + 1
	}
	return i
}

func (b *builder) items(items []tree.Value, i, limit int) int {
	for k := range items {
		v := &items[k]
		i = b.value(v, "", space(b.src, i), limit)
		i = space(b.src, i) + 1
	}
	if len(items) == 0 {
		i = space(b.src, i) + 1
	}
	return i
}
