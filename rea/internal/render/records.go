package render

import (
	"slices"
	"strconv"
	"strings"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view/headline"
)

// layout is how the records of a format look in a table.
type layout struct {
	needs   []string // what of a record is looked at
	columns []column
	cells   func(*entry) []string
}

// entry is a record on its way into a table.
type entry struct {
	*facts
	record
	reported tree.Value // what is needed of it
	line     headline.Line
}

func numeric(name string) column {
	return column{name: name, right: true, most: len("999,999,999,999")}
}

// spared is a column that is given up before others where the page is narrow.
func (c column) spared(order int) column {
	c.spare = order
	return c
}

var (
	ordinalColumn = column{name: "#", right: true, most: 12}
	methodColumn  = column{name: "method", most: 10}
	statusColumn  = column{name: "status", right: true, most: 10, style: statusStyle}
	typeColumn    = column{name: "type", most: 24, brief: subtype, spare: 2}
	timeColumn    = column{name: "time", right: true, point: true, most: 24}
	urlColumn     = column{name: "url"}
)

// layouts gives the layout of a format's records.
func layouts(f *facts) layout {
	switch f.text(f.format) {
	case "har":
		return layout{
			needs:   []string{"/request/method", "/request/url", "/response/status", "/response/content/mimeType", "/response/content/size"},
			columns: []column{ordinalColumn, methodColumn, statusColumn, typeColumn, numeric("size").spared(3), urlColumn},
			cells: func(e *entry) []string {
				size := e.cell(e.at("/response/content/size"))
				if size[0] == '-' { // HAR writes -1 for a size that isn't known
					size = unknown
				}
				return []string{e.cell(e.line.Method), e.cell(e.line.Status), essence(e.cell(e.line.MIMEType)), grouped(size), e.cell(e.line.URL)}
			},
		}
	case "mitmproxy":
		return layout{
			needs: []string{"/type", "/request/method", "/request/scheme", "/request/host", "/request/port", "/request/path",
				"/response/status_code", "/response/headers", "/server_conn/address", "/messages"},
			columns: []column{ordinalColumn, methodColumn, statusColumn, typeColumn, numeric("sent").spared(1), numeric("received").spared(3), urlColumn},
			cells: func(e *entry) []string {
				method, url := e.cell(e.line.Method), e.cell(e.line.URL)
				var sent, received string
				if kind := e.cell(e.at("/type")); kind == "http" {
					sent, received = e.sizes("/request/content", "/response/content")
				} else {
					sent, received = e.messages()
					if method == unknown { // as mitmproxy's own list of flows does
						method = kind
					}
					if url == unknown {
						url = e.server()
					}
				}
				return []string{method, e.cell(e.line.Status), essence(e.cell(e.line.MIMEType)), sent, received, url}
			},
		}
	case "saz":
		return layout{
			needs: []string{"/session", "/request/method", "/request/target", "/response/status", "/response/headers"},
			columns: []column{ordinalColumn, {name: "session", right: true, most: 12, spare: 1}, methodColumn, statusColumn, typeColumn,
				numeric("sent").spared(3), numeric("received").spared(4), urlColumn},
			cells: func(e *entry) []string {
				sent, received := e.sizes("/request/body", "/response/body")
				return []string{e.cell(e.at("/session")), e.cell(e.line.Method), e.cell(e.line.Status), essence(e.cell(e.line.MIMEType)),
					sent, received, e.cell(e.line.URL)}
			},
		}
	case "qlog":
		l := layout{
			needs:   []string{"/name", "/time"},
			columns: []column{ordinalColumn, timeColumn, {name: "event"}},
			cells:   func(e *entry) []string { return []string{e.cell(e.line.Time), e.cell(e.line.Event)} },
		}
		facet := f.parts(f.facet, "/traces/*/trace_index")
		if events := l.cells; len(items(facet.Get("traces"))) > 1 {
			l.columns = slices.Insert(l.columns, 1, column{name: "trace", right: true, most: 10})
			l.cells = func(e *entry) []string { return append([]string{e.trace()}, events(e)...) }
		}
		return l
	}
	return layout{columns: []column{ordinalColumn}, cells: func(*entry) []string { return nil }}
}

// table makes the table of the first records.
func (f *facts) table(most int) *table {
	l := layouts(f)
	records, more := head(f.records, most)
	t := &table{columns: l.columns, rows: make([][]string, 0, len(records)), more: more, one: "record", many: "records",
		fair: fairURL, least: leastURL}
	needs := wanted(l.needs...)
	format, joins := f.text(f.format), f.joins()
	var arena strictjson.Arena
	for _, r := range records {
		e := entry{facts: f, record: r}
		if r.reported.Len() > 0 {
			c := cursor{doc: f.doc, i: r.reported.Start}
			e.reported = c.pick(needs, &arena)
		}
		e.line = headline.Of(format, &e.reported, joins)
		cells := l.cells(&e)
		if e.reported.Kind == tree.Null && e.hidden("") {
			cells[len(cells)-1] = leftOut
		}
		t.rows = append(t.rows, append([]string{f.shown(r.ordinal)}, cells...))
		arena.Reset()
	}
	return t
}

