package view

import (
	"slices"
	"strings"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// A shape says whether a value is what it must be, or else what is wrong, with
// the path to it from the end.
type shape func(v *tree.Value) *wrong

type wrong struct {
	reason   failure.Reason
	expected string
	path     []any // innermost first
}

func (w *wrong) at(step any) *wrong {
	w.path = append(w.path, step)
	return w
}

func of(kind tree.Kind, name string) shape {
	return func(v *tree.Value) *wrong {
		if v.Kind != kind {
			return &wrong{reason: failure.InvalidType, expected: name}
		}
		return nil
	}
}

var (
	anything = shape(func(*tree.Value) *wrong { return nil })
	text     = of(tree.String, "string")
	count    = shape(func(v *tree.Value) *wrong {
		if n, ok := Integer(v); !ok || n < 0 || n > limits.SafeInteger {
			return &wrong{reason: failure.InvalidType, expected: "non-negative integer"}
		}
		return nil
	})
)

// digest is a SHA-256 in lower-case hexadecimal.
func digest(v *tree.Value) *wrong {
	if s, ok := v.Str(); !ok || len(s) != 64 || strings.Trim(s, "0123456789abcdef") != "" {
		return &wrong{reason: failure.InvalidFormat, expected: "64 hexadecimal digits"}
	}
	return nil
}

func word(words ...string) shape {
	return func(v *tree.Value) *wrong {
		if s, ok := v.Str(); !ok || !slices.Contains(words, s) {
			return &wrong{reason: failure.InvalidValue, expected: strings.Join(words, " or ")}
		}
		return nil
	}
}

func nullable(s shape) shape {
	return func(v *tree.Value) *wrong {
		if v.Kind == tree.Null {
			return nil
		}
		return s(v)
	}
}

func list(of shape) shape {
	return func(v *tree.Value) *wrong {
		if v.Kind != tree.Array {
			return &wrong{reason: failure.InvalidType, expected: "array"}
		}
		for i := range v.Items {
			if w := of(&v.Items[i]); w != nil {
				return w.at(i)
			}
		}
		return nil
	}
}

// fields are the members of an object. A name with "?" at its end may be absent.
type fields map[string]shape

// object is an object of exactly these members.
func object(f fields) shape {
	return func(v *tree.Value) *wrong {
		if v.Kind != tree.Object {
			return &wrong{reason: failure.InvalidType, expected: "object"}
		}
		seen := 0
		for i := range v.Items {
			name := v.Items[i].Name.Decode()
			s, required := f[name]
			if !required {
				if s = f[name+"?"]; s == nil || strings.HasSuffix(name, "?") {
					return (&wrong{reason: failure.UnknownArgument}).at(name)
				}
			} else {
				seen++
			}
			if w := s(&v.Items[i]); w != nil {
				return w.at(name)
			}
		}
		for _, name := range sortedNames(f) {
			if !strings.HasSuffix(name, "?") && v.Get(name) == nil {
				return (&wrong{reason: failure.MissingArgument}).at(name)
			}
		}
		return nil
	}
}

func sortedNames(f fields) []string {
	names := make([]string, 0, len(f))
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// kinds is an object of which one member says what the others are.
func kinds(member string, of map[string]shape) shape {
	words := make([]string, 0, len(of))
	for w := range of {
		words = append(words, w)
	}
	slices.Sort(words)
	return func(v *tree.Value) *wrong {
		if v.Kind != tree.Object {
			return &wrong{reason: failure.InvalidType, expected: "object"}
		}
		m := v.Get(member)
		if m == nil {
			return (&wrong{reason: failure.MissingArgument}).at(member)
		}
		s, _ := m.Str()
		if of[s] == nil {
			return (&wrong{reason: failure.InvalidValue, expected: strings.Join(words, " or ")}).at(member)
		}
		return of[s](v)
	}
}

var (
	identity = object(fields{"id": text, "name": text, "version": nullable(text)})

	redactions = list(object(fields{
		"pointer": text, "reason": word(string(evidence.TransportCredential), string(evidence.ExplicitSensitive)),
		"scope?": word("property-name"),
	}))
	literals = list(object(fields{
		"literal": text, "pointer": text, "producer_type": word("json-number", "integer", "float"),
	}))
	binaries = list(kinds("state", map[string]shape{
		"retained": object(fields{"bytes": count, "content_base64": text, "pointer": text,
			"representation": text, "sha256": digest, "state": text}),
		"redacted": object(fields{"bytes": null, "content_base64": null, "pointer": text,
			"representation": text, "sha256": null, "state": text}),
	}))
	null      = of(tree.Null, "null")
	locations = kinds("kind", map[string]shape{
		evidence.AtPointer: object(fields{"kind": text, "pointer": text}),
		evidence.AtRange:   object(fields{"kind": text, "offset": count, "bytes": count}),
		evidence.AtMembers: object(fields{"kind": text, "members": list(text)}),
		evidence.AtUnknown: object(fields{"kind": text, "reason": text}),
	})
	deviations = list(object(fields{"expected": anything, "keyword": text, "pointer": text, "schema_pointer": nullable(text)}))

	recordShape = object(fields{
		"binary_fields": binaries, "deviations?": deviations, "deviation_total?": count,
		"limitations": list(text), "location": locations, "numeric_literals": literals,
		"ordinal": count, "redactions": redactions, "reported": anything,
	})
	containerShape = object(fields{
		"deviations?": deviations, "deviation_total?": count, "numeric_literals": literals,
		"records_pointer": nullable(text), "redactions": redactions, "reported": anything,
	})

	resultShapes = fields{
		"artifact":  object(fields{"bytes": count, "path": text, "sha256": nullable(digest)}),
		"container": containerShape, "decoder": identity, "format": text, "limitations": list(text),
		"runtime_attribution": word("unknown"), "total_records": count,
	}
	envelopeShapes = fields{
		"authority":      word("shipped-artifact", "controlled-replay", "historical-reference", "external-service", "analyst-inference"),
		"confidence":     word("observed", "derived", "inferred"),
		"environment":    null,
		"evidence_links": list(text),
		"limitations":    list(text),
		"locations":      list(of(tree.Object, "object")),
		"parameters":     of(tree.Object, "object"),
		"provider":       identity,
		"raw_result":     null,
		"subject": nullable(object(fields{"architecture": null, "digest": object(fields{"sha256": digest}),
			"format": word("file"), "local_path": text, "name": text})),
	}
)

const correctSource = "Give the Evidence of a capture as it was given out, whole and unchanged."

// checkShape checks a document against the shape of a capture's Evidence.
func (p *Parent) checkShape() error {
	predicate, err := p.text(p.index.envelope["predicate_type"])
	if err != nil {
		return err
	}
	if predicate != "rea.analysis" {
		return Mismatch(p.ID, "wrong_predicate", "rea.analysis")
	}
	if err := p.checkMembers(envelopeShapes, p.index.envelope); err != nil {
		return err
	}
	format, err := p.text(p.index.result["format"])
	if err != nil {
		return err
	}
	shapes := fields{"qlog": of(tree.Object, "object"), "records": nil}
	if format != "qlog" {
		delete(shapes, "qlog")
	}
	for name, s := range resultShapes {
		shapes[name] = s
	}
	for name := range p.index.result {
		if _, ok := shapes[name]; !ok {
			return badSource(&wrong{reason: failure.UnknownArgument, path: []any{name}}, "normalized_result")
		}
	}
	if s := p.index.result["records"]; s.Len() == 0 {
		return badSource(&wrong{reason: failure.MissingArgument, path: []any{"records"}}, "normalized_result")
	} else if b, err := p.bytes(tree.Span{Start: s.Start, End: s.Start + 1}); err != nil {
		return err
	} else if b[0] != '[' {
		return badSource(&wrong{reason: failure.InvalidType, expected: "array", path: []any{"records"}}, "normalized_result")
	}
	if err := p.checkMembers(shapes, p.index.result, "normalized_result"); err != nil {
		return err
	}
	return p.checkRecords()
}

func (p *Parent) checkMembers(shapes fields, at map[string]tree.Span, path ...any) error {
	for _, name := range sortedNames(shapes) {
		if shapes[name] == nil {
			continue
		}
		v, err := p.value(at[name])
		if err != nil {
			return err
		}
		if _, ok := at[name]; !ok {
			return badSource(&wrong{reason: failure.MissingArgument, path: []any{name}}, path...)
		}
		if w := shapes[name](&v); w != nil {
			return badSource(w.at(name), path...)
		}
	}
	return nil
}

// checkRecords also sees to it that ordinals are places in the capture, each
// taken once.
func (p *Parent) checkRecords() error {
	total, err := p.value(p.index.result["total_records"])
	if err != nil {
		return err
	}
	n, _ := Integer(&total)
	seen := make(map[int64]bool, p.Retained())
	var arena strictjson.Arena
	for i := range p.Retained() {
		b, err := p.Record(i)
		if err != nil {
			return err
		}
		v := strictjson.Build(b, tree.Span{End: len(b)}, &arena)
		w := recordShape(&v)
		if w == nil && (v.Get("deviations") == nil) != (v.Get("deviation_total") == nil) {
			w = &wrong{reason: failure.MissingArgument, path: []any{"deviations"}}
		}
		ordinal, _ := Integer(v.Get("ordinal"))
		if w == nil && (ordinal >= n || seen[ordinal]) {
			w = &wrong{reason: failure.OutOfRange, expected: "an ordinal of its own below total_records", path: []any{"ordinal"}}
		}
		if w != nil {
			return badSource(w.at(i).at("records"), "normalized_result")
		}
		seen[ordinal] = true
		arena.Reset()
	}
	return nil
}

// badSource is the failure of a document that has another shape.
func badSource(w *wrong, path ...any) error {
	at := append([]any{"source"}, path...)
	for _, step := range slices.Backward(w.path) {
		at = append(at, step)
	}
	issue := failure.Issue{Path: at, Reason: w.reason, Message: "the Evidence doesn't have the shape of a capture's Evidence"}
	if w.expected != "" {
		issue.Expected = w.expected
	}
	return Invalid(correctSource, issue)
}
