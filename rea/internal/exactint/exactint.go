package exactint

import "strings"

// Max is the largest integer that is read: 2^62-1, the largest QUIC
// variable-length integer (RFC 9000 section 16).
const Max = 1<<62 - 1

// Parse gives the value of a JSON number that denotes an integer from 0 to Max.
// 2, 2.0, 20e-1 and -0 are read; 2.5, -1 and 1e400 are not.
func Parse(lexeme string) (n uint64, ok bool) {
	digits, point := decimal(lexeme)
	switch {
	case digits == "":
		return 0, true
	case lexeme[0] == '-', len(digits) > point, point > 19:
		return 0, false
	}
	for i := 0; i < point; i++ {
		d := byte('0')
		if i < len(digits) {
			d = digits[i]
		}
		n = n*10 + uint64(d-'0')
	}
	return n, n <= Max
}

// Whole says whether a JSON number denotes an integer, of whatever size and sign:
// -1 and 1e400 are, 2.5 is not.
func Whole(lexeme string) bool {
	digits, point := decimal(lexeme)
	return len(digits) <= max(point, 0)
}

// decimal gives the significant digits of a number, none for zero, and where the
// decimal point stands in them or beside them.
func decimal(lexeme string) (digits string, point int) {
	mantissa, exponent := strings.TrimPrefix(lexeme, "-"), 0
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, exponent = mantissa[:i], clampedExponent(mantissa[i+1:])
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	digits = strings.TrimLeft(all, "0")
	point = len(whole) + exponent - (len(all) - len(digits))
	return strings.TrimRight(digits, "0"), point
}

// clampedExponent reads an exponent up to a clamp that lies far above the number
// of digits any input can hold, so that no digit can bring the value back.
func clampedExponent(s string) int {
	const clamp = 1 << 40
	negative := strings.HasPrefix(s, "-")
	n := 0
	for _, c := range strings.TrimLeft(s, "+-") {
		if n = n*10 + int(c-'0'); n > clamp {
			n = clamp
		}
	}
	if negative {
		return -n
	}
	return n
}
