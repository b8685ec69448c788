package strictjson

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
)

const (
	indentBuffer = 128 << 10
	// direct is the length from which a piece of a string is written from
	// where it was read, and not gathered with others.
	direct = 16 << 10
)

// Indent lays canonical JSON out with two blanks a level, as JSON.stringify
// does: a member or item to a line, empty arrays and objects closed at once, no
// line feed at the end. What it reads must be canonical JSON and is not
// checked. Errors are those of r and w.
func Indent(w io.Writer, r io.Reader) error {
	t := &indenter{w: w, out: make([]byte, indentBuffer)}
	t.deepen(32)
	var err error
	switch r := r.(type) {
	case *bytes.Reader: // they hand over all they have, without a copy
		_, err = r.WriteTo(t)
	case *bytes.Buffer:
		_, err = r.WriteTo(t)
	default:
		_, err = io.CopyBuffer(t, struct{ io.Reader }{r}, make([]byte, indentBuffer))
	}
	if err != nil {
		return err
	}
	return t.flush()
}

// indenter is an io.Writer that can stop between any two bytes.
type indenter struct {
	w     io.Writer
	out   []byte
	n     int // bytes in out
	depth int
	// line is a line feed and at least the blanks of the deepest level so far.
	line     []byte
	slack    int  // room in out that one token needs at most
	opened   bool // a bracket is the last token
	inString bool
	escape   bool // a backslash in a string is the last byte
}

func (t *indenter) deepen(levels int) {
	t.line = append([]byte{'\n'}, bytes.Repeat([]byte("  "), levels)...)
	t.slack = len(t.line) + 64
	if len(t.out) < 4*t.slack {
		out := make([]byte, 4*t.slack)
		copy(out, t.out[:t.n])
		t.out = out
	}
}

func (t *indenter) flush() error {
	if t.n == 0 {
		return nil
	}
	n, err := t.w.Write(t.out[:t.n])
	if err == nil && n < t.n {
		err = io.ErrShortWrite
	}
	t.n = 0
	return err
}

// newLine begins a line at out[n:] and gives its end.
func (t *indenter) newLine(n int) int {
	length := 1 + 2*t.depth
	if length <= len(shallow) {
		// Of a fixed length, a copy is a few instructions; slack has room.
		*(*[len(shallow)]byte)(t.out[n:]) = shallow
		return n + length
	}
	return n + copy(t.out[n:], t.line[:length])
}

// shallow is a line feed and more blanks than most lines need.
var shallow = [32]byte([]byte("\n" + "                               "))

func (t *indenter) Write(p []byte) (int, error) {
	i := 0
	for i < len(p) {
		if t.n+t.slack > len(t.out) {
			if err := t.flush(); err != nil {
				return i, err
			}
		}
		if t.inString {
			var err error
			if i, err = t.within(p, i); err != nil {
				return i, err
			}
			continue
		}
		i = t.tokens(p, i)
	}
	return i, nil
}

// tokens goes on until a string begins, out is nearly full, or p ends.
func (t *indenter) tokens(p []byte, i int) int {
	out, n := t.out, t.n
	limit := len(out) - t.slack
	for i < len(p) && n <= limit {
		c := p[i]
		i++
		switch c {
		case ',':
			out[n] = ','
			n = t.newLine(n + 1)
		case ':':
			out[n], out[n+1] = ':', ' '
			n += 2
		case '}', ']':
			t.depth--
			if !t.opened {
				n = t.newLine(n)
			}
			t.opened = false
			out[n] = c
			n++
		default:
			if t.opened {
				t.opened = false
				n = t.newLine(n)
			}
			out[n] = c
			n++
			switch c {
			case '{', '[':
				t.opened = true
				t.depth++
				if 2*t.depth+1 > len(t.line) {
					t.n = n
					t.deepen(2 * t.depth)
					return i
				}
			case '"':
				t.inString = true
				t.n = n
				return i
			}
		}
	}
	t.n = n
	return i
}

// within copies a string from inside it at p[i].
func (t *indenter) within(p []byte, i int) (int, error) {
	out, n := t.out, t.n
	if t.escape {
		t.escape = false
		out[n] = p[i]
		n++
		i++
	}
	// As closing does, but what is looked at is copied too.
	for near := i + 48; i < near && i+8 <= len(p) && n+16 <= len(out); {
		w := binary.LittleEndian.Uint64(p[i:])
		binary.LittleEndian.PutUint64(out[n:], w)
		m := special(w)
		if m == 0 {
			i += 8
			n += 8
			continue
		}
		k := bits.TrailingZeros64(m) >> 3
		i += k
		n += k
		if p[i] == '"' {
			t.inString = false
			t.n = n + 1
			return i + 1, nil
		}
		if i+1 == len(p) {
			break
		}
		out[n+1] = p[i+1]
		i += 2
		n += 2
		near = i + 48
	}
	t.n = n
	start := i
	for {
		j := bytes.IndexByte(p[i:], '"')
		if j < 0 {
			t.escape = escaped(p, start, len(p))
			return len(p), t.pass(p[start:])
		}
		i += j + 1
		if !escaped(p, start, i-1) {
			t.inString = false
			return i, t.pass(p[start:i])
		}
	}
}

// pass hands on a piece of a string.
func (t *indenter) pass(p []byte) error {
	if len(p) < direct {
		if len(p) > len(t.out)-t.n {
			if err := t.flush(); err != nil {
				return err
			}
		}
		t.n += copy(t.out[t.n:], p)
		return nil
	}
	if err := t.flush(); err != nil {
		return err
	}
	n, err := t.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return err
}
