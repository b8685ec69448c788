package app_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// children lists the processes that this one has started and not yet seen end.
func children(t *testing.T) (pids []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(files) == 0 {
		t.Fatalf("the system does not tell of children: %v", err)
	}
	for _, f := range files {
		// A thread that has ended meanwhile has none.
		if b, err := os.ReadFile(f); err == nil {
			pids = append(pids, strings.Fields(string(b))...)
		}
	}
	return pids
}

// ordinary is the user that files are accessed as by ordinarily.
const ordinary = 65534

// ordinarily runs f as an ordinary user. Root may read files of mode 000, so
// there one thread gives up being root towards the file system, and is thrown
// away afterwards.
func ordinarily(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		err := unix.Setfsgid(ordinary)
		if err == nil {
			err = unix.Setfsuid(ordinary)
		}
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
