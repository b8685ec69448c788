package owned

import "golang.org/x/sys/unix"

const maxrssUnit = 1 // getrusage counts bytes here

// setCeiling lets the process's address space grow by size bytes from where it
// is. The system does not tell its present size in the unit of the limit, but
// refuses a limit below it, so the size is found by trying soft limits.
func setCeiling(size uint64) error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return err
	}
	var old, set unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &old); err != nil {
		return err
	}
	present, ok := presentSize(func(soft uint64) bool {
		return unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: soft, Max: old.Max}) == nil
	})
	if !ok {
		_ = unix.Setrlimit(unix.RLIMIT_AS, &old) // it could be set a moment ago
		return errNoCeiling
	}
	ceiling := min(present+size, old.Max)
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: ceiling, Max: ceiling}); err != nil {
		return err
	}
	if err := unix.Getrlimit(unix.RLIMIT_AS, &set); err != nil {
		return err
	}
	if set.Cur != ceiling || set.Max != ceiling {
		return errNoCeiling
	}
	return nil
}
