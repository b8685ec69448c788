package saz

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
)

// Places in a local header and in an entry of the directory.
const (
	localFlags, localMethod, localCRC, localCompressed, localSize = 6, 8, 14, 18, 22
	dirFlags, dirMethod, dirCRC, dirCompressed, dirSize, dirDisk  = 8, 10, 16, 20, 24, 34
	dirOffset                                                     = 42
)

type archiveCase struct {
	name   string
	src    []byte
	kind   format.Kind // "" is accepted
	member string
	word   string // of the message
}

func archiveCases() []archiveCase {
	const malformed, unsupported = format.Malformed, format.Unsupported
	good := saz("raw/1_c.txt", plainRequest)
	message := func(change func(*entry)) []byte { return one(change) }
	with := func(e ...entry) []byte {
		return archiveFile{entries: append([]entry{{name: "raw/1_c.txt", data: plainRequest}}, e...)}.bytes()
	}
	file := func(change func(*archiveFile)) []byte {
		f := archiveFile{entries: []entry{{name: "raw/1_c.txt", data: plainRequest}, {name: "x", data: "y"}}}
		change(&f)
		return f.bytes()
	}
	zip64Field := func(values ...any) []byte {
		b := le(nil, values...)
		return append(le(nil, uint16(extraZip64), uint16(len(b))), b...)
	}
	bomb := deflated(strings.Repeat("a", 40<<20))
	rows := []archiveCase{
		// The end of the archive.
		{"nothing", nil, malformed, "", "no end"},
		{"text", []byte("not a zip archive\r\n"), malformed, "", "no end"},
		{"a HAR", []byte(`{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[]}}`), malformed, "", "no end"},
		{"broken off in the end record", good[:len(good)-1], malformed, "", "broken off"},
		{"broken off in the comment", file(func(f *archiveFile) { f.comment = "abc"; f.end = put(20, uint16(4)) }), malformed, "", "broken off"},
		{"bytes behind", file(func(f *archiveFile) { f.behind = "\n" }), malformed, "", "behind"},
		{"bytes behind a comment", file(func(f *archiveFile) { f.comment = "abc"; f.end = put(20, uint16(2)) }), malformed, "", "behind"},
		{"bytes in front", file(func(f *archiveFile) { f.front = "MZ" }), malformed, "", "directory"},
		{"bytes in front, counted", file(func(f *archiveFile) { f.shifted = "MZ" }), malformed, "raw/1_c.txt", "in front"},
		{"an archive in front", append(bytes.Clone(good), good...), malformed, "", "directory"},
		{"an end in the comment", file(func(f *archiveFile) { f.comment = "x" + string(endOf(good)) }), malformed, "", "two ends"},
		{"an end behind", append(bytes.Clone(good), endOf(good)...), malformed, "", "directory"},
		{"a comment of the full length", file(func(f *archiveFile) { f.comment = strings.Repeat("c", maximumComment) }), "", "", ""},
		{"an archive inside, stored", with(entry{name: "raw/1_s.txt", data: plainResponse + string(good), store: true}), "", "", ""},
		{"another disk", file(func(f *archiveFile) { f.end = put(4, uint16(1)) }), unsupported, "", "split"},
		{"the directory on another disk", file(func(f *archiveFile) { f.end = put(6, uint16(1)) }), unsupported, "", "split"},
		{"fewer entries here", file(func(f *archiveFile) { f.end = put(8, uint16(1)) }), malformed, "", "two numbers"},
		{"Zip64, fewer entries here", file(func(f *archiveFile) { f.zip64, f.end64 = true, func(r, _ []byte) { put(24, uint64(1))(r) } }), malformed, "", "two numbers"},
		{"more entries than there are", file(func(f *archiveFile) { f.end = both(put(8, uint16(3)), put(10, uint16(3))) }), malformed, "", "directory"},
		{"fewer entries than there are", file(func(f *archiveFile) { f.end = both(put(8, uint16(1)), put(10, uint16(1))) }), malformed, "", "directory"},
		{"no entries", file(func(f *archiveFile) { f.end = both(put(8, uint16(0)), put(10, uint16(0))) }), malformed, "", "directory"},
		{"an impossible number of entries", file(func(f *archiveFile) { f.end = both(put(8, uint16(60000)), put(10, uint16(60000))) }), malformed, "", "room"},
		{"a directory too long", file(func(f *archiveFile) { f.end = put(12, uint32(1<<31)) }), malformed, "", "directory"},
		{"a directory elsewhere", file(func(f *archiveFile) { f.end = put(16, uint32(1)) }), malformed, "", "directory"},
		{"bytes behind the entries", file(func(f *archiveFile) { f.after = "xxxx" }), malformed, "", "more than"},
		{"bytes in the directory", file(func(f *archiveFile) { f.between = "xxxx"; f.end = shiftDirectory(-4) }), malformed, "", "directory"},

		// Zip64.
		{"Zip64", file(func(f *archiveFile) { f.zip64 = true }), "", "", ""},
		{"Zip64 beside the numbers", file(func(f *archiveFile) {
			f.zip64 = true
			f.end = both(put(8, uint16(2)), put(10, uint16(2)))
		}), "", "", ""},
		{"Zip64, and no number left to it", file(func(f *archiveFile) {
			plain := endOf(f.bytes())
			f.zip64 = true
			f.end = func(r []byte) { copy(r, plain) }
		}), "", "", ""},
		{"Zip64 against the numbers", file(func(f *archiveFile) {
			f.zip64 = true
			f.end = both(put(8, uint16(1)), put(10, uint16(1)))
		}), malformed, "", "disagree"},
		{"Zip64, another size", file(func(f *archiveFile) { f.zip64, f.end64 = true, func(r, _ []byte) { put(40, uint64(1))(r) } }), malformed, "", "directory"},
		{"Zip64, huge numbers", file(func(f *archiveFile) {
			f.zip64, f.end64 = true, func(r, _ []byte) { put(40, uint64(1<<63))(r); put(48, uint64(1<<63))(r) }
		}), malformed, "", "directory"},
		{"Zip64, too many entries", file(func(f *archiveFile) {
			f.zip64, f.end64 = true, func(r, _ []byte) { put(24, uint64(1<<63))(r); put(32, uint64(1<<63))(r) }
		}), malformed, "", "room"},
		{"Zip64, broken locator", file(func(f *archiveFile) { f.zip64, f.end64 = true, func(_, l []byte) { put(8, uint64(3))(l) } }), malformed, "", "locator"},
		{"Zip64, locator beyond", file(func(f *archiveFile) { f.zip64, f.end64 = true, func(_, l []byte) { put(8, uint64(1<<63))(l) } }), malformed, "", "locator"},
		{"Zip64, two disks", file(func(f *archiveFile) { f.zip64, f.end64 = true, func(_, l []byte) { put(16, uint32(2))(l) } }), unsupported, "", "split"},
		{"Zip64, end on another disk", file(func(f *archiveFile) { f.zip64, f.end64 = true, func(r, _ []byte) { put(16, uint32(1))(r) } }), unsupported, "", "split"},
		{"Zip64 sizes of a member", message(func(e *entry) {
			z := deflated(e.data)
			e.extra = zip64Field(uint64(len(e.data)), uint64(len(z)))
			e.local = both(put(localSize, uint32(maxed)), put(localCompressed, uint32(maxed)))
			e.central = both(put(dirSize, uint32(maxed)), put(dirCompressed, uint32(maxed)))
		}), "", "", ""},
		{"Zip64 sizes only in front", message(func(e *entry) {
			e.extra = zip64Field(uint64(len(e.data)), uint64(len(deflated(e.data))))
			e.local = both(put(localSize, uint32(maxed)), put(localCompressed, uint32(maxed)))
		}), "", "", ""},
		{"Zip64 sizes in front, wrong", message(func(e *entry) {
			e.extra = zip64Field(uint64(1), uint64(len(deflated(e.data))))
			e.local = both(put(localSize, uint32(maxed)), put(localCompressed, uint32(maxed)))
		}), malformed, "raw/1_c.txt", "another size"},
		{"Zip64 size, huge", message(func(e *entry) {
			e.extra = zip64Field(uint64(1<<62), uint64(1<<62))
			e.local = both(put(localSize, uint32(maxed)), put(localCompressed, uint32(maxed)))
			e.central = both(put(dirSize, uint32(maxed)), put(dirCompressed, uint32(maxed)))
		}), malformed, "raw/1_c.txt", "reach"},
		{"Zip64 sizes without the field", message(func(e *entry) {
			e.central = both(put(dirSize, uint32(maxed)), put(dirCompressed, uint32(maxed)))
		}), malformed, "", "directory"},
		{"Zip64 offset", message(func(e *entry) { e.extra, e.central = zip64Field(uint64(0)), put(dirOffset, uint32(maxed)) }), "", "", ""},
		{"Zip64 offset, wrong", message(func(e *entry) { e.extra, e.central = zip64Field(uint64(1)), put(dirOffset, uint32(maxed)) }), malformed, "raw/1_c.txt", "local header"},
		{"Zip64 offset, negative", message(func(e *entry) { e.extra, e.central = zip64Field(^uint64(0)), put(dirOffset, uint32(maxed)) }), malformed, "raw/1_c.txt", "local header"},

		// Local headers against the directory.
		{"an offset beyond", message(func(e *entry) { e.central = put(dirOffset, uint32(1<<31)) }), malformed, "raw/1_c.txt", "local header"},
		{"an offset into the data", message(func(e *entry) { e.central = put(dirOffset, uint32(5)) }), malformed, "raw/1_c.txt", "local header"},
		{"a member on another disk", message(func(e *entry) { e.central = put(dirDisk, uint16(1)) }), malformed, "raw/1_c.txt", "local header"},
		{"another name in front", message(func(e *entry) { e.local = func(h []byte) { h[localBytes+4] = '2' } }), malformed, "raw/1_c.txt", "another name"},
		{"another name of another length", message(func(e *entry) { e.local = put(26, uint16(10)) }), malformed, "raw/1_c.txt", "another name"},
		{"another method in front", message(func(e *entry) { e.local = put(localMethod, uint16(0)) }), malformed, "raw/1_c.txt", "method"},
		{"another size in front", message(func(e *entry) { e.local = put(localSize, uint32(1)) }), malformed, "raw/1_c.txt", "another size"},
		{"another compressed size in front", message(func(e *entry) { e.local = put(localCompressed, uint32(1)) }), malformed, "raw/1_c.txt", "another size"},
		{"another checksum in front", message(func(e *entry) { e.local = put(localCRC, uint32(1)) }), malformed, "raw/1_c.txt", "checksum"},
		{"no sizes in front", message(func(e *entry) { e.local = both(put(localSize, uint32(0)), put(localCompressed, uint32(0))) }), malformed, "raw/1_c.txt", "another size"},
		{"a descriptor's flag in front only", message(func(e *entry) { e.local = put(localFlags, uint16(flagDescriptor)) }), malformed, "raw/1_c.txt", "flags"},
		{"the same, of a member that isn't read", with(entry{name: "x", data: "y", local: put(localSize, uint32(7))}), malformed, "x", "another size"},
		{"data reach into the directory", message(func(e *entry) {
			e.local, e.central = put(localCompressed, uint32(500)), put(dirCompressed, uint32(500))
		}), malformed, "raw/1_c.txt", "directory"},

		// Data descriptors.
		{"a descriptor", message(func(e *entry) { e.descriptor = true }), "", "", ""},
		{"a descriptor without signature", message(func(e *entry) {
			e.descriptor = true
			e.behind = string(le(nil, crc32.ChecksumIEEE([]byte(e.data)), uint32(len(deflated(e.data))), uint32(len(e.data))))
		}), "", "", ""},
		{"a descriptor of 64 bits", message(func(e *entry) {
			e.descriptor = true
			e.behind = string(le([]byte(descriptorSignature), crc32.ChecksumIEEE([]byte(e.data)), uint64(len(deflated(e.data))), uint64(len(e.data))))
		}), "", "", ""},
		{"a descriptor with another checksum", message(func(e *entry) {
			e.descriptor = true
			e.behind = string(le([]byte(descriptorSignature), uint32(1), uint32(len(deflated(e.data))), uint32(len(e.data))))
		}), malformed, "raw/1_c.txt", "descriptor"},
		{"a descriptor with another size", message(func(e *entry) {
			e.descriptor = true
			e.behind = string(le([]byte(descriptorSignature), crc32.ChecksumIEEE([]byte(e.data)), uint32(len(deflated(e.data))), uint32(1)))
		}), malformed, "raw/1_c.txt", "descriptor"},
		{"a descriptor with another compressed size", message(func(e *entry) {
			e.descriptor = true
			e.behind = string(le([]byte(descriptorSignature), crc32.ChecksumIEEE([]byte(e.data)), uint32(1), uint32(len(e.data))))
		}), malformed, "raw/1_c.txt", "descriptor"},
		{"a descriptor that isn't there", message(func(e *entry) { e.descriptor, e.behind = true, "PK" }), malformed, "raw/1_c.txt", "descriptor"},
		{"a descriptor of a member that isn't read", with(entry{name: "x", data: "y", descriptor: true, behind: "none at all here"}), malformed, "x", "descriptor"},

		// Overlap.
		{"two entries for one member", archiveFile{entries: []entry{{name: "raw/1_c.txt", data: plainRequest}, {name: "raw/1_c.txt", data: plainRequest, again: true}}}.bytes(), malformed, "raw/1_c.txt", "two members"},
		{"two names for one member", archiveFile{entries: []entry{{name: "raw/1_c.txt", data: plainRequest}, {name: "raw/2_c.txt", data: plainRequest, again: true}}}.bytes(), malformed, "raw/2_c.txt", "another name"},
		{"a member inside another", overlapping("raw/2_c.txt"), malformed, "raw/2_c.txt", "another member's"},
		{"the same, of a member that isn't read", overlapping("x"), malformed, "x", "another member's"},
		{"members out of order", outOfOrder(), "", "", ""},
		{"a gap between members", with(entry{name: "y", data: "1", behind: "gap", store: true}, entry{name: "z"}), "", "", ""},
		{"a member that is not listed", with(entry{name: "raw/2_c.txt", data: plainRequest, hidden: true}, entry{name: "z"}), "", "", ""},

		// Encryption and methods.
		{"encrypted", message(func(e *entry) { e.flags = flagEncrypted }), unsupported, "raw/1_c.txt", "encrypted"},
		{"encrypted in front only", message(func(e *entry) { e.local = put(localFlags, uint16(flagEncrypted)) }), unsupported, "raw/1_c.txt", "encrypted"},
		{"encrypted in the directory only", message(func(e *entry) { e.central = put(dirFlags, uint16(flagEncrypted)) }), unsupported, "raw/1_c.txt", "encrypted"},
		{"a stranger encrypted", with(entry{name: "x", data: "y", flags: flagEncrypted}), unsupported, "x", "encrypted"},
		{"strongly encrypted", message(func(e *entry) { e.flags = flagStrong }), unsupported, "raw/1_c.txt", "encrypted"},
		{"masked headers", message(func(e *entry) {
			e.central, e.local = put(dirFlags, uint16(flagMasked)), both(put(localCRC, uint32(0)), put(localSize, uint32(0)))
		}), unsupported, "raw/1_c.txt", "encrypted"},
		{"AES", message(func(e *entry) { e.local, e.central = put(localMethod, uint16(99)), put(dirMethod, uint16(99)) }), unsupported, "raw/1_c.txt", "method"},
		{"AES by its field", message(func(e *entry) { e.extra = le(nil, uint16(extraAES), uint16(1), uint8(2)) }), unsupported, "raw/1_c.txt", "encrypted"},
		{"a strong encryption header", message(func(e *entry) { e.extra = le(nil, uint16(extraStrong), uint16(1), uint8(2)) }), unsupported, "raw/1_c.txt", "encrypted"},
		{"a patch", message(func(e *entry) { e.flags = flagPatch }), unsupported, "raw/1_c.txt", "method"},
		{"a symbolic link", message(func(e *entry) { e.attributes = 0xa1ff << 16 }), unsupported, "raw/1_c.txt", "symbolic link"},
		{"a stranger that is a symbolic link", with(entry{name: "x", data: "/etc/passwd", attributes: 0xa1ff << 16}), unsupported, "x", "symbolic link"},
		{"an ordinary file", message(func(e *entry) { e.attributes = 0x81a4<<16 | 0x20 }), "", "", ""},

		// Content of what is read.
		{"another checksum", message(func(e *entry) { e.local, e.central = put(localCRC, uint32(1)), put(dirCRC, uint32(1)) }), malformed, "raw/1_c.txt", "checksum"},
		{"no checksum", message(func(e *entry) { e.local, e.central = put(localCRC, uint32(0)), put(dirCRC, uint32(0)) }), malformed, "raw/1_c.txt", "checksum"},
		{"another checksum, with a descriptor", message(func(e *entry) {
			e.descriptor, e.central = true, put(dirCRC, uint32(1))
			e.behind = string(le([]byte(descriptorSignature), uint32(1), uint32(len(deflated(e.data))), uint32(len(e.data))))
		}), malformed, "raw/1_c.txt", "checksum"},
		{"a size too small", message(func(e *entry) { e.local, e.central = put(localSize, uint32(9)), put(dirSize, uint32(9)) }), malformed, "raw/1_c.txt", "another size"},
		{"a size too large", message(func(e *entry) { e.local, e.central = put(localSize, uint32(999)), put(dirSize, uint32(999)) }), malformed, "raw/1_c.txt", "another size"},
		{"a size of zero", message(func(e *entry) { e.local, e.central = put(localSize, uint32(0)), put(dirSize, uint32(0)) }), malformed, "raw/1_c.txt", "another size"},
		{"stored, with other sizes", message(func(e *entry) {
			e.store, e.local, e.central = true, put(localSize, uint32(9)), put(dirSize, uint32(9))
		}), malformed, "raw/1_c.txt", "another size"},
		{"deflated data broken off", message(func(e *entry) { z := deflated(e.data); e.raw = z[:len(z)-3] }), malformed, "raw/1_c.txt", "damaged"},
		{"deflated data damaged", message(func(e *entry) { e.raw = bytes.Repeat([]byte{0xff}, 40) }), malformed, "raw/1_c.txt", "damaged"},
		{"no deflated data", message(func(e *entry) { e.data, e.raw = "", []byte{} }), malformed, "raw/1_c.txt", "damaged"},
		{"bytes behind the deflated data", message(func(e *entry) { e.raw = append(deflated(e.data), "hidden"...) }), malformed, "raw/1_c.txt", "follow"},
		{"of a stranger, none of this is known", with(entry{name: "x", raw: []byte("\xff\xff"), data: "abc", central: put(dirCRC, uint32(7)), local: put(localCRC, uint32(7))}), "", "", ""},
		{"a small size, and 40 MiB", message(func(e *entry) {
			e.raw, e.local, e.central = bomb, both(put(localSize, uint32(100)), put(localCRC, uint32(0))), both(put(dirSize, uint32(100)), put(dirCRC, uint32(0)))
		}), format.TooMuch, "raw/1_c.txt", "expand"},
		{"a huge size, and little behind it", message(func(e *entry) {
			e.local, e.central = put(localSize, uint32(1<<31)), put(dirSize, uint32(1<<31))
		}), malformed, "raw/1_c.txt", "another size"},
	}
	for _, method := range []uint16{1, 6, 9, 12, 14, 20, 93, 95, 98} {
		rows = append(rows,
			archiveCase{fmt.Sprint("method ", method), message(func(e *entry) { e.local, e.central = put(localMethod, method), put(dirMethod, method) }), unsupported, "raw/1_c.txt", "method"},
			archiveCase{fmt.Sprint("a stranger of method ", method), with(entry{name: "x", local: put(localMethod, method), central: put(dirMethod, method)}), unsupported, "x", "method"})
	}
	return rows
}

