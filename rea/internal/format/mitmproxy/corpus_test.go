package mitmproxy_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/judge"
)

// TestCorpus: recorded flow files of many versions get the verdicts that the
// corpus's table gives them.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("REA_EXTRA_CORPORA")
	if dir == "" {
		if judge.CI() {
			t.Fatal("REA_EXTRA_CORPORA is not set")
		}
		t.Skip("needs the corpus, in REA_EXTRA_CORPORA")
	}
	table, err := os.Open(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	rows := csv.NewReader(table)
	rows.Comma = '\t'
	all, err := rows.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, row := range all[1:] {
		if row[0] != "mitmproxy" {
			continue
		}
		n++
		src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(row[1])))
		if err != nil {
			t.Fatal(err)
		}
		verdict := row[len(row)-1]
		g, p := read(t, src)
		switch {
		case strings.HasPrefix(verdict, "ACCEPT "):
			if want := fmt.Sprintf("ACCEPT %d records", len(g.records)); p != nil || !strings.HasPrefix(verdict, want) {
				t.Errorf("%s: %d records, %v; the table says %s", row[1], len(g.records), p, verdict)
			}
		case strings.HasPrefix(verdict, "REJECT format: dictionary keys are bytes"):
			if p == nil || p.Kind != format.Malformed || p.Pointer != "" || !strings.Contains(p.Message, "a key that is not text") {
				t.Errorf("%s: %v; the table says %s", row[1], p, verdict)
			}
		default:
			t.Errorf("%s: no test for the verdict %s", row[1], verdict)
		}
	}
	if n == 0 {
		t.Error("the corpus has no flow file")
	}
}
