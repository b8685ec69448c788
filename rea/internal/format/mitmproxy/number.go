package mitmproxy

import (
	"math"
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
	if isShortFloat(payload) {
		return true
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

// isShortFloat says that a payload is a float of at most 15 digits, with no
// exponent and no need of one, and no needless zero. A double tells any two such
// numbers apart, so what Python prints for it is the payload.
func isShortFloat(payload string) bool {
	s := strings.TrimPrefix(payload, "-")
	if len(s) > len(".")+15 {
		return false
	}
	whole := 0
	for whole < len(s) && '0' <= s[whole] && s[whole] <= '9' {
		whole++
	}
	if whole == 0 || whole == len(s) || s[whole] != '.' {
		return false
	}
	fraction := s[whole+1:]
	for i := range len(fraction) {
		if c := fraction[i]; c < '0' || c > '9' {
			return false
		}
	}
	switch {
	case fraction == "":
		return false
	case fraction[len(fraction)-1] == '0' && fraction != "0":
		return false
	case s[0] == '0':
		return whole == 1 && !strings.HasPrefix(fraction, "0000")
	}
	return true
}

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
