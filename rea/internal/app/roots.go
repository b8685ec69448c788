package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
)

// Roots are directories in which captures may lie. They are a fence for callers
// who are handed paths by others; whoever can rename directories below a root
// while a capture is read can step around them.
type Roots struct{ dirs []string }

// NewRoots resolves directories once: what they were when the program started is
// what they are.
func NewRoots(dirs []string) (*Roots, error) {
	r := &Roots{}
	for _, d := range dirs {
		if d == "" { // what it resolves to is the working directory, which nobody named
			return nil, &os.PathError{Op: "use", Path: d, Err: os.ErrInvalid}
		}
		abs, err := filepath.Abs(d)
		if err != nil {
			return nil, err
		}
		if abs, err = filepath.EvalSymlinks(abs); err != nil {
			return nil, err
		}
		info, err := os.Stat(abs)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, &os.PathError{Op: "use", Path: d, Err: os.ErrInvalid}
		}
		r.dirs = append(r.dirs, abs)
	}
	return r, nil
}

// admit gives the path under which a capture is to be opened, or the failure of
// one that lies outside, whether anything is there or not. What is opened is
// what was checked, not what was spelt: a system follows links before it goes
// up, and cleaning a path does it the other way round.
func (r *Roots) admit(path string) (string, *failure.Failure) {
	if r == nil {
		return path, nil
	}
	dir, name := filepath.Split(path)
	if name == "." || name == ".." {
		dir, name = path, ""
	}
	if resolved, ok := resolve(dir); ok && r.hold(resolved) {
		return filepath.Join(resolved, name), nil
	}
	return "", &failure.Failure{
		Code:    failure.AccessDenied,
		Message: "captures are read only below the directories that this server was started with",
		Action:  "Copy the capture below an allowed directory, or start the server with --allow-root for the one it is in.",
		Details: map[string]any{"operation": evidence.InspectCapture, "path": path, "boundary": "allowed-roots"},
	}
}

func (r *Roots) hold(resolved string) bool {
	return slices.ContainsFunc(r.dirs, func(root string) bool {
		rel, err := filepath.Rel(root, resolved)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// resolve follows the links in a directory's path, in the order of the path.
// Where the directory isn't there, its nearest ancestor is resolved; the rest
// must be plain names that are not there either, not even as links to nothing.
func resolve(dir string) (string, bool) {
	rest := ""
	for {
		resolved, err := filepath.EvalSymlinks(dir)
		if err == nil {
			first, _, _ := strings.Cut(rest, string(filepath.Separator))
			if _, err := os.Lstat(filepath.Join(resolved, first)); first != "" && !os.IsNotExist(err) {
				return "", false
			}
			return filepath.Join(resolved, rest), true
		}
		for len(dir) > len(filepath.VolumeName(dir))+1 && os.IsPathSeparator(dir[len(dir)-1]) {
			dir = dir[:len(dir)-1]
		}
		parent, name := filepath.Split(dir)
		if !os.IsNotExist(err) || name == "" || name == "." || name == ".." {
			return "", false
		}
		rest, dir = filepath.Join(name, rest), parent
	}
}
