package saz

import (
	"archive/zip"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/tree"
)

//go:embed sample.saz
var sample []byte

// Format is the reader of Fiddler session archives.
type Format struct{}

// Profile describes the format.
func (Format) Profile() format.Profile {
	return format.Profile{
		Name:        "saz",
		Title:       "Fiddler Session Archive Zip (Fiddler Everywhere, Fiddler Classic)",
		Decoder:     evidence.Identity{ID: "fiddler-saz", Name: "REA Fiddler SAZ capture adapter", Version: "1"},
		NeedsBound:  true,
		Credentials: "Excluded as transport credentials: values of Authorization, Proxy-Authorization, Cookie and Set-Cookie headers of requests and responses, userinfo in request targets and in Location, Referer and Origin headers, the user and password of the x-AutoAuth session flag, and the exact bytes of every head that holds one of these or a line that doesn't parse. Other names are not taken as a sign of sensitivity.",
		Limits: []string{
			"What is read is the documented layout of raw HTTP messages and XML metadata, within bounds; it is not every version of every product that writes such archives.",
			"The archive's comment names a product and version that are not authenticated.",
			"Stored bytes of bodies are exact and neither dechunked nor decompressed; members of no session are listed and not read. At most " + strconv.Itoa(limits.ExpandedBytes>>20) + " MiB were inflated.",
			"Heads, and the archive's comment, that are not UTF-8 are read as ISO-8859-1; the exact bytes of a head stand beside it.",
			"Metadata is the XML document's element: what stands outside it is not kept, CDATA is text, line ends read as LF, and white space in attributes as XML 1.0 says.",
		},
		Sample: sample,
	}
}

var (
	expanded = format.Maximum{Name: "maximum_expanded_bytes", Value: limits.ExpandedBytes}
	nested   = format.Maximum{Name: "maximum_capture_nesting", Value: limits.CaptureDepth}
)

const representation = "saz-member-bytes"

// session is the members of one stem, by their indexes; 0 is none, i is i-1.
type session struct {
	stem    string
	members [roles]int
}

// Read walks the archive. See format.Format.
func (Format) Read(in format.Input, out format.Sink) error {
	a, err := openArchive(in.Source)
	if err != nil {
		return err
	}
	sessions := a.sessions()
	if len(sessions) == 0 {
		return unsupported("", "the archive holds no session")
	}
	fill := func(b *batch) (more bool) {
		sessions = sessions[b.fill(sessions):]
		return b.err == nil && len(sessions) > 0
	}
	for b := range ahead(newBatch(a, in.Declared), newBatch(a, in.Declared), fill) {
		if err := b.deliver(out); err != nil {
			return err
		}
	}
	return out.Container(a.container())
}

// sessions groups the members by stem, in the order of each stem's first.
func (a *archive) sessions() []session {
	var list []session
	known := map[string]int{}
	for i := range a.members {
		m := &a.members[i]
		if m.role == other {
			continue
		}
		at, ok := known[m.stem]
		if !ok {
			at = len(list)
			known[m.stem] = at
			list = append(list, session{stem: m.stem})
		}
		list[at].members[m.role] = i + 1
	}
	return list
}

// container is the archive around its sessions.
func (a *archive) container() *format.Container {
	var n nodes
	comment := null("comment")
	if c := a.dir.comment; len(c) > 0 {
		words, _ := decoded(c)
		comment = text("comment", words)
	}
	v := n.object("", comment, n.list("members", nil))
	return &format.Container{Reported: &v, Rows: a.inventory}
}

// inventory lists every member as the directory describes it.
func (a *archive) inventory(yield func(*tree.Value) bool) {
	var n nodes
	for i := range a.members {
		m := &a.members[i]
		n.reset()
		method, stem := constant("method", "deflate"), null("session")
		if m.Method == zip.Store {
			method = constant("method", "store")
		}
		if m.role != other {
			stem = text("session", m.stem)
		}
		row := n.object("",
			count("bytes", strconv.FormatUint(m.UncompressedSize64, 10)),
			count("compressed_bytes", strconv.FormatUint(m.CompressedSize64, 10)),
			constant("crc32", hex32(m.CRC32)),
			method,
			text("name", m.Name),
			constant("role", roleNames[m.role]),
			stem,
		)
		if !yield(&row) {
			return
		}
	}
}

// hex32 spells a checksum. An archive has tens of thousands of them.
func hex32(sum uint32) string {
	return hex.EncodeToString(binary.BigEndian.AppendUint32(nil, sum))
}

// location names a session's members in directory order.
func (a *archive) location(s *session) evidence.Location {
	var found []int32
	for _, i := range s.members {
		if i > 0 {
			found = append(found, int32(i-1))
		}
	}
	slices.Sort(found)
	names := make([]string, len(found))
	for i, index := range found {
		names[i] = a.members[index].Name
	}
	return evidence.Location{Kind: evidence.AtMembers, Members: names}
}
