package strictjson

import (
	"bytes"
	"hash/maphash"

	"rea.example/rea/internal/tree"
)

// few is how many names of an object are compared one by one. More of them go
// into a table, so that an object of a million members takes linear time.
const few = 16

// name is a member name of an open object: decoded, and where its inside
// begins in the source.
type name struct {
	text []byte
	at   uint32
}

// nameSet holds the names of all objects that are open.
type nameSet struct {
	short []name // of the objects with few names, outermost first
	seed  maphash.Seed
	spare *table
}

// scope is one object's part of a nameSet.
type scope struct {
	first int // of its names in short
	table *table
}

func (n *nameSet) enter() scope { return scope{first: len(n.short)} }

func (n *nameSet) leave(s *scope) {
	n.short = n.short[:s.first]
	if s.table != nil && len(s.table.slots) <= 1024 {
		// To empty a large one again and again would cost more than it saves.
		n.spare, s.table = s.table, nil
	}
}

// repeated adds a name to an object and says whether it was there.
func (n *nameSet) repeated(src []byte, s *scope, text []byte, at int) bool {
	if s.table != nil {
		return s.table.repeated(n.seed, src, text, uint32(at))
	}
	have := n.short[s.first:]
	for i := range have {
		if string(have[i].text) == string(text) {
			return true
		}
	}
	n.short = append(n.short, name{text, uint32(at)})
	if len(have) == few {
		if n.seed == (maphash.Seed{}) {
			n.seed = maphash.MakeSeed()
		}
		if s.table, n.spare = n.spare, nil; s.table == nil {
			s.table = &table{slots: make([]uint32, 8*few)}
		}
		s.table.clear()
		for _, m := range n.short[s.first:] {
			s.table.repeated(n.seed, src, m.text, m.at)
		}
	}
	return false
}

// table is a hash set of names that keeps only where each stands in the source:
// the names of a full-size capture must not cost more memory than the capture.
type table struct {
	slots []uint32 // place of a name's inside, never 0 since a quote precedes it
	count int
}

func (t *table) clear() {
	clear(t.slots)
	t.count = 0
}

func (t *table) repeated(seed maphash.Seed, src, text []byte, at uint32) bool {
	if 2*t.count >= len(t.slots) {
		t.grow(seed, src)
	}
	i := maphash.Bytes(seed, text) & uint64(len(t.slots)-1)
	for ; t.slots[i] != 0; i = (i + 1) & uint64(len(t.slots)-1) {
		if string(nameAt(src, t.slots[i])) == string(text) {
			return true
		}
	}
	t.slots[i] = at
	t.count++
	return false
}

func (t *table) grow(seed maphash.Seed, src []byte) {
	old := t.slots
	t.slots = make([]uint32, 2*len(old))
	for _, at := range old {
		if at == 0 {
			continue
		}
		i := maphash.Bytes(seed, nameAt(src, at)) & uint64(len(t.slots)-1)
		for t.slots[i] != 0 {
			i = (i + 1) & uint64(len(t.slots)-1)
		}
		t.slots[i] = at
	}
}

// nameAt decodes the name whose inside begins at a place in the source.
func nameAt(src []byte, at uint32) []byte {
	text := src[at:closing(src, int(at))]
	if bytes.IndexByte(text, '\\') >= 0 {
		text = []byte(tree.Unescape(string(text)))
	}
	return text
}
