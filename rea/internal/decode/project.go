package decode

import (
	"errors"
	"slices"
	"strconv"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// projector turns what a format finds into records as they are shown: hidden
// values out, sidecars beside, in canonical form.
type projector struct {
	req      Request
	declared *redact.Declarations
	silent   bool // nothing was declared: the common case pays for no search
	out      *output

	wanted map[int]int // ordinal → place in chosen, when not all are wanted
	chosen []Run
	all    Run

	total      int
	hidden     bool // a coordinate was left out
	deviations int
	container  Run
	facet      Run
	facetName  string
	covered    map[string]string // limitation texts, as they may be shown

	side    sidecars
	buf     []byte // what the output gets next
	noted   int    // how many binary fields the record has so far
	room    int    // that the large texts of a record need
	encoded []byte // room for base64 that is searched
}

func newProjector(req Request, declared *redact.Declarations, out *output) *projector {
	p := &projector{req: req, declared: declared, silent: declared.Empty(), out: out, covered: map[string]string{}}
	p.all.Offset = out.offset()
	if !req.All {
		p.wanted = make(map[int]int, len(req.Ordinals))
		p.chosen = make([]Run, len(req.Ordinals))
		for i, o := range req.Ordinals {
			p.wanted[o] = i
		}
	}
	return p
}

// Record writes one record, if it was selected and the reply is not full.
func (p *projector) Record(e *format.Entry) error {
	ordinal := p.total
	p.total++
	place, ok := p.wanted[ordinal]
	if !ok && !p.req.All || p.out.err != nil {
		return p.failed()
	}
	if p.req.All && ordinal > 0 {
		p.out.write([]byte{','})
	}
	start := p.out.offset()
	p.record(ordinal, e)
	p.deviations += e.DeviationTotal
	n := p.out.offset() - start
	if p.req.All {
		p.all.Count, p.all.Bytes = p.total, start+n-p.all.Offset
	} else {
		p.chosen[place] = Run{First: ordinal, Count: 1, Offset: start, Bytes: n}
	}
	return p.failed()
}

// failed is what ends the reading: a reply that can't be written. One that is full
// does not, for the rest of the capture may have a fault, which is told whatever
// was selected; flush tells of the reply.
func (p *projector) failed() error {
	if errors.Is(p.out.err, errOverflow) {
		return nil
	}
	return p.out.err
}

func (p *projector) record(ordinal int, e *format.Entry) {
	at := p.location(e.At)
	limits := e.Limits
	p.side.reset(e)
	p.room, p.noted = 0, 0
	// Members stand in canonical order, which begins with what the walk finds first.
	// What was decoded goes straight to the output; the rest is gathered.
	p.buf = append(p.buf[:0], `{"binary_fields":[`...)
	if p.anyDeclared(e.Ancestors) {
		e.Reported.SetNull()
		p.side.redact(evidence.ExplicitSensitive, "")
		at = evidence.Location{Kind: evidence.AtUnknown}
		p.hidden = true
		e.Deviations = nil // their number is ours to tell
		limits = append(limits[:len(limits):len(limits)], "The record is left out: a name on the way to it holds a declared value.")
	} else {
		p.walk(e.Reported)
	}

	b := append(p.buf, ']')
	if p.req.Report {
		b = p.appendDeviations(b, e.Deviations, e.DeviationTotal)
	}
	b = append(b, `,"limitations":[`...)
	for i, l := range limits {
		if i > 0 {
			b = append(b, ',')
		}
		b = strictjson.AppendString(b, p.cover(l))
	}
	b = append(b, `],"location":`...)
	b = appendLocation(b, at)
	b = append(b, `,"numeric_literals":[`...)
	b = p.list(b, &p.side.numbers)
	b = append(b, `],"ordinal":`...)
	b = strconv.AppendInt(b, int64(ordinal), 10)
	b = append(b, `,"redactions":[`...)
	b = p.list(b, &p.side.redactions)
	b = append(b, `],"reported":`...)
	if p.out.err == nil { // or the room isn't there
		b = slices.Grow(b, p.room)
	}
	b = strictjson.SpillCanonical(b, e.Reported, p.spill)
	b = append(b, '}')
	p.out.write(b)
	p.buf = b[:0]
}

// spill hands what was gathered of a large value to the output.
func (p *projector) spill(b []byte) []byte {
	p.out.write(b)
	return b[:0]
}

// list writes the items of a list; a long one passes by the buffer.
func (p *projector) list(b []byte, l *list) []byte {
	if len(l.full) > 0 {
		b = p.spill(b)
	}
	for _, piece := range l.full {
		p.out.write(piece)
	}
	return append(b, l.last...)
}

// Container writes the document around the records, if the reply is not full.
func (p *projector) Container(c *format.Container) error {
	if p.out.err != nil {
		return p.failed()
	}
	p.side.reset(&format.Entry{})
	if c.Reported == nil {
		c.Reported = &tree.Value{}
	}
	p.walk(c.Reported)
	p.rows(c, func(*tree.Value) {})
	p.deviations += c.DeviationTotal
	p.container.Offset = p.out.offset()
	b := append(p.buf[:0], '{')
	if p.req.Report {
		b = p.appendDeviations(b, c.Deviations, c.DeviationTotal)[1:]
		b[0] = '{'
		b = append(b, ',')
	}
	b = append(b, `"numeric_literals":[`...)
	b = p.list(b, &p.side.numbers)
	b = append(b, `],"records_pointer":`...)
	switch {
	case c.RecordsPointer == nil:
		b = append(b, "null"...)
	case p.declared.InText(string(*c.RecordsPointer)):
		p.hidden = true
		b = append(b, "null"...)
	default:
		b = strictjson.AppendString(b, string(*c.RecordsPointer))
	}
	b = append(b, `,"redactions":[`...)
	b = p.list(b, &p.side.redactions)
	b = append(b, `],"reported":`...)
	b = p.appendContainer(b, c)
	b = append(b, '}')
	p.out.write(b)
	p.container.Bytes = p.out.offset() - p.container.Offset
	p.buf = b[:0]
	if c.Facet != nil {
		p.facetName = c.Facet.Name
		p.facet.Offset = p.out.offset()
		for piece := range c.Facet.JSON {
			if p.out.write(piece); p.out.err != nil {
				break
			}
		}
		p.facet.Bytes = p.out.offset() - p.facet.Offset
	}
	return p.failed()
}

// rows hides what must be hidden in each of the container's rows, in order.
func (p *projector) rows(c *format.Container, take func(row *tree.Value)) {
	// Where the list is no longer there, its name is declared.
	n := len(c.Reported.Items)
	if c.Rows == nil || n == 0 || c.Reported.Items[n-1].Kind != tree.Array {
		return
	}
	p.side.enterMember(c.Reported.Items[n-1].Name)
	i := 0
	for row := range c.Rows {
		p.side.enterItem(i)
		p.walk(row)
		p.side.leave()
		take(row)
		i++
	}
	p.side.leave()
}

// appendContainer writes what is reported of the container. Rows go to the
// output as they come.
func (p *projector) appendContainer(b []byte, c *format.Container) []byte {
	b = strictjson.SpillCanonical(b, c.Reported, p.spill)
	const end = "]}"
	first := true
	p.rows(c, func(row *tree.Value) {
		if b = b[:len(b)-len(end)]; !first {
			b = append(b, ',')
		}
		first = false
		b = append(strictjson.AppendCanonical(b, row), end...)
		if len(b) > blockBytes {
			p.out.write(b[:len(b)-len(end)])
			b = append(b[:0], end...)
		}
	})
	return b
}

func (p *projector) anyDeclared(names []string) bool {
	if p.silent {
		return false
	}
	for _, n := range names {
		if p.declared.InText(n) {
			return true
		}
	}
	return false
}

func (p *projector) cover(text string) string {
	if p.silent {
		return text
	}
	c, ok := p.covered[text]
	if !ok {
		c = p.declared.Cover(text)
		p.covered[text] = c
	}
	return c
}

func (p *projector) appendDeviations(b []byte, list []evidence.Deviation, total int) []byte {
	b = append(b, `,"deviation_total":`...)
	b = strconv.AppendInt(b, int64(total), 10)
	b = append(b, `,"deviations":[`...)
	first := true
	for _, d := range list {
		if !p.silent && p.declared.InText(string(d.Pointer)) {
			p.hidden = true
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		var at any
		if d.SchemaPointer != "" {
			at = d.SchemaPointer
		}
		b = strictjson.AppendValue(b, map[string]any{
			"expected": d.Expected, "keyword": d.Keyword, "pointer": string(d.Pointer), "schema_pointer": at,
		})
	}
	return append(b, ']')
}
