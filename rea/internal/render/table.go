package render

import (
	"slices"
	"strings"
)

// leftOut stands for a value that was not to be shown, unknown for one that the
// document doesn't have.
const (
	leftOut = "(left out)"
	unknown = "-"
)

// table is rows of escaped cells. Its last column takes what is left of the line,
// or what it needs of it where its cells end at one line.
type table struct {
	columns []column
	rows    [][]string
	more    int // rows that are not shown, and what one and many are called
	one     string
	many    string
	fair    int // what the last column should have,
	least   int // and what it must have to be of use
	// last gives the last cell of a row for so many cells, where it isn't in rows.
	last func(row, cells int) string
}

// column is one column of a table.
type column struct {
	name  string
	right bool // numbers end at one line
	point bool // or their points stand below each other
	most  int  // the widest a cell may be, 0 for any width
	// brief spells a cell shorter. It is used where the last column wouldn't
	// get its fair share.
	brief func(string) string
	// spare, from 1, says which column is given up first where the last one
	// wouldn't get its least; 0 is never given up.
	spare int
	style func(cell string) string

	at    int // its place in a row
	width int
}

// The widths of a last column that holds URLs.
const (
	fairURL  = 36
	leastURL = 24
)

// gap is what stands between two columns.
const gap = 2

// narrow is the width down to which a column with a brief spelling may shrink.
const narrow = 14

// fit gives the columns their widths, and names those that there is no room for.
func (t *table) fit(room int) (cols []column, without []string) {
	cols = slices.Clone(t.columns)
	for i := range cols {
		c := &cols[i]
		c.at = i
		if c.point {
			c.align(t.rows)
		}
		if i < len(cols)-1 || c.right { // the last one takes what is left
			c.width = c.widest(t.rows, func(s string) string { return s })
		}
	}
	last := func() *column { return &cols[len(cols)-1] }
	left := func() int {
		n := room
		for _, c := range cols[:len(cols)-1] {
			n -= c.width + gap
		}
		return n
	}
	for i := range cols {
		if c := &cols[i]; c.brief != nil && left() < t.fair {
			least := min(c.width, narrow, c.widest(t.rows, c.brief))
			c.width = max(least, c.width-(t.fair-left()))
		}
	}
	for left() < t.least {
		next := -1
		for i, c := range cols {
			if c.spare > 0 && (next < 0 || c.spare < cols[next].spare) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		without = append(without, cols[next].name)
		cols = slices.Delete(cols, next, next+1)
	}
	// Then the widest ones are shortened, for a last column worth its name.
	for left() < min(t.least, narrow) {
		widest := 0
		for i, c := range cols[:len(cols)-1] {
			if c.width > cols[widest].width {
				widest = i
			}
		}
		if cols[widest].width <= narrow/2 {
			break
		}
		cols[widest].width--
	}
	if c := last(); !c.right {
		c.width = max(left(), 1)
	} else {
		c.width = max(min(c.width, left()), 1)
	}
	return cols, without
}

// align gives all numbers of a column as many cells behind the point.
func (c *column) align(rows [][]string) {
	behind := func(cell string) int {
		if i := strings.IndexByte(cell, '.'); i >= 0 && c.most >= len(cell) {
			return len(cell) - i
		}
		return 0
	}
	most := 0
	for _, row := range rows {
		most = max(most, behind(row[c.at]))
	}
	for _, row := range rows {
		if pad := most - behind(row[c.at]); len(row[c.at])+pad <= c.most {
			row[c.at] += strings.Repeat(" ", pad)
		}
	}
}

func (c *column) widest(rows [][]string, spell func(string) string) int {
	n := 0
	for _, row := range rows {
		if c.at < len(row) {
			n = max(n, width(spell(row[c.at])))
		}
	}
	if c.most > 0 {
		n = min(n, c.most)
	}
	return max(n, width(c.name))
}

func (p *page) table(t *table) {
	cols, without := t.fit(p.room(0))
	for i, c := range cols {
		p.cell(c, i == len(cols)-1, faint, shorten(c.name, c.width))
	}
	p.end()
	for r, row := range t.rows {
		for i, c := range cols {
			var text string
			if c.at < len(row) {
				text = row[c.at]
			} else {
				text = t.last(r, c.width)
			}
			style := plain
			if c.style != nil {
				style = c.style(text)
			}
			if c.brief != nil && width(text) > c.width {
				text = c.brief(text)
			}
			p.cell(c, i == len(cols)-1, style, shorten(text, c.width))
		}
		p.end()
	}
	if t.more > 0 {
		p.put(faint, ellipsis+" "+numbered(t.more, "more "+t.one, "more "+t.many))
		p.end()
	}
	if without != nil {
		p.note("No room here for " + strings.Join(without, ", ") + ".")
	}
}

// note writes a sentence that stands back.
func (p *page) note(s string) {
	for _, line := range wrap(s, p.room(0)) {
		p.put(faint, line)
		p.end()
	}
}

func (p *page) cell(c column, last bool, style, text string) {
	switch {
	case c.right:
		p.blank(c.width - width(text))
		p.put(style, text)
	case last:
		p.put(style, text)
	default:
		p.put(style, text)
		p.blank(c.width - width(text))
	}
	if !last {
		p.blank(gap)
	}
}

// head gives the first rows of a list, and how many there are beyond. most is 0
// for all.
func head[T any](list []T, most int) (shown []T, more int) {
	if most > 0 && len(list) > most {
		return list[:most], len(list) - most
	}
	return list, 0
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

// essence is a media type without its parameters.
func essence(s string) string {
	s, _, _ = strings.Cut(s, ";")
	if s = strings.TrimSpace(s); s == "" {
		return unknown
	}
	return s
}

// subtype is what tells most of a media type, or of each in a list.
func subtype(s string) string {
	types := strings.Split(s, ", ")
	for i, t := range types {
		if _, sub, ok := strings.Cut(t, "/"); ok {
			types[i] = ellipsis + "/" + sub
		}
	}
	return strings.Join(types, ", ")
}
