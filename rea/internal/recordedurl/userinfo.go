package recordedurl

import "strings"

// Finding is what a text says about credentials.
type Finding uint8

const (
	// Clean text holds no credentials and stays as it is.
	Clean Finding = iota
	// Userinfo can be cut out of the text, the rest staying byte for byte.
	Userinfo
	// Unsafe text must be excluded as a whole.
	Unsafe
)

// Inspect finds the userinfo of a recorded URL in decoded text (WTF-8). With
// Userinfo, text[start:end] is the userinfo and its "@"; with the other
// findings both are zero. The text may be a whole URL, a reference that begins
// with "//", or anything else.
func Inspect(text string) (f Finding, start, end int) {
	if strings.IndexByte(text, '@') < 0 {
		return Clean, 0, 0
	}
	start, end, ok := userinfoSpan(text)
	if !ok {
		// Without a scheme, nothing says that the text is a URL at all: a path such
		// as "//my host/a@2x.png" is none, and no "@" of it is suspect.
		if found, reference := whereFound(text); reference {
			authority, _ := webAuthority(found)
			return userFinding(authority), 0, 0
		}
		return clientFinding(text), 0, 0
	}
	// What is left must be clean by itself. In "https://u:p@/x@h/" the cut
	// leaves "https:///x@h/", where a client finds the user x; in
	// "https://u:p@x:q/s@h/" the password held a slash and half of it remains.
	if asFound(text[:start]+text[end:]) != Clean {
		return Unsafe, 0, 0
	}
	// A backslash ends the authority for a client and not for RFC 3986: in
	// "https://u:p@h\@i/" one sees the host h, the other i.
	if strings.IndexByte(text[start:end], '\\') >= 0 && !foreignScheme(text) {
		return Unsafe, 0, 0
	}
	return Userinfo, start, end
}

// Cut applies Inspect: it gives the text without its userinfo, the same text
// when it is clean, or the empty string when the whole text is unsafe.
func Cut(text string) (string, Finding) {
	f, start, end := Inspect(text)
	switch f {
	case Userinfo:
		return text[:start] + text[end:], f
	case Unsafe:
		return "", f
	}
	return text, f
}

// CutAuthority is Cut for a text that is an authority and nothing else, such as
// :authority of HTTP/2 and HTTP/3 (RFC 9113 section 8.3.1, RFC 9114 section
// 4.3.1). No scheme tells where it begins, so all that stands before the last
// "@" is userinfo (RFC 3986 section 3.2.1). A whole URL in its place is cut as
// one first.
func CutAuthority(text string) (string, Finding) {
	rest, f := Cut(text)
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		return rest[at+1:], Userinfo
	}
	return rest, f
}

// userinfoSpan is the text reading: optional characters up to U+0020, an
// optional scheme, "//", and then what stands before the last "@" of the
// authority (RFC 3986 sections 3.1 and 3.2).
func userinfoSpan(text string) (start, end int, ok bool) {
	start = skipBlank(text)
	if n := schemeLen(text[start:]); n > 0 {
		start += n + len(":")
	}
	if !strings.HasPrefix(text[start:], "//") {
		return 0, 0, false
	}
	start += len("//")
	authority := text[start:]
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority = authority[:i]
	}
	at := strings.LastIndexByte(authority, '@')
	return start, start + at + 1, at >= 0
}

// skipBlank counts the leading C0 controls and spaces.
func skipBlank(text string) int {
	i := 0
	for i < len(text) && text[i] <= ' ' {
		i++
	}
	return i
}

// schemeLen is the length of an RFC 3986 scheme that a colon follows, or 0.
func schemeLen(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		switch {
		case 'a' <= c && c <= 'z':
		case i > 0 && ('0' <= s[i] && s[i] <= '9' || s[i] == '+' || s[i] == '-' || s[i] == '.'):
		case i > 0 && s[i] == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// asFound is what a client finds in a text where it stands.
func asFound(text string) Finding {
	text, _ = whereFound(text)
	return clientFinding(text)
}

// whereFound gives a reference that has an authority and no scheme the scheme of
// the web page that it was recorded on; any other text it gives as it is.
func whereFound(text string) (found string, reference bool) {
	if !schemelessAuthority(text) {
		return text, false
	}
	return "https:" + text[skipBlank(text):], true
}

// foreignScheme says that the text names a scheme for which a backslash is an
// ordinary character. A reference without a scheme is resolved against the
// page it was recorded on, so it does not.
func foreignScheme(text string) bool {
	text = text[skipBlank(text):]
	n := schemeLen(text)
	return n > 0 && !webScheme(text[:n]) && !asciiEqual(text[:n], "file")
}

// schemelessAuthority says whether a client finds an authority in a reference
// without a scheme: it takes any two slashes or backslashes for the beginning of
// one, with line breaks and tabs between them, too.
func schemelessAuthority(text string) bool {
	slashes := 0
	for _, c := range []byte(text[skipBlank(text):]) {
		switch {
		case c == '/' || c == '\\':
			if slashes++; slashes == 2 {
				return true
			}
		case !lineChar(c):
			return false
		}
	}
	return false
}
