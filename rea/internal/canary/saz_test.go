package canary

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"
)

// A session is written here as its members, one after the other: "¶" and a
// letter, c, s, m, w or g, and the content. "¶=" gives the session's stem, "¶+"
// the name of a member that belongs to no session, "¶#" words of the archive's
// comment, and "¶!" what is wrong with the members before it. "¿" stands for an
// octet that is no UTF-8.
func sazCapture(records []string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	comment := "comment"
	for i, r := range records {
		stem, fault := fmt.Sprint(i+1), ""
		parts := strings.Split(r, "¶")
		for _, p := range parts {
			if strings.HasPrefix(p, "=") {
				stem = p[1:]
			} else if strings.HasPrefix(p, "!") {
				fault = p[1:]
			}
		}
		for _, p := range parts[1:] {
			content := strings.ReplaceAll(p[1:], "¿", "\xff")
			switch p[0] {
			case '=', '!':
			case '#':
				comment += " " + content
			case '+':
				sazMember(w, content, "", "")
			case 'm':
				sazMember(w, "raw/"+stem+"_m.xml", content, fault)
			default:
				sazMember(w, "raw/"+stem+"_"+p[:1]+".txt", content, fault)
			}
		}
	}
	_ = w.SetComment(comment)
	_ = w.Close()
	return b.Bytes()
}

// sazMember writes one member, which has a fault or none.
func sazMember(w *zip.Writer, name, content, fault string) {
	var z bytes.Buffer
	f, _ := flate.NewWriter(&z, flate.DefaultCompression)
	_, _ = f.Write([]byte(content))
	_ = f.Close()
	h := zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE([]byte(content)),
		UncompressedSize64: uint64(len(content)), CompressedSize64: uint64(z.Len())}
	data := z.Bytes()
	switch fault {
	case "checksum":
		h.CRC32++
	case "size":
		h.UncompressedSize64++
	case "encrypted":
		h.Flags = 1
	case "method":
		h.Method = 12
	case "damaged":
		data[0] = 0xff
	case "stored":
		// The content stands in the file as it is, where the end is missing.
		h.Method, data = zip.Store, append([]byte(content), 0)
		h.CompressedSize64 = uint64(len(data))
	}
	member, _ := w.CreateRaw(&h)
	_, _ = member.Write(data)
}

// Where a session holds things.
const (
	sazRequest  = "¶cGET https://h.example/a HTTP/1.1\r\nHost: h.example\r\n\r\n"
	sazResponse = "¶sHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello"
)

func sazMetadata(inside string) string { return "¶m<Session>" + inside + "</Session>" }
func sazFlag(name, value string) string {
	return sazMetadata(`<SessionFlags><SessionFlag N="` + name + `" V="` + value + `" /></SessionFlags>`)
}
func sazHeads(lines string) [2]string {
	return [2]string{"¶cGET / HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n\r\nbody", "¶sHTTP/1.1 200 OK\r\n" + lines + "\r\nServer: x\r\n\r\nbody"}
}

var saz = format{
	name:      "saz",
	assemble:  sazCapture,
	plain:     sazRequest + sazResponse + sazFlag("x-hostip", "203.0.113.7"),
	broken:    "¶x",
	transport: sazTransport(),
	declared:  sazDeclared(),
	wrong:     sazWrong(),
	damage:    sazDamage(),
}

