package speed

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// samplePeriod is how often the process tree is looked at. A peak is what the
// kernel recorded for a process, so only the last moments before its end can be
// missed.
const samplePeriod = 2 * time.Millisecond

// watch follows the process and its descendants. The function that it gives
// ends the watch and adds up what each process had at its peak (VmHWM), also
// where those peaks did not coincide: an upper bound on the whole. It gives the
// largest peak of a descendant, too.
func watch(pid int) (peaks func() (all, child int64)) {
	type result struct{ all, child int64 }
	stop, done := make(chan struct{}), make(chan result)
	go func() {
		last := map[int]int64{}
		tick := time.NewTicker(samplePeriod)
		defer tick.Stop()
		for {
			for _, p := range tree(pid) {
				if n, ok := highWater(p); ok {
					// The last word, not the largest: before its exec a new
					// process shows the memory of its parent.
					last[p] = n
				}
			}
			select {
			case <-tick.C:
			case <-stop:
				var r result
				for p, n := range last {
					r.all += n
					if p != pid {
						r.child = max(r.child, n)
					}
				}
				done <- r
				return
			}
		}
	}()
	return func() (all, child int64) {
		close(stop)
		r := <-done
		return r.all, r.child
	}
}

// tree is the process and all its descendants.
func tree(pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children(all[i])...)
	}
	return all
}

// children are listed by the thread that forked them.
func children(pid int) (pids []int) {
	task := fmt.Sprintf("/proc/%d/task", pid)
	threads, err := os.ReadDir(task)
	if err != nil {
		return nil // gone
	}
	for _, t := range threads {
		data, err := os.ReadFile(task + "/" + t.Name() + "/children")
		if err != nil {
			continue
		}
		for _, field := range strings.Fields(string(data)) {
			if n, err := strconv.Atoi(field); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}

func highWater(pid int) (int64, bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	return parseHighWater(data)
}

// parseHighWater reads the line "VmHWM:  1234 kB". A process that has ended but
// is not yet waited for has none.
func parseHighWater(status []byte) (bytesUsed int64, ok bool) {
	lines := bufio.NewScanner(bytes.NewReader(status))
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:")
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
		return n << 10, err == nil
	}
	return 0, false
}
