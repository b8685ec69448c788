package strictjson

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"rea.example/rea/internal/judge"
)

// numbers are lexemes, how ECMAScript prints their doubles in JSON, and whether
// lossless-json calls them safe. TestNumbersAgainstJudge puts every row to both.
var numbers = []struct {
	line     int
	in, want string
	safe     bool
}{
	{line(), "0", "0", true},
	{line(), "-0", "0", true},
	{line(), "-0.0", "0", true},
	{line(), "0.0", "0", true},
	{line(), "0.00e0", "0", true},
	{line(), "0e5", "0", true},
	{line(), "-0E+400", "0", true},
	{line(), "7", "7", true},
	{line(), "-42", "-42", true},
	{line(), "999999999999999", "999999999999999", true},
	{line(), "1000000000000000", "1000000000000000", true},
	{line(), "9007199254740991", "9007199254740991", true},
	{line(), "-9007199254740991", "-9007199254740991", true},
	{line(), "9007199254740992", "9007199254740992", false},
	{line(), "-9007199254740992", "-9007199254740992", false},
	{line(), "9007199254740993", "9007199254740992", false},
	{line(), "9007199254740992e0", "9007199254740992", true},
	{line(), "9007199254740993e0", "9007199254740992", false},
	{line(), "9007199254740992.0", "9007199254740992", true},
	{line(), "100000000000000000000", "100000000000000000000", false},
	{line(), "1e20", "100000000000000000000", true},
	{line(), "1e21", "1e+21", true},
	{line(), "1E+2", "100", true},
	{line(), "100e-2", "1", true},
	{line(), "123e-20", "1.23e-18", true},
	{line(), "-12.5e+30", "-1.25e+31", true},
	{line(), "123456789012345680000", "123456789012345680000", false},
	{line(), "1234567890123456800000", "1.2345678901234568e+21", false},
	{line(), "1234567890123456800000.0", "1.2345678901234568e+21", true},
	{line(), "0.1", "0.1", true},
	{line(), "-0.5", "-0.5", true},
	{line(), "1.10", "1.1", true},
	{line(), "1.0", "1", true},
	{line(), "10.0", "10", true},
	{line(), "0.000001", "0.000001", true},
	{line(), "0.0000001", "1e-7", true},
	{line(), "0.00000012", "1.2e-7", true},
	{line(), "0.0000012", "0.0000012", true},
	{line(), "-0.0000010", "-0.000001", true},
	{line(), "123456789.123456789", "123456789.12345679", false},
	{line(), "123456789.12345678", "123456789.12345678", true},
	{line(), "0.1234567890123456", "0.1234567890123456", true},
	{line(), "0.12345678901234567", "0.12345678901234566", false},
	{line(), "0.30000000000000004", "0.30000000000000004", true},
	{line(), "0.3000000000000000444", "0.30000000000000004", false},
	{line(), "12.345999999999549", "12.345999999999549", true},
	{line(), "99999999999999.9", "99999999999999.9", true},
	{line(), "999999999999999.9", "999999999999999.9", true},
	{line(), "99999999999999999.9", "100000000000000000", false},
	{line(), "5e-324", "5e-324", true},
	{line(), "4e-324", "5e-324", false},
	{line(), "4.94065645841246544e-324", "5e-324", false},
	{line(), "2e-324", "0", false},
	{line(), "1e-400", "0", false},
	{line(), "-1e-400", "0", false},
	{line(), "2.2250738585072014e-308", "2.2250738585072014e-308", true},
	{line(), "1.7976931348623157e308", "1.7976931348623157e+308", true},
	{line(), "1.7976931348623158e308", "1.7976931348623157e+308", false},
	{line(), "1.7976931348623159e308", "null", false},
	{line(), "1e400", "null", false},
	{line(), "-1e400", "null", false},
	{line(), "1e99999999999999999999", "null", false},
	{line(), "1e-99999999999999999999", "0", false},
	{line(), "0e99999999999999999999", "0", true},
	{line(), "1" + strings.Repeat("0", 400), "null", false},
	{line(), "0." + strings.Repeat("0", 400) + "1", "0", false},
	{line(), "1" + strings.Repeat("0", 400) + "e-400", "1", true},
	{line(), "0." + strings.Repeat("0", 400) + "15e401", "1.5", true},
	{line(), "5." + strings.Repeat("0", 1000) + "1", "5", false},
}

func TestNumbers(t *testing.T) {
	for _, r := range numbers {
		if got := string(AppendNumber(nil, r.in)); got != r.want {
			t.Errorf("line %d: AppendNumber gives %s, want %s", r.line, got, r.want)
		}
		if got := Safe(r.in); got != r.safe {
			t.Errorf("line %d: Safe is %v", r.line, got)
		}
	}
}

// What is taken for canonical without a look at its double has to be.
func TestShortNumbersNeedNoDouble(t *testing.T) {
	for _, in := range hostileNumbers() {
		if !short(in) || in == "-0" {
			continue
		}
		f, err := strconv.ParseFloat(in, 64)
		if err != nil || strconv.FormatFloat(f, 'f', -1, 64) != in {
			t.Errorf("%s is not what its double prints as", in)
		}
	}
}