// sazTransport are the places where a session holds transport authentication.
func sazTransport() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	heads := func(name, lines string) {
		for i, record := range sazHeads(lines) {
			add([]string{"request ", "response "}[i]+name, record)
		}
	}
	for _, name := range []string{
		"Authorization: Basic", "AUTHORIZATION:", "Proxy-Authorization: Digest response=", "proxy-authorization :", "Cookie: a=1; b=", "cOOKIE:\t", "Set-Cookie: s=",
		"set-cookie\t: ", "Cookie:", "Cookie: ¿", "Cookie: :",
	} {
		heads(name, name+" SECRET")
	}
	heads("the second cookie", "Cookie: a\r\nX: y\r\nCookie: SECRET")
	heads("a cookie with bare line ends", "Cookie: a\nCookie: SECRET\nX: y")
	for _, name := range []string{"Location", "referer", " Origin", "ORIGIN "} {
		for _, url := range sazURLs {
			heads(name+" "+url, strings.TrimLeft(name, " ")+": "+url)
		}
	}
	for _, url := range sazURLs {
		add("target "+url, "¶cGET "+url+" HTTP/1.1\r\nHost: h\r\n\r\n")
		add("target of a tunnel "+url, "¶cCONNECT "+url+" HTTP/1.1\r\n\r\n")
	}
	add("the authority of a tunnel", "¶cCONNECT u:SECRET@h.example:443 HTTP/1.1\r\nHost: h.example:443\r\n\r\n")
	add("the user of a tunnel", "¶cconnect SECRET@h.example:443 HTTP/1.1\r\n\r\n")

	// Heads that don't parse.
	for _, lines := range []string{
		"Cookie: a\r\n SECRET", "Cookie:\r\n\tb=SECRET", " Cookie: SECRET", "Cookie SECRET", "SECRET", ": SECRET", "X: y\rCookie: SECRET", "Coo\x01kie: SECRET", "Cookie: a\r SECRET",
		"\u00a0\r\nCookie: SECRET",
	} {
		heads(fmt.Sprintf("odd %q", lines), lines)
	}
	add("no start line", "¶cCookie: SECRET\r\nHost: h\r\n\r\n")
	add("no start line, with blanks", "¶cCookie: a=SECRET; b=c\r\n\r\n")
	add("no status line", "¶sSet-Cookie: SECRET\r\n\r\n")
	add("no status line, with blanks", "¶sSet-Cookie: 200 SECRET\r\n\r\n")
	add("a broken start line", "¶cGET https://u:SECRET@h.example/\r\n\r\n")
	add("no end of the head", "¶cGET / HTTP/1.1\r\nCookie: SECRET")
	add("empty lines in front", "¶c\r\n\r\nGET / HTTP/1.1\r\nCookie: SECRET\r\n\r\n")
	add("behind an interim head", "¶sHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: SECRET\r\n\r\nbody")
	add("behind two interim heads", "¶sHTTP/1.1 103 E\r\nX: y\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 302 F\r\nLocation: //u:SECRET@h\r\n\r\n")
	add("an interim head with one", "¶sHTTP/1.1 103 E\r\nSet-Cookie: SECRET\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")

	for _, flag := range []string{"x-AutoAuth", "X-AUTOAUTH", " x-autoauth ", "x-Auto&#65;uth"} {
		add("flag "+flag, sazFlag(flag, "user:SECRET"))
	}
	add("a flag, value first", sazMetadata(`<SessionFlag V="SECRET" N="x-AutoAuth"/>`))
	add("a flag in a namespace", sazMetadata(`<f:SessionFlag xmlns:f="u" N="x-AutoAuth" V="SECRET"/>`))
	add("a flag twice", sazMetadata(`<SessionFlag N="x-AutoAuth" V="(default)"/><SessionFlag N="x-AutoAuth" V="SECRET"/>`))
	return rows
}

var sazURLs = []string{
	"https://u:SECRET@h.example/a?x=1", "https://SECRET@h.example/", "https://u:p@SECRET@h.example/", "ftp://SECRET:p@h.example/", "HTTPS://u:SECRET@h.example/",
	"//u:SECRET@h.example/a", "https:u:SECRET@h.example/", "https:/u:SECRET@h.example/", "https:///u:SECRET@h.example/", "https://u:pa/SECRET@h.example/", `https:\\u:SECRET@h.example/`,
}

