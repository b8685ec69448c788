package view

import (
	"bytes"
	"context"
	"io"
	"iter"
	"sort"
)

const (
	// walkBlock is how much of a text is read at a time, and how often it is asked
	// whether anybody still waits.
	walkBlock = 64 << 10
	// longArray is from how many bytes on an array is surveyed, and how far its
	// marks lie apart.
	longArray = 16 << 10
)

// Text is a value in canonical JSON of which no tree is built. A survey of it
// says where its long arrays end, how many items they have, and where some of
// these begin: so a page of a list is found without reading what is around it.
// The survey is small beside the text, whatever the text is. A Text may be used
// by several goroutines at once.
type Text struct {
	from io.ReaderAt
	size int
	long map[int]*surveyed // by where they begin
}

type surveyed struct {
	end, items int
	marks      []mark // in the order of the items
}

type mark struct{ item, at int }

// Survey goes over a text once. The error is that of reading, or the context's.
func Survey(ctx context.Context, from io.ReaderAt, size int) (*Text, error) {
	return survey(ctx, from, size, longArray)
}

// bracket is an array or object that is open.
type bracket struct {
	surveyed
	at     int
	array  bool
	marked int // where the last mark lies
}

func survey(ctx context.Context, from io.ReaderAt, size, least int) (*Text, error) {
	t := &Text{from: from, size: size, long: map[int]*surveyed{}}
	w := t.Walk(ctx)
	var open []bracket
	for last := byte(0); w.more(); w.i++ {
		c := w.block[w.i]
		switch c {
		case '"':
			w.i++
			w.string()
			w.i--
		case '{', '[':
			open = append(open, bracket{at: w.At(), array: c == '[', marked: w.At()})
		case ',':
			if b := &open[len(open)-1]; b.array {
				b.items++
				if at := w.At() + 1; at-b.marked >= least {
					b.marks = append(b.marks, mark{b.items, at})
					b.marked = at
				}
			}
		case '}', ']':
			b := open[len(open)-1]
			open = open[:len(open)-1]
			b.end = w.At() + 1
			if last != '[' {
				b.items++
			}
			if b.array && b.end-b.at >= least {
				s := b.surveyed
				t.long[b.at] = &s
			}
		}
		last = c
	}
	return t, w.err
}

// Walker stands somewhere in a text, and moves on. Its error is the first that it
// met; from then on there is nothing more to be found. It is for one goroutine.
type Walker struct {
	ctx   context.Context
	text  *Text
	block []byte // of the text, in room that is reused
	base  int    // where the block begins in the text
	i     int    // where the walker stands in the block; it may be behind it
	name  []byte // room for the name of a member
	err   error
}

// Walk gives a walker at the start of the text.
func (t *Text) Walk(ctx context.Context) *Walker { return &Walker{ctx: ctx, text: t} }

// Err is what went wrong on the way, or nil.
func (w *Walker) Err() error { return w.err }

// At is where the walker stands.
func (w *Walker) At() int { return w.base + w.i }

// Go puts the walker at a place where it stood before.
func (w *Walker) Go(at int) {
	if w.i = at - w.base; w.i < 0 || w.i > len(w.block) {
		w.base, w.i, w.block = at, 0, w.block[:0]
	}
}

// more sees to it that the byte at the walker is in the block. It says false at
// the end.
func (w *Walker) more() bool {
	if w.i < len(w.block) {
		return true
	}
	at := w.At()
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err != nil || at >= w.text.size {
		return false
	}
	if cap(w.block) == 0 {
		w.block = make([]byte, 0, min(walkBlock, w.text.size))
	}
	w.block = w.block[:min(cap(w.block), w.text.size-at)]
	w.base, w.i = at, 0
	if n, err := w.text.from.ReadAt(w.block, int64(at)); n < len(w.block) {
		w.block = w.block[:0]
		w.err = err
		return false
	}
	return true
}

// Kind is the first byte of the value here, or 0.
func (w *Walker) Kind() byte {
	if !w.more() {
		return 0
	}
	return w.block[w.i]
}

// string moves behind the string in which the walker stands.
func (w *Walker) string() {
	for w.more() {
		rest := w.block[w.i:]
		k := bytes.IndexByte(rest, '"')
		if k < 0 {
			k = len(rest)
		}
		if b := bytes.IndexByte(rest[:k], '\\'); b >= 0 {
			w.Go(w.At() + b + 2)
			continue
		}
		if w.i += k; k < len(rest) {
			w.i++
			return
		}
	}
}

