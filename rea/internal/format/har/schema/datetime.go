package schema

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// isDateTime is the format "date-time" of ajv-formats in full mode: a date and a time
// with a zone, with one "t" or one white-space character between them.
func isDateTime(s string) bool {
	at, width := separator(s)
	if at < 0 {
		return false
	}
	rest := s[at+width:]
	if again, _ := separator(rest); again >= 0 {
		return false
	}
	return isDate(s[:at]) && isTime(rest)
}

// separator finds the first "t", in either case, or ECMAScript white space, and its
// width in bytes; -1 if there is none.
func separator(s string) (at, width int) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == 'T' || c == 't' || c == ' ' || '\t' <= c && c <= '\r':
			return i, 1
		case c < utf8.RuneSelf:
			i++
			continue
		}
		// The three bytes of a lone surrogate decode as three errors of one byte,
		// none of which is white space.
		r, n := utf8.DecodeRuneInString(s[i:])
		if isSpace(r) {
			return i, n
		}
		i += n
	}
	return -1, 0
}

// isSpace is \s of ECMAScript beyond ASCII: WhiteSpace (which has the byte-order mark
// and Unicode's Zs, and so not U+0085 or U+180E) and LineTerminator.
func isSpace(r rune) bool {
	switch r {
	case 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return 0x2000 <= r && r <= 0x200a
}

var monthDays = [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// isDate matches full-date of RFC 3339, a date that the Gregorian calendar has.
func isDate(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	high, ok1 := twoDigits(s)
	low, ok2 := twoDigits(s[2:])
	month, ok3 := twoDigits(s[5:])
	day, ok4 := twoDigits(s[8:])
	if !ok1 || !ok2 || !ok3 || !ok4 || month < 1 || month > 12 || day < 1 {
		return false
	}
	year := high*100 + low
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return day <= 29
	}
	return day <= monthDays[month-1]
}

// isTime matches a time of day with its zone. As in ajv-formats, a time that isn't
// within the day is taken for a leap second if, in UTC, its hour and minute come out
// as the last of a day; that lets more pass than real leap seconds.
func isTime(s string) bool {
	hour, ok1 := twoDigits(s)
	if !ok1 || len(s) < 8 || s[2] != ':' || s[5] != ':' {
		return false
	}
	minute, ok2 := twoDigits(s[3:])
	whole, ok3 := twoDigits(s[6:])
	if !ok2 || !ok3 {
		return false
	}
	end := 8
	if end < len(s) && s[end] == '.' {
		for end++; end < len(s) && is(s[end], digit); end++ {
		}
		if end == 9 {
			return false
		}
	}
	sign, zoneHour, zoneMinute, ok := zone(s[end:])
	if !ok {
		return false
	}
	// Seconds are a double in the original, so 59.99… with enough nines is 60.
	second := float64(whole)
	if whole == 59 || whole == 60 {
		second, _ = strconv.ParseFloat(s[6:end], 64) // these digits always parse
	}
	if hour <= 23 && minute <= 59 && second < 60 {
		return true
	}
	utcMinute := minute - zoneMinute*sign
	utcHour := hour - zoneHour*sign
	if utcMinute < 0 {
		utcHour--
	}
	return (utcHour == 23 || utcHour == -1) && (utcMinute == 59 || utcMinute == -1) && second < 61
}

// zone matches "z" in either case, or a sign and hours, with or without minutes and a
// colon before them.
func zone(s string) (sign, hour, minute int, ok bool) {
	if s == "Z" || s == "z" {
		return 1, 0, 0, true
	}
	sign = 1
	if strings.HasPrefix(s, "-") {
		sign = -1
	} else if !strings.HasPrefix(s, "+") {
		return 0, 0, 0, false
	}
	if hour, ok = twoDigits(s[1:]); !ok {
		return 0, 0, 0, false
	}
	if s = s[3:]; s != "" {
		s = strings.TrimPrefix(s, ":")
		if minute, ok = twoDigits(s); !ok || len(s) != 2 {
			return 0, 0, 0, false
		}
	}
	return sign, hour, minute, hour <= 23 && minute <= 59
}

func twoDigits(s string) (int, bool) {
	if len(s) < 2 || !is(s[0], digit) || !is(s[1], digit) {
		return 0, false
	}
	return int(s[0]-'0')*10 + int(s[1]-'0'), true
}

// afterTime reads what both patterns of the schema begin with, date and time with
// every separator optional, and gives what follows the whole seconds. No separator is
// a digit, so there's only one way to match.
func afterTime(s string) (string, bool) {
	// What may stand before each pair of digits; the year is two pairs.
	for _, before := range [...]byte{0, 0, '-', '-', 'T', ':', ':'} {
		if before != 0 && s != "" && s[0] == before {
			s = s[1:]
		}
		if _, ok := twoDigits(s); !ok {
			return "", false
		}
		s = s[2:]
	}
	return s, true
}

func startsWithTime(s string) bool {
	_, ok := afterTime(s)
	return ok
}

func startsWithZonedTime(s string) bool {
	s, ok := afterTime(s)
	if !ok {
		return false
	}
	if len(s) > 1 && s[0] == '.' && is(s[1], digit) {
		for s = s[2:]; s != "" && is(s[0], digit); s = s[1:] {
		}
	}
	if s == "" {
		return false
	}
	switch s[0] {
	case 'Z':
		return true
	case '+', '-':
		if _, ok := twoDigits(s[1:]); !ok {
			return false
		}
		_, ok := twoDigits(strings.TrimPrefix(s[3:], ":"))
		return ok
	}
	return false
}
