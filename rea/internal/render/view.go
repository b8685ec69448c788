package render

import (
	"io"
	"strconv"
	"strings"

	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// View writes the Evidence of a view, a canonical document, for people. Errors
// are those of w, or a strictjson.Problem where doc is no document.
func View(w io.Writer, doc []byte, o Options) error {
	v, err := strictjson.Parse(doc, limits.ArgumentDepth)
	if err != nil {
		return err
	}
	p := newPage(w, o)
	r := v.Get("normalized_result")
	kind := spelt(r.Get("kind"))
	title := map[string]string{"summary": "Summary", "capture": "Records", "api-surface": "API surface", "qlog": "qlog facts"}[kind]
	if facet := spelt(r.Get("facet")); facet != "" {
		title += ": " + facet
	}
	p.put(bold, title)
	p.end()
	p.put(plain, shorten(Escape(spelt(r.At("artifact", "path"))), p.room(0)))
	p.end()
	p.end()
	switch {
	case kind == "summary":
		p.counted(r.Get("summary"))
	case kind == "api-surface":
		p.grid([]string{"method", "samples", "statuses", "path"}, itemsOf(r.Get("groups")), groupCells, o.MaxRows)
	case kind == "capture" && spelt(r.At("view", "detail")) == "preview":
		p.grid([]string{"#", "method", "status", "type", "url"}, itemsOf(r.Get("items")), previewCells, o.MaxRows)
	default:
		p.grid([]string{"item"}, itemsOf(r.Get("items")), func(v *tree.Value) []string {
			return []string{string(strictjson.AppendCanonical(nil, v))}
		}, o.MaxRows)
	}
	p.end()
	p.coverage(r.Get("coverage"))
	p.labelled("limits", numbered(len(itemsOf(r.Get("limitations"))), "limitation", "limitations"))
	p.labelled("parent", spelt(r.Get("parent_evidence_id")))
	p.labelled("evidence", spelt(v.Get("evidence_id")))
	return p.w.Flush()
}

// coverage says how much of it this is.
func (p *page) coverage(c *tree.Value) {
	examined, total := spelt(c.Get("examined")), spelt(c.Get("total"))
	if spelt(c.Get("status")) == "complete-within-view" {
		return
	}
	text := grouped(examined) + " of " + grouped(total)
	if next := spelt(c.Get("next_offset")); next != "" {
		text += "; go on with offset " + next
	} else {
		text += ", to the end"
	}
	p.labelled("rows", text)
}

// counted lists the members of a summary, and what is in them.
func (p *page) counted(v *tree.Value) {
	for i := range itemsOf(v) {
		m := &v.Items[i]
		label := strings.ReplaceAll(m.Name.Decode(), "_", " ")
		text := Escape(spelt(m))
		if m.Kind == tree.Object {
			var parts []string
			for k := range m.Items {
				parts = append(parts, m.Items[k].Name.Decode()+" "+spelt(&m.Items[k]))
			}
			text = Escape(strings.Join(parts, ", "))
		}
		p.put(faint, label)
		p.blank(len("retained records ") + gap - width(label))
		p.put(plain, shorten(text, p.room(len("retained records ")+gap)))
		p.end()
	}
}

// grid is a table of escaped cells, the last of which takes what is left of the
// line.
func (p *page) grid(names []string, rows []tree.Value, cells func(*tree.Value) []string, most int) {
	shown := rows
	if most > 0 {
		shown = rows[:min(len(rows), most)]
	}
	table := [][]string{names}
	for i := range shown {
		row := cells(&shown[i])
		for k := range row {
			row[k] = Escape(row[k])
		}
		table = append(table, row)
	}
	left := p.room(0)
	for k, name := range names {
		c := column{name: name, right: name == "#" || name == "samples" || name == "status", most: 28, width: width(name)}
		for _, row := range table {
			c.width = max(c.width, min(c.most, width(row[k])))
		}
		if k == len(names)-1 {
			c.most = max(left, leastURL)
			c.width = c.most
		}
		left -= c.width + gap
		for i := range table {
			table[i][k] = p.padded(c, k == len(names)-1, table[i][k])
		}
	}
	for i, row := range table {
		style := plain
		if i == 0 {
			style = faint
		}
		p.put(style, strings.Join(row, ""))
		p.end()
	}
	if n := len(rows) - len(shown); n > 0 {
		p.put(faint, ellipsis+" "+numbered(n, "more row", "more rows"))
		p.end()
	}
}

func (p *page) padded(c column, last bool, text string) string {
	text = shorten(text, c.most)
	if last {
		return text
	}
	pad := strings.Repeat(" ", max(c.width-width(text), 0))
	if c.right {
		return pad + text + strings.Repeat(" ", gap)
	}
	return text + pad + strings.Repeat(" ", gap)
}

func groupCells(g *tree.Value) []string {
	var statuses []string
	for i := range itemsOf(g.Get("statuses")) {
		statuses = append(statuses, spelt(&g.Get("statuses").Items[i]))
	}
	if n := spelt(g.Get("unknown_statuses")); n != "0" {
		statuses = append(statuses, n+" unknown")
	}
	return []string{spelt(g.Get("method")), strconv.Itoa(len(itemsOf(g.Get("ordinals")))), strings.Join(statuses, ", "),
		spelt(g.Get("origin")) + spelt(g.Get("path_template"))}
}

func previewCells(v *tree.Value) []string {
	h := v.Get("headline")
	method, url := spelt(h.Get("method")), spelt(h.Get("url"))
	if event := spelt(h.Get("event")); event != "" {
		method, url = spelt(h.Get("time")), event
	}
	return []string{spelt(v.Get("ordinal")), dashed(method), dashed(spelt(h.Get("status"))), dashed(essence(spelt(h.Get("mime_type")))), dashed(url)}
}

func dashed(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// spelt is a string decoded, a number or a truth as it is spelt, else nothing.
func spelt(v *tree.Value) string {
	switch {
	case v == nil:
	case v.Kind == tree.String || v.Kind == tree.Number:
		return v.Text.Decode()
	case v.Kind == tree.True:
		return "true"
	}
	return ""
}

func itemsOf(v *tree.Value) []tree.Value {
	if v == nil {
		return nil
	}
	return v.Items
}
