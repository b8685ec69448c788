package saz

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// entry is a member to be written. What is set in it overrides what would be
// true; a hook changes the finished bytes of a header.
type entry struct {
	name string
	data string

	store      bool
	descriptor bool   // sizes and checksum behind the data
	raw        []byte // in place of the compressed data
	flags      uint16
	attributes uint32
	extra      []byte // of both headers
	comment    string

	local, central func(header []byte) // fixed part first
	behind         string              // after the data, in place of a descriptor
	hidden         bool                // the directory doesn't list it
	again          bool                // only listed: it shares the bytes of the one before it
}

// archiveFile is an archive to be written.
type archiveFile struct {
	entries []entry
	comment string
	front   string // in front of all, offsets not counting it
	shifted string // the same, offsets counting it
	behind  string
	end     func(record []byte)
	zip64   bool // with a Zip64 end, which alone holds the numbers
	end64   func(record, locator []byte)
	between string // between members and directory
	after   string // in the directory, behind its entries
}

func le(b []byte, values ...any) []byte {
	for _, v := range values {
		b, _ = binary.Append(b, binary.LittleEndian, v)
	}
	return b
}

func deflated(s string) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.Bytes()
}

func (f archiveFile) bytes() []byte {
	out := []byte(f.shifted)
	var dir []byte
	listed, at := 0, 0
	for _, e := range f.entries {
		method, data := uint16(8), e.raw
		if e.store {
			method = 0
		}
		switch {
		case data != nil:
		case e.store:
			data = []byte(e.data)
		default:
			data = deflated(e.data)
		}
		crc, compressed, size := crc32.ChecksumIEEE([]byte(e.data)), uint32(len(data)), uint32(len(e.data))
		flags := e.flags
		header := func(central bool) []byte {
			c, z, s := crc, compressed, size
			b := le(nil, uint16(20), flags, method, uint16(0), uint16(0x21))
			if !central && e.descriptor {
				c, z, s = 0, 0, 0
			}
			return le(b, c, z, s, uint16(len(e.name)), uint16(len(e.extra)))
		}
		if e.descriptor {
			flags |= flagDescriptor
		}
		if !e.again {
			at = len(out)
			h := append(append([]byte(localSignature), header(false)...), e.name...)
			h = append(h, e.extra...)
			if e.local != nil {
				e.local(h)
			}
			out = append(append(out, h...), data...)
			if e.descriptor && e.behind == "" {
				out = le(append(out, descriptorSignature...), crc, compressed, size)
			}
			out = append(out, e.behind...)
		}
		if e.hidden {
			continue
		}
		listed++
		h := append([]byte(entrySignature), 45, 0)
		h = append(h, header(true)...)
		h = le(h, uint16(len(e.comment)), uint16(0), uint16(0), e.attributes, uint32(at))
		h = append(append(append(h, e.name...), e.extra...), e.comment...)
		if e.central != nil {
			e.central(h)
		}
		dir = append(dir, h...)
	}
	out = append(out, f.between...)
	start := len(out)
	dir = append(dir, f.after...)
	out = append(out, dir...)
	n, size, offset := uint16(listed), uint32(len(dir)), uint32(start)
	if f.zip64 {
		where := len(out)
		record := le([]byte(end64Signature), uint64(44), uint16(45), uint16(45), uint32(0), uint32(0), uint64(listed), uint64(listed), uint64(len(dir)), uint64(start))
		locator := le([]byte(locatorSignature), uint32(0), uint64(where), uint32(1))
		if f.end64 != nil {
			f.end64(record, locator)
		}
		out = append(append(out, record...), locator...)
		n, size, offset = 0xffff, maxed, maxed
	}
	record := le([]byte(endSignature), uint16(0), uint16(0), n, n, size, offset, uint16(len(f.comment)))
	if f.end != nil {
		f.end(record)
	}
	out = append(append(append(out, record...), f.comment...), f.behind...)
	return append([]byte(f.front), out...)
}

// put overwrites bytes of a header.
func put[T uint16 | uint32 | uint64](at int, v T) func([]byte) {
	return func(h []byte) { _, _ = binary.Encode(h[at:], binary.LittleEndian, v) }
}

// both applies several changes.
func both(changes ...func([]byte)) func([]byte) {
	return func(h []byte) {
		for _, c := range changes {
			c(h)
		}
	}
}

// saz is an archive of members given as pairs of name and content.
func saz(pairs ...string) []byte { return Archive("", pairs...) }

// one is an archive with one request, changed.
func one(change func(*entry)) []byte {
	e := entry{name: "raw/1_c.txt", data: plainRequest}
	change(&e)
	return archiveFile{entries: []entry{e}}.bytes()
}

const (
	plainRequest  = "GET http://h.example/a HTTP/1.1\r\nHost: h.example\r\nX: 1\r\nx: 2\r\n\r\n"
	plainResponse = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello"
	plainMetadata = "<Session SID=\"1\"><SessionFlags><SessionFlag N=\"x-hostip\" V=\"203.0.113.7\"/></SessionFlags></Session>"
)

func TestWriterIsRead(t *testing.T) {
	if got := mustRead(t, saz("raw/1_c.txt", plainRequest)); len(got.records) != 1 {
		t.Error("the archives of these tests are not what they should be")
	}
}
