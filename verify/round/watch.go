package round

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"rea.example/verify/lane"
	"rea.example/verify/results"
)

// heartbeat is how often a round says what still runs.
const heartbeat = 30 * time.Second

// watch tells the person at the terminal what the lanes of a round do: whole lines,
// each after its lane's name.
type watch struct {
	log   io.Writer
	began time.Time
	width int // of the longest name
	of    int

	mu      sync.Mutex
	done    int
	running []string
}

func newWatch(log io.Writer, lanes []lane.Lane) *watch {
	w := &watch{log: log, of: len(lanes), began: time.Now()}
	for _, l := range lanes {
		w.width = max(w.width, len(l.Name))
	}
	return w
}

// until says now and then what still runs, and when ctx ends. What it gives ends it.
func (w *watch) until(ctx context.Context) func() {
	over := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		interrupted := ctx.Done()
		for {
			select {
			case <-over:
				return
			case <-interrupted:
				interrupted = nil
				w.tell("interrupted, cleaning up")
			case <-tick.C:
				w.tell("running for " + results.Span(time.Since(w.began)))
			}
		}
	})
	return func() {
		close(over)
		all.Wait()
	}
}

func (w *watch) begin(name string) *voice {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = append(w.running, name)
	return &voice{watch: w, name: name}
}

func (w *watch) tell(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.line("", what+": "+strings.Join(w.running, ", "))
}

// line wants the lock to be held.
func (w *watch) line(name, text string) {
	fmt.Fprintf(w.log, "%-*s  %s\n", w.width, name, text)
}

// voice is that of one lane.
type voice struct {
	watch *watch
	name  string
	rest  []byte // the beginning of a line
}

// Write implements io.Writer.
func (v *voice) Write(p []byte) (int, error) {
	v.watch.mu.Lock()
	defer v.watch.mu.Unlock()
	v.rest = append(v.rest, p...)
	for {
		line, rest, whole := bytes.Cut(v.rest, []byte("\n"))
		if !whole {
			return len(p), nil
		}
		v.watch.line(v.name, string(bytes.TrimSpace(line)))
		v.rest = rest
	}
}

// end says what became of the lane.
func (v *voice) end(out Outcome) {
	l := results.Lane{Report: out.Report}
	came := fmt.Sprintf("%s in %s, %s", l.Verdict(), results.Span(l.Took()), l.Checks().Words())
	switch {
	case errors.Is(out.Err, lane.ErrNotAttested):
		came += ", not attested"
	case out.Err != nil:
		came = "no report to believe"
	}
	w := v.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	w.running = slices.DeleteFunc(w.running, func(name string) bool { return name == v.name })
	w.line(v.name, fmt.Sprintf("%s (%d of %d)", came, w.done, w.of))
}
