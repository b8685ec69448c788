package mcpserver

import (
	"sync"
	"time"

	"rea.example/rea/internal/app"
)

// progressPeriod is the least time between two notes on one call.
const progressPeriod = 100 * time.Millisecond

// progress tells of the steps of one call. A step that comes too soon after a note
// is held back until its time has come; if another comes before that, only the
// newest is told. So whoever waits long knows what for.
type progress struct {
	note func(n int, step app.Step)

	mu    sync.Mutex
	n     int // of the newest step
	step  app.Step
	told  app.Step
	next  time.Time   // when a note may be sent
	timer *time.Timer // for the step that is held back; nil where none is
	ended bool
}

func (p *progress) tell(step app.Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	p.step = step
	if p.timer != nil {
		return
	}
	if wait := time.Until(p.next); wait > 0 {
		p.timer = time.AfterFunc(wait, p.late)
		return
	}
	p.send()
}

// late tells of the step that was held back.
func (p *progress) late() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = nil
	if !p.ended {
		p.send()
	}
}

func (p *progress) send() {
	if p.step == p.told {
		return // it is still that
	}
	p.note(p.n, p.step)
	p.told = p.step
	p.next = time.Now().Add(progressPeriod)
}

// end ends the telling: when it returns, nothing is told any more.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.timer != nil {
		p.timer.Stop()
	}
}
