//go:build unix && !linux

package owned

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func self() (string, error) { return os.Executable() }

// group is a child, leader of a process group of its own, and that group.
type group struct {
	cmd  *exec.Cmd
	pid  int
	done chan struct{}
}

// launch starts cmd. Without a wait that leaves the ended child unreaped, the
// group is signalled once after its leader is gone; a group's number is not
// reused while one of its members lives.
func launch(cmd *exec.Cmd, files []*os.File, _ string) (process, error) {
	cmd.ExtraFiles = files
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &group{cmd: cmd, pid: cmd.Process.Pid, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the state says more than the error
		close(g.done)
	}()
	return g, nil
}

func (g *group) ended() <-chan struct{} { return g.done }

func (g *group) kill() { _ = unix.Kill(-g.pid, unix.SIGKILL) } // residue sees a failure

// sample has nothing portable to ask; reap's figure must do.
func (g *group) sample() {}

func (g *group) reap() end {
	e := endOf(g.cmd.ProcessState)
	if usage, ok := g.cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		e.resident = int64(usage.Maxrss) * maxrssUnit
	}
	return e
}

// residue asks until nobody answers to the group's number. EPERM comes from
// members that have ended but are not yet collected: all others are ours.
func (g *group) residue() []string {
	for limit := time.Now().Add(killPatience); ; time.Sleep(5 * time.Millisecond) {
		if err := unix.Kill(-g.pid, 0); err == unix.ESRCH || err == unix.EPERM {
			return nil
		}
		if time.Now().After(limit) {
			return []string{fmt.Sprintf("process-group:%d", g.pid)}
		}
	}
}
