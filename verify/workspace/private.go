package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Folder is one that nobody else uses while this process lives. How that ends does
// not matter: the mark is a lock, which the system drops with its owner.
type Folder struct {
	Path string
	lock *os.File
}

// Private makes a folder in parent, which is there, its name the prefix and then
// digits; and removes those so named whose owners have gone. Where the system has no
// such locks, nothing is removed.
func Private(parent, prefix string) (*Folder, error) {
	sweep(parent, prefix)
	for {
		path, err := os.MkdirTemp(parent, prefix)
		if err != nil {
			return nil, fmt.Errorf("workspace: %w", err)
		}
		lock, err := own(path)
		if err == nil {
			return &Folder{path, lock}, nil
		}
		// Between its making and its mark, a sweep can take it for a dead one's.
		if !errors.Is(err, errTaken) {
			return nil, errors.Join(fmt.Errorf("workspace: %w", err), os.RemoveAll(path))
		}
	}
}

// Close removes the folder.
func (f *Folder) Close() error {
	err := os.RemoveAll(f.Path)
	if f.lock != nil {
		err = errors.Join(err, f.lock.Close())
	}
	return err
}

// Abandoned says whether path is a folder that Private made for a process that has
// gone.
func Abandoned(path string) bool {
	mark := inherit(path)
	if mark == nil {
		return false
	}
	mark.Close()
	return true
}

var errTaken = errors.New("a sweep took it")

func sweep(parent, prefix string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return // whoever makes a folder there will hear of it
	}
	for _, e := range entries {
		fresh, ours := strings.CutPrefix(e.Name(), prefix)
		if !ours || strings.Trim(fresh, "0123456789") != "" {
			continue
		}
		path := filepath.Join(parent, e.Name())
		if mark := inherit(path); mark != nil {
			_ = os.RemoveAll(path) // what resists stays for the next sweep
			mark.Close()
		}
	}
}
