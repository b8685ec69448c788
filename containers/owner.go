package containers

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"rea.example/verify/workspace"
)

// owner is this process, as what it starts is labelled: the machine and a folder
// that lives as long as the process. A sweep on the same machine, and of the same
// user, sees that the folder is nobody's any more; elsewhere one waits for the date.
type owner struct {
	folder *workspace.Folder
	label  string
}

// claim makes the folder.
func claim() (*owner, error) {
	dir, err := workspace.CacheDir("containers", "docks")
	if err != nil {
		return nil, err
	}
	id, err := machine(dir)
	if err != nil {
		return nil, err
	}
	folder, err := workspace.Private(dir, "dock-")
	if err != nil {
		return nil, err
	}
	return &owner{folder, id + "/" + filepath.Base(folder.Path)}, nil
}

// gone says whether a label is that of a process of this machine that has gone.
func (o *owner) gone(label string) bool {
	if o == nil {
		return false
	}
	mine, _, _ := strings.Cut(o.label, "/")
	id, name, ok := strings.Cut(label, "/")
	if !ok || id != mine || !filepath.IsLocal(name) {
		return false
	}
	path := filepath.Join(filepath.Dir(o.folder.Path), name)
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist) || workspace.Abandoned(path)
}

func (o *owner) close() error {
	if o == nil {
		return nil
	}
	return o.folder.Close()
}

// machine is a name that no other cache folder has: an engine may serve several.
func machine(dir string) (string, error) {
	path := filepath.Join(dir, "machine")
	for {
		name, err := os.ReadFile(path)
		if err == nil || !errors.Is(err, os.ErrNotExist) {
			return strings.TrimSpace(string(name)), err
		}
		// Whoever links first has named it.
		fresh := filepath.Join(dir, "."+rand.Text())
		if err := os.WriteFile(fresh, []byte(rand.Text()+"\n"), 0o600); err != nil {
			return "", err
		}
		err = os.Link(fresh, path)
		if err := os.Remove(fresh); err != nil {
			return "", err
		}
		if err != nil && !errors.Is(err, os.ErrExist) {
			return "", err
		}
	}
}
