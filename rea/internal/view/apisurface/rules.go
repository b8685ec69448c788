package apisurface

import "time"

// rule is a form that a path segment can have.
type rule struct {
	name    string
	matches func(segment string) bool
}

func (r *rule) placeholder() string { return "{" + r.name + "}" }

// rules are tried in this order.
var rules = [...]rule{
	{"numeric", func(s string) bool { return s != "" && all(s, digit) }},
	{"uuid", uuid},
	{"hex", func(s string) bool { return len(s) >= 32 && all(s, hexadecimal) }},
	{"iso-date", date},
}

// ruleOf gives the first rule that a segment keeps, or nil.
func ruleOf(segment string) *rule {
	for i := range rules {
		if rules[i].matches(segment) {
			return &rules[i]
		}
	}
	return nil
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func hexadecimal(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func all(s string, is func(byte) bool) bool {
	for i := range len(s) {
		if !is(s[i]) {
			return false
		}
	}
	return true
}

// uuid is the text form of RFC 9562 section 4, of any version, in any case.
func uuid(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (s[i] == '-') || !dash && !hexadecimal(s[i]) {
			return false
		}
	}
	return true
}

// date is YYYY-MM-DD, a day of the Gregorian calendar in the years 1 to 9999.
func date(s string) bool {
	if len(s) != len(time.DateOnly) {
		return false
	}
	t, err := time.Parse(time.DateOnly, s)
	return err == nil && t.Year() > 0
}
