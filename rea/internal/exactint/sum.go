package exactint

import (
	"math/bits"
	"strconv"
)

// Sum is an exact sum of 64-bit integers. Five of the largest integers that
// Parse reads are already more than a uint64 holds; two words hold more terms
// than any input has. The zero Sum is 0.
type Sum struct{ high, low uint64 }

// Add adds n.
func (s *Sum) Add(n uint64) {
	var carry uint64
	s.low, carry = bits.Add64(s.low, n, 0)
	s.high += carry
}

// Minus gives s - n, which must not be negative.
func (s Sum) Minus(n uint64) Sum {
	low, borrow := bits.Sub64(s.low, n, 0)
	return Sum{high: s.high - borrow, low: low}
}

// String gives the sum in decimal.
func (s Sum) String() string {
	if s.high == 0 {
		return strconv.FormatUint(s.low, 10)
	}
	// 10^19 is the largest power of ten in a word. A quotient that needs two
	// words would need more terms than anybody can add.
	front, rest := bits.Div64(s.high, s.low, 1e19)
	digits := strconv.FormatUint(rest, 10)
	return strconv.FormatUint(front, 10) + "0000000000000000000"[len(digits):] + digits
}