// endOf is the record that ends an archive without a comment.
func endOf(archive []byte) []byte { return archive[len(archive)-endBytes:] }

// shiftDirectory moves the directory's begin.
func shiftDirectory(by int32) func([]byte) {
	return func(r []byte) {
		put(12, uint32(int32(u32(r, 12))-by))(r)
		put(16, uint32(int32(u32(r, 16))+by))(r)
	}
}

// overlapping has a member whose local header and data are the data of another.
func overlapping(inner string) []byte {
	quoted := archiveFile{entries: []entry{{name: inner, data: plainRequest, store: true}}}.bytes()
	local := quoted[:bytes.Index(quoted, []byte(entrySignature))]
	outer := entry{name: "raw/1_c.txt", data: string(local), store: true}
	at := uint32(localBytes + len(outer.name))
	return archiveFile{entries: []entry{outer, {name: inner, data: plainRequest, store: true, again: true, central: put(dirOffset, at)}}}.bytes()
}

// outOfOrder lists its members against the order in which they stand.
func outOfOrder() []byte {
	first, second := entry{name: "raw/1_s.txt", data: plainResponse}, entry{name: "raw/1_c.txt", data: plainRequest}
	b := archiveFile{entries: []entry{first, second}}.bytes()
	a := bytes.Index(b, []byte(entrySignature))
	z := bytes.LastIndex(b, []byte(entrySignature))
	end := len(b) - endBytes
	return bytes.Join([][]byte{b[:a], b[z:end], b[a:z], b[end:]}, nil)
}

