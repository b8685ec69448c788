package har_test

import (
	"os"
	"path/filepath"
	"testing"

	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/format/har"
)

func TestConformance(t *testing.T) {
	captures := map[string][]byte{"sample": har.Format{}.Profile().Sample}
	files, err := filepath.Glob("testdata/*.har")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		captures[filepath.Base(f)] = b
	}
	formattest.Run(t, formattest.Suite{Format: "har", Captures: captures, JSON: true})
}
