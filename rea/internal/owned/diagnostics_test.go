package owned

import (
	"strings"
	"testing"
	"unicode/utf8"

	"rea.example/rea/internal/limits"
)

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// However the output is cut into pieces, the same is kept and noticed.
func TestFatalErrorIsSeenAcrossPieces(t *testing.T) {
	for _, c := range []struct {
		text  string
		fatal int
	}{
		{"fatal error: out of memory\n", 0},
		{"one\ntwo\nfatal error: x\ngoroutine 1\n", 8},
		{"\nfatal error: x", 1},
		{"xfatal error: x\n", -1},
		{" fatal error: x\n", -1},
		{"fatal error", -1},
		{"fatal\nfatal error: x\nfatal error: y\n", 6},
	} {
		for size := 1; size <= len(c.text); size++ {
			d := newDiagnostics()
			for rest := c.text; rest != ""; {
				n := min(size, len(rest))
				d.add(&d.err, []byte(rest[:n]))
				rest = rest[n:]
			}
			if d.err.fatal != c.fatal || isClosed(d.dying) != (c.fatal >= 0) || string(d.err.kept) != c.text {
				t.Errorf("%q in pieces of %d: at %d, kept %q", c.text, size, d.err.fatal, d.err.kept)
			}
		}
	}
	d := newDiagnostics()
	d.add(&d.out, []byte("fatal error: out of memory\n"))
	if isClosed(d.dying) {
		t.Error("standard output made a child look dying")
	}
}

func TestStreamsShareOneBound(t *testing.T) {
	d := newDiagnostics()
	d.add(&d.out, make([]byte, limits.DiagnosticBytes-10))
	d.add(&d.err, make([]byte, 10))
	if d.overflowed() || isClosed(d.overflow) {
		t.Fatal("the bound itself is called an overflow")
	}
	d.add(&d.out, make([]byte, 1))
	d.add(&d.err, make([]byte, 7))
	if !d.overflowed() || !isClosed(d.overflow) {
		t.Error("one byte more is not called an overflow")
	}
	var o Outcome
	d.report(&o)
	if len(o.Stdout) != limits.DiagnosticBytes-10 || len(o.Stderr) != 10 || !o.Truncated ||
		o.StdoutBytes != limits.DiagnosticBytes-9 || o.StderrBytes != 17 {
		t.Errorf("kept %d and %d of %d and %d", len(o.Stdout), len(o.Stderr), o.StdoutBytes, o.StderrBytes)
	}
}

func TestTracebackIsCutAndNoOverflow(t *testing.T) {
	d := newDiagnostics()
	d.add(&d.err, []byte("before\nfatal error: out of memory\n"))
	for range 100 {
		d.add(&d.err, []byte(strings.Repeat("goroutine\n", limits.DiagnosticBytes/500)))
	}
	if len(d.err.kept) != len("before\n")+tracebackBytes || d.overflowed() {
		t.Errorf("%d bytes are kept, overflow %v", len(d.err.kept), d.overflowed())
	}
}

func TestTextIsValid(t *testing.T) {
	d := newDiagnostics()
	d.add(&d.err, []byte("a\xffb\xe2\x82"))
	var o Outcome
	d.report(&o)
	if !utf8.ValidString(o.Stderr) || !strings.HasPrefix(o.Stderr, "a\uFFFDb") {
		t.Errorf("reported %q", o.Stderr)
	}
}
