package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"

	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// members are the members of an envelope: all of them, and no others.
var members = []string{
	"analysis_profile", "authority", "confidence", "environment", "evidence_id",
	"evidence_links", "limitations", "locations", "normalized_result", "operation",
	"parameters", "predicate_type", "provider", "raw_result", "subject",
}

var identifier = regexp.MustCompile(`^ev_[0-9a-f]{64}$`)

// Open reads Evidence and authenticates it: the identifier must be the digest of
// the canonical bytes, however the document is laid out. Its errors name what is
// wrong and never quote the document.
func Open(document []byte) (id string, envelope tree.Value, err error) {
	v, err := strictjson.Parse(document, limits.ArgumentDepth)
	if err != nil {
		return "", tree.Value{}, err
	}
	for _, name := range members {
		if v.Get(name) == nil {
			return "", tree.Value{}, fmt.Errorf("evidence: the envelope has no member %s", name)
		}
	}
	if len(v.Items) != len(members) {
		return "", tree.Value{}, fmt.Errorf("evidence: the envelope has members that it may not have")
	}
	id, _ = v.Get("evidence_id").Str()
	if !identifier.MatchString(id) {
		return "", tree.Value{}, fmt.Errorf("evidence: evidence_id is not an identifier")
	}
	if p := v.Get("analysis_profile"); p.Kind != tree.Null && !sameValue(p.Get("provider"), v.Get("provider")) {
		return "", tree.Value{}, fmt.Errorf("evidence: the analysis profile is not the provider's")
	}
	hashed := v
	hashed.Items = nil
	for _, m := range v.Items {
		switch {
		case m.Name.Is("evidence_id"):
			continue
		case m.Name.Is("subject") && m.Kind == tree.Object:
			m = reduced(m)
		}
		hashed.Items = append(hashed.Items, m)
	}
	sum := sha256.Sum256(strictjson.AppendCanonical(nil, &hashed))
	if id != "ev_"+hex.EncodeToString(sum[:]) {
		return "", tree.Value{}, fmt.Errorf("evidence: the document is not the one that its evidence_id names")
	}
	return id, v, nil
}

func sameValue(a, b *tree.Value) bool {
	return a != nil && b != nil &&
		bytes.Equal(strictjson.AppendCanonical(nil, a), strictjson.AppendCanonical(nil, b))
}

// reduced is the part of a subject that takes part in the identifier.
func reduced(subject tree.Value) tree.Value {
	items := subject.Items
	subject.Items = nil
	for _, m := range items {
		if m.Name.Is("digest") || m.Name.Is("format") || m.Name.Is("architecture") {
			subject.Items = append(subject.Items, m)
		}
	}
	return subject
}
