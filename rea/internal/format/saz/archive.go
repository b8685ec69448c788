package saz

import (
	"archive/zip"
	"cmp"
	"hash/crc32"
	"slices"
	"strings"

	"rea.example/rea/internal/limits"
)

// archive is a ZIP archive whose directory was checked. Nothing is inflated yet.
type archive struct {
	src     []byte
	dir     directory
	members []member // in directory order
	content content
}

// member is one entry of the directory.
type member struct {
	*zip.File
	role role
	stem string
	at   int // of the local header
	end  int // of its data, with their descriptor
}

// Flags of APPNOTE 4.4.4.
const (
	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	flagPatch      = 1 << 5
	flagStrong     = 1 << 6
	flagUTF8       = 1 << 11
	flagMasked     = 1 << 13
)

// unixLink is the file type of a symbolic link, in the highest bits of a mode.
const unixLink = 0xa

// Extra fields of APPNOTE 4.5 and 4.6.
const (
	extraZip64       = 0x0001
	extraStrong      = 0x0017
	extraUnicodePath = 0x7075
	extraAES         = 0x9901
)

// openArchive reads the directory and checks all that can be checked without
// inflating.
func openArchive(src []byte) (*archive, error) {
	dir, err := findDirectory(src)
	if err != nil {
		return nil, err
	}
	a := &archive{src: src, dir: dir}
	if err := a.readDirectory(); err != nil {
		return nil, err
	}
	for _, check := range []func() error{a.checkEntries, a.checkNames, a.checkLocals, a.checkOverlap} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// readDirectory takes the entries as archive/zip reads them, and finds by a
// reading of its own where their local headers stand.
func (a *archive) readDirectory() error {
	plain := uncommented{a.src, len(a.src) - len(a.dir.comment)}
	r, err := zip.NewReader(plain, int64(plain.end))
	if err != nil || len(r.File) != a.dir.entries {
		return malformed("", "the directory can be read in two ways, or not at all")
	}
	a.members = make([]member, len(r.File))
	at := a.dir.start
	for i, f := range r.File {
		if !has(a.src[:a.dir.end], at, entrySignature, entryBytes) {
			return malformed("", "the directory is broken")
		}
		name := at + entryBytes
		extra := name + u16(a.src, at+28)
		end := extra + u16(a.src, at+30) + u16(a.src, at+32)
		if end > a.dir.end || string(a.src[name:extra]) != f.Name {
			return malformed("", "the directory is broken")
		}
		local, ok := localOffset(a.src[at:extra], f.Extra)
		if !ok || local > uint64(a.dir.start) {
			return malformed(f.Name, "its local header does not stand where the directory says")
		}
		a.members[i] = member{File: f, at: int(local)}
		at = end
	}
	if at != a.dir.end {
		return malformed("", "the directory holds more than its entries")
	}
	a.content.open(r, limits.ExpandedBytes)
	return nil
}

// localOffset reads where an entry's local header stands (APPNOTE 4.4.16, 4.5.3).
func localOffset(entry, extra []byte) (offset uint64, ok bool) {
	offset = u32(entry, 42)
	if u16(entry, 34) != 0 && u16(entry, 34) != 1<<16-1 {
		return 0, false // on another disk
	}
	if offset != maxed {
		return offset, true
	}
	field := extraField(extra, extraZip64)
	for _, left := range []int{24, 20} {
		if u32(entry, left) == maxed && len(field) >= 8 {
			field = field[8:]
		}
	}
	if len(field) < 8 {
		return 0, false
	}
	return u64(field, 0), true
}

// extraField finds the first extra field of a kind. Where the list of fields is
// broken, it ends, as for archive/zip.
func extraField(extra []byte, kind int) []byte {
	for len(extra) >= 4 {
		size := u16(extra, 2)
		if size > len(extra)-4 {
			return nil
		}
		if u16(extra, 0) == kind {
			return extra[4 : 4+size]
		}
		extra = extra[4+size:]
	}
	return nil
}

// checkEntries refuses what isn't read here, wherever in the archive it is.
func (a *archive) checkEntries() error {
	for i := range a.members {
		m := &a.members[i]
		if err := legible(m.Name, m.Flags&flagUTF8 != 0); err != nil {
			return err
		}
		if encrypted(m.Flags) || extraField(m.Extra, extraAES) != nil || extraField(m.Extra, extraStrong) != nil {
			return unsupported(m.Name, "the archive is encrypted, at least in part")
		}
		if m.Method != zip.Store && m.Method != zip.Deflate || m.Flags&flagPatch != 0 {
			return unsupported(m.Name, "its method is neither store nor deflate")
		}
		// The upper half is a Unix mode, wherever the archive was made.
		if m.ExternalAttrs>>28 == unixLink {
			return unsupported(m.Name, "it is a symbolic link")
		}
		var known bool
		if m.role, m.stem, known = place(m.Name); !known {
			return unsupported(m.Name, "its name is not that of a session's member, and stands where only those may")
		}
		if isDirectory(m.Name) && m.UncompressedSize64 > 0 {
			return unsupported(m.Name, "it is a directory and has content")
		}
		if !samePath(m.Name, extraField(m.Extra, extraUnicodePath)) {
			return unsupported(m.Name, "an extra field gives it another name")
		}
	}
	return nil
}

func encrypted(flags uint16) bool { return flags&(flagEncrypted|flagStrong|flagMasked) != 0 }

// samePath compares a name with the Unicode Path field (APPNOTE 4.6.9), which
// counts only where it says that it is about this name.
func samePath(name string, field []byte) bool {
	if len(field) < 5 || field[0] != 1 || u32(field, 1) != uint64(crc32.ChecksumIEEE([]byte(name))) {
		return true
	}
	return string(field[5:]) == name
}

// checkNames refuses two members of one name. Since a name tells session and
// role, no session has two members of one role.
func (a *archive) checkNames() error {
	order := a.order(func(x, y *member) int { return strings.Compare(x.Name, y.Name) })
	for i := 1; i < len(order); i++ {
		if name := a.members[order[i]].Name; name == a.members[order[i-1]].Name {
			return malformed(name, "two members have this name")
		}
	}
	return nil
}

// order gives the members' indexes in another order.
func (a *archive) order(compare func(x, y *member) int) []int32 {
	order := make([]int32, len(a.members))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(compare(&a.members[i], &a.members[j]), cmp.Compare(i, j))
	})
	return order
}
