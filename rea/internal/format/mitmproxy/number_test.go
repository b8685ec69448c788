package mitmproxy

import (
	"math"
	"strconv"
	"testing"
)

// FuzzFloat: the short way to a verdict and the long one agree, and a float that
// is taken is a double that is printed as it came.
func FuzzFloat(f *testing.F) {
	for _, s := range []string{"0.0", "-0.0", "1.0", "10.0", "00.0", "01.5", "0.1", "0.10", "0.0001", "0.00010", "0.00001", "0.00005", "1.", ".1", "-", "",
		"123456789012345.0", "12345678901234.5", "0.12345678901234", "1700000000.12345", "1700000000.1234567", "9007199254740993.0",
		"0x1p-2", "1_0.5", "1e+16", "1e16", "inf", "Inf", "1.0e5", "-5e-324", "1.7976931348623157e+308", "1.7976931348623159e+308"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := isFloat(s)
		v, err := strconv.ParseFloat(s, 64)
		want := err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) && string(appendFloat(nil, v)) == s
		if s == "inf" || s == "-inf" || s == "nan" {
			want = true
		}
		if got != want {
			t.Errorf("%q is a float: %v", s, got)
		}
	})
}
