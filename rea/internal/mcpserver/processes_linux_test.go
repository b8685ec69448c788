package mcpserver

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

const terminate = syscall.SIGTERM

// family gives the children of a process.
func family(t *testing.T, pid int) (pids []int) {
	t.Helper()
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil
	}
	for _, task := range tasks {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		for _, f := range strings.Fields(string(b)) {
			var child int
			fmt.Sscan(f, &child)
			pids = append(pids, child)
		}
	}
	return pids
}

// running gives those that are alive; a zombie is not.
func running(pids []int) (alive []int) {
	for _, pid := range pids {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, state, ok := strings.Cut(string(b), ") "); err == nil && ok && !strings.HasPrefix(state, "Z") {
			alive = append(alive, pid)
		}
	}
	return alive
}
