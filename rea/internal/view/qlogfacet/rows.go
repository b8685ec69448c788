package qlogfacet

import (
	"bytes"
	"context"
	"strconv"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/view"
)

// Limitation is what a page of this view does not prove.
const Limitation = "A page that exhausts a list of facts proves nothing about the completeness of the logging, nor of what went over the network."

// Rows gives the rows of the list that the request names, whichever of them are
// on its page; one is made when it is asked for. Rows of traces have the number
// of its items in place of each list, rows of streams have no lists. Where a
// selector names nothing, it gives the issue; its path begins in the view object.
// The error is that of reading, or the context's.
func (r Request) Rows(ctx context.Context, facet *view.Text) (view.Rows, *failure.Issue, error) {
	w := facet.Walk(ctx)
	l := named(r.Facet)
	if l.takes(argTrace) && !trace(w, r.Trace) {
		return view.Rows{}, nowhere(argTrace, "the capture has no trace of this index"), w.Err()
	}
	if l.takes(argStream) {
		if issue := stream(w, r.Stream, r.Direction); issue != nil {
			return view.Rows{}, issue, w.Err()
		}
	}
	rows := view.Rows{Member: "items"}
	if !w.Member(l.member) {
		return rows, nil, w.Err()
	}
	list := w.List()
	rows.Total = list.Len
	rows.Row = func(i int) ([]byte, int, error) {
		list.Go(i)
		var row []byte
		switch l.name {
		case "traces":
			row = outline(w, true)
		case "streams":
			row = outline(w, false)
		default:
			row = bytes.Clone(w.Raw())
		}
		return row, i, w.Err()
	}
	return rows, nil, w.Err()
}

func nowhere(member, message string) *failure.Issue {
	return &failure.Issue{Path: []any{member}, Reason: failure.InvalidValue, Message: message}
}

// trace moves from a facet to one of its traces.
func trace(w *view.Walker, index int) bool {
	want := strconv.Itoa(index)
	if !w.Member("traces") {
		return false
	}
	for range w.Items() {
		at := w.At()
		if w.Member(argTrace) && string(w.Raw()) == want {
			w.Go(at)
			return true
		}
		w.Go(at) // a trace is left as a whole
	}
	return false
}

// stream moves from a trace to one of its streams. Identifiers are compared as
// text: the facet spells a number in one way only.
func stream(w *view.Walker, id, direction string) *failure.Issue {
	issue := nowhere(argStream, "the trace has no stream of this identifier")
	id, direction = string(strictjson.AppendString(nil, id)), string(strictjson.AppendString(nil, direction))
	if !w.Member("streams") {
		return issue
	}
	for range w.Items() {
		at := w.At()
		sameID, sameDirection := false, false
		for name := range w.Members() {
			switch string(name) {
			case argStream:
				sameID = string(w.Raw()) == id
			case argDirection:
				sameDirection = string(w.Raw()) == direction
			}
		}
		if sameID && sameDirection {
			w.Go(at)
			return nil
		}
		if sameID {
			issue = nowhere(argDirection, "the stream has no frames of this direction")
		}
	}
	return issue
}

// outline leaves the lists out of a row, or gives their lengths in their place.
func outline(w *view.Walker, counts bool) []byte {
	if w.Kind() != '{' {
		return bytes.Clone(w.Raw())
	}
	row := []byte{'{'}
	for name := range w.Members() {
		list := w.Kind() == '['
		if list && !counts {
			continue
		}
		if len(row) > 1 {
			row = append(row, ',')
		}
		row = append(append(append(row, '"'), name...), `":`...)
		if list {
			row = strconv.AppendInt(row, int64(w.Count()), 10)
		} else {
			row = append(row, w.Raw()...)
		}
	}
	return append(row, '}')
}

// counts are how many facts of each kind there are.
type counts struct {
	traces, streams, contributions, ranges, finalSizes, losses, incomplete int
}

// Counts are what the summary of a capture says of the facet: its profile and
// scope, and how many facts of each kind it retains.
func Counts(ctx context.Context, facet *view.Text) (map[string]any, error) {
	w := facet.Walk(ctx)
	profile, scope := "", ""
	var n counts
	for name := range w.Members() {
		switch string(name) {
		case "profile":
			profile = text(w)
		case "scope":
			scope = text(w)
		case "traces":
			for range w.Items() {
				n.traces++
				n.trace(w)
			}
		}
	}
	return map[string]any{
		"profile": profile, "scope": scope, "traces": n.traces, "streams": n.streams,
		"contributions": n.contributions, "ranges": n.ranges, "final_sizes": n.finalSizes,
		"loss_declarations": n.losses, "incomplete_records": n.incomplete,
	}, w.Err()
}

func (n *counts) trace(w *view.Walker) {
	for name := range w.Members() {
		switch string(name) {
		case "streams":
			for range w.Items() {
				n.streams++
				n.stream(w)
			}
		case "loss_declarations":
			n.losses += w.Count()
		case "incomplete_records":
			n.incomplete += w.Count()
		}
	}
}

func (n *counts) stream(w *view.Walker) {
	for name := range w.Members() {
		switch string(name) {
		case "contributions":
			n.contributions += w.Count()
		case "ranges":
			n.ranges += w.Count()
		case "final_sizes":
			n.finalSizes += w.Count()
		}
	}
}

// text reads the string here; anything else is "".
func text(w *view.Walker) string {
	v, err := strictjson.Parse(bytes.Clone(w.Raw()), 0)
	if err != nil {
		return ""
	}
	s, _ := v.Str()
	return s
}
