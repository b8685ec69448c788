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
	kind := word(r.Get("kind"))
	title := map[string]string{"summary": "Summary", "capture": "Records", "api-surface": "API surface", "qlog": "qlog facts"}[kind]
	if facet := word(r.Get("facet")); facet != "" {
		title += ": " + facet
	}
	p.put(bold, title)
	p.end()
	p.put(plain, shorten(Escape(word(r.At("artifact", "path"))), p.room(0)))
	p.end()
	p.end()
	switch {
	case kind == "summary":
		p.counted(r.Get("summary"))
	case kind == "api-surface":
		p.grid([]string{"method", "samples", "statuses", "path"}, items(r.Get("groups")), groupCells, o.MaxRows)
	case kind == "capture" && word(r.At("view", "detail")) == "preview":
		p.grid([]string{"#", "method", "status", "type", "url"}, items(r.Get("items")), previewCells, o.MaxRows)
	default:
		p.grid([]string{"item"}, items(r.Get("items")), func(v *tree.Value) []string {
			return []string{string(strictjson.AppendCanonical(nil, v))}
		}, o.MaxRows)
	}
	p.end()
	p.coverage(r.Get("coverage"))
	p.labelled("limits", numbered(len(items(r.Get("limitations"))), "limitation", "limitations"))
	p.labelled("parent", word(r.Get("parent_evidence_id")))
	p.labelled("evidence", word(v.Get("evidence_id")))
	return p.w.Flush()
}

// coverage says how much of it this is.
func (p *page) coverage(c *tree.Value) {
	examined, total := word(c.Get("examined")), word(c.Get("total"))
	if word(c.Get("status")) == "complete-within-view" {
		return
	}
	text := grouped(examined) + " of " + grouped(total)
	if next := word(c.Get("next_offset")); next != "" {
		text += "; go on with offset " + next
	} else {
		text += ", to the end"
	}
	p.labelled("rows", text)
}

// counted lists the members of a summary, and what is in them.
func (p *page) counted(v *tree.Value) {
	for i := range items(v) {
		m := &v.Items[i]
		label := strings.ReplaceAll(m.Name.Decode(), "_", " ")
		text := Escape(word(m))
		if m.Kind == tree.Object {
			var parts []string
			for k := range m.Items {
				parts = append(parts, m.Items[k].Name.Decode()+" "+word(&m.Items[k]))
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
	for i := range items(g.Get("statuses")) {
		statuses = append(statuses, word(&g.Get("statuses").Items[i]))
	}
	if n := word(g.Get("unknown_statuses")); n != "0" {
		statuses = append(statuses, n+" unknown")
	}
	return []string{word(g.Get("method")), strconv.Itoa(len(items(g.Get("ordinals")))), strings.Join(statuses, ", "),
		word(g.Get("origin")) + word(g.Get("path_template"))}
}

func previewCells(v *tree.Value) []string {
	h := v.Get("headline")
	method, url := word(h.Get("method")), word(h.Get("url"))
	if event := word(h.Get("event")); event != "" {
		method, url = word(h.Get("time")), event
	}
	return []string{word(v.Get("ordinal")), dashed(method), dashed(word(h.Get("status"))), dashed(essence(word(h.Get("mime_type")))), dashed(url)}
}

func dashed(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// word is a string decoded, a number or a truth as it is spelt, else nothing.
func word(v *tree.Value) string {
	switch {
	case v == nil:
	case v.Kind == tree.String || v.Kind == tree.Number:
		return v.Text.Decode()
	case v.Kind == tree.True:
		return "true"
	}
	return ""
}

func items(v *tree.Value) []tree.Value {
	if v == nil {
		return nil
	}
	return v.Items
}
