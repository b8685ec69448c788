package corpora

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"rea.example/verify/workspace"
)

// repository is a bare one with two captures in its first commit; its branch has
// moved on since and changed one of them.
type repository struct {
	t           *testing.T
	bare        string
	first, last string // commits
}

const (
	one = "the first capture\n"
	two = "the second capture\x00\xff"
)

func newRepository(t *testing.T, filters bool) *repository {
	t.Helper()
	r := &repository{t: t, bare: filepath.Join(t.TempDir(), "bare.git")}
	work := t.TempDir()
	commit := func(files map[string]string) string {
		for name, text := range files {
			path := filepath.Join(work, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r.git(work, "add", ".")
		r.git(work, "commit", "-q", "-m", "captures")
		return r.git(work, "rev-parse", "HEAD")
	}
	r.git(work, "init", "-q", "-b", "main")
	r.first = commit(map[string]string{
		"data/one.saz": one, "data/two.saz": two, "data/deep/three.saz": "too deep", "readme.md": "not a capture",
	})
	r.last = commit(map[string]string{"data/one.saz": "another capture"})
	r.git(work, "clone", "-q", "--bare", work, r.bare)
	if filters {
		r.git(r.bare, "config", "uploadpack.allowFilter", "true")
	}
	return r
}

func (r *repository) git(dir string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(environment(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.test", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.test")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// object is the loose file of an object in the bare repository.
func (r *repository) object(content string) string {
	r.t.Helper()
	id := blobID([]byte(content))
	path := filepath.Join(r.bare, "objects", id[:2], id[2:])
	if _, err := os.Stat(path); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// lock is a lock file on the repository, in a cache of the test's own.
func (r *repository) lock() Lock {
	r.t.Helper()
	r.t.Setenv("XDG_CACHE_HOME", r.t.TempDir())
	r.t.Setenv("HOME", os.Getenv("XDG_CACHE_HOME"))
	l := Lock{
		Name: "test", Repository: r.bare, Commit: r.first, Paths: []string{"data/*.saz"},
		file: filepath.Join(r.t.TempDir(), "test.lock.json"),
	}
	if err := l.save(); err != nil {
		r.t.Fatal(err)
	}
	return l
}

// again reads the lock file anew.
func (l Lock) again(t *testing.T) Lock {
	t.Helper()
	got, err := read(l.file)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func fetch(t *testing.T, l Lock) {
	t.Helper()
	if err := l.Fetch(context.Background(), "", io.Discard); err != nil {
		t.Fatal(err)
	}
}

// cached are the captures that lie in the cache, by their names.
func cached(t *testing.T, l Lock) []string {
	t.Helper()
	dir, err := l.folder()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	err = filepath.WalkDir(filepath.Dir(dir), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestTheFirstFetchRecordsAndTheRecordBinds(t *testing.T) {
	for name, filters := range map[string]bool{"a server that filters": true, "one that does not": false} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, filters)
			l := r.lock()
			if err := l.Check(); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "corpora:fetch -only=test") {
				t.Errorf("before the fetch: %v", err)
			}
			fetch(t, l)
			l = l.again(t)
			want := []File{describe("data/one.saz", []byte(one)), describe("data/two.saz", []byte(two))}
			if !slices.Equal(l.Files, want) || l.Files[1].Bytes != 20 {
				t.Errorf("recorded %+v", l.Files)
			}
			paths, err := l.Open()
			if err != nil || len(paths) != 2 {
				t.Fatalf("%v, %v", paths, err)
			}
			if data, err := os.ReadFile(paths[1]); err != nil || string(data) != two {
				t.Errorf("%q, %v", data, err)
			}
			if got := cached(t, l); !slices.Equal(got, []string{"one.saz", "two.saz"}) {
				t.Errorf("the cache holds %v", got)
			}
			// What is there needs no repository.
			if err := os.RemoveAll(r.bare); err != nil {
				t.Fatal(err)
			}
			fetch(t, l)
		})
	}
}

func TestARecordThatDiffersStopsTheFetch(t *testing.T) {
	for name, spoil := range map[string]func(*File){
		"size":   func(f *File) { f.Bytes++ },
		"digest": func(f *File) { f.SHA256 = strings.Repeat("0", 64) },
		"git id": func(f *File) { f.Blob = strings.Repeat("0", 40) },
		"path":   func(f *File) { f.Path = "data/nine.saz" },
	} {
		t.Run(name, func(t *testing.T) {
			l := newRepository(t, true).lock()
			fetch(t, l)
			l = l.again(t)
			dir, err := l.folder()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			spoil(&l.Files[1])
			err = l.Fetch(context.Background(), "", io.Discard)
			if err == nil || errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "record") {
				t.Errorf("error %v", err)
			}
			if slices.Contains(cached(t, l), "two.saz") {
				t.Error("the file is in the cache all the same")
			}
		})
	}
}

func TestWrongContentIsNotTaken(t *testing.T) {
	for _, filters := range []bool{true, false} {
		r := newRepository(t, filters)
		l := r.lock()
		// The content of one object under the name of another.
		data, err := os.ReadFile(r.object("another capture"))
		if err != nil {
			t.Fatal(err)
		}
		victim := r.object(two)
		if err := errors.Join(os.Chmod(victim, 0o644), os.WriteFile(victim, data, 0o644)); err != nil {
			t.Fatal(err)
		}
		if err := l.Fetch(context.Background(), "", io.Discard); err == nil {
			t.Error("the fetch ended well")
		}
		if slices.Contains(cached(t, l), "two.saz") || l.again(t).Files != nil {
			t.Error("wrong content was taken")
		}
	}
}

func TestMissingPaths(t *testing.T) {
	l := newRepository(t, true).lock()
	l.Paths = append(l.Paths, "data/*.har")
	err := l.Fetch(context.Background(), "", io.Discard)
	if err == nil || errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "no file data/*.har") {
		t.Errorf("error %v", err)
	}
}

func TestAMovedBranchChangesNothing(t *testing.T) {
	r := newRepository(t, true)
	l := r.lock()
	// No branch leads to the pinned commit any more.
	tree := r.git(r.bare, "rev-parse", r.last+"^{tree}")
	r.git(r.bare, "update-ref", "refs/heads/main", r.git(r.bare, "commit-tree", tree, "-m", "rewritten"))
	fetch(t, l)
	if f := l.again(t).Files[0]; f.Bytes != int64(len(one)) {
		t.Errorf("%+v", f)
	}
}

func TestWhatCannotBeReachedIsUnavailable(t *testing.T) {
	r := newRepository(t, true)
	l := r.lock()
	absent := l
	absent.Commit = strings.Repeat("1", 40)
	for name, c := range map[string]struct {
		lock Lock
		from string
		want string
	}{
		"no such folder": {l, filepath.Join(t.TempDir(), "absent.git"), "does not appear to be a git repository"},
		"nobody listens": {l, "http://127.0.0.1:1/absent.git", "127.0.0.1"},
		"no such commit": {absent, "", strings.Repeat("1", 40)},
		"no shell there": {l, "ssh://nobody@127.0.0.1:1/absent.git", ""},
	} {
		err := c.lock.Fetch(context.Background(), c.from, io.Discard)
		if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if got := cached(t, c.lock); len(got) != 0 {
			t.Errorf("%s: left %v", name, got)
		}
	}
	// A mirror helps.
	l.Repository = "http://127.0.0.1:1/absent.git"
	if err := l.Fetch(context.Background(), r.bare, io.Discard); err != nil {
		t.Error(err)
	}
}

// hook calls do with each line that is logged.
type hook func(line string)

func (h hook) Write(p []byte) (int, error) { h(string(p)); return len(p), nil }

func TestAnInterruptedFetchGoesOnWhereItStopped(t *testing.T) {
	r := newRepository(t, true)
	l := r.lock()
	ctx, interrupt := context.WithCancel(context.Background())
	err := l.Fetch(ctx, "", hook(func(line string) {
		if strings.Contains(line, "1 of 2") {
			interrupt()
		}
	}))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if got := cached(t, l); !slices.Equal(got, []string{"one.saz"}) || l.again(t).Files != nil {
		t.Errorf("after the interruption the cache holds %v", got)
	}
	// The first file can't be had a second time.
	if err := os.Remove(r.object(one)); err != nil {
		t.Fatal(err)
	}
	fetch(t, l)
	if err := l.again(t).Check(); err != nil {
		t.Error(err)
	}
}

func TestFetchesAtOnceDoNotMeet(t *testing.T) {
	l := newRepository(t, true).lock()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if err := l.Fetch(context.Background(), "", io.Discard); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if got := cached(t, l); len(got) != 2 {
		t.Errorf("the cache holds %v", got)
	}
	if err := l.again(t).Check(); err != nil {
		t.Error(err)
	}
}

func TestASpoiltCacheIsSeenAndMended(t *testing.T) {
	l := newRepository(t, true).lock()
	fetch(t, l)
	l = l.again(t)
	paths, err := l.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], []byte("something else\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := l.Check(); err == nil || errors.Is(err, ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	fetch(t, l)
	if err := l.Check(); err != nil {
		t.Error(err)
	}
}

func TestLocksThatAreNone(t *testing.T) {
	good := Lock{Name: "test", Repository: "x", Commit: strings.Repeat("a", 40), Paths: []string{"*.saz"}, file: "test.lock.json"}
	if err := good.valid(); err != nil {
		t.Fatal(err)
	}
	record := File{Path: "a.saz", Blob: strings.Repeat("a", 40), SHA256: strings.Repeat("a", 64)}
	for name, spoil := range map[string]func(*Lock){
		"a branch":             func(l *Lock) { l.Commit = "main" },
		"another name":         func(l *Lock) { l.Name = "other" },
		"an option":            func(l *Lock) { l.Repository = "--upload-pack=x" },
		"no paths":             func(l *Lock) { l.Paths = nil },
		"no pattern":           func(l *Lock) { l.Paths = []string{"["} },
		"a record outside":     func(l *Lock) { l.Files = []File{{"../a.saz", record.Blob, 0, record.SHA256}} },
		"a record of no path":  func(l *Lock) { l.Files = []File{{"a.har", record.Blob, 0, record.SHA256}} },
		"a record without sum": func(l *Lock) { l.Files = []File{{"a.saz", record.Blob, 0, ""}} },
	} {
		l := good
		spoil(&l)
		if err := l.valid(); err == nil {
			t.Errorf("%s is a lock", name)
		}
	}
}

func TestTheCommittedLocks(t *testing.T) {
	root, err := workspace.Root()
	if err != nil {
		t.Fatal(err)
	}
	locks, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(locks) != 2 || locks[0].Name != "clearinet" || locks[1].Name != "forest" {
		t.Fatalf("%+v", locks)
	}
	if !locks[1].names("api-results/dataset/x.saz") || locks[1].names("api-results/dataset/x/y.saz") {
		t.Error("the patterns name other files")
	}
	if _, err := Named(locks, "forest", "wood"); err == nil {
		t.Error("an unknown corpus has been found")
	}
}