// Skip moves behind the value here.
func (w *Walker) Skip() {
	for depth := 0; w.more(); {
		c := w.block[w.i]
		switch c {
		case '[':
			if long := w.text.long[w.At()]; long != nil {
				w.Go(long.end)
				break
			}
			depth++
			w.i++
		case '{':
			depth++
			w.i++
		case '"':
			w.i++
			w.string()
		case ',', '}', ']':
			if depth == 0 { // behind a number or a word
				return
			}
			if c != ',' {
				depth--
			}
			w.i++
		default:
			w.i++
			continue // it may go on
		}
		if depth == 0 {
			return
		}
	}
}

// Raw gives the value here, as it is spelt, and moves behind it; nothing where the
// way there failed. The bytes are good until the walker moves.
func (w *Walker) Raw() []byte {
	start := w.At()
	w.Skip()
	return w.between(start, w.At())
}

func (w *Walker) between(start, end int) []byte {
	if w.err != nil { // the end is wherever the walker was then
		return nil
	}
	if w.base <= start && end <= w.base+len(w.block) {
		return w.block[start-w.base : end-w.base]
	}
	b := make([]byte, end-start)
	if n, err := w.text.from.ReadAt(b, int64(start)); n < len(b) {
		w.err = err
		return nil
	}
	return b
}

// Members goes through the members of the object here: at each it gives the name,
// as it is spelt without its quotes and good until the walker moves, and stands
// before the value, which may be read as a whole or left.
func (w *Walker) Members() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		w.inside('{', func() bool {
			start := w.At() + 1
			w.Skip()
			w.name = append(w.name[:0], w.between(start, w.At()-1)...)
			if w.err != nil {
				return false
			}
			at := w.At() + 1
			w.Go(at)
			if !yield(w.name) {
				return false
			}
			if w.At() == at {
				w.Skip()
			}
			return true
		})
	}
}

// Items goes through the items of the array here, and stands before each.
func (w *Walker) Items() iter.Seq[int] {
	return func(yield func(int) bool) {
		n := 0
		w.inside('[', func() bool {
			at := w.At()
			if !yield(n) {
				return false
			}
			if w.At() == at {
				w.Skip()
			}
			n++
			return true
		})
	}
}

// inside goes through what an array or object holds, and moves behind it.
func (w *Walker) inside(kind byte, one func() bool) {
	if w.Kind() != kind {
		return
	}
	w.i++
	if w.Kind() == kind+2 { // the closing bracket, in ASCII
		w.i++
		return
	}
	for w.more() {
		if !one() || !w.more() {
			return
		}
		end := w.block[w.i] != ','
		w.i++
		if end {
			return
		}
	}
}

// Member moves to the value of a member of the object here, and says whether
// there is one.
func (w *Walker) Member(name string) bool {
	for n := range w.Members() {
		if string(n) == name {
			return true
		}
	}
	return false
}

// Count moves behind the array here, and gives the number of its items; of
// anything else that is 0.
func (w *Walker) Count() (n int) {
	if w.Kind() != '[' {
		w.Skip()
		return 0
	}
	if long := w.text.long[w.At()]; long != nil {
		w.Go(long.end)
		return long.items
	}
	for range w.Items() {
		n++
	}
	return n
}

// List is the array at which a walker stood.
type List struct {
	// Len is the number of its items.
	Len int

	w     *Walker
	marks []mark
	first mark
	next  mark // the item to which the walker was last led
}

// List gives the array here. Anything else has no items.
func (w *Walker) List() *List {
	l := &List{w: w}
	at := w.At()
	l.first.at = at + 1
	l.next = l.first
	if long := w.text.long[at]; long != nil {
		l.marks = long.marks
	}
	l.Len = w.Count()
	return l
}

// Go moves the walker before an item that the list has.
func (l *List) Go(item int) {
	after := sort.Search(len(l.marks), func(i int) bool { return l.marks[i].item > item })
	if l.next.item > item || after > 0 && l.marks[after-1].item > l.next.item {
		l.next = l.first
		if after > 0 {
			l.next = l.marks[after-1]
		}
	}
	for l.w.Go(l.next.at); l.next.item < item && l.w.more(); l.next.item++ {
		l.w.Skip()
		l.w.Go(l.w.At() + 1)
	}
	l.next.at = l.w.At()
}
