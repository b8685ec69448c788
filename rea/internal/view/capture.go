package view

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"slices"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/format/qlog/facts"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// qlog is the format that has a facet, and an analysis profile.
const qlog = facts.Name

// placed says for each format in what way it tells where its records are, and
// where in the container their one list is, if they are in one.
var placed = map[string]struct{ record, list string }{
	"har":       {evidence.AtPointer, "/log/entries"},
	"mitmproxy": {evidence.AtRange, ""},
	qlog:        {evidence.AtPointer, ""},
	"saz":       {evidence.AtMembers, ""},
}

var (
	identity = object(fields{"id": filled, "name": filled, "version": filled})

	redactions = list(object(fields{
		"pointer": text, "reason": word(string(evidence.TransportCredential), string(evidence.ExplicitSensitive)),
		"scope?": word("property-name"),
	}))
	literals = list(object(fields{
		"literal": text, "pointer": text, "producer_type": word("json-number", "integer", "float"),
	}))
	binaries = list(kinds("state", map[string]shape{
		"retained": content,
		"redacted": object(fields{"bytes": null, "content_base64": null, "pointer": text,
			"representation": text, "sha256": null, "state": text}),
	}))
	null       = of(tree.Null, "null")
	deviations = list(object(fields{"expected": anything, "keyword": text, "pointer": text, "schema_pointer": nullable(text)}))

	resultShapes = fields{
		"artifact": object(fields{"bytes": count, "path": text, "sha256": nullable(digest)}),
		"decoder":  identity, "format": word(slices.Sorted(maps.Keys(placed))...), "limitations": list(text),
		"runtime_attribution": word("unknown"), "total_records": count,
	}
	envelopeShapes = fields{
		"authority":      word("historical-reference"),
		"confidence":     word("observed"),
		"environment":    null,
		"evidence_links": exactly([]any{}, "no links: a capture has no parents"),
		"limitations":    list(text),
		"raw_result":     null,
		"subject": nullable(object(fields{"architecture": null, "digest": object(fields{"sha256": digest}),
			"format": word("file"), "local_path": text, "name": text})),
	}
)

// placesOf are the places that records of a format can have.
func placesOf(format string) shape {
	every := map[string]fields{
		evidence.AtPointer: {"pointer": text},
		evidence.AtRange: {"offset": count, "bytes": func(v *tree.Value) *wrong {
			if n, ok := Integer(v); !ok || n < 1 || n > limits.SafeInteger {
				return &wrong{reason: failure.InvalidType, expected: "positive integer"}
			}
			return nil
		}},
		evidence.AtMembers: {"members": list(text)},
		evidence.AtUnknown: {"reason": word(string(evidence.ExplicitSensitive))},
	}
	may := map[string]shape{}
	for _, kind := range []string{placed[format].record, evidence.AtUnknown} {
		every[kind]["kind"] = text
		may[kind] = object(every[kind])
	}
	return kinds("kind", may)
}

func containerOf(format string) shape {
	pointer := null
	if list := placed[format].list; list != "" {
		pointer = nullable(word(list)) // null where a declared value hides it
	}
	return object(fields{
		"deviations?": deviations, "deviation_total?": count, "numeric_literals": literals,
		"records_pointer": pointer, "redactions": redactions, "reported": anything,
	})
}

var contentShape = object(fields{"bytes": count, "content_base64": text, "pointer": text,
	"representation": text, "sha256": digest, "state": text})

// content is bytes with their number and their digest.
func content(v *tree.Value) *wrong {
	if w := contentShape(v); w != nil {
		return w
	}
	spelt, _ := v.Get("content_base64").Str()
	b, err := base64.StdEncoding.Strict().DecodeString(spelt)
	if err != nil || base64.StdEncoding.EncodedLen(len(b)) != len(spelt) { // it reads over line feeds
		return (&wrong{reason: failure.InvalidFormat, expected: "canonical base64"}).at("content_base64")
	}
	if n, _ := Integer(v.Get("bytes")); n != int64(len(b)) {
		return (&wrong{reason: failure.InvalidValue, expected: "the number of bytes of the content"}).at("bytes")
	}
	sum := sha256.Sum256(b)
	if s, _ := v.Get("sha256").Str(); s != hex.EncodeToString(sum[:]) {
		return (&wrong{reason: failure.InvalidValue, expected: "the digest of the content"}).at("sha256")
	}
	return nil
}

