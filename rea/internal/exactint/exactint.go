package exactint

import "strings"

// Max is the largest integer that is read: 2^62-1, the largest QUIC
// variable-length integer (RFC 9000 section 16).
const Max = 1<<62 - 1

// Parse gives the value of a JSON number that denotes an integer from 0 to Max.
// 2, 2.0, 20e-1 and -0 are read; 2.5, -1 and 1e400 are not.
func Parse(lexeme string) (n uint64, ok bool) {
	mantissa, exponent := lexeme, 0
	if i := strings.IndexAny(lexeme, "eE"); i >= 0 {
		mantissa = lexeme[:i]
		exponent = clampedExponent(lexeme[i+1:])
	}
	negative := strings.HasPrefix(mantissa, "-")
	mantissa = strings.TrimPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	point := len(whole) + exponent // where the decimal point stands in digits

	trimmed := strings.TrimLeft(digits, "0")
	point -= len(digits) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, "0")
	switch {
	case trimmed == "":
		return 0, true
	case negative, len(trimmed) > point, point > 19:
		return 0, false
	}
	for i := 0; i < point; i++ {
		d := byte('0')
		if i < len(trimmed) {
			d = trimmed[i]
		}
		n = n*10 + uint64(d-'0')
	}
	return n, n <= Max
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
