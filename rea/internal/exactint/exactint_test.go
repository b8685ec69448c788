package exactint

import (
	"math/big"
	"strings"
	"testing"
)

var spellings = []struct {
	lexeme string
	want   uint64
	ok     bool
}{
	{"0", 0, true},
	{"-0", 0, true},
	{"-0.0e9", 0, true},
	{"0e999999999999999999999", 0, true},
	{"2", 2, true},
	{"2.0", 2, true},
	{"20e-1", 2, true},
	{"0.2e1", 2, true},
	{"2.5", 0, false},
	{"25e-1", 0, false},
	{"-1", 0, false},
	{"-1e-1", 0, false},
	{"1e18", 1e18, true},
	{"1E+18", 1e18, true},
	{"1e400", 0, false},
	{"1e999999999999999999999", 0, false},
	{"1e-999999999999999999999", 0, false},
	{"9007199254740993", 9007199254740993, true},
	{"4611686018427387903", Max, true},
	{"4611686018427387903.000", Max, true},
	{"4611686018427387904", 0, false},
	{"18446744073709551617", 0, false},
	{"99999999999999999999", 0, false},
}

func TestParse(t *testing.T) {
	for _, s := range spellings {
		if n, ok := Parse(s.lexeme); n != s.want && ok || ok != s.ok {
			t.Errorf("Parse(%s) = %d, %v; want %d, %v", s.lexeme, n, ok, s.want, s.ok)
		}
	}
}

// FuzzParse states the law: the answer is that of exact rational arithmetic.
func FuzzParse(f *testing.F) {
	for _, s := range spellings {
		f.Add(s.lexeme)
	}
	f.Fuzz(func(t *testing.T, lexeme string) {
		if !jsonNumber(lexeme) || len(lexeme) > 40 {
			t.Skip()
		}
		if i := strings.IndexAny(lexeme, "eE"); i >= 0 && len(lexeme)-i > 5 {
			t.Skip() // math/big would build the power
		}
		r, ok := new(big.Rat).SetString(lexeme)
		if !ok {
			t.Skip()
		}
		want := r.IsInt() && r.Sign() >= 0 && r.Num().Cmp(big.NewInt(Max)) <= 0
		n, got := Parse(lexeme)
		if got != want || want && r.Num().Uint64() != n {
			t.Fatalf("Parse(%s) = %d, %v; exact arithmetic says %s, %v", lexeme, n, got, r, want)
		}
		if Whole(lexeme) != r.IsInt() {
			t.Fatalf("Whole(%s) = %v; it is %s", lexeme, Whole(lexeme), r)
		}
	})
}

func jsonNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	digits := func() bool {
		n := len(s)
		s = strings.TrimLeft(s, "0123456789")
		return len(s) < n
	}
	if strings.HasPrefix(s, "0") {
		s = s[1:]
	} else if !digits() {
		return false
	}
	if strings.HasPrefix(s, ".") {
		s = s[1:]
		if !digits() {
			return false
		}
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		if !digits() {
			return false
		}
	}
	return s == ""
}
