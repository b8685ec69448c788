package redact

import (
	"slices"
	"sort"
	"strings"
)

// few is how many literals are still searched for one after the other; the
// standard library does that at memory speed.
const few = 8

// A set finds whether a text holds any of its literals, however many there
// are. It keeps nothing but the literals, sorted, and a filter of fixed size:
// declarations may take megabytes, and the decoder has little memory to
// spare, which rules out an automaton over them.
type set struct {
	scan  []string // when they are few
	short index    // of one to three bytes
	long  index    // of four bytes and more
}

func newSet(literals []string) set {
	if len(literals) <= few {
		return set{scan: literals}
	}
	var short, long []string
	for _, l := range literals {
		if len(l) < gram {
			short = append(short, l)
		} else {
			long = append(long, l)
		}
	}
	return set{short: newIndex(short), long: newIndex(long)}
}

func (s *set) in(text string) bool {
	for _, l := range s.scan {
		if strings.Contains(text, l) {
			return true
		}
	}
	return s.short.in(text) || s.long.in(text)
}

// gram is the most bytes that the filter looks at.
const gram = 4

// An index holds literals of which none is a prefix of another. So at most
// one of them can begin a given text, and it is the last in order that is not
// after the text: one binary search decides. The filter, which knows the first
// bytes of all literals, spares nearly every search.
type index struct {
	sorted []string
	width  int // how many bytes the filter looks at: 1 to gram
	filter []uint64
}

const filterBits = 19 // 64 KiB, small enough to stay in a cache

func newIndex(literals []string) index {
	if len(literals) == 0 {
		return index{}
	}
	sorted := slices.Clone(literals)
	slices.Sort(sorted)
	kept := sorted[:1]
	for _, l := range sorted[1:] {
		// Whatever holds the longer one holds its prefix.
		if !strings.HasPrefix(l, kept[len(kept)-1]) {
			kept = append(kept, l)
		}
	}
	x := index{sorted: kept, width: gram, filter: make([]uint64, 1<<filterBits/64)}
	for _, l := range kept {
		x.width = min(x.width, len(l))
	}
	for _, l := range kept {
		h := x.hash(l)
		x.filter[h/64] |= 1 << (h % 64)
	}
	return x
}

// hash spreads the first bytes of s, which has at least width of them.
func (x *index) hash(s string) uint32 {
	var h uint32
	if x.width == gram {
		h = uint32(s[3]) | uint32(s[2])<<8 | uint32(s[1])<<16 | uint32(s[0])<<24 // one load
	} else {
		for i := 0; i < x.width; i++ {
			h = h<<8 | uint32(s[i])
		}
	}
	return h * 0x9e3779b1 >> (32 - filterBits)
}

func (x *index) in(text string) bool {
	if len(x.sorted) == 0 {
		return false
	}
	for i := 0; i+x.width <= len(text); i++ {
		h := x.hash(text[i:])
		if x.filter[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		rest := text[i:]
		n := sort.Search(len(x.sorted), func(k int) bool { return x.sorted[k] > rest })
		if n > 0 && strings.HasPrefix(rest, x.sorted[n-1]) {
			return true
		}
	}
	return false
}
