package app

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/exactint"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view"
)

// Argument names of inspect_analysis_view.
const (
	argSource     = "source"
	argEvidenceID = "evidence_id"
	argEvidence   = "evidence"
	argView       = "view"
	argKind       = "kind"
	argOffset     = "offset"
	argLimit      = "limit"
	argMaxChars   = "max_chars"
	argFacet      = "facet"
	argTrace      = "trace_index"
	argStream     = "stream_id"
	argDirection  = "direction"
)

// Kinds of source and of view.
const (
	sourceRetained = "retained-evidence"
	sourceInline   = "inline"

	kindSummary = "summary"
	kindCapture = "capture"
	kindSurface = "api-surface"
	kindQlog    = "qlog"
)

var (
	sourceKinds = []string{sourceRetained, sourceInline}
	viewKinds   = []string{kindSummary, kindCapture, kindSurface, kindQlog}
	details     = []string{"preview", "complete"}
	directions  = []string{"sent", "received"}
	paging      = []string{argOffset, argLimit, argMaxChars}
	selectors   = []string{argTrace, argStream, argDirection}

	// viewTakes are the members that a kind takes beside its kind.
	viewTakes = map[string][]string{
		kindSummary: {},
		kindCapture: append([]string{argDetail}, paging...),
		kindSurface: paging,
		kindQlog:    append([]string{argFacet, argTrace, argStream, argDirection}, paging...),
	}
	// viewLimits are the rows that a page has where nobody says how many.
	viewLimits = map[string]int{kindCapture: 20, kindSurface: 50, kindQlog: 64}

	// facets are the lists of a qlog capture, and the selectors that each needs.
	facets = []struct {
		name  string
		needs []string
	}{
		{"traces", nil},
		{"streams", selectors[:1]},
		{"contributions", selectors},
		{"ranges", selectors},
		{"final-sizes", selectors},
		{"loss-declarations", selectors[:1]},
		{"incomplete-records", selectors[:1]},
	}
)

// viewRequest is the argument contract of inspect_analysis_view, read.
type viewRequest struct {
	retained string // the identifier; or
	inline   []byte // the text of the Evidence
	kind     string
	complete bool
	window   view.Window
	facet    string
	trace    int
	stream   string
	sent     bool
	view     map[string]any // the request as results repeat it, defaults filled in
}

// readView reads arguments. Evidence inside them is left as text.
func readView(raw []byte, inline int) (viewRequest, *failure.Failure) {
	if inline == 0 {
		inline = limits.InlineFile
	}
	tooLarge := failure.Issue{Path: []any{argSource, argEvidence}, Reason: failure.OutOfRange,
		Message: "the inline Evidence is too large", Expected: map[string]any{"maximum_inline_evidence_bytes": inline}}
	if len(raw) > inline+limits.ArgumentBytes {
		return viewRequest{}, view.Invalid("Inspect the capture through this server, and refer to the Evidence that it retains.", tooLarge)
	}
	var root tree.Span
	var given []tree.Span
	err := strictjson.Check(raw, limits.ArgumentDepth, []strictjson.Path{{}, {argSource, argEvidence}}, func(which int, s tree.Span) {
		if which == 0 {
			root = s
		} else {
			given = append(given, s)
		}
	})
	if err != nil {
		var p *strictjson.Problem
		issue := failure.Issue{Path: []any{}, Reason: failure.InvalidFormat}
		if errors.As(err, &p) {
			issue.Message = "not one strict JSON document (byte " + strconv.Itoa(p.Offset) + ")"
		}
		return viewRequest{}, view.Invalid(correct, issue)
	}
	args := strictjson.Build(raw, root, new(strictjson.Arena), given...)
	c := contract{}
	req := c.viewArguments(&args)
	for _, s := range given {
		req.inline = raw[s.Start:s.End]
		if s.Len() > inline {
			c.issues = append(c.issues, tooLarge)
		} else if raw[s.Start] != '{' {
			c.issues = append(c.issues, failure.Issue{Path: []any{argSource, argEvidence}, Reason: failure.InvalidType, Expected: "object"})
		}
	}
	if len(c.issues) > 0 {
		return viewRequest{}, view.Invalid(correct, c.issues...)
	}
	return req, nil
}

func (c *contract) viewArguments(args *tree.Value) (req viewRequest) {
	m := c.members(args, argSource, argView)
	if m == nil {
		return req
	}
	if s := c.required(m, argSource, "object"); s != nil {
		c.within(argSource, func() { c.source(s, &req) })
	}
	if v := c.required(m, argView, "object"); v != nil {
		c.within(argView, func() { c.view(v, &req) })
	}
	return req
}

// within reads what lies below a member.
func (c *contract) within(name string, read func()) {
	c.at = append(c.at, name)
	read()
	c.at = c.at[:len(c.at)-1]
}

// members takes an object apart, and complains about those nobody knows. It
// gives nil for anything else.
func (c *contract) members(v *tree.Value, known ...string) map[string]*tree.Value {
	if v.Kind != tree.Object {
		c.fault(failure.InvalidType, "", "object")
		return nil
	}
	out := map[string]*tree.Value{}
	for i := range v.Items {
		name := v.Items[i].Name.Decode()
		if !slices.Contains(known, name) {
			c.fault(failure.UnknownArgument, "", nil, name)
			continue
		}
		out[name] = &v.Items[i]
	}
	return out
}

