package recordedurl

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// parseAuthority reads the host and the port of a web URL as the WHATWG URL
// Standard does (host state and port state of the basic URL parser). The host is
// serialised; the port is "" where none is given. Nothing but these two can make
// the parsing of such a URL fail, so the rest of the text, which may be as large
// as a capture, is shown to no parser.
func parseAuthority(hostPort string) (host, port string, ok bool) {
	host, inside := hostPort, false
	for i := 0; i < len(hostPort); i++ {
		switch c := hostPort[i]; {
		case c == '[' || c == ']':
			inside = c == '['
		case c == ':' && !inside:
			host, port = hostPort[:i], hostPort[i+1:]
			if port, ok = parsePort(port); !ok {
				return "", "", false
			}
			i = len(hostPort)
		}
	}
	host, ok = parseHost(host)
	return host, port, ok
}

func parsePort(digits string) (string, bool) {
	if strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	if digits == "" {
		return "", true
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	return strconv.FormatUint(n, 10), err == nil
}

// parseHost is the standard's host parser (section 3.5) for hosts that are not
// opaque. What needs the tables of Unicode, and IPv6, is the library's.
func parseHost(host string) (string, bool) {
	if strings.HasPrefix(host, "[") {
		return parseIPv6(host)
	}
	domain := unescaped(host)
	ascii, ok := strings.ToLower(domain), true
	if !isASCII(domain) || hasPunycode(ascii) {
		ascii, ok = domainToASCII(domain)
	}
	if !ok || ascii == "" || strings.ContainsFunc(ascii, forbidden) {
		return "", false
	}
	if endsInNumber(ascii) {
		return parseIPv4(ascii)
	}
	return ascii, true
}

// forbidden are the standard's forbidden domain code points.
func forbidden(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune("#/:<>?@[\\]^|%", r)
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// hasPunycode says whether a label of a domain in lower case begins with the
// prefix of Punycode. An ASCII domain without is its own ASCII form.
func hasPunycode(domain string) bool {
	return strings.HasPrefix(domain, "xn--") || strings.Contains(domain, ".xn--")
}

// domainToASCII is the standard's "domain to ASCII", for a domain in which not all
// is as it would be in ASCII. Where the library takes more than the standard, nothing
// is taken here: that at worst leaves out a host that nobody has.
func domainToASCII(domain string) (string, bool) {
	before := strings.Split(dots.Replace(domain), ".")
	if isASCII(domain) {
		for i, l := range before {
			before[i] = strings.ToLower(l)
			if !hasPunycode(before[i]) {
				continue
			}
			if a, ok := mapped(l); !ok || a != before[i] {
				return "", false
			}
		}
		return strings.Join(before, "."), true
	}
	ascii, ok := mapped(domain)
	after := strings.Split(ascii, ".")
	if !ok || len(before) != len(after) {
		return "", false
	}
	// The library makes something of what only looks like Punycode: nothing of
	// "xn--", ASCII of "xn--a-", and it takes Punycode that is not ASCII itself.
	for i, l := range before {
		if isASCII(l) && strings.ToLower(l) != after[i] || !isASCII(l) && maybePunycode(l) {
			return "", false
		}
	}
	return ascii, true
}

// mapped is what the library makes of a domain.
func mapped(domain string) (string, bool) {
	// With this label behind it, nothing is an address to the library, which takes
	// signed numbers in one.
	const label = ".x"
	if !utf8.ValidString(domain) || strings.ContainsAny(domain, "%/?#\\@:[]\t\n\r") {
		return "", false // the library would take it apart
	}
	u, err := whatwg.Parse("https://" + domain + label + "/")
	if err != nil {
		return "", false
	}
	return strings.CutSuffix(u.Hostname(), label)
}

// dots are what else divides labels (UTS 46, section 4, steps 1 and 3).
var dots = strings.NewReplacer("。", ".", "．", ".", "｡", ".")

// maybePunycode says whether a label may be mapped to one that begins like
// Punycode: two hyphens stand in it, with nothing between them that is sure to stay.
func maybePunycode(label string) bool {
	hyphen := false
	for _, r := range label {
		switch {
		case r == '-' || r == '－' || r == '﹣':
			if hyphen {
				return true
			}
			hyphen = true
		case r < utf8.RuneSelf:
			hyphen = false
		}
	}
	return false
}

// parseIPv6 reads an address in brackets. The library takes any number of brackets
// for one.
func parseIPv6(host string) (string, bool) {
	address, ok := strings.CutSuffix(host[1:], "]")
	if !ok || strings.Trim(address, "0123456789abcdefABCDEF:.") != "" {
		return "", false
	}
	u, err := whatwg.Parse("https://" + host + "/")
	if err != nil {
		return "", false
	}
	return u.Hostname(), true
}

// endsInNumber is the standard's "ends in a number checker".
func endsInNumber(domain string) bool {
	domain = strings.TrimSuffix(domain, ".")
	last := domain[strings.LastIndexByte(domain, '.')+1:]
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := ipv4Number(last)
	return ok
}

// parseIPv4 is the standard's IPv4 parser, and its serialiser.
func parseIPv4(domain string) (string, bool) {
	parts := strings.Split(strings.TrimSuffix(domain, "."), ".")
	if len(parts) > 4 {
		return "", false
	}
	address := uint64(0)
	for i, p := range parts {
		n, ok := ipv4Number(p)
		room := 1 // bytes
		if i == len(parts)-1 {
			room = 5 - len(parts)
		}
		if !ok || n >= 1<<(8*room) {
			return "", false
		}
		address = address<<(8*room) | n
	}
	var b []byte
	for shift := 24; shift >= 0; shift -= 8 {
		b = strconv.AppendUint(b, address>>shift&0xff, 10)
		if shift > 0 {
			b = append(b, '.')
		}
	}
	return string(b), true
}

// ipv4Number is the standard's IPv4 number parser. A number that is too large for
// every address is the largest there is.
func ipv4Number(s string) (n uint64, ok bool) {
	base := 10
	switch {
	case s == "":
		return 0, false
	case strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, true
	}
	const digits = "0123456789abcdef"
	if strings.Trim(s, digits[:base]) != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err != nil {
		n = math.MaxUint64
	}
	return n, true
}

// unescaped is a host with its percent escapes undone.
func unescaped(host string) string {
	if strings.IndexByte(host, '%') < 0 {
		return host
	}
	var b strings.Builder
	for i := 0; i < len(host); i++ {
		if host[i] == '%' && i+2 < len(host) {
			if n, err := strconv.ParseUint(host[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(host[i])
	}
	return b.String()
}
