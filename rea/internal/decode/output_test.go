package decode

import (
	"bytes"
	"errors"
	"testing"
)

// disk takes so many writes, and then is full.
type disk struct {
	bytes.Buffer
	writes int
}

var errFull = errors.New("full")

func (d *disk) Write(p []byte) (int, error) {
	if d.writes--; d.writes < 0 {
		return 0, errFull
	}
	return d.Buffer.Write(p)
}

func (d *disk) WriteAt([]byte, int64) (int, error) { return 0, errFull }

// pieces are written in turn: some that are gathered, and one that passes by.
var pieces = [][]byte{
	bytes.Repeat([]byte("a"), blockBytes/3), bytes.Repeat([]byte("b"), blockBytes/2), bytes.Repeat([]byte("c"), blockBytes/2),
	bytes.Repeat([]byte("d"), 2*blockBytes), bytes.Repeat([]byte("e"), blockBytes-1), []byte("f"), []byte("g"),
}

func TestOutputKeepsTheOrder(t *testing.T) {
	d := &disk{writes: 100}
	o := newOutput(d)
	want := bytes.Repeat([]byte{0}, prologueBytes)
	for _, p := range pieces {
		o.write(p)
		if want = append(want, p...); o.offset() != int64(len(want)) {
			t.Errorf("at %d, not %d", o.offset(), len(want))
		}
	}
	if err := o.flush(); err != nil || !bytes.Equal(d.Bytes(), want) {
		t.Errorf("%d bytes, not the %d that were written; %v", d.Len(), len(want), err)
	}
}

// A write that fails beside the filling of the next block is not forgotten.
func TestOutputFails(t *testing.T) {
	for writes := range 5 {
		d := &disk{writes: writes}
		o := newOutput(d)
		for _, p := range pieces {
			o.write(p)
		}
		if err := o.flush(); err != errFull {
			t.Errorf("after %d writes: %v", writes, err)
		}
	}
}
