package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

func TestAnalysisProfile(t *testing.T) {
	e := plain(t)
	without, _ := sealed(t, e)
	e.Analysis = map[string]any{"clock": map[string]any{"unit": "milliseconds"}}
	id, doc := sealed(t, e)
	if id == without {
		t.Error("the assumptions take no part in the identifier")
	}
	if _, _, err := Open(doc); err != nil {
		t.Fatal(err)
	}
	v, err := strictjson.Parse(doc, 10)
	if err != nil {
		t.Fatal(err)
	}
	p := v.Get("analysis_profile")
	digest, _ := p.Get("digest").Str()
	stripped := *p
	stripped.Items = nil
	for _, m := range p.Items {
		if m.Name != "digest" {
			stripped.Items = append(stripped.Items, m)
		}
	}
	canonical := strictjson.AppendCanonical(nil, &stripped)
	if sum := sha256.Sum256(canonical); digest != hex.EncodeToString(sum[:]) {
		t.Errorf("digest %q is not that of the rest", digest)
	}
	const want = `{"parameters":{"clock":{"unit":"milliseconds"}},"provider":{"id":"id","name":"name","version":"1"},` +
		`"provider_profile_schema_version":1,"schema_version":1}`
	if string(canonical) != want {
		t.Errorf("profile %s, want %s", canonical, want)
	}
}

// TestOpenRefusesAnotherProvidersProfile: such Evidence carries a valid
// identifier, since anyone can compute one.
func TestOpenRefusesAnotherProvidersProfile(t *testing.T) {
	e := plain(t)
	e.Analysis = map[string]any{}
	_, doc := sealed(t, e)
	v, err := strictjson.Parse(doc, 10)
	if err != nil {
		t.Fatal(err)
	}
	v.At("analysis_profile", "provider", "name").SetString("another")
	var hashed tree.Value
	hashed.Kind = tree.Object
	for _, m := range v.Items {
		switch m.Name {
		case "evidence_id":
			continue
		case "subject":
			m = reduced(m)
		}
		hashed.Items = append(hashed.Items, m)
	}
	sum := sha256.Sum256(strictjson.AppendCanonical(nil, &hashed))
	v.Get("evidence_id").SetString("ev_" + hex.EncodeToString(sum[:]))
	_, _, err = Open(strictjson.AppendCanonical(nil, &v))
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("profile")) {
		t.Errorf("accepted, or refused for another reason: %v", err)
	}
}
