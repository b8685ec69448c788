package render

import (
	"bufio"
	"io"
	"strings"
)

// Options say how text is laid out.
type Options struct {
	// Width is the terminal's width in cells; 0 means that there is no
	// terminal, and lines end where they end.
	Width int
	// Color allows the few colours there are.
	Color bool
	// MaxRows is how many records the table shows; 0 means all.
	MaxRows int
	// Name is what a capture is called that the program carries with it and
	// that has no path of its own; empty for every other.
	Name string
}

// The narrowest and the widest page. What is wider than a page on a screen of
// any size can't be read.
const (
	narrowest = 40
	widest    = 240
	// unbounded is the widest cell where there is no terminal.
	unbounded = 2000
)

// page writes lines.
type page struct {
	w     *bufio.Writer
	cells int // 0 without a terminal
	color bool
}

func newPage(w io.Writer, o Options) *page {
	p := &page{w: bufio.NewWriterSize(w, 64<<10), color: o.Color}
	if o.Width > 0 {
		p.cells = min(max(o.Width, narrowest), widest)
	}
	return p
}

// room is how wide a line may be after an indentation.
func (p *page) room(indent int) int {
	if p.cells == 0 {
		return unbounded
	}
	return p.cells - indent
}

// Styles, as the parameters of SGR (ECMA-48 section 8.3.117).
const (
	plain  = ""
	bold   = "1"
	faint  = "2"
	red    = "31"
	yellow = "33"
)

// put writes text, whose captured parts are escaped already.
func (p *page) put(style, s string) {
	if p.color && style != plain && s != "" {
		s = "\x1b[" + style + "m" + s + "\x1b[0m"
	}
	_, _ = p.w.WriteString(s) // Flush gives the error
}

// blanks are more than a line of text has beside its cells.
var blanks = strings.Repeat(" ", widest)

func (p *page) blank(n int) {
	for ; n > len(blanks); n -= len(blanks) {
		p.put(plain, blanks)
	}
	p.put(plain, blanks[:max(n, 0)])
}

func (p *page) end() { p.put(plain, "\n") }

// labels is the width of the column of labels.
const labels = 10

// labelled writes a label and beside it sentences, wrapped.
func (p *page) labelled(label string, sentences ...string) {
	for _, s := range sentences {
		for _, line := range wrap(s, p.room(labels)) {
			p.put(faint, label)
			p.blank(labels - width(label))
			p.put(plain, line)
			p.end()
			label = ""
		}
	}
}
