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

// refuse gives the failure of a path that lies outside, whether anything is
// there or not.
func (r *Roots) refuse(path string) *failure.Failure {
	if r == nil || r.admit(path) {
		return nil
	}
	return &failure.Failure{
		Code:    failure.AccessDenied,
		Message: "captures are read only below the directories that this server was started with",
		Action:  "Copy the capture below an allowed directory, or start the server with --allow-root for the one it is in.",
		Details: map[string]any{"operation": evidence.InspectCapture, "path": path, "boundary": "allowed-roots"},
	}
}

func (r *Roots) admit(path string) bool {
	resolved, ok := resolve(filepath.Dir(path))
	if !ok {
		return false
	}
	return slices.ContainsFunc(r.dirs, func(root string) bool {
		rel, err := filepath.Rel(root, resolved)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// resolve follows the links in a directory's path. Where the directory isn't
// there, its nearest ancestor is resolved; the rest must be plain names.
func resolve(dir string) (string, bool) {
	rest := ""
	for {
		resolved, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(resolved, rest), true
		}
		parent := filepath.Dir(dir)
		if !os.IsNotExist(err) || parent == dir || filepath.Base(dir) == ".." {
			return "", false
		}
		rest, dir = filepath.Join(filepath.Base(dir), rest), parent
	}
}
