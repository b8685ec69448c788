package schema

import "strings"

// isIPv4 is the format "ipv4": four octets without leading zeros.
func isIPv4(s string) bool { return fourOctets(s, false) }

// isLooseIPv4 is how an address may end inside the brackets of a URI: octets may
// have up to three digits, leading zeros included.
func isLooseIPv4(s string) bool { return fourOctets(s, true) }

func fourOctets(s string, zeros bool) bool {
	for octet := 1; ; octet++ {
		i, n := 0, 0
		for i < len(s) && i < 3 && is(s[i], digit) {
			n = n*10 + int(s[i]-'0')
			i++
		}
		if i == 0 || n > 255 || !zeros && i > 1 && s[0] == '0' {
			return false
		}
		if s = s[i:]; octet == 4 {
			return s == ""
		}
		if s == "" || s[0] != '.' {
			return false
		}
		s = s[1:]
	}
}

// isIPv6 is the format "ipv6".
func isIPv6(s string) bool { return isIP(s, isIPv4) }

// isIP matches an IPv6 address without brackets or zone: eight groups of one to four
// hexadecimal digits, of which the last two may be an IPv4 address, and of which one
// run, of at least one group, may be left out with "::".
func isIP(s string, ipv4 func(string) bool) bool {
	before, after, short := strings.Cut(s, "::")
	if !short {
		return groups(s, ipv4) == 8
	}
	n := 0
	if before != "" {
		// An IPv4 address can only come last.
		if n = groups(before, nil); n < 0 {
			return false
		}
	}
	if after != "" {
		m := groups(after, ipv4)
		if m < 0 {
			return false
		}
		n += m
	}
	return n <= 7
}

// groups counts groups that are separated by colons, an IPv4 address at the end as
// two; it gives -1 where something else stands.
func groups(s string, ipv4 func(string) bool) int {
	for n := 1; ; n++ {
		i := 0
		for i < len(s) && is(s[i], hexDigit) {
			i++
		}
		switch {
		case i >= 1 && i <= 4 && i == len(s):
			return n
		case i >= 1 && i <= 4 && s[i] == ':':
			s = s[i+1:]
		case ipv4 != nil && ipv4(s):
			return n + 1
		default:
			return -1
		}
	}
}
