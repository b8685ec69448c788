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

func captures(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/capture-*.txtar")
	if err != nil || len(names) < 4 {
		t.Fatal(names, err)
	}
	return names
}

func document(t testing.TB, name string) []byte {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return canonical(t, a.Files[0].Data)
}

func TestCaptureGolden(t *testing.T) {
	for _, name := range captures(t) {
		doc := document(t, name)
		golden(t, name, func(o string) string { return capture(t, doc, options(t, o)) })
	}
}

// At every width each line fits, but for what is there to be copied.
func TestCaptureFits(t *testing.T) {
	for _, name := range captures(t) {
		doc := document(t, name)
		for w := 1; w <= 260; w++ {
			text := capture(t, doc, Options{Width: w})
			for _, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(line, "  rea ") || strings.HasPrefix(line, "sha256 ") || strings.HasPrefix(line, "evidence ") {
					continue
				}
				if n := width(line); n > max(w, narrowest) {
					t.Errorf("%s at %d: a line of %d cells: %s", name, w, n, line)
				}
			}
		}
	}
}

// Whatever is recorded, nothing reaches the terminal that could act on it.
func TestCaptureIsHarmless(t *testing.T) {
	for _, name := range captures(t) {
		for _, w := range []int{0, 80} {
			text := capture(t, document(t, name), Options{Width: w})
			for _, r := range text {
				if r != '\n' && hidden(r) {
					t.Errorf("%s: %U in the output", name, r)
				}
			}
		}
	}
}

func TestCaptureReportsTheWriter(t *testing.T) {
	doc := document(t, "testdata/capture-sample.txtar")
	for i, write := range []func() error{
		func() error { return Capture(full{}, doc, Options{}) },
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
