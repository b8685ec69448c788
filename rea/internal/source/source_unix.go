//go:build unix

package source

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const unlinksOpenFiles = true

// own marks a fresh room as in use. The mark is an advisory lock on the
// directory, which the kernel drops with its owner however that ends; a process
// number in the name would lie as soon as numbers are reused, or between
// containers that share a directory but count processes each for itself.
func own(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, errTaken
	}
	// Any other refusal means that this file system has no such locks. Then no
	// sweep can get one either, and the room is safe.
	var held, named unix.Stat_t
	if unix.Fstat(int(f.Fd()), &held) != nil || unix.Lstat(path, &named) != nil || held.Ino != named.Ino || held.Dev != named.Dev {
		f.Close()
		return nil, errTaken
	}
	return f, nil
}

// disown removes the room at path if its owner is gone, and says whether it was
// a room to look at: only a directory of this user with a room's mode is touched.
func disown(path string) bool {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR || st.Mode&0o777 != 0o700 || int(st.Uid) != os.Geteuid() {
		return false
	}
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		_ = os.RemoveAll(path) // what resists stays for the next sweep
	}
	return true
}

// lookAt describes the file at path without following a link.
func lookAt(path string) (state, error) {
	var st unix.Stat_t
	for {
		if err := unix.Lstat(path, &st); err != unix.EINTR {
			return stateOf(&st), err
		}
	}
}

// look describes an open file.
func look(f *os.File) (state, error) {
	var st unix.Stat_t
	for {
		if err := unix.Fstat(int(f.Fd()), &st); err != unix.EINTR {
			return stateOf(&st), err
		}
	}
}

func stateOf(st *unix.Stat_t) state {
	return state{
		device:   uint64(st.Dev),
		file:     uint64(st.Ino),
		size:     st.Size,
		modified: st.Mtim.Nano(),
		changed:  st.Ctim.Nano(),
		regular:  st.Mode&unix.S_IFMT == unix.S_IFREG,
	}
}

// openSource opens path for reading. It does not follow a link that took the
// file's place, and does not wait for the writer of a pipe that did.
func openSource(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// systemCode is the system's name for err, "ENOENT" for example.
func systemCode(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		if name := unix.ErrnoName(errno); name != "" {
			return name
		}
	}
	return "unknown"
}

// isAbsent says that nothing can be at a path: nothing is, or the path itself can
// lead nowhere (a part of it is too long, or its directories are links in a circle).
func isAbsent(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) ||
		errors.Is(err, unix.ENAMETOOLONG) || errors.Is(err, unix.ELOOP)
}

// isReplaced says that err can only mean that another thing now stands where a
// regular file was seen: nothing, a link (BSD: EMLINK, EFTYPE), or a socket or
// device that nobody serves.
func isReplaced(err error) bool {
	return isAbsent(err) || errors.Is(err, unix.EMLINK) ||
		errors.Is(err, unix.ENXIO) || errors.Is(err, unix.ENODEV)
}

func isDenied(err error) bool {
	return errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM)
}

// isUnavailable says that the system had no means to do it, or not now, which
// is another thing than a device that fails.
func isUnavailable(err error) bool {
	for _, code := range []error{unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN, unix.EBUSY, unix.ENOSPC, unix.EDQUOT, unix.ESTALE, unix.ETIMEDOUT} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}
