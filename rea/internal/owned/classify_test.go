package owned

import (
	"testing"

	"rea.example/rea/internal/limits"
)

func TestDeaths(t *testing.T) {
	status := func(n int) *int { return &n }
	const (
		large = limits.DecoderMemory / 5 * 4
		small = large - 1
		oom   = "runtime: out of memory: cannot allocate 8-byte block (9 in use)\nfatal error: out of memory\n"
		fault = "fatal error: unexpected signal during runtime execution\n[signal SIGSEGV: segmentation violation]\n"
	)
	for _, c := range []struct {
		name string
		death
		want Ending
	}{
		{"success", death{code: status(0)}, Finished},
		{"success with last words", death{code: status(0), stderr: oom}, Finished},
		{"guard", death{code: status(limits.GuardExit)}, MemoryExhausted},
		{"one beside the guard's", death{code: status(limits.GuardExit - 1)}, Finished},
		{"out of memory", death{code: status(2), stderr: oom}, MemoryExhausted},
		{"on the first line", death{code: status(2), stderr: "fatal error: runtime: out of memory"}, MemoryExhausted},
		{"cannot allocate", death{code: status(2), stderr: "fatal error: runtime: cannot allocate memory\n"}, MemoryExhausted},
		{"arena metadata", death{code: status(2), stderr: "fatal error: out of memory allocating heap arena metadata\n"}, MemoryExhausted},
		{"commit refused (Windows)", death{code: status(2), stderr: "fatal error: runtime: failed to commit pages\n"}, MemoryExhausted},
		{"still talking when ended", death{signal: "SIGKILL", killed: true, stderr: oom}, MemoryExhausted},
		{"ended by a job (Windows)", death{code: status(1), killed: true, stderr: oom}, MemoryExhausted},
		{"another fatal error, still talking", death{signal: "SIGKILL", killed: true, resident: large, stderr: "fatal error: all goroutines are asleep - deadlock!\n"}, Crashed},
		{"indented by a panic", death{code: status(2), stderr: "panic: x\n\tfatal error: out of memory\n"}, Crashed},
		{"within a line", death{code: status(2), stderr: "x fatal error: out of memory\n"}, Crashed},
		{"another status", death{code: status(134), stderr: oom}, Finished},
		{"SIGTERM", death{signal: "SIGTERM", stderr: oom, resident: large}, Crashed},
		{"SIGABRT", death{signal: "SIGABRT", stderr: oom, resident: large}, Crashed},
		{"SIGKILL while large", death{signal: "SIGKILL", resident: large}, MemoryExhausted},
		{"SIGKILL while small", death{signal: "SIGKILL", resident: small}, Crashed},
		{"SIGKILL counted by the system", death{signal: "SIGKILL", resident: small, oomKill: true}, MemoryExhausted},
		{"fault in the runtime while large", death{code: status(2), stderr: fault, resident: large}, MemoryExhausted},
		{"fault in the runtime while small", death{code: status(2), stderr: fault, resident: small}, Crashed},
		{"bare SIGSEGV while large", death{code: status(2), stderr: "SIGSEGV: segmentation violation\nPC=0x1\n", resident: large}, MemoryExhausted},
		{"nil pointer while large", death{code: status(2), stderr: "panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation]\n", resident: large}, Crashed},
		{"impossible length", death{code: status(2), stderr: "panic: runtime error: makeslice: len out of range\n", resident: large}, Crashed},
		{"stack", death{code: status(2), stderr: "runtime: goroutine stack exceeds 67108864-byte limit\nfatal error: stack overflow\n", resident: large}, StackExhausted},
		{"nothing known", death{}, Finished},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.ending(); got != c.want {
				t.Errorf("ending %v, want %v", got, c.want)
			}
		})
	}
}

// Whatever a program prints, indented as a panic indents it, is not memory.
func FuzzPanicsAreNotMemory(f *testing.F) {
	f.Add("fatal error: out of memory")
	f.Add("\nfatal error: out of memory\nfatal error: runtime: cannot allocate memory")
	f.Add("SIGSEGV: segmentation violation")
	f.Fuzz(func(t *testing.T, text string) {
		code := 2
		d := death{code: &code, stderr: panicText(text) + "\n\ngoroutine 1 [running]:\n", resident: limits.DecoderMemory}
		if got := d.ending(); got != Crashed {
			t.Errorf("ending %v for a panic", got)
		}
	})
}

// panicText prints as the runtime prints a panic's string.
func panicText(text string) string {
	out := "panic: "
	for _, b := range []byte(text) {
		out += string([]byte{b})
		if b == '\n' {
			out += "\t"
		}
	}
	return out
}
