package evidence

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"

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

// IsIdentifier says whether a text has the form of an Evidence identifier.
func IsIdentifier(s string) bool { return identifier.MatchString(s) }

// Fault is why a document is not Evidence. It never quotes the document, but for
// the name of a member that an envelope doesn't have.
type Fault struct {
	Kind   FaultKind
	Member string // of the envelope; "" is the document itself
	ID     string // the identifier that a Mismatched document claims
}

// FaultKind is the kind of a Fault.
type FaultKind uint8

const (
	Malformed  FaultKind = iota // not one strict JSON document, or not what the member must be
	Missing                     // an envelope has this member
	Unknown                     // an envelope doesn't have this member
	Mismatched                  // well formed, but not what its identifier names
	Crowded                     // more than limits.EvidenceValues values in a tree
)

func (f *Fault) Error() string {
	switch f.Kind {
	case Missing:
		return fmt.Sprintf("evidence: the envelope has no member %s", f.Member)
	case Unknown:
		return "evidence: the envelope has a member that it may not have"
	case Mismatched:
		return "evidence: the document is not the one that its evidence_id names"
	case Crowded:
		return "evidence: the document has too many values"
	}
	return fmt.Sprintf("evidence: the envelope's %s is not what it must be", cmp.Or(f.Member, "text"))
}

// Open reads Evidence and authenticates it: the identifier must be the digest of
// the canonical bytes, however the document is laid out. It gives the document
// in canonical form. The error is a *Fault. The tree of one record is held at a
// time, so memory is the two texts and little more.
//
// A tree has at most limits.EvidenceValues values.
func Open(document []byte) (id string, d *Document, err error) {
	return open(document, limits.EvidenceValues)
}

func open(document []byte, most int) (id string, d *Document, err error) {
	var records []tree.Span
	watch := []strictjson.Path{{}, {"normalized_result", "records", "*"}}
	var root tree.Span
	err = strictjson.Check(document, limits.EvidenceDepth, watch, func(which int, s tree.Span) {
		if which == 0 {
			root = s
		} else {
			records = append(records, s)
		}
	})
	if err != nil {
		return "", nil, &Fault{Kind: Malformed}
	}
	o := opener{src: document, records: records, most: most}
	v, ok := strictjson.BuildWithin(most, document, root, new(strictjson.Arena), records...)
	if !ok {
		return "", nil, &Fault{Kind: Crowded}
	}
	if id, err = checkEnvelope(&v); err != nil {
		return "", nil, err
	}
	if o.envelope(&v); o.crowded {
		return "", nil, &Fault{Kind: Crowded}
	}
	if id != "ev_"+hex.EncodeToString(o.sum) {
		return "", nil, &Fault{Kind: Mismatched, Member: "evidence_id", ID: id}
	}
	return id, NewDocument(o.out), nil
}

func checkEnvelope(v *tree.Value) (id string, err error) {
	if v.Kind != tree.Object {
		return "", &Fault{Kind: Malformed}
	}
	for i := range v.Items {
		if name := v.Items[i].Name; !slices.Contains(members, name) {
			return "", &Fault{Kind: Unknown, Member: name}
		}
	}
	for _, name := range members {
		if v.Get(name) == nil {
			return "", &Fault{Kind: Missing, Member: name}
		}
	}
	id, _ = v.Get("evidence_id").Str()
	if !IsIdentifier(id) {
		return "", &Fault{Kind: Malformed, Member: "evidence_id"}
	}
	if p := v.Get("analysis_profile"); p.Kind != tree.Null && !sameValue(p.Get("provider"), v.Get("provider")) {
		return "", &Fault{Kind: Malformed, Member: "analysis_profile"}
	}
	return id, nil
}

// opener writes a document in canonical form, and computes its identifier.
type opener struct {
	src     []byte
	records []tree.Span // those that the tree holds as null
	most    int         // values of one of them
	crowded bool        // one of them has more
	out     []byte
	sum     []byte
}

func (o *opener) envelope(v *tree.Value) {
	o.out = make([]byte, 0, len(o.src))
	h, hashed := sha256.New(), 0
	// What lies between hashed and the end of out is not hashed yet.
	catchUp := func() { h.Write(o.out[hashed:]); hashed = len(o.out) }
	separator := byte('{')
	for _, name := range members { // they stand in canonical order
		m := v.Get(name)
		if name == "evidence_id" {
			catchUp()
		}
		o.out = append(append(o.out, separator), `"`+name+`":`...)
		separator = ','
		switch {
		case name == "normalized_result" && m.Kind == tree.Object:
			o.result(m)
		case name == "subject" && m.Kind == tree.Object:
			catchUp()
			r := reduced(*m)
			h.Write(strictjson.AppendCanonical(nil, &r))
			o.out = strictjson.AppendCanonical(o.out, m)
			hashed = len(o.out)
		default:
			o.out = strictjson.AppendCanonical(o.out, m)
		}
		if name == "evidence_id" {
			hashed = len(o.out)
		}
	}
	o.out = append(o.out, '}')
	catchUp()
	o.sum = h.Sum(nil)
}

func (o *opener) result(v *tree.Value) {
	items := slices.Clone(v.Items)
	slices.SortFunc(items, func(a, b tree.Value) int { return tree.CompareUTF16(a.Name, b.Name) })
	o.out = append(o.out, '{')
	for i := range items {
		if i > 0 {
			o.out = append(o.out, ',')
		}
		o.out = append(strictjson.AppendString(o.out, items[i].Name), ':')
		if items[i].Name == "records" && items[i].Kind == tree.Array {
			o.list()
			continue
		}
		o.out = strictjson.AppendCanonical(o.out, &items[i])
	}
	o.out = append(o.out, '}')
}

func (o *opener) list() {
	var arena strictjson.Arena
	o.out = append(o.out, '[')
	for i, span := range o.records {
		if i > 0 {
			o.out = append(o.out, ',')
		}
		v, ok := strictjson.BuildWithin(o.most, o.src, span, &arena)
		if !ok {
			o.crowded = true
			return
		}
		o.out = strictjson.AppendCanonical(o.out, &v)
		arena.Reset()
	}
	o.out = append(o.out, ']')
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
		if m.Name == "digest" || m.Name == "format" || m.Name == "architecture" {
			subject.Items = append(subject.Items, m)
		}
	}
	return subject
}
