package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// Part is a piece of a document: bytes, or a section of a file.
type Part struct {
	Bytes   []byte
	Section *io.SectionReader
}

// Size is the number of bytes of the part.
func (p Part) Size() int64 {
	if p.Section != nil {
		return p.Section.Size()
	}
	return int64(len(p.Bytes))
}

func (p Part) reader() io.Reader {
	if p.Section != nil {
		return io.NewSectionReader(p.Section, 0, p.Section.Size())
	}
	return bytes.NewReader(p.Bytes)
}

// from is the rest of a part that is bytes.
func (p Part) from(off int64) []byte {
	if p.Section != nil {
		return nil
	}
	return p.Bytes[off:]
}

// Document is one JSON document in canonical form, held in pieces.
type Document struct {
	parts  []Part
	closer io.Closer
}

// NewDocument makes a document of bytes that are canonical JSON.
func NewDocument(canonical []byte) *Document {
	return &Document{parts: []Part{{Bytes: canonical}}}
}

// Size is the number of canonical bytes.
func (d *Document) Size() int64 {
	var n int64
	for _, p := range d.parts {
		n += p.Size()
	}
	return n
}

// Reader reads the canonical bytes from the start; each call begins anew.
func (d *Document) Reader() io.Reader {
	rs := make([]io.Reader, len(d.parts))
	for i, p := range d.parts {
		rs[i] = p.reader()
	}
	return io.MultiReader(rs...)
}

// ReadAt reads canonical bytes from an offset on, as io.ReaderAt says. It may be
// called by several goroutines.
func (d *Document) ReadAt(p []byte, off int64) (n int, err error) {
	for _, part := range d.parts {
		size := part.Size()
		if off >= size {
			off -= size
			continue
		}
		k := copy(p[n:], part.from(off))
		if part.Section != nil {
			k = int(min(size-off, int64(len(p)-n)))
			if _, err := part.Section.ReadAt(p[n:n+k], off); err != nil && err != io.EOF {
				return n, err
			}
		}
		n, off = n+k, 0
		if n == len(p) {
			return n, nil
		}
	}
	return n, io.EOF
}

// Bytes gathers the whole document in memory.
func (d *Document) Bytes() ([]byte, error) {
	b := make([]byte, d.Size())
	_, err := io.ReadFull(d.Reader(), b)
	return b, err
}

// Close lets go of the file behind the document.
func (d *Document) Close() error {
	if d.closer == nil {
		return nil
	}
	return d.closer.Close()
}

// hashBlock is how much is hashed while as much is read.
const hashBlock = 1 << 20

// digest gives the SHA-256 of the canonical bytes, in hex.
func (d *Document) digest() (string, error) {
	h := sha256.New()
	hashed := make(chan struct{}, 1)
	hashed <- struct{}{}
	r, left := d.Reader(), d.Size()
	size := min(left, hashBlock)
	blocks := [2][]byte{make([]byte, size), make([]byte, size)}
	for turn := 0; left > 0; turn ^= 1 {
		n, err := io.ReadFull(r, blocks[turn][:min(left, hashBlock)])
		if err != nil {
			return "", err
		}
		left -= int64(n)
		<-hashed
		go func() {
			h.Write(blocks[turn][:n])
			hashed <- struct{}{}
		}()
	}
	<-hashed
	return hex.EncodeToString(h.Sum(nil)), nil
}
