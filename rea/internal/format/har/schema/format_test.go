package schema

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The expressions of ajv-formats and of the schema, as slow twins. JavaScript's /i
// folds ASCII only, which here is done to the text; (?i) would fold more.
var (
	uriTwin  = regexp.MustCompile(`^(?:[a-z][a-z0-9+\-.]*:)(?:/?/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[v][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*|/(?:(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$`)
	ipv4Twin = regexp.MustCompile(`^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$`)
	ipv6Twin = regexp.MustCompile(`^((([0-9a-f]{1,4}:){7}([0-9a-f]{1,4}|:))|(([0-9a-f]{1,4}:){6}(:[0-9a-f]{1,4}|((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){5}(((:[0-9a-f]{1,4}){1,2})|:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){4}(((:[0-9a-f]{1,4}){1,3})|((:[0-9a-f]{1,4})?:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){3}(((:[0-9a-f]{1,4}){1,4})|((:[0-9a-f]{1,4}){0,2}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){2}(((:[0-9a-f]{1,4}){1,5})|((:[0-9a-f]{1,4}){0,3}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){1}(((:[0-9a-f]{1,4}){1,6})|((:[0-9a-f]{1,4}){0,4}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(:(((:[0-9a-f]{1,4}){1,7})|((:[0-9a-f]{1,4}){0,5}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:)))$`)
	dateTwin = regexp.MustCompile(`^(\d\d\d\d)-(\d\d)-(\d\d)$`)
	timeTwin = regexp.MustCompile(`^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$`)
	space    = regexp.MustCompile(`t|[\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`)
)

func fold(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func dateTimeTwin(s string) bool {
	parts := space.Split(fold(s), -1)
	if len(parts) != 2 {
		return false
	}
	d := dateTwin.FindStringSubmatch(parts[0])
	m := timeTwin.FindStringSubmatch(parts[1])
	if d == nil || m == nil {
		return false
	}
	year, month, day := atoi(d[1]), atoi(d[2]), atoi(d[3])
	days := []int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	if leap := year%4 == 0 && (year%100 != 0 || year%400 == 0); leap {
		days[2] = 29
	}
	if day > days[month] {
		return false
	}
	hour, minute, zoneHour, zoneMinute := atoi(m[1]), atoi(m[2]), atoi(m[6]), atoi(m[7])
	second, _ := strconv.ParseFloat(m[3], 64)
	sign := 1
	if m[5] == "-" {
		sign = -1
	}
	if zoneHour > 23 || zoneMinute > 59 || m[4] == "" {
		return false
	}
	if hour <= 23 && minute <= 59 && second < 60 {
		return true
	}
	utcMinute, borrow := minute-zoneMinute*sign, 0
	if utcMinute < 0 {
		borrow = 1
	}
	utcHour := hour - zoneHour*sign - borrow
	return (utcHour == 23 || utcHour == -1) && (utcMinute == 59 || utcMinute == -1) && second < 61
}

// twins are the matchers with what they have to agree with.
var twins = []struct {
	name string
	fast func(string) bool
	slow func(string) bool
}{
	{"uri", isURI, func(s string) bool { return uriTwin.MatchString(fold(s)) }},
	{"ipv4", isIPv4, ipv4Twin.MatchString},
	{"ipv6", isIPv6, func(s string) bool { return ipv6Twin.MatchString(fold(s)) }},
	{"date-time", isDateTime, dateTimeTwin},
}

var patternTwins = func() map[string]*regexp.Regexp {
	twins := map[string]*regexp.Regexp{}
	for text := range patterns {
		twins[text] = regexp.MustCompile(text)
	}
	return twins
}()

func compareTwins(t *testing.T, s string) {
	for _, twin := range twins {
		if got, want := twin.fast(s), twin.slow(s); got != want {
			t.Errorf("%s of %q is %t, the expression says %t", twin.name, s, got, want)
		}
	}
	for text, match := range patterns {
		if got, want := match(s), patternTwins[text].MatchString(s); got != want {
			t.Errorf("%s on %q is %t", text, s, got)
		}
	}
}

func TestFormatsAgreeWithTheExpressions(t *testing.T) {
	if len(twins) != len(formats) {
		t.Fatal("a format has no twin")
	}
	for _, s := range Hostile {
		compareTwins(t, s)
	}
}

// Every text of up to four of the tokens that a format is made of.
func TestFormatsByExhaustion(t *testing.T) {
	for _, tokens := range [][]string{
		{"a:", "/", "[", "]", "::", "1", "@", "?", "#", "%4", ":"},
		{"::", ":", "1", "ffff:", "1:2:3:4:5", "1.2.3.4", "01.2.3.4", "12345"},
		{"1.", "0", "255", "256", ".", "01", "1.2.3."},
		{"2024-02-29T", "23:59", ":60", ":59", ".9", "z", "+01:00", "-0001", "24:59:60", "T", "\u2003"},
	} {
		texts := []string{""}
		for range 4 {
			var longer []string
			for _, s := range texts {
				for _, token := range tokens {
					longer = append(longer, s+token)
				}
			}
			for _, s := range longer {
				for _, twin := range twins {
					for _, s := range []string{s, "a://[" + s + "]"} {
						if twin.fast(s) != twin.slow(s) {
							t.Fatalf("%s of %q is %t", twin.name, s, twin.fast(s))
						}
					}
				}
			}
			texts = longer
		}
	}
}

func TestIntegral(t *testing.T) {
	for lexeme, want := range map[string]bool{
		"0": true, "-0": true, "0.0": true, "0e-5": true, "12": true, "1e2": true, "1E+2": true, "200.0": true,
		"12.5": false, "1.25e1": false, "1.25e2": true, "1.250e2": true, "120e-1": true, "125e-1": false, "100e-3": false,
		"1e-1": false, "0.5": false, "-1.0": true, "1e21": true, "0e99999999999999999999": true, "5e-99999999999999999999": false,
	} {
		if integral(lexeme) != want {
			t.Errorf("integral(%s) = %t", lexeme, !want)
		}
	}
}

func FuzzFormats(f *testing.F) {
	for _, s := range Hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 100 { // the twins are slow
			compareTwins(t, strings.ToValidUTF8(s, "\xed\xa0\x80"))
		}
	})
}
