package lanes

import (
	"testing"

	"rea.example/verify/product"
)

// TestTheTableIsHeldTo: each way in which a capture can be other than its table
// expects is seen.
func TestTheTableIsHeldTo(t *testing.T) {
	accepted := product.Output{Stdout: []byte(`{"evidence_id":"ev_0","normalized_result":{"total_records":3}}`)}
	refused := product.Output{Exit: 1, Stdout: []byte(`{"code":"invalid_request"}`)}
	for _, c := range []struct {
		note string
		out  product.Output
		good bool
	}{
		{"ACCEPT 3 records as raw states", accepted, true},
		{"ACCEPT", accepted, true},
		{"ACCEPT 2 records", accepted, false},
		{"ACCEPT 3 records", refused, false},
		{"REJECT schema (1 issues)", refused, true},
		{"REJECT schema (1 issues)", accepted, false},
	} {
		if err := asTheTableSays(c.out, c.note); (err == nil) != c.good {
			t.Errorf("%q, exit status %d: %v", c.note, c.out.Exit, err)
		}
	}
	if verdictOfTable.MatchString("whatever else") {
		t.Error("a note without a verdict counts as one")
	}
}
