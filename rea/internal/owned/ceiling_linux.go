package owned

import (
	"bytes"
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// setCeiling lets the process's address space grow by size bytes from where it
// is, and no further. A limit that already stands may only become tighter. A
// crash leaves no image of the capture on the disk.
func setCeiling(size uint64) error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return err
	}
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	pages, _, _ := bytes.Cut(statm, []byte(" "))
	present, err := strconv.ParseUint(string(pages), 10, 64)
	if err != nil {
		return err
	}
	var old, set unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &old); err != nil {
		return err
	}
	ceiling := min(present*uint64(os.Getpagesize())+size, old.Max)
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: ceiling, Max: ceiling}); err != nil {
		return err
	}
	if err := unix.Getrlimit(unix.RLIMIT_AS, &set); err != nil {
		return err
	}
	if set.Cur != ceiling || set.Max != ceiling {
		return errors.New("the address space ceiling does not read back as set")
	}
	return nil
}
