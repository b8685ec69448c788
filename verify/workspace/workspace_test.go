package workspace_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"rea.example/verify/workspace"
)

func TestRootIsFoundFromBelowAndRefusedOutside(t *testing.T) {
	root := t.TempDir()
	for _, file := range []string{"go.work", "rea/go.mod", "a/b/c.txt"} {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []string{"", "rea", "a/b"} {
		if got, err := workspace.RootFrom(filepath.Join(root, from)); err != nil || got != root {
			t.Errorf("from %q: root %q, %v", from, got, err)
		}
	}
	if err := os.Remove(filepath.Join(root, "rea", "go.mod")); err != nil {
		t.Fatal(err)
	}
	if got, err := workspace.RootFrom(filepath.Join(root, "a")); err == nil {
		t.Errorf("a go.work without the product beside it was taken for the root: %q", got)
	}
}

func TestCacheMakesParentsOnly(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	path, err := workspace.Cache("reports", "x.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		t.Errorf("parent: %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the path itself was made")
	}
}

func TestAPrivateFolderGoesWithItsOwner(t *testing.T) {
	parent := t.TempDir()
	others := []string{"mine-1", "mine-12x", "other-1", "mine-2"}
	for _, name := range others {
		if err := os.Mkdir(filepath.Join(parent, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(parent, "mine-2"), 0o755); err != nil {
		t.Fatal(err)
	}
	first, err := workspace.Private(parent, "mine-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(first.Path, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := workspace.Private(parent, "mine-")
	if err != nil {
		t.Fatal(err)
	}
	if workspace.Abandoned(first.Path) || workspace.Abandoned(second.Path) {
		t.Error("a folder is taken from this process")
	}
	here := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	if !here(filepath.Join(first.Path, "x")) {
		t.Error("what is in use was swept")
	}
	// The first was nobody's: a folder as Private makes them, without an owner. The
	// others are not so named, or not so made.
	for i, name := range others {
		if here(filepath.Join(parent, name)) == (i == 0 && runtime.GOOS != "windows") {
			t.Errorf("%s: there is %v", name, here(filepath.Join(parent, name)))
		}
	}
	for _, f := range []*workspace.Folder{first, second} {
		if err := f.Close(); err != nil || here(f.Path) {
			t.Errorf("%s is still there, %v", f.Path, err)
		}
	}
}

// TestManyPrivateFoldersAtOnceStay: the sweep of one maker does not take what another
// has just made and not yet marked.
func TestManyPrivateFoldersAtOnceStay(t *testing.T) {
	parent := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				f, err := workspace.Private(parent, "mine-")
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(f.Path, "x"), nil, 0o600); err != nil {
					t.Error(err)
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
