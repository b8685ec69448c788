package mitmproxy

import "rea.example/rea/internal/tree"

// slab is memory for the values of one record after the other.
type slab struct{ values []tree.Value }

// keep bounds, in values, what is held on to from one record to the next.
const keep = 1 << 16

// reset makes the memory of all values free for the next record.
func (s *slab) reset() {
	s.values = s.values[:0]
	if cap(s.values) > keep {
		s.values = nil
	}
}

// take hands out room for n values, with whatever was in it.
func (s *slab) take(n int) []tree.Value {
	used := len(s.values)
	if cap(s.values)-used < n {
		size := max(n, min(2*cap(s.values), keep/8))
		s.values = nil // so that it can be collected before the next is there
		s.values = make([]tree.Value, 0, size)
		used = 0
	}
	s.values = s.values[:used+n]
	return s.values[used : used+n : used+n]
}
