package qlogfacet

import (
	"strconv"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/tree"
)

// Limitation is what a page of this view does not prove.
const Limitation = "A page that exhausts a list of facts proves nothing about the completeness of the logging, nor of what went over the network."

// Rows gives all rows of the list that the request names, whichever of them are
// on its page. Rows of traces have the number of its items in place of each
// list, rows of streams have no lists. Where a selector names nothing, it gives
// the issue; its path begins in the view object.
func (r Request) Rows(facet *tree.Value) ([]tree.Value, *failure.Issue) {
	l := named(r.Facet)
	at := facet
	if l.takes(argTrace) {
		if at = trace(facet, r.Trace); at == nil {
			return nil, nowhere(argTrace, "the capture has no trace of this index")
		}
	}
	if l.takes(argStream) {
		var issue *failure.Issue
		if at, issue = stream(at, r.Stream, r.Direction); issue != nil {
			return nil, issue
		}
	}
	rows := items(at.Get(l.member))
	switch l.name {
	case "traces":
		return outlines(rows, true), nil
	case "streams":
		return outlines(rows, false), nil
	}
	return rows, nil
}

func nowhere(member, message string) *failure.Issue {
	return &failure.Issue{Path: []any{member}, Reason: failure.InvalidValue, Message: message}
}

func items(v *tree.Value) []tree.Value {
	if v == nil || v.Kind != tree.Array {
		return nil
	}
	return v.Items
}

func trace(facet *tree.Value, index int) *tree.Value {
	traces := items(facet.Get("traces"))
	for i := range traces {
		if n := traces[i].Get("trace_index"); n != nil && n.Text == strconv.Itoa(index) {
			return &traces[i]
		}
	}
	return nil
}

// stream finds a stream of a trace. Identifiers are compared as text: the facet
// spells a number in one way only.
func stream(trace *tree.Value, id, direction string) (*tree.Value, *failure.Issue) {
	issue := nowhere(argStream, "the trace has no stream of this identifier")
	streams := items(trace.Get("streams"))
	for i := range streams {
		if s, ok := streams[i].Get(argStream).Str(); !ok || s != id {
			continue
		}
		if d, _ := streams[i].Get(argDirection).Str(); d == direction {
			return &streams[i], nil
		}
		issue = nowhere(argDirection, "the stream has no frames of this direction")
	}
	return nil, issue
}

// outlines leaves the lists out of rows, or gives their lengths in their place.
func outlines(rows []tree.Value, counts bool) []tree.Value {
	out := make([]tree.Value, len(rows))
	for i, row := range rows {
		members := row.Items
		row.Items = make([]tree.Value, 0, len(members))
		for _, m := range members {
			if m.Kind == tree.Array {
				if !counts {
					continue
				}
				m = tree.Value{Kind: tree.Number, Name: m.Name, Text: strconv.Itoa(len(m.Items)), Raw: true}
			}
			row.Items = append(row.Items, m)
		}
		out[i] = row
	}
	return out
}

// Counts are what the summary of a capture says of the facet: its profile and
// scope, and how many facts of each kind it retains.
func Counts(facet *tree.Value) map[string]any {
	profile, _ := facet.Get("profile").Str()
	scope, _ := facet.Get("scope").Str()
	traces := items(facet.Get("traces"))
	n := map[string]int{}
	for i := range traces {
		for _, member := range []string{"streams", "loss_declarations", "incomplete_records"} {
			n[member] += len(items(traces[i].Get(member)))
		}
		streams := items(traces[i].Get("streams"))
		for k := range streams {
			for _, member := range []string{"contributions", "ranges", "final_sizes"} {
				n[member] += len(items(streams[k].Get(member)))
			}
		}
	}
	return map[string]any{
		"profile": profile, "scope": scope, "traces": len(traces), "streams": n["streams"],
		"contributions": n["contributions"], "ranges": n["ranges"], "final_sizes": n["final_sizes"],
		"loss_declarations": n["loss_declarations"], "incomplete_records": n["incomplete_records"],
	}
}
