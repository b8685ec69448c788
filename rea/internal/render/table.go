package render

import (
	"slices"
	"strings"

	"rea.example/rea/internal/tree"
)

// leftOut stands for a value that was not to be shown.
const leftOut = "(left out)"

// column is one column of the table of records.
type column struct {
	name  string
	right bool // numbers end at one line
	most  int  // the widest a cell may be, 0 for what is left of the line
	cell  func(*facts, *row) string
	width int
}

// columns of the table, the last of which takes what is left of the line.
func columns() []column {
	return []column{
		{name: "#", right: true, most: 12, cell: func(f *facts, r *row) string { return f.shown(r.ordinal) }},
		{name: "method", most: 10, cell: func(f *facts, r *row) string { return f.cell(r, r.method, hiddenMethod) }},
		{name: "status", right: true, most: 10, cell: func(f *facts, r *row) string { return f.cell(r, r.status, hiddenStatus) }},
		{name: "type", most: 24, cell: func(f *facts, r *row) string { return essence(f.cell(r, r.kind, hiddenKind)) }},
		{name: "size", right: true, most: 14, cell: func(f *facts, r *row) string { return f.size(r) }},
		{name: "url", cell: func(f *facts, r *row) string { return f.cell(r, r.url, hiddenURL|hiddenRecord) }},
	}
}

// A URL needs some cells to be of use. To give it fairURL, types are shortened
// down to shortType; to keep it leastURL, the type and then the size are given
// up.
const (
	fairURL   = 36
	shortType = 14
	leastURL  = 24
)

// gap is what stands between two columns.
const gap = 2

func (p *page) table(f *facts, most int) {
	rows := f.rows
	if most > 0 && len(rows) > most {
		rows = rows[:most]
	}
	cols := columns()
	last := len(cols) - 1
	for i := range cols[:last] {
		c := &cols[i]
		c.width = width(c.name)
		for k := range rows {
			c.width = max(c.width, min(c.most, width(c.cell(f, &rows[k]))))
		}
	}
	left := func() int {
		n := p.room(0)
		for _, c := range cols[:last] {
			n -= c.width + gap
		}
		return n
	}
	if kind := &cols[3]; left() < fairURL && kind.width > shortType {
		kind.width = max(shortType, kind.width-(fairURL-left()))
		kind.most = kind.width
	}
	for _, name := range []string{"type", "size"} {
		if left() < leastURL {
			cols = slices.DeleteFunc(cols, func(c column) bool { return c.name == name })
			last = len(cols) - 1
		}
	}
	cols[last].width, cols[last].most = left(), left()

	for i, c := range cols {
		p.cell(c, i == last, faint, c.name)
	}
	p.end()
	for k := range rows {
		for i, c := range cols {
			text := c.cell(f, &rows[k])
			style := plain
			if c.name == "status" {
				style = statusStyle(text)
			}
			p.cell(c, i == last, style, shorten(text, c.most))
		}
		p.end()
	}
	if n := len(f.rows) - len(rows); n > 0 {
		p.put(faint, ellipsis+" "+numbered(n, "more record", "more records"))
		p.end()
	}
}

func (p *page) cell(c column, last bool, style, text string) {
	pad := c.width - width(text)
	if c.right {
		p.blank(pad)
	}
	p.put(style, text)
	if last {
		return
	}
	if !c.right {
		p.blank(pad)
	}
	p.blank(gap)
}

// statusStyle draws the eye to what went wrong (RFC 9110 section 15).
func statusStyle(status string) string {
	if len(status) != 3 {
		return plain
	}
	switch status[0] {
	case '4':
		return yellow
	case '5':
		return red
	}
	return plain
}

// cell is the escaped text at s; "-" says that the document has none there,
// leftOut that it was left out.
func (f *facts) cell(r *row, s tree.Span, what hidable) string {
	if r.hidden&what != 0 && (len(f.doc[s.Start:s.End]) == 0 || f.doc[s.Start] == 'n') {
		return leftOut
	}
	if t := f.shown(s); t != "" {
		return t
	}
	return "-"
}

// size is a number of bytes; HAR writes -1 for one it doesn't know.
func (f *facts) size(r *row) string {
	t := f.cell(r, r.size, hiddenSize)
	if t[0] == '-' {
		return "-"
	}
	return grouped(t)
}

// essence is a media type without its parameters.
func essence(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return strings.TrimSpace(s)
}
