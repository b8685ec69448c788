package speed

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"
)

// sample is one run of one command.
type sample struct {
	wall time.Duration
	cpu  time.Duration // user and system, of the command and all it waited for
	// In bytes, and 0 where unknown: each process's own peak added up, and the
	// largest of those that the command started.
	peak, child int64
}

// measure runs the command with its standard output in a file of its own.
func measure(cmd *exec.Cmd, output string) (sample, error) {
	f, err := os.Create(output)
	if err != nil {
		return sample{}, fmt.Errorf("speed: %w", err)
	}
	defer f.Close()
	cmd.Stdout, cmd.Stderr = f, os.Stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, fmt.Errorf("speed: %w", err)
	}
	peaks := watch(cmd.Process.Pid)
	err = cmd.Wait()
	s := sample{wall: time.Since(began)}
	s.peak, s.child = peaks()
	if err != nil {
		return s, fmt.Errorf("speed: %s: %w", cmd.Path, err)
	}
	s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return s, nil
}

// median is the middle of what f makes of the samples; of an even number, the
// lower middle, which was really measured.
func median[T int64 | time.Duration](samples []sample, f func(sample) T) T {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = f(s)
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}

func wall(s sample) time.Duration { return s.wall }
func cpu(s sample) time.Duration  { return s.cpu }
func peak(s sample) int64         { return s.peak }
func child(s sample) int64        { return s.child }
