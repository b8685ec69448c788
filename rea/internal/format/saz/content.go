package saz

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"errors"
	"hash/crc32"
	"io"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/tree"
)

// content reads members through archive/zip, which checks sizes and checksums,
// and counts what they expand to. It reads one member at a time.
type content struct {
	left int64 // what may still be inflated, of all members together

	in    *bufio.Reader
	flate io.ReadCloser
	tap   tap
}

// maximumRatio is the most that deflate makes of a byte.
const maximumRatio = 1032

func (c *content) open(r *zip.Reader, allowance int64) {
	c.left = allowance
	c.in = bufio.NewReader(nil)
	c.flate = flate.NewReader(c.in)
	r.RegisterDecompressor(zip.Store, func(in io.Reader) io.ReadCloser {
		c.tap = tap{c: c, r: in}
		return &c.tap
	})
	r.RegisterDecompressor(zip.Deflate, func(in io.Reader) io.ReadCloser {
		c.in.Reset(in)
		c.tap = tap{c: c, r: c.flate, deflated: true}
		// The reader that flate made is a Resetter, and never fails to reset.
		_ = c.flate.(flate.Resetter).Reset(c.in, nil)
		return &c.tap
	})
}

var (
	errOver = errors.New("the archive expands beyond its limit")
	errMore = errors.New("bytes follow the end of the deflated data")
)

// tap is what comes out of a decompressor.
type tap struct {
	c        *content
	r        io.Reader
	deflated bool
	err      error
}

func (t *tap) Read(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	n, err := t.r.Read(p)
	if t.c.left -= int64(n); t.c.left < 0 {
		err = errOver
	}
	if errors.Is(err, io.EOF) && t.deflated {
		if _, more := t.c.in.ReadByte(); more == nil {
			err = errMore
		}
	}
	t.err = err
	return n, err
}

func (t *tap) Close() error { return nil }

// read inflates a member into buf, whose memory it takes.
func (c *content) read(m *member, buf []byte) ([]byte, error) {
	r, err := m.Open()
	if err != nil {
		return nil, malformed(m.Name, "it can't be opened")
	}
	defer r.Close()
	// Declared sizes are not to be trusted with memory: this is as much as can
	// really come.
	room := min(m.UncompressedSize64, uint64(c.left), m.CompressedSize64*maximumRatio) + 1
	if uint64(cap(buf)) < room {
		buf = make([]byte, 0, room)
	}
	for buf = buf[:0]; ; {
		var n int
		n, err = r.Read(buf[len(buf):cap(buf)])
		if buf = buf[:len(buf)+n]; err != nil {
			break
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
	// Without a descriptor archive/zip takes a checksum of zero for none.
	if errors.Is(err, io.EOF) && (m.CRC32 != 0 || crc32.ChecksumIEEE(buf) == 0) {
		return buf, nil
	}
	return nil, c.problem(m, err)
}

// problem says why a member could not be read. A member that gives more than it
// declares is read to its end, to see whether it crosses the limit.
func (c *content) problem(m *member, err error) error {
	if c.tap.err == nil {
		_, _ = io.Copy(io.Discard, &c.tap)
	}
	switch {
	case errors.Is(c.tap.err, errOver):
		return &format.Problem{Kind: format.TooMuch, Pointer: tree.Pointer(m.Name),
			Message: "the members of its sessions expand to more than the limit", Maximum: expanded}
	case errors.Is(c.tap.err, errMore):
		return malformed(m.Name, errMore.Error())
	case !errors.Is(c.tap.err, io.EOF):
		return malformed(m.Name, "its deflated data are damaged or broken off")
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, io.EOF):
		return malformed(m.Name, "its content has another checksum than the directory says")
	}
	return malformed(m.Name, "its content has another size than the directory says")
}
