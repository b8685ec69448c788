package sazfile

import "bytes"

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

// Repeat gives the archive's first member a second name like another's.
func Repeat(data []byte) []byte {
	return bytes.ReplaceAll(data, []byte("raw/1_s.txt"), []byte("raw/1_c.txt"))
}
