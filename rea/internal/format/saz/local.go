package saz

import "cmp"

// checkLocals holds every local header against the directory: a reader that
// goes through the archive from the front must find the same members.
func (a *archive) checkLocals() error {
	for i := range a.members {
		if err := a.checkLocal(&a.members[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *archive) checkLocal(m *member) error {
	src := a.src[:a.dir.start]
	if !has(src, m.at, localSignature, localBytes) {
		return malformed(m.Name, "its local header does not stand where the directory says")
	}
	h := src[m.at:]
	name := m.at + localBytes
	extra := name + u16(h, 26)
	data := extra + u16(h, 28)
	flags := uint16(u16(h, 6))
	read, err := m.DataOffset() // where archive/zip will begin to read
	switch {
	case data > len(src) || err != nil || read != int64(data):
		return malformed(m.Name, "its local header is broken off")
	case encrypted(flags):
		return unsupported(m.Name, "the archive is encrypted, at least in part")
	case string(src[name:extra]) != m.Name:
		return malformed(m.Name, "its local header has another name than the directory")
	case !samePath(m.Name, extraField(src[extra:data], extraUnicodePath)):
		return unsupported(m.Name, "an extra field gives it another name")
	case u16(h, 8) != int(m.Method) || (flags^m.Flags)&(flagDescriptor|flagPatch) != 0:
		return malformed(m.Name, "its local header has another method or other flags than the directory")
	case m.CompressedSize64 > uint64(len(src)-data):
		return malformed(m.Name, "its data reach into the directory or beyond the end")
	}
	m.end = data + int(m.CompressedSize64)
	local := sums{u32(h, 14), u32(h, 18), u32(h, 22)}.resolved(extraField(src[extra:data], extraZip64))
	central := sums{uint64(m.CRC32), m.CompressedSize64, m.UncompressedSize64}
	if local == central {
		// A descriptor only repeats what is known. There need not be one.
		if flags&flagDescriptor != 0 {
			m.end += descriptor(src[m.end:], central)
		}
		return nil
	}
	if flags&flagDescriptor == 0 || !local.open(central) {
		return malformed(m.Name, "its local header has another size or checksum than the directory")
	}
	n := descriptor(src[m.end:], central)
	if n == 0 {
		return malformed(m.Name, "no data descriptor repeats the directory's sizes and checksum")
	}
	m.end += n
	return nil
}

// sums are what header, descriptor and directory say of a member's data.
type sums struct{ crc, compressed, size uint64 }

// resolved fills in what a local header leaves to its Zip64 field (APPNOTE
// 4.5.3), where it has one.
func (s sums) resolved(zip64 []byte) sums {
	for _, v := range []*uint64{&s.size, &s.compressed} {
		if *v == maxed && len(zip64) >= 8 {
			*v, zip64 = u64(zip64, 0), zip64[8:]
		}
	}
	return s
}

// open says whether each value is the given one or left to a descriptor
// (APPNOTE 4.4.4, bit 3).
func (s sums) open(as sums) bool {
	ok := func(v, want uint64) bool { return v == 0 || v == maxed || v == want }
	return ok(s.crc, as.crc) && ok(s.compressed, as.compressed) && ok(s.size, as.size)
}

// descriptor gives the length of the data descriptor that begins b and repeats
// the given values, or 0. It may have a signature or none, and sizes of 32 or 64
// bits (APPNOTE 4.3.9).
func descriptor(b []byte, want sums) int {
	for _, signature := range []int{len(descriptorSignature), 0} {
		if signature > 0 && !has(b, 0, descriptorSignature, signature) {
			continue
		}
		d := b[signature:]
		if len(d) >= 20 && (sums{u32(d, 0), u64(d, 4), u64(d, 12)}) == want {
			return signature + 20
		}
		if len(d) >= 12 && (sums{u32(d, 0), u32(d, 4), u32(d, 8)}) == want {
			return signature + 12
		}
	}
	return 0
}

// checkOverlap refuses members that share bytes, and bytes in front of the first.
func (a *archive) checkOverlap() error {
	end := 0
	for i, index := range a.order(func(x, y *member) int { return cmp.Compare(x.at, y.at) }) {
		m := &a.members[index]
		if m.at < end {
			return malformed(m.Name, "its bytes are another member's, too")
		}
		if i == 0 && m.at > 0 {
			return malformed(m.Name, "bytes stand in front of the first member")
		}
		end = m.end
	}
	return nil
}
