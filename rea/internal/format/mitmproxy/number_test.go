package mitmproxy

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// FuzzFloat: the short way to a verdict and the long one agree, and a float that
// is taken is a double that is printed as it came.
func FuzzFloat(f *testing.F) {
	for _, s := range []string{"0.0", "-0.0", "1.0", "10.0", "00.0", "01.5", "0.1", "0.10", "0.0001", "0.00010", "0.00001", "0.00005", "1.", ".1", "-", "",
		"123456789012345.0", "12345678901234.5", "0.12345678901234", "1700000000.12345", "1700000000.1234567", "1700000000.123456", "1700000000.123457", "1924992000.1328125", "4503599627370496.5", "4503599627370497.5", "999999999999999.9", "1.0000000000000002", "1.0000000000000001", "9.999999999999998", "8.999999999999999", "2.2250738585072014", "0.12345678901234567", "-1700000000.1234567", "9007199254740993.0",
		"0x1p-2", "1_0.5", "1e+16", "1e16", "inf", "Inf", "1.0e5", "-5e-324", "1.7976931348623157e+308", "1.7976931348623159e+308"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := isFloat(s); got != isPrinted(s) {
			t.Errorf("%q is a float: %v", s, got)
		}
	})
}

// isPrinted is the long way: to print what was read.
func isPrinted(s string) bool {
	v, err := strconv.ParseFloat(s, 64)
	return s == "inf" || s == "-inf" || s == "nan" || err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) && string(appendFloat(nil, v)) == s
}

// Doubles of all sizes, their neighbours in decimal, and decimals that nobody
// printed: the short way is right, and nearly always there.
func TestFloatsOfManyDigits(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 17))
	tried, sure := 0, 0
	try := func(s string) {
		if got := isFloat(s); got != isPrinted(s) {
			t.Fatalf("%q is a float: %v", s, got)
		}
		if digits := len(s) - 1; (digits == 16 || digits == 17) && strings.IndexByte(s, '.') <= 15 && s[len(s)-1] != '0' {
			tried++
			if _, is := isPlainFloat(s); is {
				sure++
			}
		}
	}
	for range 200_000 {
		f := math.Exp2(random.Float64()*50) * (1 + random.Float64())
		switch random.IntN(8) {
		case 0: // a power of two, or next to one
			f = math.Float64frombits(math.Float64bits(math.Exp2(float64(random.IntN(50)))) + uint64(random.IntN(3)) - 1)
		case 1: // the time of day
			f = 1.7e9 + float64(random.IntN(1e9))/1e6
		}
		s := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			continue
		}
		try(s)
		b := []byte(s)
		last := &b[len(b)-1]
		for _, c := range []byte{*last + 1, *last - 1, '0' + byte(random.IntN(10))} {
			if '0' <= c && c <= '9' {
				*last = c
				try(string(b))
			}
		}
		try(s[:len(s)-1] + "5")
		try(s + string('0'+byte(random.IntN(10))))
	}
	if sure < tried/100*98 {
		t.Errorf("of %d floats with 16 or 17 digits, %d are decided the short way", tried, sure)
	}
}
