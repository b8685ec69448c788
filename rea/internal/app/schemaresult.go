package app

import (
	"maps"
	"slices"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/view"
)

func inspectOutput(whole bool) schema {
	return envelope(whole, typed("object", "anyOf", []any{captureResult(whole), viewResult(whole, kindSummary)}), evidence.InspectCapture, view.Operation)
}

func viewOutput(whole bool) schema {
	if !whole {
		return envelope(false, viewResult(false, viewKinds...), view.Operation)
	}
	var each []any
	for _, kind := range viewKinds {
		each = append(each, viewResult(true, kind))
	}
	return envelope(true, typed("object", "anyOf", each), view.Operation)
}

func orNull(kind string, more ...any) schema {
	s := typed(kind, more...)
	s["type"] = []any{kind, "null"}
	return s
}

func natural() schema { return typed("integer", "minimum", 0) }

func anyJSON() schema {
	return schema{"type": []any{"object", "array", "string", "number", "boolean", "null"}}
}

func textList() schema { return arrayOf(typed("string")) }

func digestOrNull() schema { return orNull("string", "pattern", "^[0-9a-f]{64}$") }

// open is an object of which only the whole schema says what is in it.
func open(whole bool, inside schema) schema {
	if whole {
		return inside
	}
	if inside["type"] == "array" {
		return arrayOf(schema{"type": []any{"object", "integer"}})
	}
	return schema{"type": inside["type"]}
}

// envelope is the schema of Evidence around a result.
func envelope(whole bool, result schema, operations ...string) schema {
	identity := closed(schema{"id": typed("string"), "name": typed("string"), "version": orNull("string")})
	subject := closed(schema{"name": typed("string"), "digest": closed(schema{"sha256": typed("string")}),
		"format": typed("string"), "architecture": typed("null"), "local_path": typed("string")})
	subject["type"] = []any{"object", "null"}
	profile := closed(schema{"schema_version": typed("integer"), "provider": identity, "provider_profile_schema_version": typed("integer"),
		"parameters": typed("object"), "digest": typed("string")})
	profile["type"] = []any{"object", "null"}
	return closed(schema{
		"evidence_id":       typed("string", "pattern", "^ev_[0-9a-f]{64}$"),
		"subject":           open(whole, subject),
		"provider":          open(whole, identity),
		"analysis_profile":  open(whole, profile),
		"predicate_type":    typed("string"),
		"operation":         enumOf(operations...),
		"parameters":        typed("object"),
		"raw_result":        typed("null"),
		"normalized_result": result,
		"confidence":        enumOf("observed", "derived", "inferred"),
		"authority":         typed("string"),
		"environment":       typed("null"),
		"limitations":       textList(),
		"locations":         arrayOf(typed("object")),
		"evidence_links":    textList(),
	})
}

func captureResult(whole bool) schema {
	members := schema{
		"artifact":            closed(schema{"path": typed("string"), "sha256": digestOrNull(), "bytes": natural()}),
		"format":              typed("string"),
		"decoder":             open(whole, closed(schema{"id": typed("string"), "name": typed("string"), "version": typed("string")})),
		"container":           open(whole, containerSchema()),
		"total_records":       natural(),
		"records":             open(whole, arrayOf(recordSchema())),
		"runtime_attribution": typed("string", "const", "unknown"),
		"limitations":         textList(),
		"qlog":                typed("object"),
	}
	return closed(members, "qlog")
}

func containerSchema() schema {
	return closed(schema{
		"reported": anyJSON(), "numeric_literals": literalsSchema(), "redactions": redactionsSchema(),
		"records_pointer": orNull("string"), "deviations": deviationsSchema(), "deviation_total": natural(),
	}, "deviations", "deviation_total")
}

func recordSchema() schema {
	return closed(schema{
		"ordinal": natural(), "location": locationSchema(), "reported": anyJSON(),
		"binary_fields": arrayOf(binarySchema(true)), "numeric_literals": literalsSchema(), "redactions": redactionsSchema(),
		"limitations": textList(), "deviations": deviationsSchema(), "deviation_total": natural(),
	}, "deviations", "deviation_total")
}

func locationSchema() schema {
	kind := func(name string, of schema) schema {
		of[argKind] = typed("string", "const", name)
		return closed(of)
	}
	return typed("object", "oneOf", []any{
		kind(evidence.AtPointer, schema{"pointer": typed("string")}),
		kind(evidence.AtRange, schema{"offset": natural(), "bytes": typed("integer", "minimum", 1)}),
		kind(evidence.AtMembers, schema{"members": textList()}),
		kind(evidence.AtUnknown, schema{"reason": typed("string", "const", string(evidence.ExplicitSensitive))}),
	})
}

