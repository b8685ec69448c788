package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/evidence"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// program is the built product, which is the owned child of the calls here. It
// is built without the race detector, under which its bounds would be others.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "app-test-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "rea")
	build := exec.Command("go", "build", "-o", program, "rea.example/rea")
	code := 1
	out, err := build.CombinedOutput()
	if err == nil {
		err = errors.Join(os.Chmod(dir, 0o755), os.Chmod(program, 0o755)) // other users start it, too
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// args are the arguments of a call.
type args map[string]any

const inspect = "inspect_web_network_capture"

// private gives the calls of a test a temporary directory of their own, which
// has to be empty after the test, like the list of this process's children.
func private(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(open(t), "tmp")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	t.Cleanup(func() { mustBeTidy(t, dir) })
	return dir
}

// open is a directory that every user may search.
func open(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func mustBeTidy(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if c := children(t); len(c) > 0 {
		t.Errorf("processes left behind: %v", c)
	}
}

// answer is the document of a call, decoded.
type answer struct {
	app.Outcome
	text string
	doc  map[string]any
}

func do(t *testing.T, a app.App, arguments any) answer {
	t.Helper()
	return doCall(t, a, app.Call{Operation: inspect, Arguments: marshal(t, arguments)})
}

func doCall(t *testing.T, a app.App, call app.Call) answer {
	t.Helper()
	if a.Program == "" {
		a.Program = program
	}
	out := a.Do(t.Context(), call)
	return read(t, out)
}

func read(t *testing.T, out app.Outcome) answer {
	t.Helper()
	t.Cleanup(func() { out.Close() })
	b, err := out.Document.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	r := answer{Outcome: out, text: string(b)}
	if err := d.Decode(&r.doc); err != nil {
		t.Fatal(err)
	}
	if out.Failure == nil {
		if id, _, err := evidence.Open(b); err != nil || id != out.EvidenceID {
			t.Errorf("the Evidence does not open as %s: %v", out.EvidenceID, err)
		}
	}
	return r
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	if raw, ok := v.(string); ok {
		return []byte(raw)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// at gives what stands at a path of names and indexes, as compact JSON.
func (a answer) at(path string) string {
	var v any = a.doc
	for _, name := range strings.Split(path, ".") {
		switch w := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = w[name]; !ok {
				return "<absent>"
			}
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(w) {
				return "<absent>"
			}
			v = w[i]
		default:
			return "<absent>"
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// want checks places of an answer: path, JSON, path, JSON ...
func (a answer) want(t *testing.T, pairs ...string) {
	t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		if got := a.at(pairs[i]); got != pairs[i+1] {
			t.Errorf("%s is %.400s, want %s", pairs[i], got, pairs[i+1])
		}
	}
}

func (a answer) wantNot(t *testing.T, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if i := strings.Index(a.text, s); i >= 0 {
			t.Errorf("%q is in ...%s...", s, a.text[max(0, i-60):min(len(a.text), i+60)])
		}
	}
}

// entry is a valid entry; patches replace its pieces.
func entry(patches ...string) string {
	return patched(`{"startedDateTime":"2031-01-01T00:00:00Z","time":1,`+
		`"request":{"method":"GET","url":"https://h.example/a","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},`+
		`"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":0,"mimeType":"text/plain"},"redirectURL":"","headersSize":-1,"bodySize":-1},`+
		`"cache":{},"timings":{"send":0,"wait":0,"receive":0}}`, patches)
}

func har(entries string, patches ...string) string {
	return patched(`{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[`+entries+`]}}`, patches)
}

func patched(s string, patches []string) string {
	for i := 0; i+1 < len(patches); i += 2 {
		if !strings.Contains(s, patches[i]) {
			panic("nothing to patch: " + patches[i])
		}
		s = strings.Replace(s, patches[i], patches[i+1], 1)
	}
	return s
}

// save writes a capture to a directory that only holds it.
func save(t *testing.T, name, capture string) string {
	t.Helper()
	path := filepath.Join(open(t), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(capture), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