// sazDeclared are all places of an archive that a declared value can reach.
func sazDeclared() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	for _, record := range []string{
		"¶cSECRET / HTTP/1.1\r\n\r\n", "¶cGET /SECRET HTTP/1.1\r\n\r\n", "¶cGET https://u:p@h.example/SECRET HTTP/1.1\r\n\r\n", "¶cGET /a SECRET b HTTP/1.1\r\n\r\n", "¶cGET / SECRET\r\n\r\n",
		"¶sSECRET 200 OK\r\n\r\n", "¶sHTTP/1.1 200 SECRET\r\n\r\n", "¶sHTTP/1.1 200 ¿ SECRET\r\n\r\n",
		"¶cGET / HTTP/1.1\r\n\r\nSECRET", "¶sHTTP/1.1 200 OK\r\n\r\na SECRET b", "¶sHTTP/1.1 200 OK\r\n\r\n¿SECRET¿",
		"¶sHTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 SECRET\r\n\r\n", "¶wSECRET", "¶w¿\x81\x05SECRET", "¶gSECRET", "¶g\x00\x00\x00\x00\x05SECRET",
	} {
		add(fmt.Sprintf("%q", record), record)
	}
	for _, lines := range []string{"SECRET: x", "X: SECRET", "X:a SECRET b", "¿X: SECRET", "Referer: https://u:p@h.example/SECRET", "Cookie: a\r\nX: SECRET", "X: y\r\nodd\r\nY: SECRET"} {
		for _, record := range sazHeads(lines) {
			add(fmt.Sprintf("%q", record), record)
		}
	}
	for _, inside := range []string{
		`SECRET`, `<SECRET/>`, `<a SECRET="1"/>`, `<a b="SECRET"/>`, `<a b='SECRET'>SECRET</a>`, `<!--SECRET-->`, `<?SECRET x?>`, `<?x SECRET?>`, `<![CDATA[SECRET]]>`, `a<![CDATA[ ]]>SECRET&amp;`,
		`<x:SECRET/>`, `<SessionFlag N="x-AutoAuth" V="u:p" W="SECRET"/>`,
	} {
		add(inside, sazMetadata(inside))
	}
	add("a stem", "¶=SECRET"+sazRequest+sazResponse+"¶w1¶g2"+sazMetadata(""))
	add("a part of a stem", "¶=x SECRET"+sazRequest)
	add("a name", "¶+notes/SECRET.txt"+sazRequest)
	add("the comment", "¶#by SECRET"+sazRequest)
	content := func(s string) string { return "sum of " + s }
	rows = append(rows,
		row{name: "a message, by its digest", record: "¶wsum of SECRET", literal: func(s string) string {
			sum := sha256.Sum256([]byte(content(s)))
			return hex.EncodeToString(sum[:])[20:40]
		}},
		row{name: "a message, by its checksum", record: "¶gsum of SECRET", literal: func(s string) string {
			return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(content(s))))
		}},
		row{name: "a head in ISO-8859-1", record: "¶cGET /caf\xe9SECRET HTTP/1.1\r\n\r\n", literal: func(s string) string { return "café" + s[:4] }},
	)
	return rows
}

// sazWrong are sessions that don't open, with the secret where they are wrong. The
// name of a member is a place, and so is not among these.
func sazWrong() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	for _, document := range []string{
		"SECRET", "<a>SECRET", "<a></SECRET>", "<SECRET", "<a SECRET>", "<a b=SECRET/>", "<a b='SECRET>", "<a>&SECRET;</a>", "<a>&SECRET</a>", "<a>&#SECRET;</a>", "<a/>SECRET", "<a/><SECRET/>",
		"<a SECRET='' SECRET=''/>", "<a><!--SECRET--SECRET--></a>", "<a><?xml SECRET?></a>", "<?xml version='SECRET'?><a/>", "<?xml version='1.0' encoding='SECRET'?><a/>", "<?xml SECRET='1.0'?><a/>",
		"<!DOCTYPE SECRET><a/>", "<!DOCTYPE a SYSTEM 'SECRET'><a/>", "<a>SECRET¿</a>", "<a>SECRET\x00</a>", "<a>SECRET]]></a>", strings.Repeat("<SECRET>", 70),
	} {
		add(document, "¶m"+document)
	}
	for _, fault := range []string{"checksum", "size", "encrypted", "method", "damaged", "stored"} {
		add(fault, "¶cGET /SECRET HTTP/1.1\r\nCookie: SECRET\r\n\r\nSECRET¶!"+fault)
		add(fault+" of a message", "¶wSECRET¶!"+fault)
	}
	return rows
}

// sazDamage breaks an archive at the members that hold a secret, or behind them.
func sazDamage() []damage {
	var out []damage
	for _, fault := range []string{"checksum", "size", "encrypted", "method", "damaged", "stored"} {
		out = append(out, damage{fault, func(record, _ string) string { return record + "¶w¶!" + fault }})
	}
	return append(out,
		damage{"a member twice", func(record, _ string) string { return record + "¶w1¶w2" }},
		damage{"a member nobody knows", func(record, secret string) string { return record + "¶x" + secret }},
		damage{"metadata that don't end", func(record, secret string) string { return record + "¶m<a b='" + secret }},
		damage{"metadata too deep", func(record, secret string) string { return record + "¶m" + strings.Repeat("<a>", 70) + secret }},
	)
}