func (c *contract) required(m map[string]*tree.Value, name string, expected any) *tree.Value {
	if m[name] == nil {
		c.fault(failure.MissingArgument, "", expected, name)
	}
	return m[name]
}

// only complains about members that don't go with the others.
func (c *contract) only(m map[string]*tree.Value, what string, takes ...string) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if name != argKind && !slices.Contains(takes, name) {
			c.fault(failure.UnknownArgument, what+" doesn't take this", nil, name)
		}
	}
}

func (c *contract) source(v *tree.Value, req *viewRequest) {
	m := c.members(v, argKind, argEvidenceID, argEvidence)
	if m == nil {
		return
	}
	kind := c.required(m, argKind, anyOf(sourceKinds))
	if kind == nil {
		return
	}
	switch c.enum(kind, sourceKinds...) {
	case sourceRetained:
		c.only(m, "a retained source", argEvidenceID)
		if id := c.required(m, argEvidenceID, "string"); id != nil {
			s, ok := id.Str()
			switch {
			case !ok:
				c.fault(failure.InvalidType, "", "string", argEvidenceID)
			case !evidence.IsIdentifier(s):
				c.fault(failure.InvalidFormat, "an identifier is ev_ and 64 hexadecimal digits in lower case", nil, argEvidenceID)
			}
			req.retained = s
		}
	case sourceInline:
		c.only(m, "an inline source", argEvidence)
		c.required(m, argEvidence, "object")
	}
}

func (c *contract) view(v *tree.Value, req *viewRequest) {
	known := append([]string{argKind, argDetail}, viewTakes[kindQlog]...)
	m := c.members(v, known...)
	if m == nil {
		return
	}
	kind := c.required(m, argKind, anyOf(viewKinds))
	if kind == nil {
		return
	}
	if req.kind = c.enum(kind, viewKinds...); req.kind == "" {
		return
	}
	req.view = map[string]any{argKind: req.kind}
	c.only(m, "a "+req.kind+" view", viewTakes[req.kind]...)
	if req.kind == kindSummary {
		return
	}
	req.window = view.Window{
		Offset: c.integer(m, argOffset, 0, limits.SafeInteger, 0),
		Limit:  c.integer(m, argLimit, 1, limits.SafeInteger, viewLimits[req.kind]),
	}
	req.view[argOffset], req.view[argLimit] = req.window.Offset, req.window.Limit
	if m[argMaxChars] != nil {
		req.window.MaxChars = c.integer(m, argMaxChars, view.LeastChars, view.MostChars, 0)
		req.view[argMaxChars] = req.window.MaxChars
	}
	switch req.kind {
	case kindCapture:
		detail := details[0]
		if d := m[argDetail]; d != nil {
			detail = c.enum(d, details...)
		}
		req.complete = detail == "complete"
		req.view[argDetail] = detail
	case kindQlog:
		c.facet(m, req)
	}
}

func (c *contract) facet(m map[string]*tree.Value, req *viewRequest) {
	names := make([]string, len(facets))
	for i, f := range facets {
		names[i] = f.name
	}
	facet := c.required(m, argFacet, anyOf(names))
	if facet == nil {
		return
	}
	req.facet = c.enum(facet, names...)
	i := slices.Index(names, req.facet)
	if i < 0 {
		return
	}
	req.view[argFacet] = req.facet
	for _, s := range selectors {
		switch needed := slices.Contains(facets[i].needs, s); {
		case needed && m[s] == nil:
			c.fault(failure.MissingArgument, "the facet "+req.facet+" needs this selector", nil, s)
		case !needed && m[s] != nil:
			c.fault(failure.UnknownArgument, "the facet "+req.facet+" doesn't take this selector", nil, s)
		}
	}
	if m[argTrace] != nil {
		req.trace = c.integer(m, argTrace, 0, limits.SafeInteger, 0)
		req.view[argTrace] = req.trace
	}
	if v := m[argStream]; v != nil {
		s, ok := v.Str()
		if !ok {
			c.fault(failure.InvalidType, "", "string", argStream)
		}
		req.stream = s
		req.view[argStream] = s
	}
	if v := m[argDirection]; v != nil {
		d := c.enum(v, directions...)
		req.sent = d == "sent"
		req.view[argDirection] = d
	}
}

// integer reads an integer by value, or gives what stands for an absent one.
func (c *contract) integer(m map[string]*tree.Value, name string, least, most int64, absent int) int {
	v := m[name]
	if v == nil {
		return absent
	}
	if v.Kind != tree.Number {
		c.fault(failure.InvalidType, "", "integer", name)
		return absent
	}
	n, ok := exactint.Parse(v.Text.S)
	small := !ok && strings.HasPrefix(v.Text.S, "-")
	if !ok && !small {
		c.fault(failure.InvalidType, "", "integer", name)
		return absent
	}
	if small || int64(n) < least || int64(n) > most {
		c.issues = append(c.issues, failure.Issue{Path: append(slices.Clone(c.at), name), Reason: failure.OutOfRange, Minimum: &least, Maximum: &most})
		return absent
	}
	return int(n)
}

// MaxViewArguments is the longest arguments document of a view that is read from
// a file.
const MaxViewArguments = limits.InlineFile + limits.ArgumentBytes

// IsJSON says whether bytes are one strict JSON document, as arguments are.
func IsJSON(b []byte) bool { return strictjson.Check(b, limits.ArgumentDepth, nil, nil) == nil }
