package workspace_test

import (
	"os"
	"path/filepath"
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
