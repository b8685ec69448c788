package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"

	"rea.example/rea/internal/strictjson"
)

// Subject is the artifact that Evidence is about. Only its digest, format and
// architecture take part in the identifier: where a file lies does not change
// what was found in it. (The parameters, which do take part, hold the path.)
type Subject struct {
	Name      string
	SHA256    string
	LocalPath string
}

// SubjectOf gives the subject of a capture, or nil where its digest is hidden.
func SubjectOf(a Artifact) *Subject {
	if a.SHA256 == "" {
		return nil
	}
	name := "artifact"
	if b := path.Base(a.Path); a.Path != "" && b != "/" {
		name = b
	}
	return &Subject{Name: name, SHA256: a.SHA256, LocalPath: a.Path}
}

// Evidence is an envelope before it is sealed.
type Evidence struct {
	Subject  *Subject
	Provider Identity
	// Analysis holds the assumptions of the provider under which the result is
	// to be read: the parameters of the analysis profile. Nil: there is none.
	Analysis      map[string]any
	PredicateType string // "rea.analysis"
	Operation     string
	Parameters    map[string]any
	Result        []Part // canonical JSON of normalized_result
	Confidence    string // "observed", "derived" or "inferred"
	Authority     string // "historical-reference" for captures
	Limitations   []string
	Locations     []any
	Links         []string // identifiers of parents
}

// Seal computes the identifier, "ev_" and the SHA-256 of the canonical JSON of
// the envelope without evidence_id and with the subject reduced to digest,
// format and architecture (RFC 8785), and gives the whole envelope as a
// canonical document. behind is closed with the document; it may be nil.
func Seal(e Evidence, behind io.Closer) (id string, d *Document, err error) {
	profile := strictjson.AppendValue(nil, e.analysisProfile())
	// Members stand in canonical order; evidence_id and subject are the two
	// places where the sealed document differs from what is hashed.
	head := func(id string) []byte {
		b := append([]byte(`{"analysis_profile":`), profile...)
		b = append(b, `,"authority":`...)
		b = strictjson.AppendString(b, e.Authority)
		b = append(b, `,"confidence":`...)
		b = strictjson.AppendString(b, e.Confidence)
		b = append(b, `,"environment":null`...)
		if id != "" {
			b = append(b, `,"evidence_id":`...)
			b = strictjson.AppendString(b, id)
		}
		b = append(b, `,"evidence_links":`...)
		b = strictjson.AppendValue(b, e.Links)
		b = append(b, `,"limitations":`...)
		b = strictjson.AppendValue(b, e.Limitations)
		b = append(b, `,"locations":`...)
		b = strictjson.AppendValue(b, e.Locations)
		return append(b, `,"normalized_result":`...)
	}
	tail := func(whole bool) []byte {
		b := []byte(`,"operation":`)
		b = strictjson.AppendString(b, e.Operation)
		b = append(b, `,"parameters":`...)
		b = strictjson.AppendValue(b, e.Parameters)
		b = append(b, `,"predicate_type":`...)
		b = strictjson.AppendString(b, e.PredicateType)
		b = append(b, `,"provider":`...)
		b = strictjson.AppendValue(b, e.Provider.object())
		b = append(b, `,"raw_result":null,"subject":`...)
		b = strictjson.AppendValue(b, e.Subject.object(whole))
		return append(b, '}')
	}
	frame := func(id string, whole bool) []Part {
		parts := append([]Part{{Bytes: head(id)}}, e.Result...)
		return append(parts, Part{Bytes: tail(whole)})
	}
	sum, err := (&Document{parts: frame("", false)}).digest()
	if err != nil {
		return "", nil, err
	}
	id = "ev_" + sum
	return id, &Document{parts: frame(id, true), closer: behind}, nil
}

// analysisProfile names the assumptions by a digest of their own, so that two
// results can be known to share them without comparing them.
func (e *Evidence) analysisProfile() any {
	if e.Analysis == nil {
		return nil
	}
	p := map[string]any{
		"schema_version":                  1,
		"provider":                        e.Provider.object(),
		"provider_profile_schema_version": 1,
		"parameters":                      e.Analysis,
	}
	sum := sha256.Sum256(strictjson.AppendValue(nil, p))
	p["digest"] = hex.EncodeToString(sum[:])
	return p
}

func (i Identity) object() map[string]any {
	return map[string]any{"id": i.ID, "name": i.Name, "version": i.Version}
}

func (s *Subject) object(whole bool) any {
	if s == nil {
		return nil
	}
	m := map[string]any{
		"architecture": nil,
		"digest":       map[string]any{"sha256": s.SHA256},
		"format":       "file",
	}
	if whole {
		m["name"], m["local_path"] = s.Name, s.LocalPath
	}
	return m
}
