package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view/headline"
)

var update = flag.Bool("update", false, "write the golden files anew")

// canonical gives JSON that was laid out for reading in canonical form.
func canonical(t testing.TB, text []byte) []byte {
	t.Helper()
	v, err := strictjson.Parse(text, limits.ArgumentDepth)
	if err != nil {
		t.Fatal(err)
	}
	return strictjson.AppendCanonical(nil, &v)
}

// golden compares each file of an archive but the first with what render makes
// for its name, or writes it.
func golden(t *testing.T, name string, render func(name string) string) {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Files {
		f := &a.Files[i]
		if filepath.Ext(f.Name) == ".json" {
			continue
		}
		// An escape that reaches the output must be seen in the golden file.
		got := strings.ReplaceAll(render(f.Name), "\x1b", "<ESC>")
		if *update {
			f.Data = []byte(got)
		} else if got != string(f.Data) {
			t.Errorf("%s: %s: got\n%s\nwant\n%s", name, f.Name, got, f.Data)
		}
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// options reads "80", "40 color", "pipe", "120 max=2 name=x".
func options(t testing.TB, s string) (o Options) {
	t.Helper()
	for _, word := range strings.Fields(s) {
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(key)
		switch {
		case err == nil:
			o.Width = n
		case key == "pipe":
		case key == "color":
			o.Color = true
		case key == "max":
			o.MaxRows, _ = strconv.Atoi(value)
		case key == "name":
			o.Name = value
		default:
			t.Fatalf("no option %q", word)
		}
	}
	return o
}

func capture(t testing.TB, doc []byte, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Capture(&b, doc, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func archives(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/" + pattern)
	if err != nil || len(names) < 4 {
		t.Fatal(names, err)
	}
	return names
}

func captures(t *testing.T) []string { return archives(t, "capture-*.txtar") }
func views(t *testing.T) []string    { return archives(t, "view-*.txtar") }

func document(t testing.TB, name string) []byte {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return canonical(t, a.Files[0].Data)
}

func view(t testing.TB, doc []byte, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := View(&b, doc, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// pages calls try with every document, and what makes a page of it.
func pages(t *testing.T, try func(name string, page func(Options) string)) {
	t.Helper()
	for _, name := range captures(t) {
		doc := document(t, name)
		try(name, func(o Options) string { return capture(t, doc, o) })
	}
	for _, name := range views(t) {
		doc := document(t, name)
		try(name, func(o Options) string { return view(t, doc, o) })
	}
}

func TestGolden(t *testing.T) {
	pages(t, func(name string, page func(Options) string) {
		golden(t, name, func(o string) string { return page(options(t, o)) })
	})
}

// At every width each line fits, but for what is there to be copied or is
// shown whole.
func TestFits(t *testing.T) {
	pages(t, func(name string, page func(Options) string) {
		if strings.Contains(name, "view-complete") {
			return
		}
		for w := 1; w <= 260; w++ {
			for _, line := range strings.Split(page(Options{Width: w}), "\n") {
				if strings.HasPrefix(line, "  rea ") || strings.HasPrefix(line, "sha256 ") || strings.HasPrefix(line, "evidence ") ||
					strings.HasPrefix(line, "parent ") {
					continue
				}
				if n := width(line); n > max(w, narrowest) {
					t.Errorf("%s at %d: a line of %d cells: %s", name, w, n, line)
				}
			}
		}
	})
}

// Whatever is recorded, nothing reaches the terminal that could act on it, and
// no line ends in blanks.
func TestHarmless(t *testing.T) {
	pages(t, func(name string, page func(Options) string) {
		for _, w := range []int{0, 40, 80} {
			text := page(Options{Width: w})
			for _, r := range text {
				if r != '\n' && hidden(r) {
					t.Errorf("%s: %U in the output", name, r)
				}
			}
			if strings.Contains(text, " \n") {
				t.Errorf("%s at %d: blanks at the end of a line", name, w)
			}
		}
	})
}

// Of a record no more is built than a table needs, and all that it needs.
func TestNeeds(t *testing.T) {
	for _, name := range captures(t) {
		f := gather(document(t, name))
		l := layouts(f)
		for i, row := range f.table(0).rows {
			e := entry{facts: f, record: f.records[i], reported: f.parts(f.records[i].reported)}
			e.line = headline.Of(f.text(f.format), &e.reported, f.joins())
			if e.reported.Kind == tree.Null {
				continue
			}
			for k, want := range l.cells(&e) {
				if got := strings.TrimRight(row[k+1], " "); got != want {
					t.Errorf("%s, row %d: %q, of the whole record %q", name, i, got, want)
				}
			}
		}
	}
}

func TestTheWriterIsReported(t *testing.T) {
	doc := document(t, "testdata/capture-sample.txtar")
	for i, write := range []func() error{
		func() error { return Capture(full{}, doc, Options{}) },
		func() error { return View(full{}, doc, Options{}) },
		func() error { return YAML(full{}, doc) },
		func() error { return JSONLines(full{}, doc) },
		func() error { return JSON(full{}, bytes.NewReader(doc)) },
		func() error { return Failure(full{}, map[string]any{}, Options{}) },
		func() error { return JSONValue(full{}, map[string]any{}, true) },
		func() error { return YAMLValue(full{}, map[string]any{"a": 1}) },
	} {
		if err := write(); err != os.ErrClosed {
			t.Errorf("writer %d: error %v", i, err)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }
