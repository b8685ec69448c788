//go:build unix

package child

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asParent and asChild make this test binary start another one of it, and wait.
const as = "REA_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(as) {
	case "parent":
		c := Command(context.Background(), os.Args[0])
		c.Env = append(os.Environ(), as+"=waiting")
		c.SysProcAttr = nil // in the same group
		c.Stdout = os.Stdout
		if err := c.Run(); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case "waiting":
		fmt.Println(os.Getpid())
		time.Sleep(time.Minute)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestAnInterruptionEndsWhatTheProgramStartedToo(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	cmd := Command(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), as+"=parent")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	grandchild, nan := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || nan != nil {
		t.Fatalf("%q, %v", line, err)
	}
	if group, err := syscall.Getpgid(grandchild); err != nil || group != cmd.Process.Pid || group == syscall.Getpgrp() {
		t.Errorf("the group is %d, %v", group, err)
	}
	interrupt()
	if _, err := io.Copy(io.Discard, out); err != nil && !errors.Is(err, os.ErrClosed) {
		t.Error(err) // the streams end when both are gone
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it ended well")
	}
	for range 200 { // whoever collects orphans may take a moment
		if syscall.Kill(grandchild, 0) != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("what the program started is still there")
}
