package lanes

import (
	"encoding/json"
	"testing"
)

func TestPagesAreMeasuredAndHeldToTheirRows(t *testing.T) {
	rows := []json.RawMessage{[]byte(`{"ordinal":0}`), []byte(`{"ordinal":1}`), []byte(`{"ordinal":2}`)}
	const document = `{"normalized_result":{"kind":"capture","view":{"kind":"capture","offset":0,"limit":2},"items":[{"ordinal":0},{"ordinal":1}],"x":"😀é",
"coverage":{"status":"page","examined":2,"total":3,"next_offset":2,"exhausted":false}}}`
	m, err := measure([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	if want := len(document) - 2 - 1; m.chars != want { // four bytes are two units, and two are one
		t.Errorf("%d characters, expected %d", m.chars, want)
	}
	if err := m.holds(2, rows); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"another limit": m.holds(3, rows),
		"other rows":    m.holds(2, rows[1:]),
		"another order": m.holds(2, []json.RawMessage{rows[1], rows[0], rows[2]}),
		"more rows":     m.holds(2, append(rows, rows[0])),
		"no page":       (*measured)(nil).holds(2, rows),
	} {
		if err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
}

func TestBoundsAreTriedOnEveryKindOfPage(t *testing.T) {
	kinds := map[string]bool{}
	for _, format := range []string{"har", "saz", "qlog"} {
		for _, view := range boundViews(format) {
			if defaults[view["kind"].(string)] == 0 {
				t.Errorf("%v has no limit that is filled in", view)
			}
			kinds[viewName(view)] = true
			if more := with(view, "limit", 1); len(more) != len(view)+1 || view["limit"] != nil {
				t.Errorf("%v became %v", view, more)
			}
		}
	}
	if len(kinds) != 4 {
		t.Errorf("%v", kinds)
	}
}
