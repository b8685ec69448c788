package owned

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// self is the running program's own image, also after an update has put
// another file in its place.
func self() (string, error) {
	const image = "/proc/self/exe"
	if _, err := os.Stat(image); err == nil {
		return image, nil
	}
	return os.Executable()
}

// group is a child, leader of a process group of its own, and that group.
type group struct {
	cmd    *exec.Cmd
	pid    int // the child's, and the group's
	token  []byte
	done   chan struct{}
	peak   int64 // largest size seen by sample
	before int64 // this process's own largest size when the child was started
	kills  int64 // out-of-memory kills before the child was started
}

// launch starts cmd. The kernel kills the child when the thread that started it
// ends, so that thread is kept for as long as the child lives: by waiting on it
// for the child's end. The wait leaves the ended child unreaped, so that its
// number cannot name another process or group while signals may still be sent.
func launch(cmd *exec.Cmd, files []*os.File, runID string) (process, error) {
	cmd.ExtraFiles = files
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	g := &group{cmd: cmd, token: []byte(tokenName + "=" + runID), done: make(chan struct{}), kills: oomKills()}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			g.pid, g.before = cmd.Process.Pid, ownPeak()
		}
		started <- err
		if err != nil {
			return
		}
		for unix.Waitid(unix.P_PID, g.pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
		}
		close(g.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return g, nil
}

func (g *group) ended() <-chan struct{} { return g.done }

// kill cannot fail in a way that residue would not see.
func (g *group) kill() { _ = unix.Kill(-g.pid, unix.SIGKILL) }

func (g *group) sample() {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", g.pid))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(status)) {
		if size, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(size), "kB")), 10, 64)
			g.peak = max(g.peak, kib<<10)
		}
	}
}

func (g *group) reap() end {
	_ = g.cmd.Wait() // the state says more than the error
	e := endOf(g.cmd.ProcessState)
	// Between fork and exec the child shares its parent's memory, and the
	// kernel counts that size as the child's: only what is above it is a fact.
	if usage, ok := g.cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && usage.Maxrss<<10 > g.before {
		g.peak = max(g.peak, usage.Maxrss<<10)
	}
	e.resident = g.peak
	e.oomKill = e.signal == "SIGKILL" && oomKills() > g.kills
	return e
}

// ownPeak is this process's own largest resident size so far, in bytes.
func ownPeak() int64 {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return usage.Maxrss << 10
}

func (g *group) residue() []string {
	limit := time.Now().Add(killPatience)
	for pause := time.Millisecond; ; pause *= 2 {
		alive, known := g.members()
		if known && len(alive) == 0 {
			return nil
		}
		if time.Now().After(limit) {
			return g.names(alive)
		}
		for _, pid := range alive {
			g.end(pid)
		}
		time.Sleep(min(pause, 25*time.Millisecond))
	}
}

func (g *group) names(alive []int) []string {
	var names []string
	for _, pid := range alive {
		names = append(names, fmt.Sprintf("pid:%d", pid))
	}
	if !g.empty() {
		names = append(names, fmt.Sprintf("process-group:%d", g.pid))
	}
	return names
}

// empty says that no process, living or ended, is in the group. It is one
// system call, and nearly always the whole answer.
func (g *group) empty() bool { return unix.Kill(-g.pid, 0) == unix.ESRCH }

// members are the living processes of the group, and those that left it but
// carry the run's token. known is false when the system does not show its
// processes and the group is not empty.
func (g *group) members() (alive []int, known bool) {
	empty := g.empty()
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, empty
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	for _, name := range names {
		pid, notPID := strconv.Atoi(name)
		if notPID == nil && (g.hasToken(pid) || !empty && g.isMember(pid)) {
			alive = append(alive, pid)
		}
	}
	return alive, err == nil || empty
}

// hasToken says that pid was started by this run. A process that has ended has
// no environment any more; those of other users cannot be seen, nor be ours.
func (g *group) hasToken(pid int) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(env, g.token)
}

// isMember says that pid is in the group and has not ended.
func (g *group) isMember(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// proc_pid_stat(5): number, (name), state, parent, group ...; the name may
	// hold anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	return len(fields) > 2 && fields[2] == strconv.Itoa(g.pid) && !strings.ContainsAny(fields[0], "ZX")
}

// end kills pid, which is first pinned and then looked at again, so that no
// other process can be meant.
func (g *group) end(pid int) {
	p, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer p.Release()
	if g.hasToken(pid) || g.isMember(pid) {
		_ = p.Kill() // the next look sees whether it helped
	}
}

// oomKills counts the kills for want of memory in this process's control
// groups, as far as they can be seen.
func oomKills() int64 {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	return countKills(string(groups), os.ReadFile)
}

// countKills reads the counters of the groups listed as in cgroups(7):
// number:controllers:path. Version 2 has no controllers in its line. In a
// container the path may be one of the host's; then the counter is at the top.
func countKills(groups string, read func(string) ([]byte, error)) (kills int64) {
	for line := range strings.Lines(groups) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		var root, file string
		switch {
		case fields[1] == "":
			root, file = "/sys/fs/cgroup", "/memory.events"
		case strings.Contains(","+fields[1]+",", ",memory,"):
			root, file = "/sys/fs/cgroup/memory", "/memory.oom_control"
		default:
			continue
		}
		counters, err := read(root + strings.TrimSuffix(fields[2], "/") + file)
		if errors.Is(err, os.ErrNotExist) {
			counters, _ = read(root + file)
		}
		for counter := range strings.Lines(string(counters)) {
			if n, ok := strings.CutPrefix(counter, "oom_kill "); ok {
				count, _ := strconv.ParseInt(strings.TrimSpace(n), 10, 64)
				kills += count
			}
		}
	}
	return kills
}
