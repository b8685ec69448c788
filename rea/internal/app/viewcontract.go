package app

import (
	"maps"
	"slices"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/exactint"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/format/qlog/facts"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view"
	"rea.example/rea/internal/view/qlogfacet"
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
	kindQlog    = qlogfacet.Kind
)

var (
	sourceKinds = []string{sourceRetained, sourceInline}
	viewKinds   = []string{kindSummary, kindCapture, kindSurface, kindQlog}
	details     = []string{"preview", "complete"}
	directions  = []string{facts.Sent.String(), facts.Received.String()}
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
)

// viewRequest is the argument contract of inspect_analysis_view, read.
type viewRequest struct {
	retained string // the identifier; or
	inline   []byte // the text of the Evidence
	kind     string
	complete bool
	window   view.Window
	facet    qlogfacet.Request
	view     map[string]any // the request as results repeat it, defaults filled in
}

// readView reads arguments. Evidence inside them is left as text. No value can
// be declared here: what a caller declares even so is an argument that nobody
// knows, and covers the complaints about that and all others.
func readView(raw []byte, inline int) (viewRequest, *redact.Declarations, *failure.Failure) {
	none := redact.NewDeclarations(nil)
	retain := "Inspect the capture through this server, and refer to the Evidence that it retains."
	if inline == 0 {
		inline = limits.InlineFile
		retain = "Inspect the capture with fewer records; or look at it through the server (rea mcp), which retains the Evidence."
	}
	tooLarge := failure.Issue{Path: []any{argSource, argEvidence}, Reason: failure.OutOfRange,
		Message: "the inline Evidence is too large", Expected: map[string]any{"maximum_inline_evidence_bytes": inline}}
	if len(raw) > inline+limits.ArgumentBytes {
		return viewRequest{}, none, view.Invalid(retain, tooLarge)
	}
	var root tree.Span
	var given []tree.Span
	err := strictjson.Check(raw, limits.EvidenceDepth, []strictjson.Path{{}, {argSource, argEvidence}}, func(which int, s tree.Span) {
		if which == 0 {
			root = s
		} else {
			given = append(given, s)
		}
	})
	if err != nil {
		return viewRequest{}, none, view.Invalid(correct, unreadableArguments(err, limits.EvidenceDepth))
	}
	args, ok := strictjson.BuildWithin(limits.EvidenceValues, raw, root, new(strictjson.Arena), given...)
	if !ok {
		return viewRequest{}, none, view.Invalid(correct, failure.Issue{Path: []any{}, Reason: failure.OutOfRange,
			Message: "there are too many values", Expected: map[string]any{"maximum_argument_values": limits.EvidenceValues}})
	}
	c := contract{}
	req := c.viewArguments(&args)
	action := correct
	for _, s := range given {
		req.inline = raw[s.Start:s.End]
		if s.Len() > inline {
			if c.add(tooLarge); len(c.issues) == 1 {
				action = retain
			} else {
				action += " " + retain
			}
		} else if raw[s.Start] != '{' {
			c.add(failure.Issue{Path: []any{argSource, argEvidence}, Reason: failure.InvalidType, Expected: "object"})
		}
	}
	if len(c.issues) > 0 {
		return viewRequest{}, redact.NewDeclarations(lenientStrings(args.Get(argSensitive))), view.Invalid(action, c.issues...)
	}
	return req, none, nil
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
		name := v.Items[i].Name
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
	m := c.members(v, append([]string{argKind, argDetail}, viewTakes[kindQlog]...)...)
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
	switch req.kind {
	case kindSummary:
		return
	case kindQlog:
		c.facet(v, req)
	default:
		req.window = view.Window{
			Offset: c.integer(m, argOffset, 0, limits.SafeInteger, 0),
			Limit:  c.integer(m, argLimit, 1, limits.SafeInteger, viewLimits[req.kind]),
		}
		req.view[argOffset], req.view[argLimit] = req.window.Offset, req.window.Limit
	}
	if req.kind == kindCapture {
		detail := details[0]
		if d := m[argDetail]; d != nil {
			detail = c.enum(d, details...)
		}
		req.complete = detail == "complete"
		req.view[argDetail] = detail
	}
	if m[argMaxChars] != nil {
		req.window.MaxChars = c.integer(m, argMaxChars, view.LeastChars, view.MostChars, 0)
		req.view[argMaxChars] = req.window.MaxChars
	}
}

// facet reads what only a view of a qlog has.
func (c *contract) facet(v *tree.Value, req *viewRequest) {
	facet, issues := qlogfacet.Read(v)
	for _, is := range issues {
		if is.Reason == failure.UnknownArgument && !slices.Contains(selectors, is.Path[0].(string)) {
			continue // it is known already
		}
		is.Path = slices.Concat(c.at, is.Path)
		c.add(is)
	}
	req.facet, req.view = facet, facet.View()
	req.window = view.Window{Offset: facet.Offset, Limit: facet.Limit}
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
	n, ok := exactint.Parse(v.Text)
	if !exactint.Whole(v.Text) {
		c.fault(failure.InvalidType, "", "integer", name)
		return absent
	}
	if !ok || int64(n) < least || int64(n) > most {
		c.add(failure.Issue{Path: append(slices.Clone(c.at), name), Reason: failure.OutOfRange, Minimum: &least, Maximum: &most})
		return absent
	}
	return int(n)
}

// MaxViewArguments is the longest arguments document of a view that is read from
// a file.
const MaxViewArguments = limits.InlineFile + limits.ArgumentBytes

// IsJSON says whether bytes are one strict JSON document, as arguments are.
func IsJSON(b []byte) bool { return strictjson.Check(b, limits.EvidenceDepth, nil, nil) == nil }

// Spelt gives what a JSON string spells, and whether the bytes are one.
func Spelt(quoted []byte) (string, bool) {
	v, err := strictjson.Parse(quoted, 0)
	if err != nil {
		return "", false
	}
	return v.Str()
}
