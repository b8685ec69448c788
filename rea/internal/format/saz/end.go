package saz

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/tree"
)

// Sizes and signatures of APPNOTE 4.3.7 to 4.3.16.
const (
	endBytes       = 22
	locatorBytes   = 20
	end64Bytes     = 56
	entryBytes     = 46
	localBytes     = 30
	maximumComment = 1<<16 - 1

	localSignature      = "PK\x03\x04"
	descriptorSignature = "PK\x07\x08"
	entrySignature      = "PK\x01\x02"
	end64Signature      = "PK\x06\x06"
	locatorSignature    = "PK\x06\x07"
	endSignature        = "PK\x05\x06"
)

// maxed is a 32-bit field whose value stands in a Zip64 record.
const maxed = 1<<32 - 1

func malformed(member, message string) error {
	return &format.Problem{Kind: format.Malformed, Pointer: tree.Pointer(member), Message: message}
}

func unsupported(member, message string) error {
	return &format.Problem{Kind: format.Unsupported, Pointer: tree.Pointer(member), Message: message}
}

// directory is where the central directory stands in the archive.
type directory struct {
	start, end int
	entries    int
	comment    []byte // of the archive
}

func u16(b []byte, at int) int    { return int(binary.LittleEndian.Uint16(b[at:])) }
func u32(b []byte, at int) uint64 { return uint64(binary.LittleEndian.Uint32(b[at:])) }
func u64(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

// has says whether a record of the given size begins at the given place.
func has(src []byte, at int, signature string, size int) bool {
	return at >= 0 && at <= len(src)-size && string(src[at:at+len(signature)]) == signature
}

// findDirectory reads the end of the archive: the record whose comment reaches up
// to where the file ends, which is what APPNOTE 4.3.1 has behind all else. There
// must be one way to read it: readers search for it from behind, from the front, or
// by its comment, and an archive in which those find different ends shows each a
// different content.
func findDirectory(src []byte) (directory, error) {
	tail := max(0, len(src)-endBytes-maximumComment)
	end, last := -1, -1
	for i := tail; ; i++ {
		next := bytes.Index(src[i:], []byte(endSignature))
		if next < 0 {
			break
		}
		i += next
		last = i
		if !has(src, i, endSignature, endBytes) || i+endBytes+u16(src, i+20) != len(src) {
			continue
		}
		if end >= 0 {
			return directory{}, malformed("", "the archive has two ends: one stands in the comment of the other")
		}
		end = i
	}
	switch {
	case last < 0:
		return directory{}, malformed("", "not a ZIP archive, or broken off: it has no end of a directory")
	case end < 0 && (!has(src, last, endSignature, endBytes) || last+endBytes+u16(src, last+20) > len(src)):
		return directory{}, malformed("", "the record that ends the archive is broken off")
	case end < 0:
		return directory{}, malformed("", "bytes stand behind the end of the archive")
	}
	if at := otherEnd(src, end+endBytes); at >= 0 {
		return directory{}, malformed("", "the archive has two ends: the one at byte "+strconv.Itoa(at)+" stands in the comment of the other")
	}
	return readEnd(src, end)
}

// otherEnd finds in a comment what a reader that searches from behind, and asks
// little, could take for the end of an archive with another directory, or with an
// empty one. It gives less than 0 where there is none: the signature alone, which
// any text may hold, leads nowhere.
func otherEnd(src []byte, comment int) int {
	for i := comment; ; i++ {
		next := bytes.Index(src[i:], []byte(endSignature))
		if next < 0 {
			return -1
		}
		i += next
		if !has(src, i, endSignature, endBytes) {
			continue
		}
		size, start := u32(src, i+12), u32(src, i+16)
		if u16(src, i+10) == 0 || size == 0 || has(src, i-locatorBytes, locatorSignature, locatorBytes) ||
			leads(src, int(start)) || leads(src, i-int(size)) {
			return i
		}
	}
}

// leads says whether a directory can begin at a place: with an entry, or with what
// ends it, for one that looks empty.
func leads(src []byte, at int) bool {
	return has(src, at, entrySignature, entryBytes) || has(src, at, endSignature, endBytes) || has(src, at, end64Signature, end64Bytes)
}

// uncommented is an archive without its comment, in which archive/zip would search
// for ends.
type uncommented struct {
	src []byte
	end int // of the record that ends the archive
}

func (u uncommented) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off >= int64(u.end) {
		return 0, io.EOF
	}
	n := copy(p, u.src[off:u.end])
	for i := u.end - 2; i < u.end; i++ { // the comment's length
		if k := i - int(off); k >= 0 && k < n {
			p[k] = 0
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func readEnd(src []byte, at int) (directory, error) {
	disks, entries := u32(src, at+4), uint64(u16(src, at+10))
	size, start := u32(src, at+12), u32(src, at+16)
	here := uint64(u16(src, at+8))
	end := at
	// A locator in front of the record counts where the record leaves something
	// to it, or where the directory does not reach up to the record.
	if locator := at - locatorBytes; has(src, locator, locatorSignature, locatorBytes) &&
		(entries == 1<<16-1 || size == maxed || start == maxed || start+size != uint64(at)) {
		r, err := readEnd64(src, locator)
		if err != nil {
			return directory{}, err
		}
		if disks != 0 && disks != maxed || !agrees(here, r.here, 1<<16-1) || !agrees(entries, r.entries, 1<<16-1) ||
			!agrees(size, r.size, maxed) || !agrees(start, r.start, maxed) {
			return directory{}, malformed("", "the two records that end the archive disagree")
		}
		disks, here, entries, size, start, end = 0, r.here, r.entries, r.size, r.start, r.at
	}
	if disks != 0 {
		return directory{}, unsupported("", "the archive is split over several files")
	}
	if here != entries {
		return directory{}, malformed("", "the record at byte "+strconv.Itoa(at)+" that ends the archive gives its directory two numbers of entries")
	}
	if start > uint64(end) || size != uint64(end)-start {
		return directory{}, malformed("", "the directory does not stand where the end of the archive says")
	}
	if entries > size/entryBytes {
		return directory{}, malformed("", "the directory has no room for its entries")
	}
	return directory{int(start), end, int(entries), src[at+endBytes:]}, nil
}

// agrees says whether a field repeats a Zip64 value or leaves it to that.
func agrees(field, value, left uint64) bool { return field == left || field == value }

type end64 struct {
	at                         int
	here, entries, size, start uint64
}

func readEnd64(src []byte, locator int) (end64, error) {
	at := u64(src, locator+8)
	if u32(src, locator+4) != 0 || u32(src, locator+16) != 1 {
		return end64{}, unsupported("", "the archive is split over several files")
	}
	if at > uint64(locator) || !has(src[:locator], int(at), end64Signature, end64Bytes) || u64(src, int(at)+4) != uint64(locator)-at-12 {
		return end64{}, malformed("", "the archive's Zip64 end does not stand where its locator says")
	}
	b := src[at:]
	switch {
	case locator-int(at) != end64Bytes:
		return end64{}, unsupported("", "the archive's Zip64 end is of version 2, which is for encrypted directories")
	case u64(b, 16) != 0:
		return end64{}, unsupported("", "the archive is split over several files")
	}
	return end64{int(at), u64(b, 24), u64(b, 32), u64(b, 40), u64(b, 48)}, nil
}
