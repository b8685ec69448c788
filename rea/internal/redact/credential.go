package redact

import (
	"strings"

	"rea.example/rea/internal/recordedurl"
	"rea.example/rea/internal/tree"
)

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

// Exclude makes a value null because it is transport authentication.
func Exclude(v *tree.Value) {
	v.SetNull()
	v.Mark = tree.Credential
}

// CutURL takes the userinfo out of a string that holds a URL, or excludes the
// string where no part of it can be cut safely. It leaves every other value,
// and a string without credentials, as it is.
func CutURL(v *tree.Value) {
	// An "@" stands as itself or as an escape.
	if v.Kind != tree.String || strings.IndexByte(v.Text.S, '@') < 0 &&
		!(v.Text.Raw && strings.IndexByte(v.Text.S, '\\') >= 0) {
		return
	}
	switch cut, f := recordedurl.Cut(v.Text.Decode()); f {
	case recordedurl.Userinfo:
		v.SetString(cut)
		v.Mark = tree.Credential
	case recordedurl.Unsafe:
		Exclude(v)
	}
}
