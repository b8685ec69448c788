package app

import (
	"slices"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/all"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/view"
	"rea.example/rea/internal/view/qlogfacet"
)

// Schemas are JSON Schemas (draft 2020-12) of an operation, as canonical JSON.
type Schemas struct {
	Operation string
	// Input accepts exactly the arguments that the contract accepts.
	Input []byte
	// Head describes a result down to the head of normalized_result, for lists
	// in which every byte counts; Output describes all of it.
	Head, Output []byte
}

// AllSchemas gives the schemas of both operations.
func AllSchemas() []Schemas {
	return []Schemas{
		{evidence.InspectCapture, write(inspectInput()), write(inspectOutput(false)), write(inspectOutput(true))},
		{view.Operation, write(viewInput()), write(viewOutput(false)), write(viewOutput(true))},
	}
}

func write(s schema) []byte {
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	return strictjson.AppendValue(nil, s)
}

// schema is a JSON Schema.
type schema = map[string]any

func typed(kind string, more ...any) schema {
	s := schema{"type": kind}
	for i := 0; i < len(more); i += 2 {
		s[more[i].(string)] = more[i+1]
	}
	return s
}

func enumOf(words ...string) schema { return typed("string", "enum", anyOf(words)) }

func arrayOf(items schema, more ...any) schema {
	return typed("array", append([]any{"items", items}, more...)...)
}

// closed is an object of these members alone; all of them are required but
// those that are named.
func closed(properties schema, optional ...string) schema {
	required := []string{}
	for name := range properties {
		if !slices.Contains(optional, name) {
			required = append(required, name)
		}
	}
	slices.Sort(required)
	return typed("object", "additionalProperties", false, "properties", properties, "required", required)
}

func describe(s schema, text string) schema {
	s["description"] = text
	return s
}

// given is an if and then: where a member has one of these values, the rest
// follows.
func given(member string, values []string, then schema) schema {
	return schema{
		"if":   schema{"properties": schema{member: enumOf(values...)}, "required": []string{member}},
		"then": then,
	}
}

func onlyNames(names ...string) schema {
	return schema{"propertyNames": schema{"enum": anyOf(names)}}
}

func inspectInput() schema {
	var names, reporting, foreign []string
	for _, f := range all.Formats {
		if _, ok := f.(format.Foreign); ok {
			foreign = append(foreign, f.Profile().Name)
		}
		names = append(names, f.Profile().Name)
		if f.Profile().Conformance {
			reporting = append(reporting, f.Profile().Name)
		}
	}
	s := closed(schema{
		argPath: typed("string", "minLength", 1, "pattern", absolutePath,
			"description", "Absolute path of the capture file on this host."),
		argFormat: describe(enumOf(names...), "Format of the capture; it is never guessed."),
		argOrdinals: arrayOf(typed("integer", "minimum", 0, "maximum", limits.SafeInteger), "minItems", 1, "uniqueItems", true,
			"description", "Zero-based records to return, in this order; absent is all."),
		argSensitive: arrayOf(typed("string", "minLength", 1),
			"default", []any{}, "description", "Literal texts; what holds one is left out of everything returned."),
		argConformance: typed("string", "enum", []any{"strict", "report"}, "default", "strict",
			"description", "report lists what breaks the format's schema as deviations."),
		argDecoder: typed("string", "enum", []any{decoderAuto, decoderUpstream, decoderEmbedded}, "default", decoderAuto,
			"description", "Who reads a mitmproxy capture; auto is upstream where REA_MITMDUMP_COMMAND is set."),
		argDetail: typed("string", "enum", []any{"complete", "summary"}, "default", "complete",
			"description", "summary retains the Evidence and returns its identity and counts."),
	}, argOrdinals, argSensitive, argConformance, argDecoder, argDetail)
	if len(reporting) < len(names) {
		s["allOf"] = []any{
			given(argConformance, []string{"report"}, schema{"properties": schema{argFormat: enumOf(reporting...)}}),
			given(argDecoder, []string{decoderUpstream, decoderEmbedded}, schema{"properties": schema{argFormat: enumOf(foreign...)}}),
		}
	}
	return s
}

func viewInput() schema {
	index := func() schema { return typed("integer", "minimum", 0, "maximum", limits.SafeInteger) }
	source := closed(schema{
		argKind:       enumOf(sourceKinds...),
		argEvidenceID: typed("string", "pattern", "^ev_[0-9a-f]{64}$", "description", "Of retained Evidence: parent_evidence_id of a summary."),
		argEvidence:   typed("object", "description", "A complete Evidence record, unchanged."),
	}, argEvidenceID, argEvidence)
	source["allOf"] = []any{
		given(argKind, sourceKinds[:1], with(onlyNames(argKind, argEvidenceID), "required", []string{argEvidenceID})),
		given(argKind, sourceKinds[1:], with(onlyNames(argKind, argEvidence), "required", []string{argEvidence})),
	}
	v := closed(schema{
		argKind:     enumOf(viewKinds...),
		argDetail:   typed("string", "enum", anyOf(details), "default", details[0], "description", "capture: outlines, or exact records."),
		argOffset:   with(index(), "default", 0),
		argLimit:    typed("integer", "minimum", 1, "maximum", limits.SafeInteger, "description", "Rows; default capture 20, api-surface 50, qlog 64."),
		argMaxChars: typed("integer", "minimum", view.LeastChars, "maximum", view.MostChars, "description", "Most UTF-16 units of the text."),
		argFacet:    enumOf(qlogfacet.Facets()...),
		argTrace:    index(), argStream: typed("string"), argDirection: enumOf(directions...),
	}, argDetail, argOffset, argLimit, argMaxChars, argFacet, argTrace, argStream, argDirection)
	var rules []any
	for _, kind := range viewKinds {
		then := onlyNames(append([]string{argKind}, viewTakes[kind]...)...)
		if kind == kindQlog {
			then["required"] = []string{argFacet}
		}
		rules = append(rules, given(argKind, []string{kind}, then))
	}
	for _, needs := range [][]string{nil, selectors[:1], selectors} {
		var names []string
		for _, f := range qlogfacet.Facets() {
			if slices.Equal(qlogfacet.Selectors(f), needs) {
				names = append(names, f)
			}
		}
		then := onlyNames(slices.Concat([]string{argKind, argFacet}, needs, paging)...)
		if len(needs) > 0 {
			then["required"] = needs
		}
		rules = append(rules, given(argFacet, names, then))
	}
	v["allOf"] = rules
	return closed(schema{argSource: source, argView: v})
}

func with(s schema, key string, v any) schema {
	s[key] = v
	return s
}
