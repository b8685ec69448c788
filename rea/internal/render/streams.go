package render

import (
	"strings"

	"rea.example/rea/internal/tree"
)

// streams writes what a qlog says of its traces, their streams and the packets
// declared lost.
func (p *page) streams(f *facts, most int) {
	facet := f.parts(f.facet, "/traces/*/trace_index", "/traces/*/events", "/traces/*/odcid", "/traces/*/vantage_point",
		"/traces/*/incomplete_records", "/traces/*/loss_declarations",
		"/traces/*/streams/*/stream_id", "/traces/*/streams/*/direction", "/traces/*/streams/*/unique_bytes",
		"/traces/*/streams/*/repeated_bytes", "/traces/*/streams/*/ranges", "/traces/*/streams/*/final_sizes")
	traces := items(facet.Get("traces"))
	if len(traces) == 0 {
		return
	}
	p.traces(traces, most)

	index := column{name: "trace", right: true}
	var streams, losses [][]string
	var ranges [][]tree.Value
	for i := range traces {
		t := &traces[i]
		at := scalar(t.Get("trace_index"))
		for k := range items(t.Get("streams")) {
			s := &t.Get("streams").Items[k]
			streams = append(streams, []string{at, scalar(s.Get("stream_id")), scalar(s.Get("direction")),
				grouped(scalar(s.Get("unique_bytes"))), grouped(scalar(s.Get("repeated_bytes"))), finals(s.Get("final_sizes"))})
			ranges = append(ranges, items(s.Get("ranges")))
		}
		for k := range items(t.Get("loss_declarations")) {
			l := &t.Get("loss_declarations").Items[k]
			losses = append(losses, []string{at, scalar(l.Get("packet_number")), scalar(l.Get("packet_type")), scalar(l.Get("ordinal"))})
		}
	}
	if len(streams) > 0 {
		rows, more := head(streams, most)
		p.end()
		p.table(only(len(traces) > 1, &table{
			columns: []column{index, {name: "stream", right: true}, {name: "direction"}, {name: "unique", right: true},
				{name: "repeated", right: true, spare: 1}, {name: "final size", right: true, spare: 2}, {name: "ranges"}},
			rows: rows, more: more, one: "stream", many: "streams", fair: len("[0,99999)"), least: len("[0,99999)"),
			last: func(row, cells int) string { return spans(ranges[row], cells) },
		}))
	}
	if len(losses) > 0 {
		rows, more := head(losses, most)
		p.end()
		p.table(only(len(traces) > 1, &table{
			columns: []column{index, {name: "lost packet", right: true}, {name: "type", most: 24}, {name: "declared by #"}},
			rows:    rows, more: more, one: "declared loss", many: "declared losses",
		}))
	}
}

func (p *page) traces(traces []tree.Value, most int) {
	shown, more := head(traces, most)
	t := &table{
		columns: []column{{name: "trace", right: true}, {name: "events", right: true}, {name: "streams", right: true, spare: 3}, {name: "lost", right: true},
			{name: "incomplete", right: true, spare: 2}, {name: "odcid", most: 40, spare: 1}, {name: "vantage point"}},
		more: more, one: "trace", many: "traces", fair: len("vantage point"), least: len("vantage point"),
	}
	for i := range shown {
		v := &shown[i]
		vantage := words(v.At("vantage_point", "type"), v.At("vantage_point", "name"))
		if vantage == "" {
			vantage = unknown
		}
		t.rows = append(t.rows, []string{scalar(v.Get("trace_index")), grouped(scalar(v.Get("events"))),
			count(len(items(v.Get("streams")))), count(len(items(v.Get("loss_declarations")))),
			count(len(items(v.Get("incomplete_records")))), scalar(v.Get("odcid")), vantage})
	}
	p.table(t)
}

// only leaves out the first column of a table, unless it is of use.
func only(useful bool, t *table) *table {
	if !useful {
		t.columns = t.columns[1:]
		for i := range t.rows {
			t.rows[i] = t.rows[i][1:]
		}
	}
	return t
}

// finals are the final sizes of a stream; more than one contradict each other.
func finals(v *tree.Value) string {
	var sizes []string
	for i := range items(v) {
		sizes = append(sizes, grouped(scalar(v.Items[i].Get("size"))))
	}
	if sizes == nil {
		return unknown
	}
	return strings.Join(sizes, " or ")
}

// spans writes half-open ranges into so many cells, and how many are beyond.
func spans(ranges []tree.Value, cells int) string {
	if len(ranges) == 0 {
		return unknown
	}
	var b strings.Builder
	for i := range ranges {
		s := "[" + scalar(ranges[i].Get("start")) + "," + scalar(ranges[i].Get("end")) + ")"
		rest := ""
		if n := len(ranges) - i - 1; n > 0 {
			rest = " " + ellipsis + " " + count(n) + " more"
		}
		if b.Len() > 0 {
			s = " " + s
		}
		if b.Len()+len(s)+width(rest) > cells {
			left := count(len(ranges)-i) + " more"
			if b.Len() == 0 {
				return shorten(numbered(len(ranges), "range", "ranges"), cells)
			}
			return b.String() + " " + ellipsis + " " + left
		}
		b.WriteString(s)
	}
	return b.String()
}

// scalar is a string or a number, escaped.
func scalar(v *tree.Value) string {
	if s := word(v); s != "" {
		return Escape(s)
	}
	return unknown
}

// items are those of an array, or the members of an object.
func items(v *tree.Value) []tree.Value {
	if v == nil {
		return nil
	}
	return v.Items
}
