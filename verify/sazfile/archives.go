package sazfile

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"strings"
)

// member is one member of an archive that is made here.
type member struct {
	name, text string
	store      bool
	change     func(*zip.FileHeader)
}

// pack writes an archive as Go's library does: a writer that shares nothing with
// the product's reader but the format's description.
func pack(comment string, members ...member) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		if m.store || m.text == "" {
			h.Method = zip.Store
		}
		if m.change != nil {
			m.change(h)
		}
		into, err := w.CreateHeader(h)
		if err == nil && m.text != "" {
			_, err = into.Write([]byte(m.text))
		}
		if err != nil {
			panic(err) // into memory
		}
	}
	if err := w.SetComment(comment); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

const (
	requestHead  = "GET http://h.example/ HTTP/1.1\r\nHost: h.example\r\n\r\n"
	responseHead = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
)

// exchange is a session of the plainest kind.
func exchange(stem string) []member {
	return []member{
		{name: "raw/" + stem + "_c.txt", text: requestHead},
		{name: "raw/" + stem + "_s.txt", text: responseHead + "body of " + stem},
		{name: "raw/" + stem + "_m.xml", text: `<?xml version="1.0"?><Session SID="` + stem + `"><SessionFlags/></Session>`},
	}
}

// one is an archive with one session and more.
func one(more ...member) []byte { return pack("", append(exchange("1"), more...)...) }

// Archive is an archive that is made here.
type Archive struct {
	Name string
	Data []byte
}

