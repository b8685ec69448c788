package decode

import (
	"errors"

	"rea.example/rea/internal/limits"
)

var errOverflow = errors.New("the reply would be over its limit")

// blockBytes is how much is gathered before it is written. Larger pieces, such
// as a body of many megabytes, go straight through.
const blockBytes = 256 << 10

// output appends to the reply and counts every byte against the reply limit.
type output struct {
	to    ReplyWriter
	block []byte
	done  int64 // bytes handed to the file
	err   error
}

func newOutput(to ReplyWriter) *output {
	o := &output{to: to, block: make([]byte, 0, blockBytes)}
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
	if o.flush() != nil {
		return
	}
	if len(b) < cap(o.block) {
		o.block = append(o.block, b...)
		return
	}
	o.put(b)
}

func (o *output) flush() error {
	o.put(o.block)
	o.block = o.block[:0]
	return o.err
}

func (o *output) put(b []byte) {
	if o.err != nil || len(b) == 0 {
		return
	}
	n, err := o.to.Write(b)
	o.done += int64(n)
	o.err = err
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
