package qlogfacet

import (
	"strings"

	"rea.example/rea/internal/exactint"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/format/qlog/facts"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/tree"
)

// Kind is the kind of this view.
const Kind = "qlog"

// Request says which rows are wanted.
type Request struct {
	Facet string // a name of Facets
	Trace int
	// Stream and Direction name a stream, as the facet spells them.
	Stream, Direction string
	Offset, Limit     int
}

// Members of a request.
const (
	argFacet     = "facet"
	argTrace     = "trace_index"
	argStream    = "stream_id"
	argDirection = "direction"
	argOffset    = "offset"
	argLimit     = "limit"
)

// defaultLimit is how many rows a page has when nothing else is asked for.
const defaultLimit = 64

// list is one of the lists that can be looked at.
type list struct {
	name      string
	member    string   // of the facet, a trace or a stream
	selectors []string // that name the trace or stream
}

var (
	ofTrace  = []string{argTrace}
	ofStream = []string{argTrace, argStream, argDirection}

	lists = []list{
		{"traces", "traces", nil},
		{"streams", "streams", ofTrace},
		{"contributions", "contributions", ofStream},
		{"ranges", "ranges", ofStream},
		{"final-sizes", "final_sizes", ofStream},
		{"loss-declarations", "loss_declarations", ofTrace},
		{"incomplete-records", "incomplete_records", ofTrace},
	}
)

// Facets are the names of the lists.
func Facets() []string {
	names := make([]string, len(lists))
	for i, l := range lists {
		names[i] = l.name
	}
	return names
}

// Selectors are the members that a request for a list must have, beside its
// name, and those that it may not have otherwise.
func Selectors(facet string) []string {
	if l := named(facet); l != nil {
		return l.selectors
	}
	return nil
}

func named(name string) *list {
	for i := range lists {
		if lists[i].name == name {
			return &lists[i]
		}
	}
	return nil
}

func (l *list) takes(selector string) bool {
	for _, s := range l.selectors {
		if s == selector {
			return true
		}
	}
	return false
}

// Read reads the view object of a request, but for its members kind and
// max_chars, which all views have. Paths of issues begin in that object.
func Read(view *tree.Value) (Request, []failure.Issue) {
	r := reader{Request: Request{Limit: defaultLimit}}
	var l *list
	if name, ok := r.text(view, argFacet); ok {
		if l = named(name); l == nil {
			r.fault(argFacet, failure.InvalidValue, anyOf(Facets()))
		}
		r.Facet = name
	} else if view.Get(argFacet) == nil {
		r.fault(argFacet, failure.MissingArgument, anyOf(Facets()))
	}
	r.Trace = r.integer(view, argTrace, 0, 0)
	r.Stream, _ = r.text(view, argStream)
	if d, ok := r.text(view, argDirection); ok {
		sent, received := facts.Sent.String(), facts.Received.String()
		if d != sent && d != received {
			r.fault(argDirection, failure.InvalidValue, []any{sent, received})
		}
		r.Direction = d
	}
	r.Offset = r.integer(view, argOffset, 0, 0)
	r.Limit = r.integer(view, argLimit, 1, defaultLimit)
	for i := range view.Items {
		switch name := view.Items[i].Name; name {
		case "kind", "max_chars", argFacet, argOffset, argLimit:
		case argTrace, argStream, argDirection:
			if l != nil && !l.takes(name) {
				r.fault(name, failure.UnknownArgument, nil)
			}
		default:
			r.fault(name, failure.UnknownArgument, nil)
		}
	}
	if l != nil {
		for _, s := range l.selectors {
			if view.Get(s) == nil {
				r.fault(s, failure.MissingArgument, nil)
			}
		}
	}
	return r.Request, r.issues
}

// View is the request with its defaults filled in, as a result repeats it.
func (r Request) View() map[string]any {
	v := map[string]any{"kind": Kind, argFacet: r.Facet, argOffset: r.Offset, argLimit: r.Limit}
	if l := named(r.Facet); l != nil {
		for name, value := range map[string]any{argTrace: r.Trace, argStream: r.Stream, argDirection: r.Direction} {
			if l.takes(name) {
				v[name] = value
			}
		}
	}
	return v
}

// reader gathers issues while a request is read.
type reader struct {
	Request
	issues []failure.Issue
}

func (r *reader) fault(member string, reason failure.Reason, expected any) {
	is := failure.Issue{Path: []any{member}, Reason: reason, Expected: expected}
	r.issues = append(r.issues, is)
}

func (r *reader) text(view *tree.Value, member string) (string, bool) {
	v := view.Get(member)
	if v == nil {
		return "", false
	}
	s, ok := v.Str()
	if !ok {
		r.fault(member, failure.InvalidType, "string")
	}
	return s, ok
}

// integer reads an integer by its value, in whatever spelling.
func (r *reader) integer(view *tree.Value, member string, least int64, otherwise int) int {
	v := view.Get(member)
	if v == nil {
		return otherwise
	}
	if v.Kind != tree.Number {
		r.fault(member, failure.InvalidType, "integer")
		return otherwise
	}
	n, ok := exactint.Parse(v.Text)
	most := int64(limits.SafeInteger)
	switch {
	case ok && n > limits.SafeInteger:
		r.issues = append(r.issues, failure.Issue{Path: []any{member}, Reason: failure.OutOfRange, Maximum: &most})
	case ok && int64(n) < least, !ok && strings.HasPrefix(v.Text, "-"):
		r.issues = append(r.issues, failure.Issue{Path: []any{member}, Reason: failure.OutOfRange, Minimum: &least})
	case !ok:
		r.fault(member, failure.InvalidType, "integer")
	default:
		return int(n)
	}
	return otherwise
}

func anyOf(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}
