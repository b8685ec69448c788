package redact

import "strings"

// CredentialHeader says whether a header of this name carries transport
// authentication: Authorization and Proxy-Authorization (RFC 9110 section 11),
// Cookie and Set-Cookie (RFC 6265 section 4). The name is decoded text; ASCII
// case and blanks around it don't matter.
func CredentialHeader(name string) bool {
	return headerIn(name, "authorization", "proxy-authorization", "cookie", "set-cookie")
}

// URLHeader says whether a header of this name holds a URL (RFC 9110 sections
// 10.1.3 and 10.2.2, RFC 6454 section 7), in which there may be userinfo. Names
// are compared as in CredentialHeader.
func URLHeader(name string) bool {
	return headerIn(name, "location", "referer", "origin")
}

// SpellsCredential says whether a line of a text reads like one of these headers:
// one that carries authentication, or one that holds a URL with an "@". It is for
// text in which headers may stand though it is no list of them; a line ends at a
// carriage return or a line feed.
func SpellsCredential(text string) bool {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		name, value, ok := strings.Cut(line, ":")
		if ok && (CredentialHeader(name) || URLHeader(name) && strings.IndexByte(value, '@') >= 0) {
			return true
		}
	}
	return false
}

// headerIn compares a name with lower-case ones, folding ASCII only: with
// Unicode folding the Kelvin sign would be a k.
func headerIn(name string, lower ...string) bool {
	name = strings.Trim(name, " \t")
	for _, l := range lower {
		if len(name) == len(l) && asciiFolds(name, l) {
			return true
		}
	}
	return false
}

func asciiFolds(name, lower string) bool {
	for i := 0; i < len(lower); i++ {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
