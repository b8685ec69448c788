package recordedurl

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Address is what a recorded URL says about where a request went.
type Address struct {
	// Origin is the serialised tuple origin of the WHATWG URL Standard: scheme,
	// host and, where it isn't the scheme's own, port.
	Origin string
	// Path is the path as it was recorded, still encoded, with its dot segments
	// and without query and fragment. It begins with a slash.
	Path string
}

// Locate reads a recorded URL in decoded text (WTF-8). It is strict where the
// standard forgives: the text must spell "scheme://authority", and the authority
// must be free of tabs, line ends and backslashes, so that everybody who reads
// it sees the same host and the same path. It gives false for any other text,
// and for one that a WHATWG parser refuses or gives no tuple origin.
func Locate(text string) (Address, bool) {
	text = strings.TrimRightFunc(text[skipBlank(text):], func(r rune) bool { return r <= ' ' })
	n := schemeLen(text)
	if n == 0 || !webScheme(text[:n]) || !strings.HasPrefix(text[n:], "://") {
		return Address{}, false
	}
	authority, path := text[n+len("://"):], ""
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority, path = authority[:i], authority[i:]
	}
	if strings.ContainsAny(authority, "\t\n\r\\") {
		return Address{}, false
	}
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	if path == "" {
		path = "/"
	}
	origin, ok := origin(text[:n], authority[strings.LastIndexByte(authority, '@')+1:])
	return Address{Origin: origin, Path: path}, ok
}

func origin(scheme, hostPort string) (string, bool) {
	if hostPort == "" || !validHost(hostPort) {
		return "", false
	}
	// Path, query and fragment can't make a web URL invalid.
	u, err := whatwg.Parse(scheme + "://" + hostPort + "/")
	if err != nil {
		return "", false
	}
	host := u.Hostname()
	if strings.Count(unescaped(hostPort), "xn--") > strings.Count(host, "xn--") {
		return "", false // the library makes ASCII of what only looks like Punycode
	}
	o := u.Protocol() + "//" + host
	if p := u.Port(); p != "" {
		o += ":" + p
	}
	return o, true
}

// unescaped is a host in lower case with its percent escapes of ASCII undone.
func unescaped(host string) string {
	const digits = "0123456789abcdef"
	host = strings.ToLower(host)
	var b strings.Builder
	for i := 0; i < len(host); i++ {
		if host[i] == '%' && i+2 < len(host) {
			hi, lo := strings.IndexByte(digits, host[i+1]), strings.IndexByte(digits, host[i+2])
			if hi >= 0 && hi < 8 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(host[i])
	}
	return strings.ToLower(b.String())
}
