package owned

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"rea.example/rea/internal/limits"
)

// become sets the bounds and replaces the running program. The bound of the
// address space comes last: this process is larger than that itself, and after
// it gets nothing more.
func become(argv []string) error {
	environment := os.Environ()
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
	return syscall.Exec(argv[0], argv, environment)
}
