package strictjson

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"rea.example/rea/internal/limits"
)

// AppendNumber appends the double that a JSON number means, in the form of
// ECMA-262 Number::toString as RFC 8785 section 3.2.2.3 asks. Minus zero is
// written 0, and what is too large for a double null, as JSON.stringify does.
func AppendNumber(dst []byte, lexeme string) []byte {
	if short(lexeme) && lexeme != "-0" {
		return append(dst, lexeme...)
	}
	// The error can only be that of the range, which the value tells too.
	f, _ := strconv.ParseFloat(lexeme, 64)
	switch {
	case math.IsInf(f, 0):
		return append(dst, "null"...)
	case f == 0:
		return append(dst, '0')
	case f < 0:
		dst = append(dst, '-')
		f = -f
	}
	// Both languages choose the shortest digits that read back as the double,
	// and of those the nearest.
	var room [32]byte
	digits, exponent, _ := bytes.Cut(strconv.AppendFloat(room[:0], f, 'e', -1, 64), []byte("e"))
	if len(digits) > 1 {
		digits[1] = digits[0] // in place of the dot
		digits = digits[1:]
	}
	e, _ := strconv.Atoi(string(exponent))
	point := e + 1 // the value is 0.digits * 10^point
	switch {
	case point > 21 || point < -5:
		dst = append(dst, digits[0])
		if len(digits) > 1 {
			dst = append(append(dst, '.'), digits[1:]...)
		}
		dst = append(dst, 'e')
		if e > 0 {
			dst = append(dst, '+')
		}
		return strconv.AppendInt(dst, int64(e), 10)
	case point <= 0:
		dst = append(append(dst, "0."...), "00000"[:-point]...)
		return append(dst, digits...)
	case point < len(digits):
		dst = append(append(dst, digits[:point]...), '.')
		return append(dst, digits[point:]...)
	}
	return append(append(dst, digits...), "000000000000000000000"[:point-len(digits)]...)
}

// short says that a lexeme has at most 15 digits, no exponent, no needless zero
// at its end, and is not so small that its canonical form has an exponent. A
// double tells any two such numbers apart, so what it prints as is the lexeme,
// except for -0.
func short(lexeme string) bool {
	s := lexeme
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n == len(s) {
		return n <= 15
	}
	if s[n] != '.' || len(s) > len(".")+15 || s[len(s)-1] == '0' || strings.HasPrefix(s, "0.000000") {
		return false
	}
	for n++; n < len(s); n++ {
		if !isDigit(s[n]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Safe says whether a JSON number survives becoming a double, as isSafeNumber
// of lossless-json 4.3.1 decides it: an integer without dot and exponent does
// within limits.SafeInteger, and any other number if its significant digits are
// those that the double prints as. So 1.10 and 9007199254740992e0 are safe,
// 1e400 and 9007199254740993e0 are not.
func Safe(lexeme string) bool {
	if short(lexeme) {
		return true
	}
	n := len("-")
	for n < len(lexeme) && isDigit(lexeme[n]) {
		n++
	}
	if n == len(lexeme) {
		i, err := strconv.ParseInt(lexeme, 10, 64)
		return err == nil && -limits.SafeInteger <= i && i <= limits.SafeInteger
	}
	f, err := strconv.ParseFloat(lexeme, 64)
	if err != nil { // too large
		return false
	}
	var room [32]byte
	return sameDigits(significant(lexeme), significant(string(strconv.AppendFloat(room[:0], f, 'e', -1, 64))))
}

// significant gives the part of a number from its first to its last digit that
// is not zero. A dot may be in it.
func significant(lexeme string) string {
	for i := range len(lexeme) {
		if lexeme[i]|0x20 == 'e' {
			lexeme = lexeme[:i]
			break
		}
	}
	i, j := 0, len(lexeme)
	for i < j && (lexeme[i] == '-' || lexeme[i] == '0' || lexeme[i] == '.') {
		i++
	}
	for i < j && (lexeme[j-1] == '0' || lexeme[j-1] == '.') {
		j--
	}
	return lexeme[i:j]
}

// sameDigits compares without regard to dots.
func sameDigits(a, b string) bool {
	i, j := 0, 0
	for {
		if i < len(a) && a[i] == '.' {
			i++
		}
		if j < len(b) && b[j] == '.' {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i] != b[j] {
			return false
		}
		i++
		j++
	}
}
