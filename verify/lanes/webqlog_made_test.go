package lanes

import (
	"encoding/json"
	"strings"
	"testing"

	"rea.example/verify/product"
	"rea.example/verify/qlogfile"
)

func TestMadeTracesShowWhatTheyAreNamedFor(t *testing.T) {
	for _, m := range streamTraces() {
		f, err := qlogfile.Read([]byte(m.text))
		if err != nil || len(f.Secrets) > 0 {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		s := f.Traces[0].Streams[qlogfile.Key{Stream: "0", Direction: "sent"}]
		switch m.name {
		case "the same range three times":
			if s.Unique() != 10 || s.Sum() != 30 || len(s.Ranges(3)) != 1 {
				t.Errorf("%s: %d of %d", m.name, s.Unique(), s.Sum())
			}
		case "ends of one size":
			if len(s.FinalSizes) != 1 || len(s.FinalSizes[10]) != 3 {
				t.Errorf("%s: %v", m.name, s.FinalSizes)
			}
		case "ends that contradict each other":
			if len(s.FinalSizes) != 3 {
				t.Errorf("%s: %v", m.name, s.FinalSizes)
			}
		}
	}
}

func TestEachEventHasItsSecret(t *testing.T) {
	c := &canary{plant: func(string) {}}
	text := c.secretTrace()
	f, err := qlogfile.Read([]byte(text))
	if err != nil || len(f.Traces[0].Events) != len(c.secrets) || len(c.secrets) < 70 || strings.Contains(text, planted) {
		t.Errorf("%d secrets, %v", len(c.secrets), err)
	}
	if err := c.present([]byte(text)); err != nil {
		t.Error(err)
	}
}

func TestStreamsStandInTheOrderOfTheirNumbers(t *testing.T) {
	event := packet(sent, streamFrame("9", 0, 1, false), streamFrame("10", 0, 1, false))
	second, err := qlogfile.Read([]byte(qlogOf([]string{event})))
	if err != nil {
		t.Fatal(err)
	}
	stream := func(id, index string) string {
		return `{"stream_id":"` + id + `","direction":"sent","unique_bytes":"1","frame_length_sum":"1","repeated_bytes":"0","ranges":[{"start":"0","end":"1"}],
"final_sizes":[],"contributions":[{"ordinal":0,"frame_index":` + index + `,"offset":"0","length":"1","fin":false}]}`
	}
	of := func(streams ...string) *product.Facts {
		f := new(product.Facts)
		whole := `{"profile":"aioquic-1.5.0-json-0.3","scope":"all-recorded-events-before-selection","body_bytes":"not-reported",
"clock":{"unit":"milliseconds","epoch":"unix","basis":"profile-assumption-aioquic-1.5.0"},"traces":[{"trace_index":0,"events":1,"streams":[` + strings.Join(streams, ",") + `]}]}`
		if err := json.Unmarshal([]byte(whole), f); err != nil {
			t.Fatal(err)
		}
		return f
	}
	if err := sameFacts(of(stream("9", "0"), stream("10", "1")), second); err != nil {
		t.Error(err)
	}
	if sameFacts(of(stream("10", "1"), stream("9", "0")), second) == nil {
		t.Error("another order goes unseen")
	}
}
