package owned

import (
	"os"
	"runtime/debug"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"rea.example/rea/internal/limits"
)

// become sets the bounds and replaces the running program. The bound of the
// address space comes last: this process is larger than that itself, and after
// it gets nothing more.
func become(argv []string) error {
	// All that exec needs is allocated now: under the bound of the address space
	// the heap can't grow any more, and the runtime would end the process.
	path, err := syscall.BytePtrFromString(argv[0])
	if err != nil {
		return err
	}
	args, err := syscall.SlicePtrFromStrings(argv)
	if err != nil {
		return err
	}
	environment, err := syscall.SlicePtrFromStrings(os.Environ())
	if err != nil {
		return err
	}
	debug.SetGCPercent(-1)
	cpu := uint64(limits.ForeignCPU.Seconds())
	for _, bound := range []struct {
		resource int
		soft     uint64
		hard     uint64
	}{
		{unix.RLIMIT_CORE, 0, 0},
		{unix.RLIMIT_FSIZE, limits.ReplyBytes, limits.ReplyBytes},
		{unix.RLIMIT_CPU, cpu, cpu + 1}, // SIGXCPU first, which can be told from other kills
		{unix.RLIMIT_AS, limits.ForeignMemory, limits.ForeignMemory},
	} {
		var old unix.Rlimit
		if err := unix.Getrlimit(bound.resource, &old); err != nil {
			return err
		}
		// A bound that already stands may only become tighter.
		set := unix.Rlimit{Cur: min(bound.soft, old.Max), Max: min(bound.hard, old.Max)}
		if err := unix.Setrlimit(bound.resource, &set); err != nil {
			return err
		}
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_EXECVE, uintptr(unsafe.Pointer(path)),
		uintptr(unsafe.Pointer(&args[0])), uintptr(unsafe.Pointer(&environment[0])))
	return errno
}