func recordOf(format string) shape {
	return object(fields{
		"binary_fields": binaries, "deviations?": deviations, "deviation_total?": count,
		"limitations": list(text), "location": placesOf(format), "numeric_literals": literals,
		"ordinal": count, "redactions": redactions, "reported": anything,
	})
}

func boolean(v *tree.Value) *wrong {
	if v.Kind != tree.True && v.Kind != tree.False {
		return &wrong{reason: failure.InvalidType, expected: "boolean"}
	}
	return nil
}

var (
	clock = exactly(facts.Clock(), "the clock of the profile")

	profileShape = object(fields{
		"digest":                          digest,
		"parameters":                      object(fields{"clock": clock, "producer": filled, "qlog_format": filled, "qlog_version": filled}),
		"provider":                        identity,
		"provider_profile_schema_version": exactly(1, "1"),
		"schema_version":                  exactly(1, "1"),
	})
)

// facetShape makes the shape of a facet; it is for one goroutine.
func facetShape() longShape {
	stream := longObject(longFields{
		"contributions": longList(short(object(fields{"fin": nullable(boolean), "frame_index": count,
			"length": nullable(decimal), "offset": nullable(decimal), "ordinal": count}))),
		"direction":        short(word(facts.Received.String(), facts.Sent.String())),
		"final_sizes":      longList(longObject(longFields{"ordinals": longList(short(count)), "size": short(decimal)})),
		"frame_length_sum": short(nullable(decimal)),
		"ranges":           longList(short(object(fields{"end": decimal, "start": decimal}))),
		"repeated_bytes":   short(nullable(decimal)),
		"stream_id":        short(decimal),
		"unique_bytes":     short(nullable(decimal)),
	})
	trace := longObject(longFields{
		"events": short(count), "incomplete_records": longList(short(count)),
		"loss_declarations": longList(short(object(fields{"ordinal": count, "packet_number": nullable(decimal), "packet_type": nullable(text)}))),
		"odcid":             short(nullable(text)), "pointer": short(nullable(text)),
		"streams":       longList(stream, "stream_id", "direction"),
		"trace_index":   short(count),
		"vantage_point": short(nullable(object(fields{"name": nullable(text), "type": nullable(text)}))),
	})
	return longObject(longFields{
		"body_bytes": short(word(facts.Bodies)), "clock": short(clock), "profile": short(word(facts.Profile)), "scope": short(word(facts.Scope)),
		"traces": longList(trace, "trace_index"),
	})
}

// profileOf is the analysis profile of a format. Its digest is that of the rest
// of it.
func profileOf(format string) shape {
	if format != qlog {
		return null
	}
	return func(v *tree.Value) *wrong {
		if w := profileShape(v); w != nil {
			return w
		}
		rest := *v
		rest.Items = slices.DeleteFunc(slices.Clone(v.Items), func(m tree.Value) bool { return m.Name == "digest" })
		sum := sha256.Sum256(strictjson.AppendCanonical(nil, &rest))
		if s, _ := v.Get("digest").Str(); s != hex.EncodeToString(sum[:]) {
			return (&wrong{reason: failure.InvalidValue, expected: "the digest of the rest of the profile"}).at("digest")
		}
		return nil
	}
}

