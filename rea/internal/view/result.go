package view

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"slices"
	"strings"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// Provider is who makes views.
var Provider = evidence.Identity{ID: "rea-analysis-view", Name: "REA analysis view", Version: "1"}

// Result is what a view found, before it is sealed.
type Result struct {
	Kind string
	View map[string]any // the request, its defaults filled in
	// Payload are the members that only this kind has, each as canonical JSON.
	Payload     map[string][]byte
	Coverage    Coverage
	Limitations []string
	Unknowns    []string
	// Inferred says that something in the parent was interpreted, not only
	// arranged.
	Inferred bool
}

// Coverage says how much of a collection a view shows.
type Coverage struct {
	Status    string // one of the three below
	Examined  int    // rows shown
	Total     int    // rows that the parent has
	Next      int    // offset of the next row; of no meaning when exhausted
	Exhausted bool
}

// Statuses of a coverage.
const (
	Whole = "complete-within-view"
	Paged = "page"
	Empty = "empty"
)

// Single is the coverage of a view that isn't cut into pages.
func Single() Coverage { return Coverage{Status: Whole, Examined: 1, Total: 1, Exhausted: true} }

func paged(offset, examined, total int) Coverage {
	c := Coverage{Status: Paged, Examined: examined, Total: total, Next: offset + examined}
	if examined == 0 {
		c.Status = Empty
	}
	c.Exhausted = offset >= total || offset+examined >= total
	return c
}

func (c Coverage) object() map[string]any {
	var next any
	if !c.Exhausted {
		next = c.Next
	}
	return map[string]any{"status": c.Status, "examined": c.Examined, "total": c.Total, "next_offset": next, "exhausted": c.Exhausted}
}

// Unattributed is an unknown that every view of a capture has.
const Unattributed = "Which process, user or deployment took part in the recorded traffic is not known."

// Seal makes Evidence of a result.
func (p *Parent) Seal(r Result) (id string, d *evidence.Document, err error) {
	confidence := "derived"
	if r.Inferred {
		confidence = "inferred"
	}
	locations := []any{}
	if p.Artifact.Path != "" {
		locations = append(locations, map[string]any{"kind": "artifact-path", "path": p.Artifact.Path})
	}
	limitations := Unique(r.Limitations)
	return evidence.Seal(evidence.Evidence{
		Subject:       p.Subject,
		Provider:      Provider,
		PredicateType: "rea.analysis-view",
		Operation:     Operation,
		Parameters:    map[string]any{"parent_evidence_id": p.ID, "view": r.View},
		Result:        p.normalized(r, limitations),
		Confidence:    confidence,
		Authority:     p.Authority,
		Limitations:   limitations,
		Locations:     locations,
		Links:         []string{p.ID},
	}, nil)
}

// normalized writes normalized_result: the digest of the view is that of the
// canonical JSON of the rest. A payload may be as large as the parent: it isn't
// copied.
func (p *Parent) normalized(r Result, limitations []string) []evidence.Part {
	var sum any
	if p.Artifact.SHA256 != "" {
		sum = p.Artifact.SHA256
	}
	members := map[string][]byte{}
	for name, v := range map[string]any{
		"kind": r.Kind, "view": r.View,
		"parent_evidence_id": p.ID, "parent_operation": evidence.InspectCapture,
		"parent_digest": strings.TrimPrefix(p.ID, "ev_"),
		"artifact":      map[string]any{"path": p.Artifact.Path, "sha256": sum},
		"coverage":      r.Coverage.object(),
		"limitations":   limitations, "unknowns": Unique(r.Unknowns),
	} {
		members[name] = strictjson.AppendValue(nil, v)
	}
	maps.Copy(members, r.Payload)
	h := sha256.New()
	var parts []evidence.Part
	add := func(b []byte) {
		h.Write(b)
		parts = append(parts, evidence.Part{Bytes: b})
	}
	separator := byte('{')
	for _, name := range slices.Sorted(maps.Keys(members)) { // all of them are ASCII
		add(append(strictjson.AppendString([]byte{separator}, name), ':'))
		add(members[name])
		separator = ','
	}
	_, _ = io.WriteString(h, "}") // a hash takes everything
	// No member sorts behind view_digest.
	return append(parts, evidence.Part{Bytes: []byte(`,"view_digest":"` + hex.EncodeToString(h.Sum(nil)) + `"}`)})
}

// Unique gives distinct texts in the order of their UTF-16 code units.
func Unique(texts []string) []string {
	out := slices.Clone(texts)
	slices.SortFunc(out, tree.CompareUTF16)
	return slices.Compact(out)
}
