package saz

import (
	"strings"
	"testing"
)

func TestHeads(t *testing.T) {
	const hidden = `"HIDDEN"`
	for _, c := range []struct {
		name    string
		side    string
		message string
		start   string // what stands in the start line's members, or null
		headers string // name=value, separated by |
		head    string // as JSON; "" is the head as it stands
		body    string // as JSON
		limit   string // in the record's limitations, joined
	}{
		{"plain", "request", plainRequest, `"GET" "http://h.example/a" "HTTP/1.1"`, "Host=h.example|X=1|x=2", "", `""`, ""},
		{"bare line feeds", "request", "GET / HTTP/1.1\nA:b\n\nc", `"GET" "/" "HTTP/1.1"`, "A=b", "", `"c"`, ""},
		{"mixed line ends", "response", "HTTP/1.1 200 OK\nA:b\r\n\n\r\nc", `"HTTP/1.1" 200 "OK"`, "A=b", "", `"\r\nc"`, ""},
		{"blanks in the target", "request", "GET /a b  c HTTP/1.1\r\n\r\n", `"GET" "/a b  c" "HTTP/1.1"`, "", "", `""`, ""},
		{"an empty target", "request", "GET  HTTP/1.1\r\n\r\n", `"GET" "" "HTTP/1.1"`, "", "", `""`, ""},
		{"another version", "request", "PRI * HTTP/2\r\n\r\nSM\r\n\r\n", `"PRI" "*" "HTTP/2"`, "", "", `"SM\r\n\r\n"`, ""},
		{"a tunnel", "request", "CONNECT h.example:443 HTTP/1.1\r\nHost: h.example:443\r\n\r\nA SSLv3-compatible ClientHello", `"CONNECT" "h.example:443" "HTTP/1.1"`, "Host=h.example:443", "", `"A SSLv3-compatible ClientHello"`, ""},
		{"no reason", "response", "HTTP/1.1 204\r\n\r\n", `"HTTP/1.1" 204 ""`, "", "", `""`, ""},
		{"an empty reason", "response", "HTTP/1.1 204 \r\n\r\n", `"HTTP/1.1" 204 ""`, "", "", `""`, ""},
		{"a long reason", "response", "ICY 200 Never  mind: it\r\n\r\n", `"ICY" 200 "Never  mind: it"`, "", "", `""`, ""},
		{"a status of zeros", "response", "HTTP/1.1 007 x\r\n\r\n", `"HTTP/1.1" 7 "x"`, "", "", `""`, ""},
		{"blanks around values", "response", "HTTP/1.1 200 OK\r\nA: \t b c\t \r\nB:\r\nC : d\r\nD:e:f\r\nE: \r\n\r\n", `"HTTP/1.1" 200 "OK"`, "A=b c|B=|C =d|D=e:f|E=", "", `""`, ""},
		{"duplicates in order", "response", "HTTP/1.1 200 OK\r\nB: 2\r\nA: 1\r\nb: 3\r\nA: 1\r\n\r\n", `"HTTP/1.1" 200 "OK"`, "B=2|A=1|b=3|A=1", "", `""`, ""},
		{"empty lines in front", "request", "\r\n\nGET / HTTP/1.1\r\nA: b\r\n\r\nc", `"GET" "/" "HTTP/1.1"`, "A=b", "", `"c"`, ""},
		{"NUL in a value", "request", "GET / HTTP/1.1\r\nA: b\x00c\r\n\r\n", `"GET" "/" "HTTP/1.1"`, "A=b\\u0000c", "", `""`, ""},
		{"not UTF-8", "response", "HTTP/1.1 200 Gr\xfc\xdfe\r\nA: \xe9\r\n\r\n\xff", `"HTTP/1.1" 200 "Grüße"`, "A=é", "-", "\"\ufffd\"", "not UTF-8"},
		{"UTF-8", "response", "HTTP/1.1 200 Grüße\r\nA: é\r\n\r\n", `"HTTP/1.1" 200 "Grüße"`, "A=é", "", `""`, ""},
		{"a body that is chunked", "response", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", `"HTTP/1.1" 200 "OK"`, "Transfer-Encoding=chunked", "", `"2\r\nab\r\n0\r\n\r\n"`, ""},

		{"no empty line", "request", "GET / HTTP/1.1\r\nA: b\r\n", `"GET" "/" "HTTP/1.1"`, "A=b", "", `""`, "No empty line ends the request head"},
		{"no line end", "response", "HTTP/1.1 200 OK", `"HTTP/1.1" 200 "OK"`, "", "", `""`, "No empty line ends the response head"},
		{"only an empty line", "response", "\r\n", `null null null`, "", "", `""`, "No empty line ends"},
		{"no target", "request", "GET HTTP/1.1\r\nA: b\r\n\r\nc", `null null null`, "A=b", hidden, `"c"`, "request head does not parse at line 1;"},
		{"no version", "request", "GET / \r\n\r\n", `null null null`, "", hidden, `""`, "at line 1;"},
		{"a header for a start line", "request", "Cookie: a=1; b=2\r\nA: b\r\n\r\n", `null null null`, "A=b", hidden, `""`, "at line 1;"},
		{"a header for a status line", "response", "Set-Cookie: 200 a\r\n\r\n", `null null null`, "", hidden, `""`, "at line 1;"},
		{"no version's name", "request", "GET / a:b\r\n\r\n", `null null null`, "", hidden, `""`, "at line 1;"},
		{"no method", "request", " / HTTP/1.1\r\n\r\n", `null null null`, "", hidden, `""`, "at line 1;"},
		{"a status of letters", "response", "HTTP/1.1 2xx OK\r\n\r\n", `null null null`, "", hidden, `""`, "response head does not parse at line 1;"},
		{"a short status", "response", "HTTP/1.1 20 OK\r\n\r\n", `null null null`, "", hidden, `""`, "at line 1;"},
		{"a long status", "response", "HTTP/1.1 2000 OK\r\n\r\n", `null null null`, "", hidden, `""`, "at line 1;"},
		{"a signed status", "response", "HTTP/1.1 +20 OK\r\n\r\n", `null null null`, "", hidden, `""`, "at line 1;"},
		{"only a body", "response", "\x89PNG\r\n\x1a", `null null null`, "", hidden, `""`, "at line 1 and 1 more;"},
		{"a line without a colon", "request", "GET / HTTP/1.1\r\nA: b\r\nnothing\r\nC: d\r\n\r\ne", `"GET" "/" "HTTP/1.1"`, "A=b|C=d", hidden, `"e"`, "at line 3;"},
		{"a folded line", "request", "GET / HTTP/1.1\r\nA: b\r\n c: d\r\n\te\r\nF: g\r\n\r\n", `"GET" "/" "HTTP/1.1"`, "A=b|F=g", hidden, `""`, "at line 3 and 1 more;"},
		{"a blank line", "request", "GET / HTTP/1.1\r\n \r\nA: b\r\n\r\n", `"GET" "/" "HTTP/1.1"`, "A=b", hidden, `""`, "at line 2;"},
		{"no name", "request", "GET / HTTP/1.1\r\n: b\r\n\r\n", `"GET" "/" "HTTP/1.1"`, "", hidden, `""`, "at line 2;"},
		{"a control in a name", "request", "GET / HTTP/1.1\r\nCoo\x00kie: b\r\nCookie\x7f: b\r\n\r\n", `"GET" "/" "HTTP/1.1"`, "", hidden, `""`, "at line 2 and 1 more;"},
		{"a bare carriage return", "request", "GET / HTTP/1.1\r\nA: b\rCookie: c\r\nD: e\r\r\n\r\n", `"GET" "/" "HTTP/1.1"`, "", hidden, `""`, "at line 2 and 1 more;"},
		{"a bare carriage return at the start", "request", "GET /\rCookie: c HTTP/1.1\r\n\r\n", `null null null`, "", hidden, `""`, "at line 1;"},
		{"lines are counted with the empty ones", "request", "\r\n\r\nGET\r\n\r\n", `null null null`, "", hidden, `""`, "at line 3;"},

		{"a cookie", "request", "GET / HTTP/1.1\r\nCookie: a=1; b=2\r\nA: b\r\n\r\nc", `"GET" "/" "HTTP/1.1"`, "Cookie=HIDDEN|A=b", hidden, `"c"`, ""},
		{"credentials of all names", "response", "HTTP/1.1 200 OK\r\nAUTHORIZATION: a\r\nproxy-authorization : b\r\nset-cookie\t:c\r\nCookie:\r\n\r\n", `"HTTP/1.1" 200 "OK"`, "AUTHORIZATION=HIDDEN|proxy-authorization =HIDDEN|set-cookie\\t=HIDDEN|Cookie=HIDDEN", hidden, `""`, ""},
		{"userinfo in the target", "request", "GET http://u:p@h.example/ HTTP/1.1\r\n\r\n", `"GET" "http://u:p@h.example/" "HTTP/1.1"`, "", hidden, `""`, ""},
		{"userinfo of a tunnel", "request", "CONNECT u:p@h.example:443 HTTP/1.1\r\n\r\n", `"CONNECT" "u:p@h.example:443" "HTTP/1.1"`, "", hidden, `""`, ""},
		{"userinfo in a header", "response", "HTTP/1.1 302 F\r\nLocation: //u:p@h.example/\r\n\r\n", `"HTTP/1.1" 302 "F"`, "Location=//u:p@h.example/", hidden, `""`, ""},
		{"an at sign that isn't userinfo", "request", "GET /@a HTTP/1.1\r\nReferer: https://h.example/@a\r\nOrigin: null\r\nX: https://u:p@h.example/\r\n\r\n", `"GET" "/@a" "HTTP/1.1"`, "Referer=https://h.example/@a|Origin=null|X=https://u:p@h.example/", "", `""`, ""},

		{"an interim head", "response", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nc", `"HTTP/1.1" 100 "Continue"`, "", "", `"HTTP/1.1 200 OK\r\nA: b\r\n\r\nc"`, "interim"},
		{"an interim head before a cookie", "response", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: b\r\n\r\nc", `"HTTP/1.1" 100 "Continue"`, "", "", hidden, "interim"},
		{"two interim heads before userinfo", "response", "HTTP/1.1 103 E\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 302 F\r\nLocation: http://u@h/\r\n\r\nc", `"HTTP/1.1" 103 "E"`, "", "", hidden, "interim"},
		{"an interim head before an odd line", "response", "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nodd\r\n\r\nc", `"HTTP/1.1" 100 "C"`, "", "", hidden, "interim"},
		{"an interim head before a body", "response", "HTTP/1.1 102 P\r\n\r\nA: not a head", `"HTTP/1.1" 102 "P"`, "", "", `"A: not a head"`, "interim"},
		{"an interim head before an odd start line", "response", "HTTP/1.1 100 C\r\n\r\nHTTP/1.1  200 OK\r\nSet-Cookie: b\r\n\r\n", `"HTTP/1.1" 100 "C"`, "", "", hidden, "interim"},
		{"an interim head before bare returns", "response", "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 2000 OK\rSet-Cookie: b\r\r", `"HTTP/1.1" 100 "C"`, "", "", hidden, "interim"},
		{"an interim head before headers alone", "response", "HTTP/1.1 100 C\r\n\r\nLocation: //u@h/\r\n\r\n", `"HTTP/1.1" 100 "C"`, "", "", hidden, "interim"},
		{"another protocol", "response", "HTTP/1.1 101 S\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: b\r\n\r\n", `"HTTP/1.1" 101 "S"`, "", "", `"HTTP/1.1 200 OK\r\nSet-Cookie: b\r\n\r\n"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			member, start := "raw/1_c.txt", []string{"method", "target", "http_version"}
			if c.side == "response" {
				member, start = "raw/1_s.txt", []string{"http_version", "status", "reason"}
			}
			r := mustRead(t, saz(member, c.message)).records[0]
			for i, name := range start {
				start[i] = part(t, r.json, c.side, name)
			}
			if got := strings.Join(start, " "); got != c.start {
				t.Errorf("the start line is %s, want %s", got, c.start)
			}
			list := "[" + strings.ReplaceAll(strings.ReplaceAll(part(t, r.json, c.side, "headers"), `","value":"`, "="), `},{"name":"`, "|")
			list = strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(list, `"|`, "|"), `[[{"name":"`), `"}]`)
			if strings.TrimPrefix(list, "[[]") != c.headers {
				t.Errorf("the headers are %s, want %s", list, c.headers)
			}
			wantPart(t, r.json, c.body, c.side, "body")
			if c.head == "" {
				// What is neither hidden nor body is head, octet for octet.
				joined := part(t, r.json, c.side, "head")
				joined = joined[:len(joined)-1] + c.body[1:]
				if c.body == hidden {
					joined = ""
				}
				if whole := part(t, mustRead(t, saz("raw/1_w.txt", c.message)).records[0].json, "websocket"); joined != "" && joined != whole {
					t.Errorf("head and body are %s, want %s", joined, whole)
				}
			} else if c.head != "-" {
				wantPart(t, r.json, c.head, c.side, "head")
			}
			if got := strings.Join(r.limits, " "); c.limit == "" && got != "" || !strings.Contains(got, c.limit) {
				t.Errorf("the limitations are %q", r.limits)
			}
			for _, l := range r.limits {
				if len(l) > 120 {
					t.Errorf("%d bytes: %s", len(l), l)
				}
			}
		})
	}
}

// A declared value is found in a head as it is read, whatever its octets are.
func TestDeclaredInHeads(t *testing.T) {
	for _, c := range []struct{ message, literal, want string }{
		{plainRequest, "h.exa", `"DECLARED"`},
		{plainRequest, "GET http", `"DECLARED"`},
		{plainRequest, "elsewhere", `"GET http://h.example/a HTTP/1.1\r\nHost: h.example\r\nX: 1\r\nx: 2\r\n\r\n"`},
		{"GET /caf\xe9 HTTP/1.1\r\n\r\n", "café", `"DECLARED"`},
		{"GET /😀 HTTP/1.1\r\n\r\n", "\xed\xa0\xbd", `"DECLARED"`},
		{"GET /😀 HTTP/1.1\r\nCookie: a\r\n\r\n", "\xed\xa0\xbd", `"HIDDEN"`},
	} {
		wantPart(t, mustRead(t, saz("raw/1_c.txt", c.message), c.literal).records[0].json, c.want, "request", "head")
	}
}
