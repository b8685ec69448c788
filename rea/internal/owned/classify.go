package owned

import (
	"strings"

	"rea.example/rea/internal/limits"
)

// Ending says how a run came to its end.
type Ending uint8

const (
	// Finished: the child exited by itself, with whatever status.
	Finished Ending = iota
	// NotStarted: there never was a child.
	NotStarted
	// CancelledByCaller: the context ended before the child did.
	CancelledByCaller
	// TimedOut: the deadline passed.
	TimedOut
	// DiagnosticsOverflow: the child wrote more than limits.DiagnosticBytes.
	DiagnosticsOverflow
	// MemoryExhausted: the child reached its memory bound.
	MemoryExhausted
	// StackExhausted: one goroutine's stack reached limits.DecoderStack.
	StackExhausted
	// ReplyExhausted: a foreign program's reply reached limits.ReplyBytes.
	ReplyExhausted
	// ProcessorExhausted: a foreign program used limits.ForeignCPU.
	ProcessorExhausted
	// Crashed: a signal or the Go runtime ended the child for another reason.
	Crashed
)

// death is what is known of a child that ended without the caller, the clock
// or the collector having asked for it.
type death struct {
	code     *int   // nil when a signal ended it
	signal   string // "SIGKILL", "" when it exited
	stderr   string
	resident int64 // largest resident size seen, in bytes
	killed   bool  // ended by this program, for taking too long over its last words
	oomKill  bool  // the system counted a kill for want of memory meanwhile
}

// ending classifies a death. Memory exhaustion must be told from every other
// death by facts that a capture cannot bring about by other means.
func (d death) ending() Ending {
	words := readLastWords(d.stderr)
	exited := func(status int) bool { return d.code != nil && *d.code == status }
	near := d.resident >= limits.DecoderMemory/5*4
	switch {
	case exited(limits.GuardExit):
		return MemoryExhausted
	case words.memory && (exited(2) || d.killed):
		return MemoryExhausted
	case words.stack && (exited(2) || d.killed):
		return StackExhausted
	case d.signal == "SIGKILL" && !d.killed && (d.oomKill || near):
		return MemoryExhausted
	case words.fault && exited(2) && near:
		// A refused page can also show as a fault inside the runtime.
		return MemoryExhausted
	case d.signal != "", d.killed, exited(2):
		return Crashed
	}
	return Finished
}

// lastWords are the things that the Go runtime may have said, each at the
// beginning of a line.
type lastWords struct{ memory, stack, fault bool }

func readLastWords(stderr string) (w lastWords) {
	for line := range strings.Lines(stderr) {
		w.fault = w.fault || strings.HasPrefix(line, "SIGSEGV: ")
		fatal, ok := strings.CutPrefix(line, fatalPrefix)
		if !ok {
			continue
		}
		for _, said := range []string{"out of memory", "cannot allocate memory", "failed to commit pages"} {
			w.memory = w.memory || strings.Contains(fatal, said)
		}
		w.stack = w.stack || strings.HasPrefix(fatal, "stack overflow")
		w.fault = w.fault || strings.HasPrefix(fatal, "unexpected signal during runtime execution")
	}
	return w
}
