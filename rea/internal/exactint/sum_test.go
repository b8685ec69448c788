package exactint

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"
)

var terms = [][]uint64{
	nil,
	{0},
	{Max},
	{Max, Max, Max, Max, 3}, // 2^64-1
	{Max, Max, Max, Max, 4}, // 2^64
	{math.MaxUint64, math.MaxUint64, math.MaxUint64},
	{1e19, 1e19, 5}, // zeros in the middle
}

func pack(ns []uint64) (b []byte) {
	for _, n := range ns {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

// FuzzSum states the law: the text is that of arbitrary-precision arithmetic,
// of the sum and of the sum less any of its terms.
func FuzzSum(f *testing.F) {
	for _, ns := range terms {
		f.Add(pack(ns))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Sum
		want, last := new(big.Int), new(big.Int)
		for ; len(b) >= 8; b = b[8:] {
			n := binary.BigEndian.Uint64(b)
			last.SetUint64(n)
			s.Add(n)
			want.Add(want, last)
		}
		if got := s.String(); got != want.String() {
			t.Fatalf("%s, want %s", got, want)
		}
		if got := s.Minus(last.Uint64()).String(); got != want.Sub(want, last).String() {
			t.Fatalf("less %s: %s, want %s", last, got, want)
		}
	})
}
