package app

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rea.example/rea/internal/exactint"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/all"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// inspectRequest is the argument contract of inspect_web_network_capture, read.
type inspectRequest struct {
	path     string
	place    string // where the path leads, and what is opened
	format   format.Format
	all      bool
	ordinals []int
	declared []string
	report   bool
	decoder  string    // as asked for; "" is auto
	upstream *upstream // who reads in place of this program, or nil
	summary  bool      // the reply is the summary of the Evidence
}

// Argument names of inspect_web_network_capture.
const (
	argPath        = "capture_path"
	argFormat      = "format"
	argOrdinals    = "record_ordinals"
	argSensitive   = "sensitive_values"
	argConformance = "conformance"
	argDetail      = "detail"
	argDecoder     = "decoder"
)

const correct = "Correct the arguments that the issues name, and call again."

// readInspect reads arguments. Declarations are read first and leniently: they
// cover every complaint, also those about arguments that nobody knows.
func readInspect(raw []byte) (inspectRequest, *redact.Declarations, *failure.Failure) {
	none := redact.NewDeclarations(nil)
	if len(raw) > limits.ArgumentBytes {
		return inspectRequest{}, none, invalid(failure.Issue{Path: []any{}, Reason: failure.OutOfRange,
			Expected: map[string]any{"maximum_argument_bytes": limits.ArgumentBytes}})
	}
	args, err := strictjson.Parse(raw, limits.ArgumentDepth)
	if err != nil {
		return inspectRequest{}, none, invalid(unreadableArguments(err, limits.ArgumentDepth))
	}
	declared := redact.NewDeclarations(lenientStrings(args.Get(argSensitive)))
	c := contract{}
	req := c.inspect(&args)
	if len(c.issues) > 0 {
		return req, declared, invalid(c.issues...)
	}
	return req, declared, nil
}

func invalid(issues ...failure.Issue) *failure.Failure {
	msg := "the arguments are not valid"
	if is := issues[0]; len(issues) == 1 && is.Message != "" {
		msg = is.Message
	}
	return &failure.Failure{Code: failure.InvalidRequest, Message: msg, Action: correct, Issues: issues}
}

// unreadableArguments says what is wrong with arguments that are no strict JSON.
// It gives no pointer: the names on the way to it can't be covered yet.
func unreadableArguments(err error, depth int) failure.Issue {
	issue := failure.Issue{Path: []any{}, Reason: failure.InvalidFormat}
	var p *strictjson.Problem
	if !errors.As(err, &p) {
		return issue
	}
	issue.Message = "not one strict JSON document (byte " + strconv.Itoa(p.Offset) + ")"
	if p.Kind == strictjson.Depth {
		issue.Reason = failure.OutOfRange
		issue.Message = "nested too deeply (byte " + strconv.Itoa(p.Offset) + ")"
		issue.Expected = map[string]any{"maximum_argument_nesting": depth}
	}
	return issue
}

// lenientStrings takes whatever could have been meant as a declaration.
func lenientStrings(v *tree.Value) []string {
	if v == nil {
		return nil
	}
	var out []string
	if s, ok := v.Str(); ok && s != "" {
		out = append(out, s)
	}
	for i := range v.Items {
		out = append(out, lenientStrings(&v.Items[i])...)
	}
	return out
}

// contract gathers issues while arguments are read.
type contract struct {
	issues []failure.Issue
	at     []any // the path to the object that is being read
}

func (c *contract) fault(reason failure.Reason, message string, expected any, path ...any) {
	c.add(failure.Issue{Path: slices.Concat(c.at, path), Reason: reason, Message: message, Expected: expected})
}

// add keeps the first issues: arguments may hold millions of mistakes.
func (c *contract) add(issue failure.Issue) {
	if len(c.issues) < limits.ArgumentIssues {
		c.issues = append(c.issues, issue)
	}
}

func (c *contract) inspect(args *tree.Value) inspectRequest {
	req := inspectRequest{all: true}
	if args.Kind != tree.Object {
		c.fault(failure.InvalidType, "", "object")
		return req
	}
	var path, name *tree.Value
	for i := range args.Items {
		m := &args.Items[i]
		switch key := m.Name; key {
		case argPath:
			path = m
		case argFormat:
			name = m
		case argOrdinals:
			req.all = false
			req.ordinals = c.ordinals(m)
		case argSensitive:
			req.declared = c.literals(m)
		case argConformance:
			req.report = c.enum(m, "strict", "report") == "report"
		case argDecoder:
			req.decoder = c.enum(m, decoderAuto, decoderUpstream, decoderEmbedded)
		case argDetail:
			req.summary = c.enum(m, "complete", "summary") == "summary"
		default:
			c.fault(failure.UnknownArgument, "", nil, key)
		}
	}
	req.path = c.path(path)
	if req.format = c.format(name); req.format != nil && req.report && !req.format.Profile().Conformance {
		c.fault(failure.InvalidValue, "this format has only strict conformance", []any{"strict"}, argConformance)
	}
	if _, foreign := req.format.(format.Foreign); req.format != nil && !foreign && (req.decoder == decoderUpstream || req.decoder == decoderEmbedded) {
		c.fault(failure.InvalidValue, "this format has one decoder", []any{decoderAuto}, argDecoder)
	}
	return req
}

