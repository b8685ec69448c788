package saz

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/tree"
)

// octetsSink gathers the octets of every member that is in a record, under its
// name, and the inventory under none.
type octetsSink map[string]string

func (s octetsSink) Record(e *format.Entry) error {
	members := e.Reported.Get("members")
	for _, side := range []string{"request", "response"} {
		if m := e.Reported.Get(side); m.Kind == tree.Object {
			name, _ := members.Get(side).Str()
			s[name] = strings.Clone(m.Get("head").Text + m.Get("body").Text)
		}
	}
	for _, opaque := range []string{"websocket", "grpc"} {
		if m := e.Reported.Get(opaque); m.Kind == tree.Bytes {
			name, _ := members.Get(opaque).Str()
			s[name] = strings.Clone(m.Text)
		}
	}
	return nil
}

func (s octetsSink) Container(c *format.Container) error {
	s[""] = containerJSON(c)
	return nil
}

type corpusRow struct {
	name    string
	src     []byte
	records int // -1: refused as malformed
}

// corpus are the archives of other tools that lie beside the repository.
func corpus(t *testing.T) (rows []corpusRow) {
	dir := os.Getenv("REA_EXTRA_CORPORA")
	if dir == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("REA_EXTRA_CORPORA does not say where the corpus is")
		}
		t.Log("no corpus: REA_EXTRA_CORPORA is not set")
		return nil
	}
	f, err := os.Open(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	table, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range table[0] {
		at[name] = i
	}
	for _, row := range table[1:] {
		if row[at["kind"]] != "saz" {
			continue
		}
		c := corpusRow{name: row[at["local_file"]], records: -1}
		if c.src, err = os.ReadFile(filepath.Join(dir, c.name)); err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(c.src); hex.EncodeToString(sum[:]) != row[at["sha256"]] {
			t.Fatalf("%s is not the file that the manifest means", c.name)
		}
		verdict := row[len(row)-1]
		if n, _ := fmt.Sscanf(verdict, "ACCEPT %d records", &c.records); n == 0 && !strings.HasPrefix(verdict, "REJECT malformed") {
			t.Fatalf("%s: no verdict in %q", c.name, verdict)
		}
		rows = append(rows, c)
	}
	return rows
}

// cookie is a header that is not hidden.
var cookie = regexp.MustCompile(`(?i)"name":"(set-)?cookie","value":"[^H]`)

func TestCorpus(t *testing.T) {
	for _, row := range corpus(t) {
		g, err := read(row.src)
		var p *format.Problem
		switch {
		case row.records < 0:
			if !errors.As(err, &p) || p.Kind != format.Malformed {
				t.Errorf("%s: %v", row.name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", row.name, err)
		case len(g.records) != row.records:
			t.Errorf("%s: %d records, want %d", row.name, len(g.records), row.records)
		}
		for i, r := range g.records {
			if cookie.MatchString(r.json) {
				t.Errorf("%s: record %d shows a cookie", row.name, i)
			}
		}
	}
}
