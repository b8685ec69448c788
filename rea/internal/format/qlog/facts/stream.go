package facts

import (
	"cmp"
	"slices"
	"strconv"

	"rea.example/rea/internal/exactint"
	"rea.example/rea/internal/redact"
)

// stream is what follows from the frames of one stream in one direction.
type stream struct {
	frames   []Frame // in the order of the file
	ranges   []exactint.Range
	endings  []ending // by size
	unique   uint64
	sum      exactint.Sum
	repeated exactint.Sum

	// hidden says which of the totals may not be shown. Ranges and endings that
	// may not are not in their lists.
	uniqueHidden, sumHidden, repeatedHidden bool
	// concerned are the ordinals of frames from which something hidden follows.
	concerned []uint32
}

// ending is an end that a frame with FIN gave to the stream. A stream has one
// final size (RFC 9000 section 4.5); a file may report several.
type ending struct {
	size    uint64
	ordinal uint32
}

// order sorts frames by stream and direction, and else as they stand in the
// file.
func order(frames []Frame) {
	slices.SortFunc(frames, func(a, b Frame) int {
		return cmp.Or(cmp.Compare(a.Stream, b.Stream), cmp.Compare(a.Direction, b.Direction),
			cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.Index, b.Index))
	})
}

// first gives the frames of the first stream in ordered frames.
func first(frames []Frame) []Frame {
	n := 1
	for n < len(frames) && frames[n].Stream == frames[0].Stream && frames[n].Direction == frames[0].Direction {
		n++
	}
	return frames[:n]
}

// deriver makes streams. It reuses memory: a stream holds until the next.
type deriver struct {
	declared *redact.Declarations
	ranges   []exactint.Range
	endings  []ending
}

func (d *deriver) derive(frames []Frame) stream {
	s := stream{frames: frames}
	ranges, endings := d.ranges[:0], d.endings[:0]
	for i := range frames {
		f := &frames[i]
		if !f.counts() {
			continue
		}
		s.sum.Add(uint64(f.Length))
		ranges = append(ranges, exactint.Range{Start: uint64(f.Offset), End: f.end()})
		if f.Fin == FinTrue {
			endings = append(endings, ending{f.end(), f.Ordinal})
		}
	}
	d.ranges, d.endings = ranges, endings
	slices.SortFunc(endings, func(a, b ending) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.ordinal, b.ordinal))
	})
	s.endings = slices.Compact(endings) // an event may end a stream twice
	s.ranges = exactint.Union(ranges)
	for _, r := range s.ranges {
		s.unique += r.End - r.Start
	}
	s.repeated = s.sum.Minus(s.unique)
	if !d.declared.Empty() {
		d.hide(&s)
	}
	return s
}

// hide takes out what holds a declared value, and notes what it followed from.
func (d *deriver) hide(s *stream) {
	s.uniqueHidden = d.hides(s.unique)
	s.sumHidden = d.declared.InText(s.sum.String())
	s.repeatedHidden = d.declared.InText(s.repeated.String())
	anyTotal := s.uniqueHidden || s.sumHidden || s.repeatedHidden

	var hidden []exactint.Range
	s.ranges = slices.DeleteFunc(s.ranges, func(r exactint.Range) bool {
		if d.hides(r.Start) || d.hides(r.End) {
			hidden = append(hidden, r)
			return true
		}
		return false
	})
	for i := range s.frames {
		if f := &s.frames[i]; f.counts() && (anyTotal || f.beginsIn(hidden)) {
			s.concerned = append(s.concerned, f.Ordinal)
		}
	}
	s.endings = slices.DeleteFunc(s.endings, func(e ending) bool {
		if d.hides(e.size) {
			s.concerned = append(s.concerned, e.ordinal)
			return true
		}
		return false
	})
}

func (d *deriver) hides(n uint64) bool {
	return d.declared.InText(strconv.FormatUint(n, 10))
}

// beginsIn says whether the frame has bytes in one of ranges that are apart and
// in order. Frames never leave the range that they are part of.
func (f *Frame) beginsIn(ranges []exactint.Range) bool {
	i, _ := slices.BinarySearchFunc(ranges, uint64(f.Offset), func(r exactint.Range, offset uint64) int {
		if r.End <= offset {
			return -1
		}
		return 1
	})
	return i < len(ranges) && ranges[i].Start <= uint64(f.Offset) && f.Length > 0
}
