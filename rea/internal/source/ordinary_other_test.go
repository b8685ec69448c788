//go:build unix && !linux

package source

import (
	"os"
	"testing"
)

// ordinarily runs f as the ordinary user that runs the tests.
func ordinarily(t *testing.T, f func()) {
	if os.Geteuid() == 0 {
		t.Fatal("run the tests as an ordinary user: root reads what nobody may")
	}
	f()
}
