package apisurface

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/exactint"
	"rea.example/rea/internal/recordedurl"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view"
)

// Request says which groups are wanted.
type Request struct {
	view.Window
	View map[string]any // the request as the result repeats it
}

// Reasons why a record is in no group.
const (
	urlRedacted        = "url-redacted"
	urlUnavailable     = "url-unavailable"
	urlUnparseable     = "url-unparseable"
	requestUnavailable = "request-unavailable"
	methodUnavailable  = "method-unavailable"
)

// Unretained is the reason why a parent with declared values has no such view.
const Unretained = "sensitive_values_unretained"

const (
	noMeaning = "Groups arrange what was requested: they establish no handler, no schema and no cause, and an exhausted page proves nothing about requests that weren't recorded."
	subset    = "The parent holds a selection of the capture's records; requests of the others are not here."
)

// Seal makes Evidence of a page of groups.
func Seal(ctx context.Context, p *view.Parent, req Request) (id string, d *evidence.Document, err error) {
	return seal(ctx, p, req, newBudget())
}

func seal(ctx context.Context, p *view.Parent, req Request, b *budget) (string, *evidence.Document, error) {
	switch {
	case p.Format != "har":
		return "", nil, view.Unsupported(p.Artifact.Path, "an API surface is made of HAR captures alone")
	case p.Declared != 0:
		return "", nil, view.Unsupported(p.Artifact.Path, Unretained)
	}
	s := surface{parent: p, budget: b, groups: map[string]*group{}, limitations: map[string]bool{}}
	if err := s.examine(ctx); err != nil {
		return "", nil, err
	}
	list := make([]*group, 0, len(s.groups))
	for _, g := range s.groups {
		list = append(list, g)
	}
	slices.SortFunc(list, (*group).compare)
	templated := 0
	for _, g := range list {
		if len(g.segments) > 0 {
			templated++
		}
	}
	r := view.Result{
		Kind: "api-surface",
		View: req.View,
		Payload: map[string][]byte{
			"templated_groups": strconv.AppendInt(nil, int64(templated), 10),
			"total_groups":     strconv.AppendInt(nil, int64(len(list)), 10),
			"records": strictjson.AppendValue(nil, map[string]any{
				"examined": p.Retained(), "total": p.Total, "excluded": s.excluded,
			}),
		},
		Limitations: texts(s.limitations),
		Unknowns:    []string{view.Unattributed, "Statuses and content types that a group counts as unknown were not recorded, or were not valid."},
		Inferred:    templated > 0,
	}
	return p.SealPage(ctx, r, view.Rows{
		Member: "groups",
		Total:  len(list),
		Row:    func(i int) ([]byte, int, error) { return list[i].row(), i, nil },
	}, req.Window)
}

// surface gathers groups.
type surface struct {
	parent      *view.Parent
	budget      *budget
	groups      map[string]*group
	excluded    []any
	limitations map[string]bool
	key         []byte
}

func (s *surface) examine(ctx context.Context) error {
	notes := slices.Concat(s.parent.Notes, s.parent.Limitations, []string{noMeaning})
	if s.parent.Retained() < s.parent.Total {
		notes = append(notes, subset)
	}
	for _, n := range notes {
		if !s.limitation(n) {
			return exceeded(s.parent)
		}
	}
	var arena strictjson.Arena
	for i := range s.parent.Retained() {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := s.parent.Record(i)
		if err != nil {
			return err
		}
		v := strictjson.Build(b, tree.Span{End: len(b)}, &arena)
		if !s.record(&v) {
			return exceeded(s.parent)
		}
		arena.Reset()
	}
	return nil
}

// limitation retains a sentence once. Like record, it gives false where the
// budget has no room.
func (s *surface) limitation(text string) bool {
	if s.limitations[text] {
		return true
	}
	if !s.budget.reserve(entryPrice + textPrice(len(text))) {
		return false
	}
	s.limitations[strings.Clone(text)] = true
	return true
}

func (s *surface) record(v *tree.Value) bool {
	for _, l := range view.Strings(v.Get("limitations")) {
		if !s.limitation(l) {
			return false
		}
	}
	ordinal, _ := view.Integer(v.Get("ordinal"))
	url, _ := v.At("reported", "request", "url").Str()
	mimeType, _ := v.At("reported", "response", "content", "mimeType").Str()
	// The work on this record: a copy of its URL, of the path in it, and of the
	// type; it is given back when the record is done.
	work := 2*textPrice(len(url)) + textPrice(len(mimeType))
	if !s.budget.reserve(work) {
		return false
	}
	defer s.budget.release(work)
	one, reason := sampleOf(v.Get("reported"), url, mimeType)
	if reason != "" {
		if !s.budget.reserve(entryPrice) {
			return false
		}
		s.excluded = append(s.excluded, map[string]any{"ordinal": ordinal, "reason": reason})
		return true
	}
	one.ordinal = int(ordinal)
	return s.admit(&one)
}

func (s *surface) admit(one *sample) bool {
	s.key = one.appendKey(s.key[:0])
	g := s.groups[string(s.key)]
	if !s.budget.reserve(one.price(g, len(s.key))) {
		return false
	}
	if g == nil {
		g = newGroup(one)
		s.groups[string(s.key)] = g
	}
	g.add(one)
	return true
}

func sampleOf(reported *tree.Value, url, mimeType string) (one sample, excluded string) {
	request := reported.Get("request")
	if request == nil || request.Kind != tree.Object {
		return sample{}, requestUnavailable
	}
	method, _ := request.Get("method").Str()
	at := request.Get("url")
	switch {
	case method == "":
		return sample{}, methodUnavailable
	case at != nil && at.Kind == tree.Null:
		return sample{}, urlRedacted
	case at == nil || at.Kind != tree.String:
		return sample{}, urlUnavailable
	}
	address, ok := recordedurl.Locate(url)
	if !ok {
		return sample{}, urlUnparseable
	}
	one = sample{method: method, origin: address.Origin, path: address.Path, mime: essence(mimeType)}
	if status := reported.At("response", "status"); status != nil && status.Kind == tree.Number {
		n, ok := exactint.Parse(status.Text)
		one.status, one.statusKnown = int64(n), ok && n > 0
	}
	return one, ""
}

// essence is the type and subtype of a MIME type, in lower case (RFC 9110
// section 8.3.1), or "" where they are not valid.
func essence(s string) string {
	s, _, _ = strings.Cut(s, ";")
	s = strings.Trim(s, " \t\n\r")
	kind, sub, ok := strings.Cut(s, "/")
	if !ok || !token(kind) || !token(sub) {
		return ""
	}
	return strings.ToLower(s) // a token is ASCII
}

func token(s string) bool {
	return s != "" && all(s, func(c byte) bool {
		return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
	})
}
