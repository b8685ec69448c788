package schema_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/rea/internal/format/har/schema"
	"rea.example/rea/internal/judge"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

var update = flag.Bool("update", false, "record the judge's verdicts on testdata anew")

const recorded = "testdata/verdicts.json"

func file(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// The captures in testdata get the judge's verdicts, which are recorded for where
// there is no judge. Where there is one, the records have to be its.
func TestTestdata(t *testing.T) {
	j := judge.Start(t)
	names, err := filepath.Glob("testdata/*.har")
	if err != nil || len(names) < 15 {
		t.Fatalf("%d captures, %v", len(names), err)
	}
	verdicts := map[string]judge.Verdict{}
	if *update {
		for _, name := range names {
			verdicts[filepath.Base(name)] = j.Verdict(t, file(t, name))
		}
		text, err := json.MarshalIndent(verdicts, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(recorded, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal(file(t, recorded), &verdicts); err != nil {
		t.Fatal(err)
	}
	if len(verdicts) != len(names) {
		t.Errorf("%d verdicts recorded for %d captures", len(verdicts), len(names))
	}
	for _, name := range names {
		src := file(t, name)
		want := verdicts[filepath.Base(name)]
		if j.Available() {
			if d := diff(want, j.Verdict(t, src)); d != "" {
				t.Errorf("the record of %s: %s", name, d)
			}
		}
		if d := diff(read(src), want); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Every HAR of the corpus, and what is in those that are compressed, gets the
// judge's verdict, stage, first error and whole list.
func TestCorpus(t *testing.T) {
	j := judge.Start(t)
	root := os.Getenv("REA_EXTRA_CORPORA")
	switch {
	case root == "" && judge.CI():
		t.Fatal("REA_EXTRA_CORPORA does not say where the corpus is")
	case root == "" || !j.Available():
		t.Skip("needs the judge and, in REA_EXTRA_CORPORA, the corpus")
	}
	n := 0
	for row := range strings.Lines(string(file(t, filepath.Join(root, "MANIFEST.tsv")))) {
		fields := strings.Split(row, "\t")
		if fields[0] != "har" {
			continue
		}
		n++
		src := file(t, filepath.Join(root, fields[1]))
		if d := diff(read(src), j.Verdict(t, src)); d != "" {
			t.Errorf("%s: %s", fields[1], d)
		}
		if z, err := gzip.NewReader(bytes.NewReader(src)); err == nil {
			if src, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
			if d := diff(read(src), j.Verdict(t, src)); d != "" {
				t.Errorf("%s, expanded: %s", fields[1], d)
			}
		}
	}
	if n == 0 {
		t.Error("the corpus has no HAR")
	}
}

// A report that has had enough is not called again, and the one for what comes after
// the entries is called all the same.
func TestReportStops(t *testing.T) {
	doc, err := strictjson.Parse([]byte(`{"log":{"version":1,"entries":[],"comment":1,"pages":1}}`), depth)
	if err != nil {
		t.Fatal(err)
	}
	var before, after []schema.Error
	once := func(list *[]schema.Error) func(schema.Error) bool {
		return func(e schema.Error) bool {
			*list = append(*list, e)
			return false
		}
	}
	schema.Document(&doc, true, once(&before), once(&after))
	if len(before) != 1 || before[0].Pointer != "/log" || before[0].Expected != "creator" {
		t.Errorf("before: %+v", before)
	}
	if len(after) != 1 || after[0].Pointer != "/log/comment" {
		t.Errorf("after: %+v", after)
	}
	var inside []schema.Error
	schema.Entry(&tree.Value{Kind: tree.Object}, once(&inside))
	if len(inside) != 1 {
		t.Errorf("inside: %+v", inside)
	}
}

// Only the one null is flagged: of the text, in an entry's request, and no number
// that counts as null.
func TestNullPostDataText(t *testing.T) {
	for text, want := range map[string]bool{
		`{"request":{"postData":{"text":null}}}`:              true,
		`{"request":{"postData":{"text":1e400}}}`:             false,
		`{"request":{"postData":{"text":5}}}`:                 false,
		`{"request":{"postData":{"mimeType":null}}}`:          false,
		`{"response":{"content":{"text":null}},"text":null}`:  false,
		`{"request":{"postData":{"params":[{"text":null}]}}}`: false,
	} {
		v, err := strictjson.Parse([]byte(text), depth)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		schema.Entry(&v, func(e schema.Error) bool {
			if e.NullPostDataText {
				n++
				if e.Pointer != "/request/postData/text" || e.Keyword != "type" || e.Expected != "string" {
					t.Errorf("%s: %+v", text, e)
				}
			}
			return true
		})
		if want != (n == 1) {
			t.Errorf("%s: flagged %d times", text, n)
		}
	}
}

// A valid entry costs no memory: there can be tens of thousands.
func TestValidEntriesDoNotAllocate(t *testing.T) {
	doc, err := strictjson.Parse(file(t, "testdata/every-field.har"), depth)
	if err != nil {
		t.Fatal(err)
	}
	entries := doc.At("log", "entries").Items
	n := testing.AllocsPerRun(100, func() {
		for i := range entries {
			schema.Entry(&entries[i], func(schema.Error) bool {
				t.Error("an error in a valid entry")
				return false
			})
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkEntry(b *testing.B) {
	doc, err := strictjson.Parse(file(b, "testdata/every-field.har"), depth)
	if err != nil {
		b.Fatal(err)
	}
	for i, name := range []string{"all fields", "least fields"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				schema.Entry(&doc.At("log", "entries").Items[i], func(schema.Error) bool { return true })
			}
		})
	}
}
