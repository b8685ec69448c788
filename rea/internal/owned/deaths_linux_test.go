package owned

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
)

func TestMemoryIsBounded(t *testing.T) {
	for _, mode := range []string{"pieces", "large-pieces", "huge", "huge-untouched", "nodes", "append", "map", "goroutines"} {
		t.Run(mode, func(t *testing.T) {
			out := Run(t.Context(), command(t, mode))
			if out.Ending != MemoryExhausted {
				t.Fatalf("ending %v, code %v, signal %q, stderr\n%.600s", out.Ending, out.observedCode(), out.Signal, out.Stderr)
			}
			if out.MaxRSS > limits.DecoderCeiling+16<<20 {
				t.Errorf("the child grew to %d MiB", out.MaxRSS>>20)
			}
			if len(out.Stderr) > tracebackBytes+1<<10 {
				t.Errorf("%d bytes of last words are kept", len(out.Stderr))
			}
			f := out.Failure(about)
			if f.Code != failure.ResourceConstraint || f.Retryable() {
				t.Errorf("failure %v", f)
			}
		})
	}
	t.Run("fits", func(t *testing.T) {
		if out := Run(t.Context(), command(t, "fits")); out.Failure(about) != nil {
			t.Errorf("ending %v, code %v, %d MiB, stderr\n%.600s", out.Ending, out.observedCode(), out.MaxRSS>>20, out.Stderr)
		}
	})
}

// A dying program with very many goroutines talks for seconds and megabytes,
// which is neither kept, nor waited for, nor called an overflow.
func TestLongLastWords(t *testing.T) {
	out := Run(t.Context(), command(t, "flood"))
	if out.Ending != MemoryExhausted || !out.Truncated || out.StderrBytes <= limits.DiagnosticBytes {
		t.Fatalf("ending %v, truncated %v, %d bytes, stderr\n%.600s", out.Ending, out.Truncated, out.StderrBytes, out.Stderr)
	}
	if at := strings.Index(out.Stderr, fatalPrefix); len(out.Stderr) != at+tracebackBytes {
		t.Errorf("%d bytes are kept after the fatal error, want %d", len(out.Stderr)-at, tracebackBytes)
	}
}

// The kernel counts the size of a large parent as its child's.
func TestParentsSizeIsNotTheChilds(t *testing.T) {
	said, err := exec.Command(program, "large-parent").Output()
	var ending Ending
	var size int64
	if _, scan := fmt.Sscan(string(said), &ending, &size); err != nil || scan != nil || ending != Finished || size > 100<<20 {
		t.Errorf("the child of a parent of 300 MiB: %s (%v)", said, err)
	}
}

func TestSampleSeesTheChildsPeak(t *testing.T) {
	c := command(t, "up")
	r := listening(t, &c)
	ctx, cancel := context.WithCancel(t.Context())
	run(ctx, c, func(cmd *exec.Cmd, files []*os.File, id string) (process, error) {
		p, err := launch(cmd, files, id)
		if err == nil {
			p.sample()
			if peak := p.(*group).peak; peak <= 0 || peak > 100<<20 {
				t.Errorf("the child's peak is %d bytes", peak)
			}
		}
		cancel()
		return p, err
	})
	gone(t, r)
}

func (o Outcome) observedCode() any { code, _ := o.observed(); return code }

func TestDeathsThatAreNotMemory(t *testing.T) {
	sh := func(script string) Command {
		c := command(t, "-c", script)
		c.Path = "/bin/sh"
		return c
	}
	const oom = "echo 'fatal error: runtime: out of memory' >&2; "
	for _, c := range []struct {
		name   string
		run    Command
		ending Ending
		code   any
		signal string
	}{
		{"status 1", command(t, "exit", "1"), Finished, 1, ""},
		{"status 2", command(t, "exit", "2"), Crashed, 2, ""},
		{"status 134", command(t, "exit", "134"), Finished, 134, ""},
		{"status 134 with the words", sh(oom + "exit 134"), Finished, 134, ""},
		{"status 1 with the words", sh(oom + "exit 1"), Finished, 1, ""},
		{"status 2, words within a line", sh("echo 'x fatal error: out of memory' >&2; exit 2"), Crashed, 2, ""},
		{"status 2, words on standard output", sh("echo 'fatal error: out of memory'; exit 2"), Crashed, 2, ""},
		{"SIGABRT", sh("kill -ABRT $$"), Crashed, nil, "SIGABRT"},
		{"SIGTERM with the words", sh(oom + "kill -TERM $$"), Crashed, nil, "SIGTERM"},
		{"SIGKILL while small", command(t, "die", "1000000", "9"), Crashed, nil, "SIGKILL"},
		{"panic that says so", command(t, "forge"), Crashed, 2, ""},
		{"error that says so", command(t, "forge-error"), Crashed, 2, ""},
		{"nil pointer", command(t, "nil"), Crashed, 2, ""},
		{"SIGQUIT", command(t, "quit"), Crashed, 2, ""},
		{"recursion", command(t, "recursion"), StackExhausted, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := Run(t.Context(), c.run)
			if out.Ending != c.ending || out.observedCode() != c.code || out.Signal != c.signal {
				t.Fatalf("ending %v, code %v, signal %q, %d MiB, stderr\n%.600s", out.Ending, out.observedCode(), out.Signal, out.MaxRSS>>20, out.Stderr)
			}
			if f := out.Failure(about); f.Code != failure.ExecutionFailure {
				t.Errorf("failure %v", f)
			}
		})
	}
}

// The system's own out-of-memory killer leaves nothing but a signal.
func TestKilledWhileLarge(t *testing.T) {
	out := Run(t.Context(), command(t, "die", strconv.Itoa(170<<20), "9"))
	if out.Ending != MemoryExhausted || out.Signal != "SIGKILL" {
		t.Errorf("ending %v, signal %q, %d MiB", out.Ending, out.Signal, out.MaxRSS>>20)
	}
}