func TestArchives(t *testing.T) {
	for _, c := range archiveCases() {
		t.Run(c.name, func(t *testing.T) {
			if c.kind == "" {
				mustRead(t, c.src)
				return
			}
			mustFail(t, c.src, c.kind, c.member, c.word)
		})
	}
}

// What is refused here, the library below mostly lets pass: these rows are the
// reason for the second reading.
func TestTheLibraryIsLaxer(t *testing.T) {
	lax := 0
	for _, c := range archiveCases() {
		if c.kind == "" {
			continue
		}
		if r, err := zip.NewReader(bytes.NewReader(c.src), int64(len(c.src))); err == nil && len(r.File) > 0 {
			lax++
		}
	}
	if lax < 40 {
		t.Errorf("the library opens only %d of the archives that are refused here", lax)
	}
}

func TestNames(t *testing.T) {
	const unsupported, inventory = "unsupported", "inventory"
	for name, want := range map[string]string{
		"raw/1_c.txt": "1 request", "raw/1_s.txt": "1 response", "raw/1_m.xml": "1 metadata", "raw/1_w.txt": "1 websocket", "raw/1_g.txt": "1 grpc",
		"raw/001_c.txt": "001 request", "raw/a b_c.txt": "a b request", "raw/_c.txt_c.txt": "_c.txt request", "raw/.._c.txt": ".. request", "raw/ü_s.txt": "ü response",
		"raw/": inventory, "raw/sub/": inventory, "RAW/": inventory, "raw//": inventory,
		"_index.htm": inventory, "[Content_Types].xml": inventory, "raw": inventory, "raw.txt": inventory, "raws/1_c.txt": inventory, "x/raw/1_c.txt": inventory,
		"../etc/passwd": inventory, "/etc/passwd": inventory, `C:\boot.ini`: inventory, "notes/ü.txt": inventory, "": inventory, "a/../raw.txt": inventory, "1_c.txt": inventory,
		"raw/1_m.txt": unsupported, "raw/1_c.xml": unsupported, "raw/1.txt": unsupported, "raw/_c.txt": unsupported, "raw/1_x.txt": unsupported, "raw/1_c.txt ": unsupported,
		"raw/1_C.txt": unsupported, "raw/1_c.TXT": unsupported, "raw/sub/1_c.txt": unsupported, "raw//1_c.txt": unsupported, "raw/./1_c.txt": unsupported, `raw/..\1_c.txt`: unsupported,
		`raw\1_c.txt`: unsupported, "RAW/1_c.txt": unsupported, "Raw/1_s.txt": unsupported, `RAW\1_c.txt`: unsupported, "./raw/1_c.txt": unsupported, "/raw/1_c.txt": unsupported,
		"../raw/1_c.txt": unsupported, "x/../raw/1_c.txt": unsupported, "//raw/1_c.txt": unsupported, "C:/raw/1_c.txt": unsupported, `c:\raw\1_c.txt`: unsupported, "c:raw/1_c.txt": unsupported,
		"raw./1_c.txt": unsupported, "raw /1_c.txt": unsupported, `.\raw\1_c.txt`: unsupported, "raw/readme.txt": unsupported, `raw\x\..\1_c.txt`: unsupported,
	} {
		src := saz("raw/ok_c.txt", plainRequest, name, "")
		if want == unsupported {
			mustFail(t, src, format.Unsupported, name, "session's member")
			continue
		}
		g, err := read(src)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if want == inventory {
			if len(g.records) != 1 {
				t.Errorf("%q is taken for a session", name)
			}
			continue
		}
		space := strings.LastIndexByte(want, ' ')
		if len(g.records) != 2 {
			t.Errorf("%q is no session", name)
			continue
		}
		wantPart(t, g.records[1].json, `"`+want[:space]+`"`, "session")
		wantPart(t, g.records[1].json, `"`+name+`"`, "members", want[space+1:])
	}
	// Alone, none of them makes an archive without a session a success.
	for _, name := range []string{`raw\1_c.txt`, "RAW/1_c.txt", "x/raw/1_c.txt", "1_c.txt", "raw/"} {
		if g, err := read(saz(name, "")); err == nil {
			t.Errorf("%q alone gives %d records", name, len(g.records))
		}
	}
}

