package sazfile

import (
	"bytes"
	"fmt"
)

// WithSecrets is an archive with a secret of its own at every place that carries
// authentication. Each is taken from next.
func WithSecrets(next func() string) []byte {
	head := func(start string) string {
		return start + "\r\nAuthorization: Bearer " + next() + "\r\n\tcookie : a=" + next() + "; b=" + next() +
			"\r\nPROXY-AUTHORIZATION:Basic " + next() + "\r\nset-cookie: s=" + next() + "; Path=/\r\nLocation: https://u:" + next() +
			"@h.example/\r\nReferer: //" + next() + "@h.example/\r\nOrigin: http://u:" + next() + "@h.example\r\n\r\n"
	}
	metadata := `<Session><SessionFlags><SessionFlag N="X-AUTOAUTH" V="` + next() + ":" + next() + `"/></SessionFlags></Session>`
	return pack("",
		member{name: "raw/1_c.txt", text: head("GET http://u:"+next()+"@h.example/ HTTP/1.1") + "body", store: true},
		member{name: "raw/1_s.txt", text: head("HTTP/1.1 302 Found"), store: true},
		member{name: "raw/1_m.xml", text: metadata, store: true},
		member{name: "raw/2_c.txt", text: "GET / HTTP/1.1\r\nAuthorization Bearer " + next() + "\r\n\r\n", store: true},
	)
}

// Alone is an archive with a session for each secret, which is the only thing in it
// that must not be shown: where a head holds several, hiding one hides them all.
func Alone(next func() string) []byte {
	const (
		get     = "GET http://h.example/ HTTP/1.1"
		ok      = "HTTP/1.1 200 OK"
		interim = "HTTP/1.1 100 Continue\r\n\r\n"
	)
	var members []member
	session := func(ending, text string) {
		name := fmt.Sprintf("raw/%d%s", len(members), ending)
		members = append(members, member{name: name, text: text, store: true})
	}
	for _, start := range []struct{ ending, line string }{{"_c.txt", get}, {"_s.txt", ok}} {
		for _, field := range []string{
			"Authorization: Bearer %s", "PROXY-AUTHORIZATION:Basic %s", "Cookie : sid=%s", "set-cookie:\tsid=%s; Path=/",
			"Location: https://u:%s@h.example/", "Referer: //%s@h.example/", "Origin: http://u:%s@h.example",
			"Location: https://u:p@x:%s/s@h.example/", // a slash in the password: half of it is behind what looks like the authority
			"Authorization Bearer %s", "X: a\r\n folded %s", "X: a\rCookie: %s",
		} {
			session(start.ending, start.line+"\r\nHost: h.example\r\n"+fmt.Sprintf(field, next())+"\r\n\r\nbody")
		}
	}
	for _, line := range []string{
		"GET http://u:%s@h.example/ HTTP/1.1", "GET https:u:%s@h.example/ HTTP/1.1", "GET //%s@h.example/ HTTP/1.1",
		"GET https://u:p@x:%s/s@h.example/ HTTP/1.1", "CONNECT u:%s@h.example:443 HTTP/1.1", "GET http://u:%s@h.example/",
	} {
		session("_c.txt", fmt.Sprintf(line, next())+"\r\nHost: h.example\r\n\r\nbody")
	}
	for _, behind := range []string{
		ok + "\r\nSet-Cookie: sid=%s\r\n\r\nbody", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok + "\r\nSet-Cookie: sid=%s\r\n\r\nbody",
		ok + "\r\nLocation: https://u:%s@h.example/\r\n\r\nbody", "HTTP 200\r\nSet-Cookie: sid=%s\r\n\r\nbody",
	} {
		session("_s.txt", interim+fmt.Sprintf(behind, next()))
	}
	session("_m.xml", `<Session><SessionFlags><SessionFlag N="x-AutoAuth" V="`+next()+`"/></SessionFlags></Session>`)
	return pack("", members...)
}

// Repeat gives the archive's first member a second name like another's.
func Repeat(data []byte) []byte {
	return bytes.ReplaceAll(data, []byte("raw/1_s.txt"), []byte("raw/1_c.txt"))
}
