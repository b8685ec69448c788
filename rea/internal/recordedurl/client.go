package recordedurl

import "strings"

// clientFinding is the client reading, for texts that begin like a URL of one
// of the five web schemes; every other text is Clean. It answers Unsafe when a
// WHATWG parser would find a user name or password, and also when the text is
// no URL at all but holds an "@", because then nobody can say what the part
// before the "@" was meant to be.
func clientFinding(text string) Finding {
	if strings.IndexByte(text, '@') < 0 {
		return Clean
	}
	authority, ok := webAuthority(text)
	if !ok {
		return Clean
	}
	if userFinding(authority) == Unsafe {
		return Unsafe
	}
	if _, _, ok := parseAuthority(authority[strings.LastIndexByte(authority, '@')+1:]); !ok {
		return Unsafe
	}
	return Clean
}

// userFinding is Unsafe for an authority with a user name or a password. Without
// either, "@" and ":@" are none.
func userFinding(authority string) Finding {
	if at := strings.LastIndexByte(authority, '@'); at > 0 && authority[:at] != ":" {
		return Unsafe
	}
	return Clean
}

// webAuthority gives the authority of a web URL as the WHATWG basic URL parser
// cuts it out: C0 controls and spaces are stripped from both ends and tabs and
// line ends everywhere, any number of slashes and backslashes of either
// kind may follow the scheme, and a backslash ends the authority like a slash.
func webAuthority(text string) (authority string, ok bool) {
	text = strings.TrimRightFunc(text, func(r rune) bool { return r <= ' ' })
	text = text[skipBlank(text):]

	var scheme []byte
	for {
		if text == "" || len(scheme) > len("https") {
			return "", false
		}
		c := text[0]
		text = text[1:]
		if c == ':' {
			break
		}
		if !lineChar(c) {
			scheme = append(scheme, c)
		}
	}
	if !webScheme(string(scheme)) {
		return "", false
	}
	for text != "" && (text[0] == '/' || text[0] == '\\' || lineChar(text[0])) {
		text = text[1:]
	}
	if i := strings.IndexAny(text, `/\?#`); i >= 0 {
		text = text[:i]
	}
	if !strings.ContainsAny(text, "\t\n\r") {
		return text, true
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if !lineChar(text[i]) {
			b = append(b, text[i])
		}
	}
	return string(b), true
}

func lineChar(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// webScheme says whether s is a special scheme other than file, which has no
// userinfo.
func webScheme(s string) bool {
	for _, w := range [...]string{"http", "https", "ws", "wss", "ftp"} {
		if asciiEqual(s, w) {
			return true
		}
	}
	return false
}

// asciiEqual compares without regard to ASCII case. Unicode folding would take
// U+017F for an s and U+212A for a k.
func asciiEqual(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
