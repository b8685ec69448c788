package view

import (
	"bytes"
	"slices"
	"testing"
	"testing/iotest"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// documents are envelopes of some variety, not all of which are captures.
var documents = []string{
	`{"a":1,"normalized_result":{"records":[{"x":["]"]},[],"\\\"",null,-1.5e3],"z":{"records":[1,2]}},"z":{"a":"b"}}`,
	`{"normalized_result":{"a\\":{},"b\"c":[{"records":[3]}],"records":[]},"records":[4]}`,
	`{"normalized_result":{"records":{"records":[1]}}}`,
	`{"normalized_result":[{"records":[1]}]}`,
	`{"normalized_result":null}`,
	`{}`,
	`{"n":"\\\\","normalized_result":{"records":["\\\\\"],[","{"]}}`,
}

// checkIndex holds the index against a reading of the whole document.
func checkIndex(t *testing.T, doc []byte) {
	t.Helper()
	v, err := strictjson.Parse(doc, 80)
	if err != nil || v.Kind != tree.Object {
		return
	}
	canonical := strictjson.AppendCanonical(nil, &v)
	v, err = strictjson.Parse(canonical, 80)
	if err != nil {
		t.Fatal(err)
	}
	{
		s := scanner{index: &index{envelope: map[string]tree.Span{}, result: map[string]tree.Span{}}}
		one := iotest.OneByteReader(bytes.NewReader(canonical))
		for b := make([]byte, 1); ; {
			n, err := one.Read(b)
			s.scan(b[:n])
			if err != nil {
				break
			}
		}
		whole, err := newIndex(t.Context(), evidence.NewDocument(canonical))
		if err != nil {
			t.Fatal(err)
		}
		span := func(v *tree.Value) tree.Span {
			start := int(v.Offset)
			return tree.Span{Start: start, End: strictjson.Skip(canonical, start)}
		}
		spelt := func(name string) string { // the index keeps names as the document has them
			s := strictjson.AppendString(nil, name)
			return string(s[1 : len(s)-1])
		}
		for _, x := range []*index{s.index, whole} {
			for i := range v.Items {
				m := &v.Items[i]
				if x.envelope[spelt(m.Name)] != span(m) {
					t.Fatalf("%s: member %q at %v, not %v", canonical, m.Name, x.envelope[spelt(m.Name)], span(m))
				}
			}
			result := v.Get("normalized_result")
			if result == nil || result.Kind != tree.Object {
				continue
			}
			var records []tree.Span
			for i := range result.Items {
				m := &result.Items[i]
				if x.result[spelt(m.Name)] != span(m) {
					t.Fatalf("%s: result member %q at %v, not %v", canonical, m.Name, x.result[spelt(m.Name)], span(m))
				}
				if m.Name == "records" && m.Kind == tree.Array {
					for k := range m.Items {
						records = append(records, span(&m.Items[k]))
					}
				}
			}
			if records != nil && !slices.Equal(x.records, records) {
				t.Fatalf("%s: records %v, not %v", canonical, x.records, records)
			}
		}
	}
}

func TestIndex(t *testing.T) {
	for _, d := range documents {
		checkIndex(t, []byte(d))
	}
}

func FuzzIndex(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d))
	}
	f.Fuzz(func(t *testing.T, doc []byte) { checkIndex(t, doc) })
}
