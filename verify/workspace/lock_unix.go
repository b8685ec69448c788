//go:build unix

package workspace

import (
	"errors"
	"os"
	"syscall"
)

// own marks a folder as in use.
func own(path string) (*os.File, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.Join(errTaken, f.Close())
	}
	// Any other refusal means that there are no such locks here. Then no sweep gets
	// one either.
	held, herr := f.Stat()
	named, nerr := os.Lstat(path)
	if herr != nil || nerr != nil || !os.SameFile(held, named) {
		return nil, errors.Join(errTaken, f.Close())
	}
	return f, nil
}

// inherit takes the mark of a folder of this user that Private made for a process
// that has gone; else it is nil. Until the mark is closed nobody else can have it.
func inherit(path string) *os.File {
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != os.ModeDir|0o700 { // as os.MkdirTemp makes them
		return nil
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Geteuid() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return nil
	}
	return f
}