// agreeing are the members of an envelope that follow from its result.
func agreeing(format string, artifact, decoder, limitations *tree.Value) fields {
	path, _ := artifact.Get("path").Str()
	locations := []any{}
	if path != "" {
		locations = append(locations, map[string]any{"kind": "artifact-path", "path": path})
	}
	notes := slices.Clone(limitations.Items)
	if n := len(notes); n > 0 && artifact.Get("sha256").Kind == tree.Null {
		// The note that says why there is no digest is the last of the result, and
		// the first of the envelope.
		notes = append(notes[n-1:n:n], notes[:n-1]...)
	}
	return fields{
		"analysis_profile": profileOf(format),
		"limitations":      exactly(tree.Value{Kind: tree.Array, Items: notes}, "the limitations of the result"),
		"locations":        exactly(locations, "the artifact's path, or nothing where there is none"),
		"parameters": object(fields{
			"capture_path": exactly(path, "the artifact's path"), "conformance?": word("report"), "format?": word(format),
			"record_ordinals": list(count), "sensitive_value_count?": count,
		}),
		"provider": exactly(decoder, "the decoder"),
	}
}

const correctSource = "Give the Evidence of a capture as it was given out, whole and unchanged."

// checkShape checks a document against the shape of a capture's Evidence.
func (p *Parent) checkShape(ctx context.Context) error {
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
	shapes := fields{"container": nil, "records": nil} // in their turn
	maps.Copy(shapes, resultShapes)
	if format == qlog {
		shapes[qlog] = nil
	}
	for _, name := range slices.Sorted(maps.Keys(p.index.result)) {
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
	if format == qlog {
		if err := p.checkFacet(ctx); err != nil {
			return err
		}
	}
	artifact, err := p.value(p.index.result["artifact"])
	if err != nil {
		return err
	}
	decoder, err := p.value(p.index.result["decoder"])
	if err != nil {
		return err
	}
	limitations, err := p.value(p.index.result["limitations"])
	if err != nil {
		return err
	}
	if err := p.checkMembers(agreeing(format, &artifact, &decoder, &limitations), p.index.envelope); err != nil {
		return err
	}
	if err := p.checkMembers(fields{"container": containerOf(format)}, p.index.result, "normalized_result"); err != nil {
		return err
	}
	return p.checkRecords(ctx, recordOf(format))
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

func (p *Parent) checkFacet(ctx context.Context) error {
	facet, err := p.Text(ctx, qlog)
	if err != nil {
		return err
	}
	if facet == nil {
		return badSource(&wrong{reason: failure.MissingArgument, path: []any{qlog}}, "normalized_result")
	}
	w := facet.Walk(ctx)
	bad := facetShape()(w)
	if w.Err() != nil {
		return w.Err()
	}
	if bad != nil {
		return badSource(bad.at(qlog), "normalized_result")
	}
	return nil
}

// checkRecords also sees to it that ordinals are places in the capture, each
// taken once, and those that were asked for.
func (p *Parent) checkRecords(ctx context.Context, record shape) error {
	total, err := p.value(p.index.result["total_records"])
	if err != nil {
		return err
	}
	n, _ := Integer(&total)
	parameters, err := p.value(p.index.envelope["parameters"])
	if err != nil {
		return err
	}
	asked := parameters.Get("record_ordinals").Items
	if len(asked) != p.Retained() {
		return otherRecords()
	}
	seen := make(map[int64]bool, p.Retained())
	var arena strictjson.Arena
	for i := range p.Retained() {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := p.Record(i)
		if err != nil {
			return err
		}
		v := strictjson.Build(b, tree.Span{End: len(b)}, &arena)
		w := record(&v)
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
		if want, _ := Integer(&asked[i]); want != ordinal {
			return otherRecords()
		}
		seen[ordinal] = true
		arena.Reset()
	}
	return nil
}

func otherRecords() error {
	return badSource(&wrong{reason: failure.InvalidValue, expected: "the ordinals of the records, in their order", path: []any{"record_ordinals"}}, "parameters")
}

// badSource is the failure of a document that has another shape.
func badSource(w *wrong, path ...any) error {
	at := append([]any{"source", "evidence"}, path...)
	for _, step := range slices.Backward(w.path) {
		at = append(at, step)
	}
	issue := failure.Issue{Path: at, Reason: w.reason, Message: "the Evidence doesn't have the shape of a capture's Evidence"}
	if w.expected != "" {
		issue.Expected = w.expected
	}
	return Invalid(correctSource, issue)
}
