package judge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestVerdictLines(t *testing.T) {
	out := []byte(`{"file":"a","verdict":"accept","version":"1.2"}
{"file":"b","verdict":"reject","stage":"schema","pointer":"/log","keyword":"required","all":[{"pointer":"/log","keyword":"required"}]}
`)
	v, err := readVerdicts(out, []string{"a", "b"})
	if err != nil || len(v) != 2 || v[0].Verdict != "accept" || v[1].Stage != "schema" || v[1].All[0].Keyword != "required" {
		t.Errorf("verdicts %+v, %v", v, err)
	}
	for name, paths := range map[string][]string{
		"one file too few":  {"a"},
		"one file too many": {"a", "b", "c"},
		"another file":      {"a", "x"},
	} {
		if v, err := readVerdicts(out, paths); err == nil {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// fakeNodeVersion makes this test binary behave like `node --version`.
const fakeNodeVersion = "REA_TEST_FAKE_NODE_VERSION"

func TestMain(m *testing.M) {
	if version := os.Getenv(fakeNodeVersion); version != "" {
		fmt.Println(version)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fakeNode puts a `node` on the path that only tells its version.
func fakeNode(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	name := "node"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv(fakeNodeVersion, "v99.0.0")
}

func TestAbsentPartsAreReasons(t *testing.T) {
	source, home := t.TempDir(), t.TempDir()
	expect := func(what, want string) {
		t.Helper()
		if j, err := open(context.Background(), source, home); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v", what, j, err)
		}
	}
	write := func(dir, name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	t.Setenv("PATH", t.TempDir())
	expect("without node", "no node")
	fakeNode(t)
	expect("without committed scripts", "no scripts")
	files := []string{"package.json", "verdict.mjs"}
	for _, name := range files {
		write(source, name, `{"dependencies":{"ajv":"1.2.3"}}`)
	}
	expect("before it is prepared", "verify:judge")
	for _, name := range files {
		write(home, name, `{"dependencies":{"ajv":"1.2.3"}}`)
	}
	expect("without packages", "ajv is not installed")
	write(home, "node_modules/ajv/package.json", `{"name":"ajv","version":"1.2.4"}`)
	expect("with another version", "ajv is 1.2.4, pinned 1.2.3")
	write(home, "node_modules/ajv/package.json", `{"name":"ajv","version":"1.2.3"}`)
	j, err := open(context.Background(), source, home)
	if err != nil || j.Version != "v99.0.0" || len(j.Packages) != 1 {
		t.Errorf("prepared: %+v, %v", j, err)
	}
	write(home, "verdict.mjs", "changed")
	expect("after a change", "verdict.mjs is not prepared")
}
