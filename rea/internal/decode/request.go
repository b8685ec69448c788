package decode

import (
	"errors"

	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// Request is what the parent asks of the owned process. It travels over a
// descriptor, never on a command line: Declared holds what must not be seen.
type Request struct {
	Format   string
	Foreign  bool     // the snapshot is what the format's foreign program wrote
	Capture  int64    // of so many bytes, where Foreign
	Report   bool     // conformance "report"
	All      bool     // every record; else Ordinals, in the order asked for
	Ordinals []int    // zero-based, distinct
	Declared []string // literals, WTF-8
}

// Encode gives the request's bytes.
func (r Request) Encode() []byte {
	return strictjson.AppendValue(nil, map[string]any{
		"format":   r.Format,
		"foreign":  r.Foreign,
		"capture":  r.Capture,
		"report":   r.Report,
		"all":      r.All,
		"ordinals": r.Ordinals,
		"declared": r.Declared,
	})
}

func decodeRequest(b []byte) (Request, error) {
	v, err := strictjson.Parse(b, limits.ArgumentDepth)
	if err != nil {
		return Request{}, errors.New("the request is not readable")
	}
	r := Request{Foreign: isTrue(v.Get("foreign")), Report: isTrue(v.Get("report")), All: isTrue(v.Get("all"))}
	r.Format, _ = v.Get("format").Str()
	if r.Capture, err = integer(v.Get("capture")); err != nil {
		return Request{}, err
	}
	for _, o := range items(v.Get("ordinals")) {
		n, err := integer(&o)
		if err != nil {
			return Request{}, err
		}
		r.Ordinals = append(r.Ordinals, int(n))
	}
	for _, d := range items(v.Get("declared")) {
		s, _ := d.Str()
		r.Declared = append(r.Declared, s)
	}
	return r, nil
}

func isTrue(v *tree.Value) bool { return v != nil && v.Kind == tree.True }

func items(v *tree.Value) []tree.Value {
	if v == nil || v.Kind != tree.Array {
		return nil
	}
	return v.Items
}