// at is what stands at a pointer.
func (e *entry) at(p tree.Pointer) headline.Fact {
	return headline.Fact{Value: find(&e.reported, p), Pointer: p}
}

// find follows a pointer, whose names need no unescaping, through what was built.
func find(v *tree.Value, p tree.Pointer) *tree.Value {
	for rest := string(p[1:]); rest != "" && v != nil; {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		if v.Kind != tree.Array {
			v = v.Get(name)
		} else if i, err := strconv.Atoi(name); err == nil && 0 <= i && i < len(v.Items) {
			v = &v.Items[i]
		} else {
			return nil
		}
	}
	return v
}

// cell is a fact, escaped. A number that has no exact place in the reported view
// is shown as its producer spelt it, and one of an odd kind as it is.
func (e *entry) cell(h headline.Fact) string {
	s := word(h.Value)
	if s == "" && h.Pointer != "" {
		if s = word(find(&e.reported, h.Pointer)); s == "" {
			if e.hidden(h.Pointer) {
				return leftOut
			}
			s = e.literal(h.Pointer)
		}
	}
	if s == "" {
		return unknown
	}
	return Escape(s)
}

// each goes through a list of a record, if it is there, with a cursor at each
// item.
func (e *entry) each(list tree.Span, visit func(*cursor)) {
	if list.Len() > 0 {
		c := &cursor{doc: e.doc, i: list.Start}
		c.items(func() { visit(c) })
	}
}

// hidden says that the value at a pointer, or one around it, was left out. A
// member that is gone with its name can't be told from one that never was.
func (e *entry) hidden(at tree.Pointer) (found bool) {
	e.each(e.redactions, func(c *cursor) {
		var pointer, scope tree.Span
		c.keep(spot{"pointer", &pointer}, spot{"scope", &scope})
		p := tree.Pointer(e.text(pointer))
		if scope.Len() == 0 && (p == at || p != "" && strings.HasPrefix(string(at), string(p)+"/")) {
			found = true
		}
	})
	return found
}

// literal is the number at a pointer as its producer spelt it.
func (e *entry) literal(at tree.Pointer) (literal string) {
	e.each(e.literals, func(c *cursor) {
		var pointer, text tree.Span
		c.keep(spot{"pointer", &pointer}, spot{"literal", &text})
		if e.text(pointer) == string(at) {
			literal = e.text(text)
		}
	})
	return literal
}

// binaries calls visit for each binary field, with its size or why there is none.
func (e *entry) binaries(visit func(pointer []byte, size string)) {
	e.each(e.binary, func(c *cursor) {
		var pointer, bytes tree.Span
		c.keep(spot{"pointer", &pointer}, spot{"bytes", &bytes})
		size := e.text(bytes)
		if size == "" {
			size = leftOut
		}
		visit(e.doc[pointer.Start+1:pointer.End-1], size)
	})
}

// sizes are the bytes of the two bodies that stand at these pointers.
func (e *entry) sizes(request, response string) (sent, received string) {
	sent, received = unknown, unknown
	e.binaries(func(pointer []byte, size string) {
		switch string(pointer) {
		case request:
			sent = grouped(size)
		case response:
			received = grouped(size)
		}
	})
	return sent, received
}

// messages are the bytes of all messages of a flow that has no requests, in the
// direction of the server and of the client.
func (e *entry) messages() (sent, received string) {
	messages := e.reported.Get("messages")
	if messages == nil || messages.Kind != tree.Array {
		return unknown, unknown
	}
	var sums [2]int
	var odd [2]string
	e.binaries(func(pointer []byte, size string) {
		rest, ok := strings.CutPrefix(string(pointer), "/messages/")
		index, content := strings.CutSuffix(rest, "/1")
		i, err := strconv.Atoi(index)
		if !ok || !content || err != nil || i >= len(messages.Items) {
			return
		}
		way := 1
		if m := messages.Items[i]; len(m.Items) > 0 && m.Items[0].Kind == tree.True {
			way = 0
		}
		n, err := strconv.Atoi(size)
		if err != nil {
			odd[way] = size
		}
		sums[way] += n
	})
	for way, out := range []*string{&sent, &received} {
		if *out = odd[way]; *out == "" {
			*out = count(sums[way])
		}
	}
	return sent, received
}

// server is the address of a flow that has no URL.
func (e *entry) server() string {
	host := e.cell(e.at("/server_conn/address/0"))
	port := e.at("/server_conn/address/1").Value
	if host == unknown || host == leftOut || port == nil || port.Kind != tree.Number || !e.joins() {
		return host
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + word(port)
}

// trace is the index of the trace that an event belongs to.
func (e *entry) trace() string {
	location := e.parts(e.location, "/pointer")
	tokens := tree.Pointer(word(location.Get("pointer"))).Tokens()
	if len(tokens) < 2 || tokens[0] != "traces" {
		return unknown
	}
	return Escape(tokens[1])
}