// hostileNumbers gives thousands of lexemes around every edge, the same in
// every run.
func hostileNumbers() []string {
	r := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0123456789000999"[r.IntN(16)]
		}
		return string(b)
	}
	whole := func(n int) string {
		s := strings.TrimLeft(digits(n), "0")
		if s == "" {
			return "0"
		}
		return s
	}
	var out []string
	for _, n := range numbers {
		out = append(out, n.in)
	}
	for range 800 {
		out = append(out, whole(1+r.IntN(19)))
		out = append(out, whole(1+r.IntN(17))+"."+digits(1+r.IntN(18)))
		out = append(out, "0."+strings.Repeat("0", r.IntN(9))+digits(1+r.IntN(17)))
		out = append(out, whole(1+r.IntN(18))+"e"+strconv.Itoa(r.IntN(660)-340))
		out = append(out, whole(1)+"."+digits(1+r.IntN(20))+[]string{"e", "E", "e+", "E-0"}[r.IntN(4)]+strconv.Itoa(r.IntN(330)))
		// The doubles themselves, one digit more, and one digit other.
		f := math.Float64frombits(r.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		s := strconv.FormatFloat(f, 'e', -1, 64)
		out = append(out, s, strconv.FormatFloat(f, 'e', 17, 64), strconv.FormatFloat(f, 'e', 15, 64))
		f = math.Ldexp(float64(r.IntN(1<<30)), r.IntN(120)-60)
		out = append(out, strconv.FormatFloat(f, 'f', -1, 64), strconv.FormatFloat(f, 'f', 3, 64))
	}
	for i := range out {
		if out[i][0] != '-' && r.IntN(4) == 0 {
			out[i] = "-" + out[i]
		}
	}
	return out
}

func TestNumbersAgainstJudge(t *testing.T) {
	j := judge.Start(t)
	if !j.Available() {
		return // TestNumbers holds the recorded verdicts
	}
	lexemes := hostileNumbers()
	for _, in := range lexemes {
		if got, want := Safe(in), j.Safe(t, in); got != want {
			t.Errorf("Safe(%s) is %v, lossless-json says %v", in, got, want)
		}
	}
	ours := "["
	for i, in := range lexemes {
		if i > 0 {
			ours += ","
		}
		ours = string(AppendNumber([]byte(ours), in))
	}
	theirs := j.Canonical(t, "["+strings.Join(lexemes, ",")+"]")
	got, want := strings.Split(ours, ","), strings.Split(strings.TrimSuffix(theirs, "]"), ",")
	if len(got) != len(want) {
		t.Fatalf("%d numbers, %d of the judge", len(got), len(want))
	}
	for i, in := range lexemes {
		if got[i] != want[i] {
			t.Errorf("AppendNumber(%s) gives %s, JavaScript %s", in, got[i], want[i])
		}
	}
}

func TestCanonicalAgainstJudge(t *testing.T) {
	j := judge.Start(t)
	if !j.Available() {
		return // TestCanonical holds the recorded verdicts
	}
	var documents []string
	for _, r := range canonical {
		documents = append(documents, r.in)
	}
	for _, r := range accepted {
		documents = append(documents, strings.TrimPrefix(r.in, bom))
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		documents = append(documents, hostileDocument(r, 4))
	}
	for _, in := range documents {
		v, err := Parse([]byte(in), 64)
		if err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		if got, want := string(AppendCanonical(nil, &v)), j.Canonical(t, in); got != want {
			t.Errorf("%q becomes\n%q, with the judge\n%q", in, got, want)
		}
	}
}

// hostileDocument is a document of strings and names that are hard to spell.
func hostileDocument(r *rand.Rand, levels int) string {
	text := func() string {
		parts := []string{"a", `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0000`, `\u000B`, `\u001f`, `\u0041`, "\x7f", "é", "\ufffd", "\u2028",
			"\ue000", "\U0010ffff", "😀", `\ud83d`, `\uDE00`, `\uD83D\ude00`, `\uFFFF`, `\ud7ff`, `\uE000`, "1", "2"}
		s := ""
		for range r.IntN(5) {
			s += parts[r.IntN(len(parts))]
		}
		return `"` + s + `"`
	}
	if levels == 0 || r.IntN(4) == 0 {
		return text()
	}
	var items []string
	object := r.IntN(3) > 0
	seen := map[string]bool{}
	for range r.IntN(6) {
		item := hostileDocument(r, levels-1)
		if object {
			name := text()
			decoded, err := Parse([]byte(name), 0)
			if err != nil || seen[decoded.Decode()] {
				continue
			}
			seen[decoded.Decode()] = true
			item = name + ":" + item
		}
		items = append(items, item)
	}
	if object {
		return "{" + strings.Join(items, ",") + "}"
	}
	return "[" + strings.Join(items, ",") + "]"
}

// FuzzNumber: the canonical form of a number is a number of the same double,
// and stays as it is.
func FuzzNumber(f *testing.F) {
	for _, r := range numbers {
		f.Add(r.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		v, err := Parse([]byte(in), 0)
		if err != nil || v.Text != in {
			return
		}
		if in != "" && in[0] != '-' && (in[0] < '0' || in[0] > '9') {
			return
		}
		got := string(AppendNumber(nil, in))
		want, err := strconv.ParseFloat(in, 64)
		if err != nil {
			if got != "null" || Safe(in) {
				t.Fatalf("%s is too large, and becomes %s, safe %v", in, got, Safe(in))
			}
			return
		}
		if f, err := strconv.ParseFloat(got, 64); err != nil || f != want {
			t.Fatalf("%s becomes %s", in, got)
		}
		if again := string(AppendNumber(nil, got)); again != got {
			t.Fatalf("%s becomes %s", got, again)
		}
	})
}
