package app

import (
	"io"
	"strconv"
	"strings"

	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/source"
	"rea.example/rea/internal/strictjson"
)

// assemble puts the envelope around what the decoder wrote.
func assemble(req inspectRequest, declared *redact.Declarations, h decode.Header, s *source.Snapshot, ordinals []int, records []evidence.Part, reply io.ReaderAt) evidence.Evidence {
	p := req.format.Profile()
	artifact := evidence.Artifact{Path: req.path, SHA256: hexOf(s.SHA256), Bytes: s.Bytes}
	notes := append(baseLimitations(h.Bounded, p.Credentials), p.Limits...)
	if h.Hidden {
		notes = append(notes, "Some coordinates are left out because they hold a declared value.")
	}
	if declared.InText(artifact.Path) {
		artifact.Path = ""
		notes = append(notes, "The capture's path is left out because it holds a declared value; its size stays.")
	}
	digestNote := ""
	if declared.InText(artifact.SHA256) {
		artifact.SHA256 = ""
		digestNote = "The capture's digest is left out because it holds a declared value; its size stays."
	}
	for i, n := range notes {
		notes[i] = declared.Cover(n)
	}
	envelopeNotes := notes
	if digestNote != "" {
		digestNote = declared.Cover(digestNote)
		envelopeNotes = append([]string{digestNote}, notes...)
		notes = append(notes[:len(notes):len(notes)], digestNote)
	}
	parameters := map[string]any{
		"capture_path":          artifact.Path,
		"record_ordinals":       ordinals,
		"sensitive_value_count": declared.Count(),
	}
	if !declared.InText(p.Name) {
		parameters["format"] = p.Name
	}
	if req.report {
		parameters["conformance"] = "report"
	}
	locations := []any{}
	if artifact.Path != "" {
		locations = append(locations, map[string]any{"kind": "artifact-path", "path": artifact.Path})
	}
	return evidence.Evidence{
		Subject:       evidence.SubjectOf(artifact),
		Provider:      h.Decoder,
		Analysis:      p.Analysis,
		PredicateType: "rea.analysis",
		Operation:     evidence.InspectCapture,
		Parameters:    parameters,
		Result:        result(artifact, h, p.Name, notes, records, reply),
		Confidence:    "observed",
		Authority:     "historical-reference",
		Limitations:   envelopeNotes,
		Locations:     locations,
		Links:         []string{},
	}
}

// result frames the decoder's sections as normalized_result, in canonical order.
func result(a evidence.Artifact, h decode.Header, format string, notes []string, records []evidence.Part, reply io.ReaderAt) []evidence.Part {
	var sum any
	if a.SHA256 != "" {
		sum = a.SHA256
	}
	head := append([]byte(`{"artifact":`), strictjson.AppendValue(nil, map[string]any{"path": a.Path, "sha256": sum, "bytes": a.Bytes})...)
	head = append(head, `,"container":`...)

	middle := append([]byte(`,"decoder":`), strictjson.AppendValue(nil, map[string]any{"id": h.Decoder.ID, "name": h.Decoder.Name, "version": h.Decoder.Version})...)
	middle = append(middle, `,"format":`...)
	middle = strictjson.AppendString(middle, format)
	middle = append(middle, `,"limitations":`...)
	middle = strictjson.AppendValue(middle, notes)
	parts := []evidence.Part{{Bytes: head}, section(reply, h.Container)}
	if h.FacetName != "" { // its name sorts between limitations and records
		middle = append(middle, ',')
		middle = strictjson.AppendString(middle, h.FacetName)
		middle = append(middle, ':')
		parts = append(parts, evidence.Part{Bytes: middle}, section(reply, h.Facet))
		middle = nil
	}
	middle = append(middle, `,"records":[`...)

	tail := append([]byte(`],"runtime_attribution":"unknown","total_records":`), strconv.Itoa(h.Total)...)
	tail = append(tail, '}')

	parts = append(parts, evidence.Part{Bytes: middle})
	parts = append(parts, records...)
	return append(parts, evidence.Part{Bytes: tail})
}

func section(reply io.ReaderAt, r decode.Run) evidence.Part {
	return evidence.Part{Section: io.NewSectionReader(reply, r.Offset, r.Bytes)}
}

func baseLimitations(bounded bool, credentials string) []string {
	mib := func(n int) string { return strconv.Itoa(n>>20) + " MiB" }
	bounds := []string{
		mib(limits.CaptureBytes) + " of input",
		mib(limits.ReplyBytes) + " of decoder reply",
		strconv.Itoa(limits.CaptureDepth) + " levels of nesting",
		strconv.Itoa(int(limits.Deadline.Seconds())) + " seconds",
		mib(limits.DiagnosticBytes) + " of diagnostics",
	}
	if bounded {
		bounds = append(bounds, mib(limits.DecoderMemory)+" of decoder memory under a ceiling of "+mib(limits.DecoderCeiling))
	}
	return []string{
		"This is what the producer recorded: it proves no live transaction, execution, cause or authentic deployment, and no recorded URL was fetched.",
		"Every record was decoded and checked before any was selected; there are no partial results.",
		credentials,
		"Bounds that applied: " + strings.Join(bounds, ", ") + ".",
	}
}