func TestNamesThatCannotBeShown(t *testing.T) {
	for _, c := range []struct {
		name string
		flag uint16
		kind format.Kind
		word string
	}{
		{"notes/\xff.txt", 0, format.Unsupported, "not UTF-8"},
		{"raw/\xff_c.txt", 0, format.Unsupported, "not UTF-8"},
		{"notes/\xff.txt", flagUTF8, format.Malformed, "marked as UTF-8"},
		{"raw/2_c.txt\x00.png", 0, format.Unsupported, "NUL"},
		{"notes\x00.txt", 0, format.Unsupported, "NUL"},
	} {
		src := archiveFile{entries: []entry{{name: "raw/1_c.txt", data: plainRequest}, {name: c.name, flags: c.flag}}}.bytes()
		mustFail(t, src, c.kind, "", c.word)
	}
	mustRead(t, archiveFile{entries: []entry{{name: "raw/é_c.txt", data: plainRequest, flags: flagUTF8}, {name: "é", flags: 0}}}.bytes())
}

func TestOtherNames(t *testing.T) {
	field := func(name, other string) []byte {
		b := append(le([]byte{1}, crc32.ChecksumIEEE([]byte(name))), other...)
		return append(le(nil, uint16(extraUnicodePath), uint16(len(b))), b...)
	}
	mustFail(t, one(func(e *entry) { e.extra = field(e.name, "raw/2_c.txt") }), format.Unsupported, "raw/1_c.txt", "another name")
	mustFail(t, one(func(e *entry) {
		e.extra = field(e.name, e.name)
		e.local = func(h []byte) { h[len(h)-1] = 'T' }
	}), format.Unsupported, "raw/1_c.txt", "another name")
	mustRead(t, one(func(e *entry) { e.extra = field(e.name, e.name) }))
	mustRead(t, one(func(e *entry) { e.extra = field("a name that it had once", "raw/2_c.txt") }))
	mustRead(t, one(func(e *entry) { e.extra = []byte{1, 0, 99, 0} }))
	for _, twice := range []string{"raw/1_c.txt", "x", "raw/", ""} {
		mustFail(t, saz("raw/1_c.txt", "", twice, "", "y", "", twice, ""), format.Malformed, twice, "two members")
	}
	mustFail(t, saz("raw/1_c.txt", "", "dir/", "content"), format.Unsupported, "dir/", "directory")
	mustFail(t, saz("x", "y"), format.Unsupported, "", "no session")
	mustFail(t, saz(), format.Unsupported, "", "no session")
}

