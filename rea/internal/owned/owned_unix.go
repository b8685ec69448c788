//go:build unix

package owned

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// endOf translates a wait status.
func endOf(state *os.ProcessState) (e end) {
	status, ok := state.Sys().(syscall.WaitStatus)
	switch {
	case ok && status.Signaled():
		e.signal = unix.SignalName(status.Signal())
	case ok && status.Exited():
		code := status.ExitStatus()
		e.code = &code
	}
	return e
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

// inheritFiles are descriptors 3, 4 and 5. They go no further than this
// process.
func inheritFiles() (files [3]*os.File, err error) {
	for i, name := range []string{"request", "reply", "snapshot"} {
		fd := 3 + i
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, unix.FD_CLOEXEC); err != nil {
			return files, errors.New("the " + name + " descriptor is missing: this process was not started by rea")
		}
		files[i] = os.NewFile(uintptr(fd), name)
	}
	return files, nil
}

// mapSnapshot maps the whole of f for reading.
func mapSnapshot(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_PRIVATE)
}
