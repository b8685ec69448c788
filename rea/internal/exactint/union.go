package exactint

import (
	"cmp"
	"slices"
)

// Range holds the integers from Start up to but not including End.
type Range struct{ Start, End uint64 }

// Union gives the union of ranges as the fewest ranges that make it up, in
// order; ranges that only touch become one, and empty ones are gone. It reuses
// the memory of its argument.
func Union(ranges []Range) []Range {
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Compare(a.Start, b.Start) })
	out := ranges[:0]
	for _, r := range ranges {
		switch last := len(out) - 1; {
		case r.Start >= r.End:
		case last >= 0 && r.Start <= out[last].End:
			out[last].End = max(out[last].End, r.End)
		default:
			out = append(out, r)
		}
	}
	return out
}