// WellMade are archives that have to be read.
func WellMade() []Archive {
	octets := "\x81\x05\x00\xff\xfehello\r\n\r\n"
	long := strings.Repeat("\xff\xfe\x80", (32<<20-len(requestHead))/3)
	var many, sessions []member
	for i := range 100_000 {
		many = append(many, member{name: fmt.Sprintf("more/%06d", i)})
	}
	for i := range 2_000 {
		sessions = append(sessions, exchange(fmt.Sprint(i))...)
	}
	return []Archive{
		{"one session", one()},
		{"in the directory's order", pack("", append(append(exchange("10"), exchange("2")...), exchange("1")...)...)},
		{"sessions interleaved", pack("", member{name: "raw/2_s.txt", text: responseHead}, member{name: "raw/1_c.txt", text: requestHead}, member{name: "raw/2_c.txt", text: requestHead})},
		{"websocket and grpc members", one(member{name: "raw/1_w.txt", text: octets}, member{name: "raw/1_g.txt", text: "\x00\x00\x00\x00\x05hello"}, member{name: "raw/2_w.txt", text: "only this"}, member{name: "raw/3_g.txt", text: ""})},
		{"members of no bytes", pack("", member{name: "raw/1_c.txt"}, member{name: "raw/1_s.txt"})},
		{"a response alone", pack("", member{name: "raw/7_s.txt", text: responseHead})},
		{"bare line feeds", pack("", member{name: "raw/1_c.txt", text: "POST / HTTP/1.1\nHost: h\nx: \n\nbody\n\nmore"})},
		{"bodies of octets", pack("", member{name: "raw/1_c.txt", text: requestHead + octets, store: true}, member{name: "raw/1_s.txt", text: responseHead + "\x1f\x8b\x08\x00chunk"})},
		{"chunked and not touched", pack("", member{name: "raw/1_s.txt", text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n5\r\nhello\r\n0\r\n\r\n"})},
		{"duplicate headers", pack("", member{name: "raw/1_c.txt", text: "GET / HTTP/1.1\r\nX-A: 1\r\nx-a: 2\r\nX-A:1 \r\nEmpty:\r\n\r\n"})},
		{"metadata of every kind", one(member{name: "raw/2_m.xml", text: "\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?><!-- before --><Session SID=\"2\" A='&lt;&#65;'><?keep this?><F N=\"é\" V=\"\"/><![CDATA[<cdata>]]>text&amp;<!-- in --></Session>"})},
		{"inventory beside", one(member{name: "_index.htm", text: "<html>"}, member{name: "[Content_Types].xml", text: "<Types/>"}, member{name: "raw/"}, member{name: "plugins/a b.txt", text: "é"})},
		{"a comment", pack("Fiddler (v5.0) invented", exchange("1")...)},
		{"a stem of letters", pack("", exchange("a-b_c")...)},
		{"100,000 members beside", one(many...)},
		{"2,000 sessions", pack("", sessions...)},
		{"32 MiB to the byte", pack("", member{name: "raw/1_c.txt", text: requestHead + long + strings.Repeat("x", 32<<20-len(requestHead)-len(long))})},
		{"deflated by hand", deflated()},
		{"a checksum that is 0", asIs(written{name: "raw/1_w.txt", text: zeroSum, crc: 0})},
		{"a Unicode Path that is the name", renamed("raw/1_c.txt", "raw/1_c.txt", true, true)},
		{"a Unicode Path of another name", renamed("raw/2_c.txt", "raw/2_c.txt", true, true)},
		{"elements nested 64 deep", one(member{name: "raw/2_m.xml", text: nested(64)})},
	}
}

// deflated stores a member whose deflate stream has several blocks.
func deflated() []byte {
	text := requestHead + strings.Repeat("0123456789", 9000)
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.HuffmanOnly)
	if err != nil {
		panic(err)
	}
	for at := 0; at < len(text); at += 9999 {
		_, err = w.Write([]byte(text[at:min(len(text), at+9999)]))
		if err == nil {
			err = w.Flush()
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return raw(packed.Bytes(), uint64(len(text)), crc32.ChecksumIEEE([]byte(text)))
}

// raw writes an archive of one deflated request with whatever sizes are claimed.
func raw(data []byte, size uint64, crc uint32) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	into, err := w.CreateRaw(&zip.FileHeader{
		Name: "raw/1_c.txt", Method: zip.Deflate, CRC32: crc,
		CompressedSize64: uint64(len(data)), UncompressedSize64: size,
	})
	if err == nil {
		_, err = into.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Broken is an archive that has to be refused.
type Broken struct {
	Archive
	Code, Reason string // of the failure; no reason for an unsupported one
	Member       string // that has to be named; empty for none
}

const (
	malformed   = "invalid_request invalid_format"
	overLimit   = "invalid_request out_of_range"
	unsupported = "capability_unavailable"
)

// BadlyMade are archives that have to be refused.
func BadlyMade() []Broken {
	plain := one()
	stored := pack("", member{name: "raw/1_c.txt", text: requestHead, store: true})
	flag := func(h *zip.FileHeader) { h.Flags |= 1 }
	method := func(h *zip.FileHeader) { h.Method = 12 }
	link := func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) }
	bomb := func(mib int) []byte {
		return pack("", member{name: "raw/1_c.txt", text: strings.Repeat("\x00", mib<<20)})
	}
	var list []Broken
	add := func(name, want, member string, data []byte) {
		code, reason, _ := strings.Cut(want, " ")
		list = append(list, Broken{Archive{name, data}, code, reason, member})
	}
	add("no bytes", malformed, "", nil)
	add("no ZIP", malformed, "", []byte("not a ZIP archive\r\n"))
	add("cut at its end", malformed, "", plain[:len(plain)-10])
	add("cut in the middle", malformed, "", plain[:len(plain)/2])
	add("its beginning lost", malformed, "", plain[20:])
	add("bytes behind its end", malformed, "", append(bytes.Clone(plain), 'x'))
	add("two ends", malformed, "", pack(string(pack("")), exchange("1")...))
	add("two ends, and text behind the second", malformed, "", pack(string(pack(""))+"x", exchange("1")...))
	add("two ends of one directory", malformed, "", sharedDirectory())
	add("two directories", malformed, "", twoDirectories(""))
	add("two directories, and text behind the second", malformed, "", twoDirectories("x"))
	add("two numbers of entries", malformed, "", twoNumbers())
	add("bytes in front of the first member", malformed, "raw/1_c.txt", inFront())
	add("a member inside of another", malformed, "raw/1_c.txt", inside())
	add("no checksum", malformed, "raw/1_c.txt", asIs(written{name: "raw/1_c.txt", text: requestHead}))
	add("no checksum of deflated data", malformed, "raw/1_c.txt", raw(deflate(requestHead), uint64(len(requestHead)), 0))
	add("another checksum in the local header", malformed, "raw/1_c.txt", localSum())
	add("another checksum in the descriptor", malformed, "raw/1_c.txt", otherDescriptor())
	add("another name in a Unicode Path", unsupported, "raw/1_c.txt", renamed("raw/1_c.txt", "raw/2_c.txt", true, true))
	add("another name in a Unicode Path of the directory", unsupported, "raw/1_c.txt", renamed("raw/1_c.txt", "raw/2_c.txt", false, true))
	add("another name in a Unicode Path of the local header", unsupported, "raw/1_c.txt", renamed("raw/1_c.txt", "raw/2_c.txt", true, false))
	add("another checksum", malformed, "raw/1_c.txt", change(stored, requestHead, "PUT "+requestHead[4:]))
	add("a size that lies", malformed, "raw/1_c.txt", raw(deflate(requestHead), 10, crc32.ChecksumIEEE([]byte(requestHead))))
	add("a size that lies upwards", malformed, "raw/1_c.txt", raw(deflate(requestHead), 1000, crc32.ChecksumIEEE([]byte(requestHead))))
	add("deflate that is none", malformed, "raw/1_c.txt", raw([]byte("\xff\xff\xff\xff"), 10, 1))
	add("two members of one name", malformed, "raw/1_c.txt", pack("", member{name: "raw/1_c.txt", text: "a"}, member{name: "raw/1_c.txt", text: "b"}))
	add("two names of one member", malformed, "raw/2_c.txt", twoNames())
	add("another name in the local header", malformed, "", localName())
	add("metadata that is no XML", malformed, "raw/2_m.xml", one(member{name: "raw/2_m.xml", text: "<Session>"}))
	add("an attribute twice", malformed, "raw/2_m.xml", one(member{name: "raw/2_m.xml", text: `<Session a="1" a="2"/>`}))
	add("a document type", unsupported, "raw/2_m.xml", one(member{name: "raw/2_m.xml", text: `<!DOCTYPE s [<!ENTITY e "x">]><s>&e;</s>`}))
	add("elements nested too deeply", overLimit, "", one(member{name: "raw/2_m.xml", text: nested(65)}))
	add("an encrypted member", unsupported, "raw/2_c.txt", one(member{name: "raw/2_c.txt", text: "x", store: true, change: flag}))
	add("an encrypted member beside", unsupported, "other.txt", one(member{name: "other.txt", text: "x", store: true, change: flag}))
	add("another method", unsupported, "raw/1_c.txt", retouch(stored, method))
	add("a symbolic link", unsupported, "raw/2_c.txt", one(member{name: "raw/2_c.txt", text: "/etc/passwd", change: link}))
	for _, name := range []string{"raw/1_x.txt", "raw/readme.txt", "RAW/2_c.txt", `raw\2_c.txt`, "raw/a/2_c.txt", "./raw/2_c.txt", "x/../raw/2_c.txt", "raw/2_C.txt"} {
		add("a member called "+name, unsupported, name, one(member{name: name, text: requestHead}))
	}
	add("no session", unsupported, "", pack("", member{name: "readme.txt", text: "x"}))
	add("no member", unsupported, "", pack(""))
	add("32 MiB and a byte", overLimit, "", pack("", member{name: "raw/1_c.txt", text: strings.Repeat("\xff", 32<<20+1)}))
	add("32 MiB and a byte in two members", overLimit, "", pack("", member{name: "raw/1_c.txt", text: strings.Repeat("\xff", 32<<20)}, member{name: "raw/1_s.txt", text: "x"}))
	add("256 MiB in a quarter of one", overLimit, "", bomb(256))
	return list
}

// nested are so many elements, one in the other.
func nested(n int) string { return strings.Repeat("<a>", n) + strings.Repeat("</a>", n) }

func deflate(text string) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, 9)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

// change replaces a text in the stored bytes.
func change(data []byte, old, with string) []byte {
	return bytes.Replace(data, []byte(old), []byte(with), 1)
}

// retouch writes the first member's headers again, in both places.
func retouch(data []byte, with func(*zip.FileHeader)) []byte {
	var h zip.FileHeader
	with(&h)
	out := bytes.Clone(data)
	central := bytes.Index(out, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint16(out[8:], h.Method)
	binary.LittleEndian.PutUint16(out[central+10:], h.Method)
	return out
}

// twoNames lets two entries of the directory lead to one local header.
func twoNames() []byte {
	out := pack("", member{name: "raw/1_c.txt", text: requestHead, store: true}, member{name: "raw/2_c.txt", text: requestHead, store: true})
	second := bytes.LastIndex(out, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(out[second+42:], 0)
	return out
}

func localName() []byte {
	out := pack("", member{name: "raw/1_c.txt", text: requestHead, store: true})
	out[30+len("raw/")] = '9'
	return out
}
