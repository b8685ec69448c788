package saz

import (
	"bytes"
	"strings"

	"rea.example/rea/internal/recordedurl"
	"rea.example/rea/internal/redact"
)

// head is what stands in front of a message's body: a start line and header
// lines (RFC 9112 sections 2 to 5), read with the patience that heads in real
// archives need, and no more.
type head struct {
	text    string // decoded
	start   [3]string
	started bool // start holds what it should
	headers []header
	size    int  // in octets, with the empty line that ends it
	open    bool // no empty line ends it
	latin   bool // it isn't UTF-8 and was read as ISO-8859-1
	odd     int  // the first line that doesn't parse, counted from 1, or 0
	odds    int  // how many there are
}

type header struct{ name, value string }

// startLine splits a start line into its three parts.
type startLine func(line string) (parts [3]string, ok bool)

// requestLine takes all between the first and the last blank for the target:
// targets with blanks in them are recorded, too.
func requestLine(line string) (parts [3]string, ok bool) {
	first, last := strings.IndexByte(line, ' '), strings.LastIndexByte(line, ' ')
	if first < 0 || first == last {
		return parts, false
	}
	parts = [3]string{line[:first], line[first+1 : last], line[last+1:]}
	return parts, isToken(parts[0]) && isVersion(parts[2])
}

// statusLine gives version, status and reason; the last may be missing.
func statusLine(line string) (parts [3]string, ok bool) {
	version, rest, ok := strings.Cut(line, " ")
	status, reason, _ := strings.Cut(rest, " ")
	parts = [3]string{version, status, reason}
	return parts, ok && isVersion(version) && len(status) == 3 && strings.Trim(status, "0123456789") == ""
}

// isToken tells a method (RFC 9110 section 5.6.2) from the name of a header that
// stands in the place of a start line.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		digit := '0' <= c && c <= '9'
		if !letter && !digit && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// isVersion takes the name of any protocol, with or without a number.
func isVersion(s string) bool { return isToken(strings.Replace(s, "/", ".", 1)) }

// readHead reads the head that begins a message. Empty lines in front of the
// start line belong to it (RFC 9112 section 2.2).
func readHead(message []byte, split startLine, headers []header) head {
	h := head{size: headSize(message), headers: headers[:0]}
	h.text, h.latin = decoded(message[:h.size])
	h.open = len(message) > 0
	first := true
	for number, rest := 1, h.text; rest != ""; number++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimSuffix(line, "\r")
		switch {
		case line == "":
			h.open = first
		case first:
			first = false
			if h.start, h.started = split(line); !h.started || strings.IndexByte(line, '\r') >= 0 {
				h.started = false
				h.isOdd(number)
			}
		default:
			if name, value, ok := headerLine(line); ok {
				h.headers = append(h.headers, header{name, value})
			} else {
				h.isOdd(number)
			}
		}
	}
	return h
}

func (h *head) isOdd(number int) {
	if h.odds++; h.odd == 0 {
		h.odd = number
	}
}

// headSize finds where a head ends: behind the first empty line that follows a
// line with something in it, or with the message.
func headSize(message []byte) int {
	begun := false
	for at := 0; at < len(message); {
		n := bytes.IndexByte(message[at:], '\n')
		if n < 0 {
			break
		}
		empty := n == 0 || n == 1 && message[at] == '\r'
		if at += n + 1; empty && begun {
			return at
		}
		begun = begun || !empty
	}
	return len(message)
}

// headerLine splits a line at its first colon. A line that continues another
// (RFC 9112 section 5.2) doesn't parse: what it continues may be a credential.
// Neither does one with a carriage return inside, where some see two lines.
func headerLine(line string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(line, ":")
	if !ok || line[0] == ' ' || line[0] == '\t' || strings.Trim(name, " \t") == "" || strings.IndexByte(line, '\r') >= 0 {
		return "", "", false
	}
	for i := range len(name) {
		if name[i] < ' ' && name[i] != '\t' || name[i] == 0x7f {
			return "", "", false
		}
	}
	return name, strings.Trim(value, " \t"), true
}

// secret says whether the octets of a head hold what its parsed form does not
// show. A line that doesn't parse may hold anything.
func (h *head) secret() bool {
	if h.odd > 0 {
		return true
	}
	for _, f := range h.headers {
		if redact.CredentialHeader(f.name) || redact.URLHeader(f.name) && !clean(recordedurl.Cut(f.value)) {
			return true
		}
	}
	return false
}

// secretTarget says the same of a request's target, which of a CONNECT is an
// authority (RFC 9112 section 3.2.3).
func (h *head) secretTarget() bool {
	if h.connects() {
		return !clean(recordedurl.CutAuthority(h.start[1]))
	}
	return !clean(recordedurl.Cut(h.start[1]))
}

func (h *head) connects() bool { return strings.EqualFold(h.start[0], "CONNECT") }

func clean(_ string, f recordedurl.Finding) bool { return f == recordedurl.Clean }

// interim says whether a response's head only announces another (RFC 9110
// section 15.2). After 101 the protocol changes: no head follows.
func (h *head) interim() bool {
	return h.started && h.start[1][0] == '1' && h.start[1] != "101"
}

// secretBehind looks at the heads that follow an interim one. A start line that
// doesn't parse may be an odd one as well as the beginning of a body: what looks
// like a head behind it counts all the same.
func secretBehind(rest []byte) bool {
	for {
		h := readHead(rest, statusLine, nil)
		if !h.started {
			return redact.SpellsCredential(string(rest[:min(len(rest), oddHead)]))
		}
		if h.secret() {
			return true
		}
		if rest = rest[h.size:]; !h.interim() {
			return false
		}
	}
}

// oddHead is how far behind an odd start line headers are looked for.
const oddHead = 64 << 10
