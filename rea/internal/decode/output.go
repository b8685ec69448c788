package decode

import (
	"errors"

	"rea.example/rea/internal/limits"
)

var errOverflow = errors.New("the reply would be over its limit")

// blockBytes is how much is gathered before it is written. Larger pieces, such
// as a body of many megabytes, go straight through.
const blockBytes = 256 << 10

// output appends to the reply and counts every byte against the reply limit. A
// full block is written while the next is filled.
type output struct {
	to      ReplyWriter
	block   []byte
	spare   []byte     // the other one, which may be being written
	beside  bool       // it is
	written chan error // how that ended
	done    int64      // bytes handed to the file
	err     error
}

func newOutput(to ReplyWriter) *output {
	o := &output{to: to, block: make([]byte, 0, blockBytes), spare: make([]byte, 0, blockBytes), written: make(chan error, 1)}
	o.block = append(o.block, make([]byte, prologueBytes)...)
	return o
}

// offset is where the next byte will stand.
func (o *output) offset() int64 { return o.done + int64(len(o.block)) }

func (o *output) write(b []byte) {
	if o.err != nil {
		return
	}
	if o.offset()+int64(len(b)) > limits.ReplyBytes {
		o.err = errOverflow
		return
	}
	if len(o.block)+len(b) <= cap(o.block) {
		o.block = append(o.block, b...)
		return
	}
	if o.next(); o.err != nil {
		return
	}
	if len(b) < cap(o.block) {
		o.block = append(o.block, b...)
		return
	}
	if o.wait() == nil {
		o.done += int64(len(b))
		_, o.err = o.to.Write(b)
	}
}

// next hands the block on.
func (o *output) next() {
	if o.wait() != nil || len(o.block) == 0 {
		return
	}
	full := o.block
	o.block, o.spare, o.beside = o.spare[:0], full, true
	o.done += int64(len(full))
	go func() {
		_, err := o.to.Write(full)
		o.written <- err
	}()
}

// wait is until no block is being written any more.
func (o *output) wait() error {
	if o.beside {
		o.beside = false
		o.fail(<-o.written)
	}
	return o.err
}

// flush is when all is written.
func (o *output) flush() error {
	o.next()
	return o.wait()
}

// fail ends the output, unless it has ended before.
func (o *output) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// reset gives up what was gathered: a reply that says why there is no result
// begins right after whatever already reached the file.
func (o *output) reset() {
	o.block, o.err = o.block[:0], nil
	if o.done == 0 {
		o.block = append(o.block, make([]byte, prologueBytes)...)
	}
}

// writeString is write for text that may be too large to copy.
func (o *output) writeString(s string) { o.write(view(s)) }
