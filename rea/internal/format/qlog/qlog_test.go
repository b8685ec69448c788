package qlog_test

import (
	"os"
	"path/filepath"
	"testing"

	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/format/qlog"
)

// words are the names and constants of the facet, which nothing renames.
const words = `{"body_bytes":"not-reported","clock":{"basis":"profile-assumption-aioquic-1.5.0","epoch":"unix","unit":"milliseconds"},` +
	`"profile":"aioquic-1.5.0-json-0.3","scope":"all-recorded-events-before-selection","traces":[{"events","incomplete_records",` +
	`"loss_declarations":[{"ordinal","packet_number","packet_type"}],"odcid","pointer","streams":[{"contributions":[{"fin":true,false,null` +
	`"frame_index","length","offset","ordinal"}],"direction":"received","sent","final_sizes":[{"ordinals","size"}],"frame_length_sum",` +
	`"ranges":[{"end","start"}],"repeated_bytes","stream_id","unique_bytes"}],"trace_index","vantage_point":{"name","type"}}]}`

func TestConformance(t *testing.T) {
	captures := map[string][]byte{"sample": qlog.Format{}.Profile().Sample}
	files, err := filepath.Glob("testdata/*.qlog")
	if err != nil || len(files) == 0 {
		t.Fatal("no captures", err)
	}
	for _, f := range files {
		captures[filepath.Base(f)] = capture(t, f)
	}
	formattest.Run(t, formattest.Suite{Format: "qlog", Captures: captures, JSON: true, Words: words})
}

func capture(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