func (c *contract) path(v *tree.Value) string {
	if v == nil {
		c.fault(failure.MissingArgument, "", "string", argPath)
		return ""
	}
	s, ok := v.Str()
	switch {
	case !ok:
		c.fault(failure.InvalidType, "", "string", argPath)
	case s == "":
		one := int64(1)
		c.add(failure.Issue{Path: []any{argPath}, Reason: failure.OutOfRange, Minimum: &one, Message: "the path is empty"})
	case strings.ContainsRune(s, 0), tree.HasLoneSurrogate(s):
		c.fault(failure.InvalidFormat, "the path holds a character that no path can hold", nil, argPath)
	case !filepath.IsAbs(s):
		c.fault(failure.InvalidFormat, "the path must be absolute on this host", nil, argPath)
	}
	return s
}

func (c *contract) format(v *tree.Value) format.Format {
	names := make([]string, len(all.Formats))
	for i, f := range all.Formats {
		names[i] = f.Profile().Name
	}
	if v == nil {
		c.fault(failure.MissingArgument, "", anyOf(names), argFormat)
		return nil
	}
	return all.Named(c.enum(v, names...))
}

func (c *contract) enum(v *tree.Value, allowed ...string) string {
	name := v.Name
	s, ok := v.Str()
	if !ok {
		c.fault(failure.InvalidType, "", "string", name)
		return ""
	}
	for _, a := range allowed {
		if s == a {
			return s
		}
	}
	c.fault(failure.InvalidValue, "", anyOf(allowed), name)
	return ""
}

func (c *contract) ordinals(v *tree.Value) []int {
	if v.Kind != tree.Array {
		c.fault(failure.InvalidType, "", "array", argOrdinals)
		return nil
	}
	if len(v.Items) == 0 {
		one := int64(1)
		c.add(failure.Issue{Path: []any{argOrdinals}, Reason: failure.OutOfRange, Minimum: &one,
			Message: "name at least one record, or leave the argument out"})
	}
	out := make([]int, 0, len(v.Items))
	seen := make(map[int]bool, len(v.Items))
	for i := range v.Items {
		item := &v.Items[i]
		n, ok := uint64(0), false
		if item.Kind == tree.Number {
			n, ok = exactint.Parse(item.Text)
		}
		switch zero := int64(0); {
		case item.Kind != tree.Number:
			c.fault(failure.InvalidType, "", "integer", argOrdinals, i)
			continue
		case !exactint.Whole(item.Text):
			c.fault(failure.InvalidType, "", "integer", argOrdinals, i)
			continue
		case !ok && strings.HasPrefix(item.Text, "-"):
			c.add(failure.Issue{Path: []any{argOrdinals, i}, Reason: failure.OutOfRange, Minimum: &zero})
			continue
		case !ok || n > limits.SafeInteger:
			safe := int64(limits.SafeInteger)
			c.add(failure.Issue{Path: []any{argOrdinals, i}, Reason: failure.OutOfRange, Maximum: &safe})
			continue
		}
		if seen[int(n)] {
			c.fault(failure.InvalidFormat, "a record may be selected once only", nil, argOrdinals)
		}
		seen[int(n)] = true
		out = append(out, int(n))
	}
	return out
}

func (c *contract) literals(v *tree.Value) []string {
	if v.Kind != tree.Array {
		c.fault(failure.InvalidType, "", "array", argSensitive)
		return nil
	}
	out := make([]string, 0, len(v.Items))
	for i := range v.Items {
		s, ok := v.Items[i].Str()
		switch one := int64(1); {
		case !ok:
			c.fault(failure.InvalidType, "", "string", argSensitive, i)
		case s == "":
			c.add(failure.Issue{Path: []any{argSensitive, i}, Reason: failure.OutOfRange, Minimum: &one,
				Message: "a declared value may not be empty"})
		}
		out = append(out, s)
	}
	return out
}

func anyOf(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}
