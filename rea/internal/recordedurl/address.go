package recordedurl

import "strings"

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

// defaultPorts are those that an origin does not name (the standard, section 4.2).
var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}

func origin(scheme, hostPort string) (string, bool) {
	scheme = strings.ToLower(scheme)
	host, port, ok := parseAuthority(hostPort)
	o := scheme + "://" + host
	if port != "" && port != defaultPorts[scheme] {
		o += ":" + port
	}
	return o, ok
}
