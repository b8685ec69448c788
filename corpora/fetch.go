package corpora

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"rea.example/verify/workspace"
)

// Patience bounds the fetch of one corpus.
const Patience = 15 * time.Minute

// stale is the age at which a draft belongs to no fetch that still runs.
const stale = 24 * time.Hour

// folder is where the files of the corpus lie in the cache, under their paths.
func (l Lock) folder() (string, error) { return workspace.Cache("corpora", l.Name, l.Commit) }

// Fetch brings the corpus into the cache: from another repository or mirror than
// the lock's, if one is given. What is there already is checked, not fetched. It
// records sizes and digests in the lock file if that has none yet.
func (l Lock) Fetch(ctx context.Context, from string, log io.Writer) error {
	if l.Check() == nil {
		fmt.Fprintf(log, "%s: %d files are in the cache\n", l.Name, len(l.Files))
		return nil
	}
	if from == "" {
		from = l.Repository
	} else if _, err := os.Stat(from); err == nil {
		// A folder as the caller sees it, not as git does in its clone.
		if from, err = filepath.Abs(from); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	dir, err := l.folder()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tidy(filepath.Dir(dir))
	// Each fetch has a clone of its own, so that two do not meet.
	draft, err := os.MkdirTemp(filepath.Dir(dir), ".fetch-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(draft)
	files, err := l.fetch(ctx, clone{draft}, from, dir, log)
	if err != nil {
		return fmt.Errorf("corpora: %s: %w", l.Name, err)
	}
	if l.Files == nil {
		l.Files = files
		if err := l.save(); err != nil {
			return fmt.Errorf("corpora: %s: %w", l.Name, err)
		}
		fmt.Fprintf(log, "%s: sizes and digests of %d files recorded in %s: commit it\n", l.Name, len(files), l.file)
	}
	return nil
}

func (l Lock) fetch(ctx context.Context, c clone, from, dir string, log io.Writer) ([]File, error) {
	fmt.Fprintf(log, "%s: commit %.12s from %s\n", l.Name, l.Commit, from)
	if err := c.fetch(ctx, from, l.Commit); err != nil {
		return nil, err
	}
	entries, err := c.entries(ctx, l.Commit, l.names)
	if err != nil {
		return nil, err
	}
	if err := l.complete(entries); err != nil {
		return nil, err
	}
	var files []File
	for n, e := range entries {
		place := filepath.Join(dir, filepath.FromSlash(e.path))
		data, err := os.ReadFile(place)
		if err != nil || blobID(data) != e.blob {
			if data, err = c.content(ctx, e); err != nil {
				return nil, err
			}
			if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
				return nil, err
			}
			if err := l.agrees(e.path, data); err != nil {
				return nil, err
			}
			if err := replace(place, data); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(log, "%s: %d of %d, %s, %d bytes\n", l.Name, n+1, len(entries), e.path, len(data))
		files = append(files, describe(e.path, data))
	}
	return files, nil
}

// complete says whether the commit has what the lock expects of it.
func (l Lock) complete(entries []entry) error {
	for _, pattern := range l.Paths {
		one := Lock{Paths: []string{pattern}}
		if !slices.ContainsFunc(entries, func(e entry) bool { return one.names(e.path) }) {
			return fmt.Errorf("the commit has no file %s", pattern)
		}
	}
	if l.Files != nil && !slices.EqualFunc(l.Files, entries, func(f File, e entry) bool { return f.Path == e.path && f.Blob == e.blob }) {
		return errors.New("the commit has other files than the lock records")
	}
	return nil
}

// agrees compares a file with the record, where there is one.
func (l Lock) agrees(path string, data []byte) error {
	at := slices.IndexFunc(l.Files, func(f File) bool { return f.Path == path })
	if at < 0 {
		return nil
	}
	return l.Files[at].same(data)
}

// same compares content with the record of it.
func (f File) same(data []byte) error {
	got := describe(f.Path, data)
	switch {
	case got.Bytes != f.Bytes:
		return fmt.Errorf("%s has %d bytes, recorded are %d", f.Path, got.Bytes, f.Bytes)
	case got.SHA256 != f.SHA256:
		return fmt.Errorf("%s has SHA-256 %s, recorded is %s", f.Path, got.SHA256, f.SHA256)
	case got.Blob != f.Blob:
		return fmt.Errorf("%s has git id %s, recorded is %s", f.Path, got.Blob, f.Blob)
	}
	return nil
}

func describe(path string, data []byte) File {
	sum := sha256.Sum256(data)
	return File{Path: path, Blob: blobID(data), Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

// tidy removes what fetches left that were killed long ago.
func tidy(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, ".fetch-*")) // the pattern is a good one
	for _, draft := range left {
		if info, err := os.Stat(draft); err == nil && time.Since(info.ModTime()) > stale {
			os.RemoveAll(draft)
		}
	}
}

// Check reads every file of the corpus in the cache and compares it with the
// lock. An absent corpus is ErrUnavailable.
func (l Lock) Check() error {
	_, err := l.Open()
	return err
}

// Open gives the paths of the corpus's files in the cache, in the order of the
// lock, after a check of each.
func (l Lock) Open() ([]string, error) {
	if l.Files == nil {
		return nil, l.unfetched("it was never fetched")
	}
	dir, err := l.folder()
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range l.Files {
		place := filepath.Join(dir, filepath.FromSlash(f.Path))
		data, err := os.ReadFile(place)
		if errors.Is(err, os.ErrNotExist) {
			return nil, l.unfetched(f.Path + " is not in the cache")
		}
		if err == nil {
			err = f.same(data)
		}
		if err != nil {
			return nil, fmt.Errorf("corpora: %s: %w", l.Name, err)
		}
		paths = append(paths, place)
	}
	return paths, nil
}

func (l Lock) unfetched(why string) error {
	return fmt.Errorf("corpora: %s: %w: %s; run `go tool mage corpora:fetch -only=%s`", l.Name, ErrUnavailable, why, l.Name)
}
