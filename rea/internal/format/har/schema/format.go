package schema

// The class of a byte in a URI, in ECMAScript's reading of the expression that
// ajv-formats matches with: /i folds ASCII letters only, since case folding without
// the u flag never leads from outside ASCII into it.
const (
	alpha = 1 << iota
	digit
	hexDigit
	schemeByte // letters, digits, "+", "-", "."
	userByte   // unreserved, sub-delims, ":"
	pathByte   // unreserved, sub-delims, ":", "@", "/"
	queryByte  // pathByte and "?"
)

var class = func() (t [256]uint8) {
	set := func(bits uint8, bytes string) {
		for i := 0; i < len(bytes); i++ {
			t[bytes[i]] |= bits
		}
	}
	for c := byte('a'); c <= 'z'; c++ {
		set(alpha|schemeByte|userByte|pathByte|queryByte, string([]byte{c, c - 'a' + 'A'}))
	}
	set(digit|hexDigit|schemeByte|userByte|pathByte|queryByte, "0123456789")
	set(hexDigit, "abcdefABCDEF")
	set(schemeByte, "+-.")
	set(userByte|pathByte|queryByte, "-._~!$&'()*+,;=:")
	set(pathByte|queryByte, "@/")
	set(queryByte, "?")
	return t
}()

func is(c byte, classes uint8) bool { return class[c]&classes != 0 }

var formats = map[string]func(string) bool{
	"date-time": isDateTime,
	"uri":       isURI,
	"ipv4":      isIPv4,
	"ipv6":      isIPv6,
}

var patterns = map[string]func(string) bool{
	`^(\d{4})(-)?(\d\d)(-)?(\d\d)(T)?(\d\d)(:)?(\d\d)(:)?(\d\d)(\.\d+)?(Z|([+-])(\d\d)(:)?(\d\d))`: startsWithZonedTime,
	// Here all that follows the seconds is optional, and the expression has no end.
	`^(\d{4})(-)?(\d\d)(-)?(\d\d)(T)?(\d\d)(:)?(\d\d)(:)?(\d\d)(\.\d+)?(Z|([+-])(\d\d)(:)?(\d\d))?`: startsWithTime,
}

// isURI is the format "uri" of ajv-formats in full mode. It is its expression read
// as a grammar: RFC 3986 with a scheme, except that one slash, too, can begin an
// authority, and that the authority can be empty and the rest a path. So an
// authority only matters where it has brackets, which no path has.
func isURI(s string) bool {
	if s == "" || !is(s[0], alpha) {
		return false
	}
	i := 1
	for i < len(s) && is(s[i], schemeByte) {
		i++
	}
	if i == len(s) || s[i] != ':' {
		return false
	}
	s = s[i+1:]
	if s == "" || s[0] == '?' || s[0] == '#' {
		return false // a path without a slash has a character
	}
	n := skip(s, pathByte)
	if n < len(s) && s[n] == '[' && s[0] == '/' {
		host := bracketed(s, n)
		if host < 0 {
			return false
		}
		n = host + skip(s[host:], pathByte)
	}
	s = s[n:]
	if s != "" && s[0] == '?' {
		s = s[1:]
		s = s[skip(s, queryByte):]
	}
	if s != "" && s[0] == '#' {
		s = s[1:]
		s = s[skip(s, queryByte):]
	}
	return s == ""
}

// skip counts the leading bytes that are of the class or part of a percent-encoded
// octet.
func skip(s string, classes uint8) int {
	i := 0
	for i < len(s) {
		switch {
		case is(s[i], classes):
			i++
		case s[i] == '%' && i+2 < len(s) && is(s[i+1], hexDigit) && is(s[i+2], hexDigit):
			i += 3
		default:
			return i
		}
	}
	return i
}

// bracketed checks an authority in s, which begins with a slash and whose first "["
// is at open. It gives the index at which a path begins, if any, or -1.
func bracketed(s string, open int) int {
	user := s[1:open]
	if user != "" && user[0] == '/' {
		user = user[1:]
	}
	if user != "" && (user[len(user)-1] != '@' || skip(user, userByte) != len(user)-1) {
		return -1
	}
	i := open + 1
	for i < len(s) && s[i] != ']' {
		i++
	}
	if i == len(s) {
		return -1
	}
	if host := s[open+1 : i]; !isIP(host, isLooseIPv4) && !isFutureIP(host) {
		return -1
	}
	i++
	if i < len(s) && s[i] == ':' {
		for i++; i < len(s) && is(s[i], digit); i++ {
		}
	}
	if i < len(s) && s[i] != '/' && s[i] != '?' && s[i] != '#' {
		return -1
	}
	return i
}

// isFutureIP matches IPvFuture of RFC 3986 section 3.2.2.
func isFutureIP(s string) bool {
	if s == "" || s[0] != 'v' && s[0] != 'V' {
		return false
	}
	i := 1
	for i < len(s) && is(s[i], hexDigit) {
		i++
	}
	if i == 1 || i == len(s) || s[i] != '.' {
		return false
	}
	rest := s[i+1:]
	for j := 0; j < len(rest); j++ {
		if !is(rest[j], userByte) {
			return false
		}
	}
	return rest != ""
}