func binarySchema(content bool) schema {
	s := schema{"pointer": typed("string"), "representation": typed("string"), "state": enumOf("retained", "redacted"),
		"bytes": orNull("integer", "minimum", 0), "sha256": digestOrNull()}
	if content {
		s["content_base64"] = orNull("string")
	}
	return closed(s)
}

func literalsSchema() schema {
	return arrayOf(closed(schema{"pointer": typed("string"), "producer_type": enumOf("json-number", "integer", "float"), "literal": typed("string")}))
}

func redactionsSchema() schema {
	return arrayOf(closed(schema{"pointer": typed("string"), "reason": enumOf(string(evidence.TransportCredential), string(evidence.ExplicitSensitive)),
		"scope": typed("string", "const", "property-name")}, "scope"))
}

func deviationsSchema() schema {
	return arrayOf(closed(schema{"pointer": typed("string"), "keyword": typed("string"), "schema_pointer": orNull("string"), "expected": anyJSON()}))
}

// viewResult is the schema of what these kinds of view find. Members that not
// all of them have are optional.
func viewResult(whole bool, kinds ...string) schema {
	members := schema{
		argKind:              enumOf(kinds...),
		argView:              typed("object"),
		"parent_evidence_id": typed("string"),
		"parent_operation":   typed("string"),
		"parent_digest":      typed("string"),
		"view_digest":        typed("string"),
		"artifact": open(whole, closed(schema{
			"path": typed("string"), "sha256": digestOrNull(),
		})),
		"coverage": closed(schema{"status": enumOf(view.Whole, view.Paged, view.Empty), "examined": natural(), "total": natural(),
			"next_offset": orNull("integer"), "exhausted": typed("boolean")}),
		"limitations": textList(),
		"unknowns":    textList(),
	}
	var optional []string
	for _, kind := range kinds {
		payload := payloadSchema(whole, kind)
		maps.Copy(members, payload)
		if len(kinds) > 1 {
			optional = slices.AppendSeq(optional, maps.Keys(payload))
		}
	}
	return closed(members, optional...)
}

func payloadSchema(whole bool, kind string) schema {
	switch kind {
	case kindCapture:
		preview := closed(schema{"ordinal": natural(), "location": locationSchema(), "headline": headlineSchema(), "binary_fields": arrayOf(binarySchema(false))})
		return schema{"total_records": natural(), "retained_records": natural(),
			"items": open(whole, arrayOf(typed("object", "anyOf", []any{preview, recordSchema()})))}
	case kindSurface:
		return schema{"templated_groups": natural(), "total_groups": natural(), "records": open(whole, surfaceRecordsSchema()),
			"groups": open(whole, arrayOf(groupSchema()))}
	case kindQlog:
		return schema{argFacet: typed("string"), "items": arrayOf(schema{"type": []any{"object", "integer"}})}
	}
	return schema{"summary": open(whole, summarySchema())}
}

func headlineSchema() schema {
	one := func() schema { return schema{"type": []any{"string", "number", "null"}} }
	return closed(schema{"method": one(), "url": one(), "status": one(), "mime_type": one(),
		"started": one(), "http_version": one(), "event": one(), "time": one()})
}

func summarySchema() schema {
	qlog := schema{"profile": typed("string"), "scope": typed("string")}
	for _, n := range []string{"traces", "streams", "contributions", "ranges", "final_sizes", "loss_declarations", "incomplete_records"} {
		qlog[n] = natural()
	}
	return closed(schema{
		"format": typed("string"), "decoder": closed(schema{"id": typed("string"), "name": typed("string"), "version": typed("string")}),
		"total_records": natural(), "retained_records": natural(), "limitation_count": natural(),
		"deviation_count": natural(), "qlog": closed(qlog),
	}, "deviation_count", "qlog")
}

func surfaceRecordsSchema() schema {
	return closed(schema{"examined": natural(), "total": natural(), "excluded": arrayOf(closed(schema{
		"ordinal": natural(), "reason": enumOf("url-redacted", "url-unavailable", "url-unparseable", "request-unavailable", "method-unavailable"),
	}))})
}

func groupSchema() schema {
	return closed(schema{
		"method": typed("string"), "origin": typed("string"), "path_template": typed("string"),
		"segments": arrayOf(closed(schema{"index": natural(), "rule": enumOf("numeric", "uuid", "hex", "iso-date"),
			"placeholder": typed("string"), "literals": textList(), "basis": typed("string", "const", "inferred")})),
		"ordinals": arrayOf(natural()), "statuses": arrayOf(natural()), "mime_types": textList(),
		"unknown_statuses": natural(), "unknown_mime_types": natural(),
		"flags": arrayOf(enumOf("single-sample", "mixed-statuses", "mixed-content-types")),
	})
}
