package source

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// ordinarily runs f as an ordinary user. Root may read files of mode 000, so
// there one thread gives up being root towards the file system, and is thrown
// away afterwards.
func ordinarily(t *testing.T, f func()) {
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		if err := unix.Setfsgid(65534); err != nil {
			done <- err
			return
		}
		err := unix.Setfsuid(65534)
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
