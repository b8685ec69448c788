package mitmproxy

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// maxInteger is how many digits Python converts (sys.int_info,
// default_max_str_digits).
const maxInteger = 4300

// integer gives the text that Python prints for an integer, or "" where the
// payload isn't one.
func integer(payload string) string {
	digits := strings.TrimPrefix(payload, "-")
	if digits == "" || len(digits) > maxInteger {
		return ""
	}
	for i := range len(digits) {
		if c := digits[i]; c < '0' || c > '9' {
			return ""
		}
	}
	if digits[0] != '0' {
		return payload
	}
	switch digits = strings.TrimLeft(digits, "0"); {
	case digits == "":
		return "0"
	case payload[0] == '-':
		return "-" + digits
	}
	return digits
}

// longestFloat is -1.7976931348623157e+308, the longest that Python prints.
const longestFloat = 24

// isFloat says whether a payload is what Python's repr prints for a float: the
// shortest digits that read back as the same double, with an exponent where
// there would be more than 16 digits before the dot or more than 3 zeros behind
// it.
func isFloat(payload string) bool {
	switch payload {
	case "inf", "-inf", "nan":
		return true
	}
	if is, sure := isPlainFloat(payload); sure {
		return is
	}
	if len(payload) > longestFloat {
		return false
	}
	f, err := strconv.ParseFloat(payload, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return false
	}
	var room [longestFloat + 8]byte
	return payload == string(appendFloat(room[:0], f))
}

// isPlainFloat decides most payloads without printing them: those of at most 17
// digits, with a dot, with no exponent and no need of one, and no needless zero.
func isPlainFloat(payload string) (is, sure bool) {
	s := strings.TrimPrefix(payload, "-")
	whole := strings.IndexByte(s, '.')
	fraction := len(s) - (whole + 1)
	digits := whole + fraction
	if whole < 1 || fraction < 1 || digits > 17 {
		return false, false
	}
	var all uint64 // the digits as one number
	for i := range len(s) {
		c := s[i] - '0'
		if i == whole {
			continue
		}
		if c > 9 {
			return false, false
		}
		all = all*10 + uint64(c)
	}
	switch {
	case s[len(s)-1] == '0' && fraction > 1, s[0] == '0' && whole > 1:
		return false, false
	case fraction == 1 && s[len(s)-1] == '0':
		return true, whole <= 15
	case s[0] == '0':
		return true, digits <= 15 && !strings.HasPrefix(s[whole+1:], "0000")
	case digits <= 15:
		// A double tells any two such numbers apart, so what Python prints for it is
		// the payload.
		return true, true
	case whole > 15:
		return false, false
	}
	return isShortest(all, fraction)
}

// isShortest says whether the number all/10^fraction, of 16 or 17 digits of which
// not more than 15 stand before the dot, is what a double is printed as: no other
// number of so many digits is nearer to the double that is nearest to it, and none
// of fewer digits has the same nearest double. A tie is left to who prints.
func isShortest(all uint64, fraction int) (is, sure bool) {
	power := powers[fraction]
	// The double is mantissa/2^scale, with the 53 bits of a mantissa that is more
	// than the least. In units of 1/power of the mantissa's last bit, the number is
	// off by rest, half of that bit is half of power, and a decimal unit is step.
	scale := 53 + bits.Len64(power) - bits.Len64(all)
	mantissa, rest := scaled(all, scale, power)
	if mantissa >= 1<<53 {
		scale--
		mantissa, rest = scaled(all, scale, power)
	}
	step := int64(1) << scale
	off := int64(rest)
	if off > int64(power)/2 {
		mantissa++
		off -= int64(power)
	}
	// What has a digit less stands on both sides.
	last := int64(all % 10)
	below, above := off-last*step, off+(10-last)*step
	unit, bit := step, int64(power)
	switch {
	case mantissa <= 1<<52, mantissa >= 1<<53:
		return false, false
	case 2*abs(off) == unit, 2*abs(off) == bit, 2*abs(below) == bit, 2*abs(above) == bit:
		return false, false
	}
	return 2*abs(off) < unit && 2*abs(below) > bit && 2*abs(above) > bit, true
}

// powers of ten, as many as 17 digits may need behind the dot.
var powers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16}

// scaled divides n*2^scale.
func scaled(n uint64, scale int, by uint64) (quotient, rest uint64) {
	high, low := bits.Mul64(n, 1<<scale)
	return bits.Div64(high, low, by)
}

func abs(n int64) int64 { return max(n, -n) }

// appendFloat appends a finite float as Python prints it.
func appendFloat(b []byte, f float64) []byte {
	if a := math.Abs(f); a >= 1e16 || a < 1e-4 && a != 0 {
		return strconv.AppendFloat(b, f, 'e', -1, 64)
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'f', -1, 64)
	for _, c := range b[start:] {
		if c == '.' {
			return b
		}
	}
	return append(b, ".0"...)
}
