package exactint

import (
	"slices"
	"testing"
)

var unions = []struct {
	name     string
	in, want []Range
}{
	{"nothing", nil, nil},
	{"an empty range", []Range{{5, 5}}, nil},
	{"touching", []Range{{0, 5}, {5, 10}}, []Range{{0, 10}}},
	{"a gap of one", []Range{{0, 5}, {6, 10}}, []Range{{0, 5}, {6, 10}}},
	{"out of order", []Range{{8, 9}, {0, 2}, {2, 4}}, []Range{{0, 4}, {8, 9}}},
	{"inside", []Range{{0, 10}, {3, 4}, {10, 11}}, []Range{{0, 11}}},
	{"twice", []Range{{3, 4}, {3, 4}}, []Range{{3, 4}}},
	{"an empty range in a gap", []Range{{0, 1}, {2, 2}, {3, 4}}, []Range{{0, 1}, {3, 4}}},
	{"the far end", []Range{{Max - 1, Max}, {0, Max - 1}}, []Range{{0, Max}}},
}

func TestUnion(t *testing.T) {
	for _, u := range unions {
		if got := Union(slices.Clone(u.in)); !slices.Equal(got, u.want) {
			t.Errorf("%s: %v, want %v", u.name, got, u.want)
		}
	}
}

// FuzzUnion states the law: the union of small ranges is what marking each of
// their integers in an array gives.
func FuzzUnion(f *testing.F) {
	for _, u := range unions {
		var b []byte
		for _, r := range u.in {
			b = append(b, byte(r.Start), byte(r.End))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var marked [257]bool
		var in, want []Range
		for ; len(b) >= 2; b = b[2:] {
			in = append(in, Range{uint64(b[0]), uint64(b[1])})
			for i := int(b[0]); i < int(b[1]); i++ {
				marked[i] = true
			}
		}
		for i := 0; i < len(marked); i++ {
			start := i
			for marked[i] {
				i++
			}
			if i > start {
				want = append(want, Range{uint64(start), uint64(i)})
			}
		}
		if got := Union(in); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
