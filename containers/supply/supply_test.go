package supply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// cacheFolder gives this test a cache of its own, with the folder that once uses.
func cacheFolder(t *testing.T) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "rea-workbench", "containers")
}

func TestLocksAreReadAndWritten(t *testing.T) {
	a, b := strings.Repeat("a", 64), strings.Repeat("b", 64)
	text := FormatLock([]Requirement{{"h2", "4.3.0", []string{b, a}}, {"attrs", "26.1.0", []string{a}}})
	list, err := ParseLock(text)
	if err != nil || !reflect.DeepEqual(list, []Requirement{{"attrs", "26.1.0", []string{a}}, {"h2", "4.3.0", []string{a, b}}}) {
		t.Errorf("%v, %v", list, err)
	}
	for name, bad := range map[string]string{
		"no version":   "h2 --hash=sha256:" + a,
		"a range":      "h2>=4 --hash=sha256:" + a,
		"no hash":      "h2==4.3.0",
		"another hash": "h2==4.3.0 --hash=md5:0123",
		"an address":   "h2 @ file:///h2.whl --hash=sha256:" + a,
		"an option":    "--index-url x",
		"nothing":      "# nothing\n",
	} {
		if list, err := ParseLock([]byte(bad)); err == nil {
			t.Errorf("%s was read as %v", name, list)
		}
	}
}

// fakePython is a python3 whose pip copies what lies in a folder.
func fakePython(t *testing.T, wheels map[string]string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake is a shell script")
	}
	bin, source := t.TempDir(), t.TempDir()
	for name, text := range wheels {
		if err := os.WriteFile(filepath.Join(source, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	script := `#!/bin/sh
[ "$3" = --version ] && exit 0
[ -n "$PIP_FIND_LINKS" ] && echo "PIP_FIND_LINKS reached pip" && exit 1
[ -n "$FAKE_FAILS" ] && echo "no such index" && exit 1
while [ "$1" != -d ]; do shift; done
cp ` + source + `/* "$2"
`
	if err := os.WriteFile(filepath.Join(bin, "python3"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("PIP_FIND_LINKS", "elsewhere")
}

func TestWheelsAreFetchedOnceAndCheckedEachTime(t *testing.T) {
	folder := cacheFolder(t)
	fakePython(t, map[string]string{"h2-4.3.0-py3-none-any.whl": "h2"})
	lock := FormatLock([]Requirement{{"h2", "4.3.0", []string{sumOf("h2")}}})
	get := func() ([]File, error) { return Wheels(context.Background(), lock, "amd64", io.Discard) }
	files, err := get()
	if err != nil || len(files) != 1 || files[0].Name != "h2-4.3.0-py3-none-any.whl" || string(files[0].Data) != "h2" {
		t.Fatalf("%v, %v", files, err)
	}
	t.Setenv("FAKE_FAILS", "1")
	if _, err := get(); err != nil {
		t.Errorf("the cache is not used: %v", err)
	}
	if _, err := Wheels(context.Background(), lock, "arm64", io.Discard); err == nil || !strings.Contains(err.Error(), "no such index") {
		t.Errorf("pip's words are lost: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(folder, "wheels", ".draft-*")); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := Wheels(context.Background(), lock, "riscv64", io.Discard); err == nil {
		t.Error("wheels for an architecture that has no lock")
	}
	found, err := filepath.Glob(filepath.Join(folder, "wheels", "*-amd64", "*.whl"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	for _, spoil := range []func() error{
		func() error { return os.WriteFile(found[0], []byte("h3"), 0o644) },
		func() error { return os.Remove(found[0]) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, err := get(); err == nil || !strings.Contains(err.Error(), "to fetch them again") {
			t.Errorf("a spoilt cache: %v", err)
		}
	}
}

func TestResolveLocksEveryArchitecture(t *testing.T) {
	fakePython(t, map[string]string{"argon2_cffi-25.1.0-py3-none-any.whl": "argon", "H2-4.3.0-py3-none-any.whl": "h2"})
	list, err := Resolve(context.Background(), "h2==4.3.0", io.Discard)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	read, err := ParseLock(FormatLock(list))
	if err != nil || !reflect.DeepEqual(read, []Requirement{{"argon2-cffi", "25.1.0", []string{sumOf("argon")}}, {"h2", "4.3.0", []string{sumOf("h2")}}}) {
		t.Errorf("%v, %v", read, err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "h2-4.4.0-py3-none-any.whl"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := merge(map[string]*Requirement{"h2": {Name: "h2", Version: "4.3.0"}}, dir); err == nil {
		t.Error("two versions for two architectures")
	}
}

func TestOnceIsWholeOrNotThere(t *testing.T) {
	folder := cacheFolder(t)
	if _, err := once("x", func(dir string) error {
		return errors.Join(os.WriteFile(filepath.Join(dir, "half"), nil, 0o644), errors.New("interrupted"))
	}); err == nil {
		t.Error("half a folder is a folder")
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			dir, err := once("x", func(dir string) error { return os.WriteFile(filepath.Join(dir, "whole"), nil, 0o644) })
			if err != nil {
				t.Error(err)
			} else if _, err := os.Stat(filepath.Join(dir, "whole")); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("left %v, %v", entries, err)
	}
}

func TestNPMFilesAreThoseNpmInstalls(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake is a shell script")
	}
	cacheFolder(t)
	bin := t.TempDir()
	script := "#!/bin/sh\ntest -f package-lock.json && mkdir -p node_modules/a node_modules/.bin && echo '{}' > node_modules/a/package.json && ln -s ../a node_modules/.bin/a && touch beside\n"
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	files, err := NPM(context.Background(), []byte("{}"), []byte("{}"), io.Discard)
	if err != nil || len(files) != 1 || files[0].Name != "node_modules/a/package.json" || string(files[0].Data) != "{}\n" {
		t.Errorf("%v, %v", files, err)
	}
}

func TestDifferences(t *testing.T) {
	got := Differences("a 1\nb 1\nc 1\n", "a 1\nb 2\nd 1\n")
	if strings.Join(got, ", ") != "b 1 is now 2, c 1 is gone, d 1 is new" {
		t.Error(got)
	}
	if got := Differences("a 1\n", "a 1\n"); len(got) != 0 {
		t.Error(got)
	}
}
