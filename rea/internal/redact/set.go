package redact

import (
	"slices"
	"sort"
	"strings"
)

// few is how many literals are still searched for one after the other; the
// standard library does that at memory speed.
const few = 8

// A set finds whether a text holds any of its literals, however many there are
// and however alike.
type set struct {
	scan  []string // when they are few
	trees []*automaton
	rest  []index // what the automata have no room for
}

func newSet(literals []string) set { return newSetWithin(literals, few, maxNodes) }

func newSetWithin(literals []string, few, room int) set {
	if len(literals) <= few {
		return set{scan: literals}
	}
	var short, long []string
	for _, l := range withoutLonger(literals) {
		if len(l) < gram {
			short = append(short, l)
		} else {
			long = append(long, l)
		}
	}
	// Apart, so that a short one does not blind the filter of the others.
	var s set
	room = s.add(short, room)
	s.add(long, room)
	return s
}

// add takes literals in order. It makes an automaton of those that there is room
// for, and gives the room that is left.
func (s *set) add(sorted []string, room int) int {
	var grown, rest []string
	room-- // for the root
	before := ""
	for _, l := range sorted {
		if own := len(l) - sharedPrefix(before, l); own <= room {
			grown, before, room = append(grown, l), l, room-own
		} else {
			rest = append(rest, l)
		}
	}
	if len(grown) > 0 {
		s.trees = append(s.trees, newAutomaton(grown))
	}
	if len(rest) > 0 {
		s.rest = append(s.rest, index{rest, newFilter(rest)})
	}
	return room
}

// withoutLonger sorts literals, and leaves those out that begin with another:
// whatever holds them holds that.
func withoutLonger(literals []string) []string {
	sorted := slices.Clone(literals)
	slices.Sort(sorted)
	kept := sorted[:0]
	for _, l := range sorted {
		if len(kept) == 0 || !strings.HasPrefix(l, kept[len(kept)-1]) {
			kept = append(kept, l)
		}
	}
	return kept
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func (s *set) in(text string) bool {
	for _, l := range s.scan {
		if strings.Contains(text, l) {
			return true
		}
	}
	for _, x := range s.trees {
		if x.in(text) {
			return true
		}
	}
	for i := range s.rest {
		if s.rest[i].in(text) {
			return true
		}
	}
	return false
}

// An index holds literals in order, of which none is a prefix of another. So at
// most one of them can begin a given text, and it is the last in order that is not
// after the text: one binary search decides. It keeps nothing else; but where text
// begins like many literals again and again, it compares again and again.
type index struct {
	sorted []string
	first  filter
}

func (x *index) in(text string) bool {
	for i := x.first.next(text, 0); i >= 0; i = x.first.next(text, i+1) {
		rest := text[i:]
		n := sort.Search(len(x.sorted), func(k int) bool { return x.sorted[k] > rest })
		if n > 0 && strings.HasPrefix(rest, x.sorted[n-1]) {
			return true
		}
	}
	return false
}
