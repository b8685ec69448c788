package corpora

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-json"
)

// Lock is what a lock file says.
type Lock struct {
	Name       string   `json:"name"`
	Repository string   `json:"repository"` // address that git fetches from
	Commit     string   `json:"commit"`     // 40 hex digits
	Paths      []string `json:"paths"`      // patterns as in package path; * stops at a slash
	Note       string   `json:"note,omitempty"`
	// Files is nil until the first verified fetch has recorded them.
	Files []File `json:"files"`

	file string // where it was read
}

// File is one file of a corpus.
type File struct {
	Path   string `json:"path"`   // in the repository
	Blob   string `json:"blob"`   // git's id of the content
	Bytes  int64  `json:"bytes"`  // size
	SHA256 string `json:"sha256"` // lower-case hex
}

var (
	commitID = regexp.MustCompile(`^[0-9a-f]{40}$`)
	lockName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
)

// Load reads the lock files of a workspace, in the order of names.
func Load(root string) ([]Lock, error) {
	files, err := filepath.Glob(filepath.Join(root, "corpora", "*.lock.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("corpora: no lock file")
	}
	var locks []Lock
	for _, file := range files {
		l, err := read(file)
		if err != nil {
			return nil, fmt.Errorf("corpora: %s: %w", filepath.Base(file), err)
		}
		locks = append(locks, l)
	}
	return locks, nil
}

// Named gives the locks of the given names, or all for none.
func Named(locks []Lock, names ...string) ([]Lock, error) {
	if len(names) == 0 {
		return locks, nil
	}
	var list []Lock
	for _, name := range names {
		at := slices.IndexFunc(locks, func(l Lock) bool { return l.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("corpora: there is no corpus %q", name)
		}
		list = append(list, locks[at])
	}
	return list, nil
}

func read(file string) (Lock, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Lock{}, err
	}
	l := Lock{file: file}
	if err := json.Unmarshal(data, &l); err != nil {
		return Lock{}, err
	}
	return l, l.valid()
}

func (l Lock) valid() error {
	switch {
	case !lockName.MatchString(l.Name) || filepath.Base(l.file) != l.Name+".lock.json":
		return errors.New("name and file name differ")
	case l.Repository == "" || strings.HasPrefix(l.Repository, "-"):
		return errors.New("no repository")
	case !commitID.MatchString(l.Commit):
		return errors.New("the commit is not 40 hex digits")
	case len(l.Paths) == 0:
		return errors.New("no paths")
	}
	for _, p := range l.Paths {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("%q is no pattern", p)
		}
	}
	for _, f := range l.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) || !commitID.MatchString(f.Blob) || len(f.SHA256) != 64 || f.Bytes < 0 {
			return fmt.Errorf("the record of %q is no record", f.Path)
		}
		if !l.names(f.Path) {
			return fmt.Errorf("%q is recorded, and no pattern names it", f.Path)
		}
	}
	return nil
}

// names says whether a path is one of the corpus.
func (l Lock) names(file string) bool {
	return slices.ContainsFunc(l.Paths, func(pattern string) bool {
		ok, err := path.Match(pattern, file)
		return ok && err == nil
	})
}

// save replaces the lock file at once.
func (l Lock) save() error {
	text, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	return replace(l.file, append(text, '\n'))
}

// replace writes a file beside its place and moves it there.
func replace(file string, data []byte) error {
	draft, err := os.CreateTemp(filepath.Dir(file), ".draft-*")
	if err != nil {
		return err
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(data)
	err = errors.Join(err, draft.Chmod(0o644), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), file)
	}
	return err
}
