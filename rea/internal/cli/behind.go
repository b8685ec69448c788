package cli

import "io"

// behind is a writer whose real writing happens in another goroutine: laying a
// large document out and handing it to the system take about as long, and they
// need not wait for each other.
type behind struct {
	block []byte
	full  chan []byte
	empty chan []byte
	ended chan struct{}
	err   error // of the real writer; read after ended
}

const (
	behindBlock  = 1 << 20
	behindBlocks = 3
)

func newBehind(w io.Writer) *behind {
	b := &behind{
		full:  make(chan []byte, behindBlocks),
		empty: make(chan []byte, behindBlocks),
		ended: make(chan struct{}),
	}
	for range behindBlocks - 1 {
		b.empty <- nil // blocks are made when they are needed: most documents are small
	}
	go b.serve(w)
	return b
}

func (b *behind) serve(w io.Writer) {
	defer close(b.ended)
	for block := range b.full {
		if _, b.err = w.Write(block); b.err != nil {
			return
		}
		b.empty <- block[:0]
	}
}

// Write takes bytes, or gives the error that ended the writing of earlier ones.
func (b *behind) Write(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if cap(b.block)-len(b.block) == 0 {
			if err := b.next(); err != nil {
				return n, err
			}
		}
		k := min(len(p)-n, cap(b.block)-len(b.block))
		b.block = append(b.block, p[n:n+k]...)
		n += k
	}
	return n, nil
}

// next hands a full block on and takes an empty one.
func (b *behind) next() error {
	if len(b.block) > 0 {
		select {
		case b.full <- b.block:
		case <-b.ended:
			return b.err
		}
	}
	select {
	case b.block = <-b.empty:
	case <-b.ended:
		return b.err
	}
	if b.block == nil {
		b.block = make([]byte, 0, behindBlock)
	}
	return nil
}

// Close writes what is left and waits until all is written.
func (b *behind) Close() error {
	if len(b.block) > 0 {
		select {
		case b.full <- b.block:
		case <-b.ended:
		}
	}
	close(b.full)
	<-b.ended
	return b.err
}
