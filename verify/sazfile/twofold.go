package sazfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// Sizes of the records that these archives are put together from: APPNOTE 4.3.7,
// 4.3.12 and 4.3.16.
const (
	localHeader = 30
	entryHeader = 46
	endRecord   = 22
)

// Signatures of the same.
var (
	entrySignature = []byte("PK\x01\x02")
	endSignature   = []byte("PK\x05\x06")
)

// zeroSum is a text whose CRC-32 is 0, as is the field where nothing was computed.
const zeroSum = "\x9d\x0a\xd9\x6d"

// ends writes the record that ends an archive, with no comment.
func ends(entries, size, start int) []byte {
	b := append(bytes.Clone(endSignature), make([]byte, endRecord-len(endSignature))...)
	binary.LittleEndian.PutUint16(b[8:], uint16(entries))
	binary.LittleEndian.PutUint16(b[10:], uint16(entries))
	binary.LittleEndian.PutUint32(b[12:], uint32(size))
	binary.LittleEndian.PutUint32(b[16:], uint32(start))
	return b
}

// firstEntry is the first entry of an archive's directory.
func firstEntry(data []byte) []byte {
	at := bytes.Index(data, entrySignature)
	return data[at : at+entryHeader+int(binary.LittleEndian.Uint16(data[at+28:]))]
}

// twoDirectories is an archive whose comment is a second directory, of its first
// member alone, with an end of its own. Who searches from behind finds that one.
func twoDirectories(behind string) []byte {
	plain := one()
	entry := firstEntry(plain)
	return pack(string(entry)+string(ends(1, len(entry), len(plain)))+behind, exchange("1")...)
}

// sharedDirectory is an archive whose comment holds an end that leads to the first
// entry of the one directory, with a byte behind it.
func sharedDirectory() []byte {
	plain := one()
	entry := firstEntry(plain)
	return pack(string(ends(1, len(entry), bytes.Index(plain, entrySignature)))+"x", exchange("1")...)
}

// twoNumbers gives the directory another number of entries on this disk than in
// all.
func twoNumbers() []byte {
	out := one()
	binary.LittleEndian.PutUint16(out[bytes.Index(out, endSignature)+8:], 2)
	return out
}

// written is a stored member as it is written without a descriptor.
type written struct {
	name, text string
	crc        uint32
	extra      []byte
}

// asIs writes an archive of stored members whose sums stand in their local headers.
func asIs(members ...written) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		size := uint64(len(m.text))
		into, err := w.CreateRaw(&zip.FileHeader{Name: m.name, CRC32: m.crc, CompressedSize64: size, UncompressedSize64: size, Extra: m.extra})
		if err == nil {
			_, err = into.Write([]byte(m.text))
		}
		if err != nil {
			panic(err) // into memory
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func sum(text string) uint32 { return crc32.ChecksumIEEE([]byte(text)) }

// request is a member with the plainest request.
func request() written { return written{name: "raw/1_c.txt", text: requestHead, crc: sum(requestHead)} }

// assembled writes members and the entries of their directory one behind the other.
func assembled(members []byte, entries ...[]byte) []byte {
	directory := bytes.Join(entries, nil)
	return append(append(bytes.Clone(members), directory...), ends(len(entries), len(directory), len(members))...)
}

// entryAt is an archive's first entry, for a local header that stands at another
// place.
func entryAt(data []byte, at int) []byte {
	entry := bytes.Clone(firstEntry(data))
	binary.LittleEndian.PutUint32(entry[42:], uint32(at))
	return entry
}

// upToDirectory are the members of an archive without its directory.
func upToDirectory(data []byte) []byte { return data[:bytes.Index(data, entrySignature)] }

// inside is an archive with a request that stands whole in the data of another
// member.
func inside() []byte {
	inner := asIs(request())
	text := string(upToDirectory(inner))
	outer := asIs(written{name: "around.bin", text: text, crc: sum(text)})
	return assembled(upToDirectory(outer), firstEntry(outer), entryAt(inner, localHeader+len("around.bin")))
}

// inFront is an archive with bytes in front of its first member.
func inFront() []byte {
	rest := asIs(request())
	return assembled(append([]byte("MZ"), upToDirectory(rest)...), entryAt(rest, len("MZ")))
}

// unicodePath is a Unicode Path field (APPNOTE 4.6.9) that says that it is about
// one name, and gives another.
func unicodePath(about, gives string) []byte {
	field := binary.LittleEndian.AppendUint16([]byte("up"), uint16(5+len(gives)))
	field = binary.LittleEndian.AppendUint32(append(field, 1), sum(about))
	return append(field, gives...)
}

// renamed is an archive whose one request has such a field in its local header, in
// the directory, or in both.
func renamed(about, gives string, local, directory bool) []byte {
	m := request()
	m.extra = unicodePath(about, gives)
	out := asIs(m)
	if !local {
		out[bytes.Index(out, m.extra)] = 0 // a field of another kind
	}
	if !directory {
		out[bytes.LastIndex(out, m.extra)] = 0
	}
	return out
}

// localSum is an archive whose local header has another checksum than the
// directory.
func localSum() []byte {
	out := asIs(request())
	out[14]++
	return out
}

// otherDescriptor is an archive whose descriptor has another checksum.
func otherDescriptor() []byte {
	out := pack("", member{name: "raw/1_c.txt", text: requestHead, store: true})
	out[bytes.Index(out, []byte("PK\x07\x08"))+4]++
	return out
}
