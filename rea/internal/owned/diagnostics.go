package owned

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"rea.example/rea/internal/limits"
)

// tracebackBytes is what is kept of a dying Go program's last words. A child
// with very many goroutines prints megabytes of them; the first lines say why.
const tracebackBytes = 16 << 10

// diagnostics collects a child's standard output and standard error within one
// bound. What is over the bound is read and dropped, so that the child never
// hangs on a full pipe.
type diagnostics struct {
	mu          sync.Mutex
	left        int // bytes that may still be kept, of both streams together
	out, err    stream
	overflow    chan struct{} // closed when the bound was passed
	overflowing bool
	dying       chan struct{} // closed when standard error shows a fatal error
}

// stream is one of the two.
type stream struct {
	kept  []byte
	total int64
	watch bool // look for a fatal error
	fatal int  // where its line begins in kept, or -1
}

func newDiagnostics() *diagnostics {
	return &diagnostics{
		left:     limits.DiagnosticBytes,
		out:      stream{fatal: -1},
		err:      stream{fatal: -1, watch: true},
		overflow: make(chan struct{}),
		dying:    make(chan struct{}),
	}
}

// drain reads r to its end into s.
func (d *diagnostics) drain(s *stream, r io.Reader) {
	chunk := make([]byte, 32<<10)
	for {
		n, err := r.Read(chunk)
		d.add(s, chunk[:n])
		if err != nil {
			return
		}
	}
}

func (d *diagnostics) add(s *stream, b []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s.total += int64(len(b))
	keep := min(len(b), d.left)
	before := len(s.kept)
	s.kept = append(s.kept, b[:keep]...)
	d.left -= keep
	if s.watch && s.fatal < 0 {
		if s.fatal = fatalLine(s.kept, before); s.fatal >= 0 {
			close(d.dying)
		}
	}
	if s.fatal >= 0 {
		// A traceback is last words, not chatter: its length is no offence.
		s.kept = s.kept[:min(len(s.kept), s.fatal+tracebackBytes)]
		return
	}
	if keep < len(b) && !d.overflowing {
		d.overflowing = true
		close(d.overflow)
	}
}

// fatalPrefix begins the line by which the Go runtime gives up. A panic's text
// cannot forge it: the runtime indents every line of it but the first.
const fatalPrefix = "fatal error: "

// fatalLine finds a line of text that begins with fatalPrefix and was not whole
// while text had only its first before bytes; -1 when there is none.
func fatalLine(text []byte, before int) int {
	from := max(0, before-len(fatalPrefix))
	if from == 0 && bytes.HasPrefix(text, []byte(fatalPrefix)) {
		return 0
	}
	if i := bytes.Index(text[from:], []byte("\n"+fatalPrefix)); i >= 0 {
		return from + i + 1
	}
	return -1
}

// report puts what was collected into o. It may be called while a stream is
// still being drained.
func (d *diagnostics) report(o *Outcome) {
	d.mu.Lock()
	defer d.mu.Unlock()
	o.Stdout, o.Stderr = validText(d.out.kept), validText(d.err.kept)
	o.StdoutBytes, o.StderrBytes = d.out.total, d.err.total
	o.Truncated = d.out.total > int64(len(d.out.kept)) || d.err.total > int64(len(d.err.kept))
}

func (d *diagnostics) overflowed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.overflowing
}

// validText makes bytes of unknown encoding fit for a JSON string.
func validText(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
