package lanes

import (
	"encoding/json"
	"strings"
	"testing"

	"rea.example/verify/harfile"
	"rea.example/verify/product"
)

func TestArgumentsAreAtTheirBounds(t *testing.T) {
	c := sample{"har", "/captures/sample.har"}
	for _, n := range []int{argumentBytes, argumentBytes + 1} {
		if args := padded(c, n); len(args) != n || !json.Valid(args) || !strings.Contains(string(args[:n/2]), c.path) && !strings.Contains(string(args[n/2:]), c.path) {
			t.Errorf("%d bytes, or no arguments", len(args))
		}
	}
	for _, level := range []int{1, 80, 81} {
		f, err := harfile.Read(deepArguments(level))
		if err != nil || f.Depth != level {
			t.Errorf("level %d: %v", level, err)
		}
	}
	var m map[string]any
	if err := json.Unmarshal(mistaken(c, 40), &m); err != nil || len(m) != 42 {
		t.Errorf("%d members, %v", len(m), err)
	}
}

func TestFailuresAreAboutTheArgumentsAsAWhole(t *testing.T) {
	whole := failure(t, "invalid_request", `[]`, "out_of_range", "")
	part := failure(t, "invalid_request", `["view"]`, "invalid_type", "")
	other := failure(t, "access_denied", `[]`, "out_of_range", "")
	for _, c := range []struct {
		f           *product.Failure
		over, right bool
	}{{whole, true, true}, {part, false, true}, {whole, false, false}, {part, true, false}, {other, true, false}, {other, false, false}} {
		if err := overBound(c.f, c.over); (err == nil) != c.right {
			t.Errorf("%v %t: %v", c.f.Details.Issues, c.over, err)
		}
	}
}

func TestBytesAreHeldToTheirDigests(t *testing.T) {
	_, records := anArchive()
	if err := sidecars(archiveEvidence(t, records)); err != nil {
		t.Error(err)
	}
	digest := `"sha256":"`
	at := strings.Index(records, digest) + len(digest)
	if err := sidecars(archiveEvidence(t, records[:at]+"00"+records[at+2:])); err == nil {
		t.Error("another digest goes unseen")
	}
	size := `"bytes":4,`
	if err := sidecars(archiveEvidence(t, strings.Replace(records, size, `"bytes":5,`, 1))); err == nil {
		t.Error("another size goes unseen")
	}
}

func TestFilledCapturesGrowByTheByte(t *testing.T) {
	if a, b := filled(10), filled(11); len(b)-len(a) != 1 || !json.Valid(a) {
		t.Errorf("%d and %d bytes", len(a), len(b))
	}
}
