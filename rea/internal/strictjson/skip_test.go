package strictjson

import (
	"testing"

	"rea.example/rea/internal/tree"
)

// Skip ends where each value of a document ends.
func TestSkipEndsWithTheValue(t *testing.T) {
	for _, r := range accepted {
		src := []byte(r.in)
		v, err := Parse(src, 64)
		if err != nil {
			t.Fatal(err)
		}
		var walk func(v *tree.Value)
		walk = func(v *tree.Value) {
			if end := Skip(src, v.Span.Start); end != v.Span.End {
				t.Errorf("line %d: the value at %d ends at %d, not %d", r.line, v.Span.Start, v.Span.End, end)
			}
			for i := range v.Items {
				walk(&v.Items[i])
			}
		}
		walk(&v)
	}
}
