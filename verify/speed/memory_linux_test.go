package speed

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// holdBytes makes this test binary a process that holds so much memory, and
// with holdChild one that starts another of the same kind.
const (
	holdBytes = "REA_TEST_HOLD"
	holdChild = "REA_TEST_HOLD_CHILD"
)

func TestMain(m *testing.M) {
	if os.Getenv(holdBytes) == "" {
		os.Exit(m.Run())
	}
	const size = 64 << 20
	held := make([]byte, size)
	for i := 0; i < size; i += 4096 {
		held[i] = 1
	}
	if os.Getenv(holdChild) != "" {
		self, err := os.Executable()
		if err != nil {
			panic(err)
		}
		child := exec.Command(self)
		child.Env = []string{holdBytes + "=1"}
		if err := child.Run(); err != nil {
			panic(err)
		}
	}
	time.Sleep(200 * time.Millisecond) // many looks at the full size
	fmt.Println(len(held), held[0])
	os.Exit(0)
}

func TestPeakCountsEveryProcess(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(env ...string) sample {
		cmd := exec.Command(self)
		cmd.Env = env
		s, err := measure(cmd, filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, two := run(holdBytes+"=1"), run(holdBytes+"=1", holdChild+"=1")
	if one.peak < 64<<20 || one.peak > 120<<20 {
		t.Errorf("one process of 64 MiB peaks at %d", one.peak)
	}
	if two.peak < 128<<20 || two.peak > 240<<20 {
		t.Errorf("two such processes peak at %d", two.peak)
	}
	if one.child >= 64<<20 || two.child < 64<<20 || two.child > 120<<20 {
		t.Errorf("children peak at %d and %d", one.child, two.child)
	}
	if one.cpu <= 0 || one.wall <= 0 {
		t.Errorf("times %v, %v", one.cpu, one.wall)
	}
}

func TestParseHighWater(t *testing.T) {
	if n, ok := parseHighWater([]byte("Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 5 kB\n")); !ok || n != 1234<<10 {
		t.Errorf("%d, %t", n, ok)
	}
	if n, ok := parseHighWater([]byte("Name:\tx\nState:\tZ (zombie)\n")); ok {
		t.Errorf("a zombie has %d", n)
	}
}
