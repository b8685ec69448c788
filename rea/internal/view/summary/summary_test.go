package summary

import (
	"strings"
	"testing"

	"rea.example/rea/internal/view/viewtest"
)

func TestSeal(t *testing.T) {
	c := viewtest.Capture{Reported: []string{`{"a":"SECRET"}`, `null`}, Total: 5}
	for _, report := range []bool{false, true} {
		c.Report = report
		_, d, err := Seal(t.Context(), c.Open(t), nil)
		got := viewtest.Result(t, d, err)
		deviations := ""
		if report {
			deviations = `"deviation_count":8,`
		}
		want := `"summary":{"decoder":{"id":"rea-test","name":"test","version":"1"},` + deviations +
			`"format":"har","limitation_count":1,"retained_records":2,"total_records":5}`
		if !strings.Contains(got, want) || strings.Contains(got, "SECRET") || !strings.Contains(got, `"complete-within-view"`) {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestFacts(t *testing.T) {
	c := viewtest.Capture{Format: "qlog"}
	_, d, err := Seal(t.Context(), c.Open(t), map[string]any{"traces": 2})
	if got := viewtest.Result(t, d, err); !strings.Contains(got, `"qlog":{"traces":2},"retained_records":0`) {
		t.Error(got)
	}
}
