package render

import (
	"io"
	"path"
	"strconv"
	"strings"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// viewed is the Evidence of a view: all but its rows, and where these stand.
type viewed struct {
	doc    []byte
	result *tree.Value
	rows   []tree.Span
}

// View writes the Evidence of a view, a canonical document, for people. The
// document is not checked. Errors are those of w.
func View(w io.Writer, doc []byte, o Options) error {
	v, _, rows := outline(doc)
	r := v.Get("normalized_result")
	if r == nil {
		r = &tree.Value{}
	}
	p := newPage(w, o)
	p.title(r)
	p.end()
	view := viewed{doc: doc, result: r, rows: rows}
	switch kind := word(r.Get("kind")); {
	case kind == "summary":
		p.summary(r.Get("summary"))
	case len(rows) == 0:
		p.note("No rows.")
	case kind == "api-surface":
		p.table(view.table(groupColumns, groupCells, o.MaxRows))
	case kind == "qlog":
		facet := facets[word(r.Get("facet"))]
		t := view.table(facet.columns(), facet.cells, o.MaxRows)
		t.least = narrow
		p.table(t)
	case kind == "capture" && word(r.At("view", "detail")) == "preview":
		p.preview(&view, o.MaxRows)
	default:
		p.complete(&view, o.MaxRows)
	}
	p.end()
	p.covered(r, len(rows))
	switch notes := items(r.Get("limitations")); len(notes) {
	case 1:
		p.labelled("limits", scalar(&notes[0]))
	default:
		p.labelled("limits", numbered(len(notes), "limitation", "limitations")+", which --json lists")
	}
	// Identifiers are never broken or shortened: they are there to be copied.
	p.labelled("parent", scalar(r.Get("parent_evidence_id")))
	p.labelled("evidence", scalar(v.Get("evidence_id")))
	return p.w.Flush()
}

// title says what this is a view of.
func (p *page) title(r *tree.Value) {
	title := map[string]string{"summary": "Summary", "capture": "Records", "api-surface": "API surface", "qlog": "qlog"}[word(r.Get("kind"))]
	if facet := word(r.Get("facet")); facet != "" {
		title += " " + strings.ReplaceAll(Escape(facet), "-", " ")
	}
	name := "a capture whose path is left out"
	if s := word(r.At("artifact", "path")); s != "" {
		name = Escape(path.Base(s))
	}
	p.put(bold, shorten(title+" of "+name, p.room(0)))
	p.end()
	var of []string
	for _, selector := range []string{"trace_index", "stream_id", "direction"} {
		if s := word(r.At("view", selector)); s != "" {
			what, _, _ := strings.Cut(selector, "_")
			of = append(of, what+" "+Escape(s))
		}
	}
	if of != nil {
		p.put(plain, strings.Join(of, ", "))
		p.end()
	}
}

// covered says how much of it this is, and what isn't in it.
func (p *page) covered(r *tree.Value, rows int) {
	c := r.Get("coverage")
	if total := word(c.Get("total")); word(c.Get("status")) != "complete-within-view" {
		text := count(rows) + " of " + grouped(total)
		if next := word(c.Get("next_offset")); next != "" {
			text += "; go on with offset " + next
		}
		p.labelled("rows", text)
	}
	if total := word(r.Get("total_records")); total != "" {
		p.labelled("records", grouped(word(r.Get("retained_records")))+" retained of "+grouped(total))
	}
	if n := word(r.Get("templated_groups")); n != "" && n != "0" {
		p.labelled("inferred", grouped(n)+" of "+grouped(word(r.Get("total_groups")))+" groups have segments that are inferred")
	}
	excluded := items(r.At("records", "excluded"))
	if len(excluded) == 0 {
		return
	}
	var reasons []string
	counts := map[string]int{}
	for i := range excluded {
		reason := scalar(excluded[i].Get("reason"))
		if counts[reason]++; counts[reason] == 1 {
			reasons = append(reasons, reason)
		}
	}
	for i, reason := range reasons {
		reasons[i] = count(counts[reason]) + " " + reason
	}
	p.labelled("excluded", numbered(len(excluded), "record", "records")+": "+strings.Join(reasons, ", "))
}

// summary lists what a summary says: what was read by whom, how much of it is
// there, and what is counted.
func (p *page) summary(v *tree.Value) {
	rows := [][2]string{
		{"format", scalar(v.Get("format"))},
		{"decoder", words(v.At("decoder", "name"), v.At("decoder", "version"))},
		{"records", grouped(word(v.Get("retained_records"))) + " retained of " + grouped(word(v.Get("total_records")))},
		{"limitations", grouped(scalar(v.Get("limitation_count")))},
	}
	if n := v.Get("deviation_count"); n != nil {
		rows = append(rows, [2]string{"deviations", grouped(scalar(n))})
	}
	labels := len("limitations")
	facts := items(v.Get("qlog"))
	for i := range facts {
		label := strings.ReplaceAll(facts[i].Name, "_", " ")
		rows = append(rows, [2]string{label, grouped(scalar(&facts[i]))})
		labels = max(labels, width(label))
	}
	for _, row := range rows {
		p.put(faint, row[0])
		p.blank(labels + gap - width(row[0]))
		p.put(plain, shorten(row[1], p.room(labels+gap)))
		p.end()
	}
}

// table makes a table of the first rows.
func (v *viewed) table(columns []column, cells func(*tree.Value) []string, most int) *table {
	rows, more := head(v.rows, most)
	t := &table{columns: columns, more: more, one: "row", many: "rows", fair: fairURL, least: leastURL}
	var arena strictjson.Arena
	for _, s := range rows {
		row := strictjson.Build(v.doc, s, &arena)
		t.rows = append(t.rows, cells(&row))
		arena.Reset()
	}
	return t
}

// preview is a table of headlines, of events where the first record is one.
func (p *page) preview(v *viewed, most int) {
	first := strictjson.Build(v.doc, v.rows[0], new(strictjson.Arena))
	if word(first.At("headline", "event")) != "" {
		p.table(v.table([]column{ordinalColumn, timeColumn, {name: "event"}}, func(r *tree.Value) []string {
			return []string{scalar(r.Get("ordinal")), scalar(r.At("headline", "time")), scalar(r.At("headline", "event"))}
		}, most))
		return
	}
	p.table(v.table([]column{ordinalColumn, methodColumn, statusColumn, typeColumn, urlColumn}, func(r *tree.Value) []string {
		h := r.Get("headline")
		return []string{scalar(r.Get("ordinal")), scalar(h.Get("method")), scalar(h.Get("status")), essence(scalar(h.Get("mime_type"))), scalar(h.Get("url"))}
	}, most))
}

// complete writes whole records, in YAML's block style: nothing of them is left
// out.
func (p *page) complete(v *viewed, most int) {
	rows, more := head(v.rows, most)
	y := yaml{w: p.w, bare: true}
	var arena strictjson.Arena
	for i, s := range rows {
		if i > 0 {
			p.end()
		}
		r := strictjson.Build(v.doc, s, &arena)
		p.put(bold, "record "+scalar(r.Get("ordinal")))
		p.end()
		y.members(&r, 0)
		arena.Reset()
	}
	if more > 0 {
		p.note(ellipsis + " " + numbered(more, "more record", "more records"))
	}
}

var groupColumns = []column{{name: "method", most: 10}, {name: "samples", right: true}, {name: "statuses", most: 32, spare: 2},
	{name: "types", most: 32, brief: subtype, spare: 1}, {name: "origin and path"}}

func groupCells(g *tree.Value) []string {
	return []string{scalar(g.Get("method")), count(len(items(g.Get("ordinals")))), values(g.Get("statuses"), g.Get("unknown_statuses")),
		values(g.Get("mime_types"), g.Get("unknown_mime_types")), Escape(word(g.Get("origin")) + word(g.Get("path_template")))}
}

// values joins a list, and how often there was none.
func values(list, missing *tree.Value) string {
	var parts []string
	for i := range items(list) {
		parts = append(parts, scalar(&list.Items[i]))
	}
	if n := word(missing); n != "" && n != "0" {
		parts = append(parts, grouped(n)+" unknown")
	}
	if parts == nil {
		return unknown
	}
	return strings.Join(parts, ", ")
}

// facet says which members of a row of a qlog's facet its columns show.
type facet []struct {
	name, member string
	right        bool
	spare        int
}

var facets = map[string]facet{
	"traces": {{"trace", "trace_index", true, 0}, {"events", "events", true, 0}, {"streams", "streams", true, 3}, {"lost", "loss_declarations", true, 0},
		{"incomplete", "incomplete_records", true, 2}, {"odcid", "odcid", false, 1}, {"vantage point", "vantage_point", false, 0}},
	"streams": {{"stream", "stream_id", true, 0}, {"direction", "direction", false, 0}, {"unique", "unique_bytes", true, 0},
		{"repeated", "repeated_bytes", true, 0}, {"sum of lengths", "frame_length_sum", true, 1}},
	"contributions":      {{"#", "ordinal", true, 0}, {"frame", "frame_index", true, 1}, {"offset", "offset", true, 0}, {"length", "length", true, 0}, {"fin", "fin", false, 0}},
	"ranges":             {{"start", "start", true, 0}, {"end", "end", true, 0}},
	"final-sizes":        {{"size", "size", true, 0}, {"by #", "ordinals", false, 0}},
	"loss-declarations":  {{"#", "ordinal", true, 0}, {"lost packet", "packet_number", true, 0}, {"type", "packet_type", false, 0}},
	"incomplete-records": {{"#", "", true, 0}},
}

func (f facet) columns() (cols []column) {
	for _, m := range f {
		cols = append(cols, column{name: m.name, right: m.right, most: 40, spare: m.spare})
	}
	return cols
}

func (f facet) cells(row *tree.Value) (cells []string) {
	for _, m := range f {
		v := row
		if m.member != "" {
			v = row.Get(m.member)
		}
		text := scalar(v)
		switch {
		case v == nil:
		case v.Kind == tree.True, v.Kind == tree.False:
			text = strconv.FormatBool(v.Kind == tree.True)
		case v.Kind == tree.Array:
			text = values(v, nil)
		case v.Kind == tree.Object:
			text = words(v.Get("type"), v.Get("name"))
		}
		if m.right && m.name != "#" {
			text = grouped(text)
		}
		cells = append(cells, text)
	}
	return cells
}
