package owned

import (
	"errors"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"rea.example/rea/internal/limits"
)

// Bound says what Confine achieved.
type Bound struct {
	// Enforced: the system's ceiling was set and read back. Without it the
	// guard alone keeps the budget, and one huge allocation can pass it.
	Enforced bool
}

// Confine bounds this process's memory for the rest of its life. It is called
// before any input is read: nothing that input says can then move the bounds.
func Confine() Bound {
	debug.SetMemoryLimit(limits.DecoderMemory / 8 * 7)
	debug.SetMaxStack(limits.DecoderStack)
	go guard()
	return Bound{Enforced: setCeiling(limits.DecoderCeiling) == nil}
}

// guardWords are all that a guarded child says when it ends itself.
var guardWords = []byte("rea: the decoder's memory budget is used up\n")

// guard ends the process when the runtime holds more memory than the budget.
// Memory that was given back to the system is not held.
func guard() {
	held := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(limits.GuardPeriod) {
		metrics.Read(held)
		if held[0].Value.Uint64()-held[1].Value.Uint64() > limits.DecoderMemory {
			_, _ = os.Stderr.Write(guardWords)
			os.Exit(limits.GuardExit)
		}
	}
}

// Child is what an owned process was given.
type Child struct {
	Request  []byte
	Snapshot []byte // the capture, mapped for reading; a write to it is a fault
	Reply    *os.File
}

// Inherit takes over what the parent gave. It fails in a process that Run did
// not start.
func Inherit() (*Child, error) {
	files, err := inheritFiles()
	if err != nil {
		return nil, err
	}
	request, reply, snapshot := files[0], files[1], files[2]
	c := &Child{Reply: reply}
	if c.Request, err = io.ReadAll(request); err != nil {
		return nil, err
	}
	request.Close() // only read, so there is nothing to lose
	info, err := snapshot.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limits.ReplyBytes { // of a foreign program; a capture is smaller
		return nil, errors.New("the snapshot is larger than any capture or reply")
	}
	if info.Size() > 0 { // nothing cannot be mapped
		if c.Snapshot, err = mapSnapshot(snapshot, int(info.Size())); err != nil {
			return nil, err
		}
	}
	snapshot.Close() // the mapping keeps the file
	return c, nil
}