func TestExpandedLimit(t *testing.T) {
	half := strings.Repeat("a", limits.ExpandedBytes/2)
	mustRead(t, saz("raw/1_c.txt", half, "raw/2_s.txt", half, "unread", half))
	mustFail(t, saz("raw/1_c.txt", half, "raw/2_s.txt", half, "raw/3_w.txt", "a"), format.TooMuch, "raw/3_w.txt", "expand")
	mustFail(t, saz("raw/1_c.txt", half, "raw/1_s.txt", half+"a"), format.TooMuch, "raw/1_s.txt", "expand")
	_, err := read(saz("raw/1_c.txt", half+half+"a"))
	if p, ok := err.(*format.Problem); !ok || p.Maximum != (format.Maximum{Name: "maximum_expanded_bytes", Value: 33554432}) {
		t.Errorf("%+v", err)
	}
}

// A hundred thousand members that say nothing are no work.
func TestManyEmptyMembers(t *testing.T) {
	f := archiveFile{entries: make([]entry, 100_001), zip64: true}
	f.entries[0] = entry{name: "raw/1_c.txt", data: plainRequest}
	for i := range f.entries[1:] {
		f.entries[i+1] = entry{name: fmt.Sprintf("%x", i), store: true}
	}
	if g := mustRead(t, f.bytes()); len(g.records) != 1 || strings.Count(g.container, `"role":"other"`) != 100_000 {
		t.Error("members are missing")
	}
	for i := range f.entries {
		f.entries[i] = entry{name: fmt.Sprintf("raw/%x_s.txt", i), store: true}
	}
	if g := mustRead(t, f.bytes()); len(g.records) != 100_001 {
		t.Errorf("%d records", len(g.records))
	}
}
