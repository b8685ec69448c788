package facts

import (
	"rea.example/rea/internal/redact"
)

// Constants of the facet.
const (
	// Name is the facet's member in a capture result.
	Name = "qlog"
	// Profile names the interpretation: the producer whose conventions apply.
	Profile = "aioquic-1.5.0-json-0.3"
	// Scope says which events the facts are drawn from.
	Scope = "all-recorded-events-before-selection"
	// Bodies says what is known of HTTP bodies.
	Bodies = "not-reported"
)

// Clock says how event times are to be read. The file does not say it: that
// they count from the Unix epoch is a convention of the producer.
func Clock() map[string]any {
	return map[string]any{"basis": "profile-assumption-aioquic-1.5.0", "epoch": "unix", "unit": "milliseconds"}
}

// Quantity is a QUIC integer, from 0 to 2^62-1, or Unknown.
type Quantity uint64

// Unknown is a quantity that is not reported, or may not be shown.
const Unknown Quantity = 1 << 63

// Direction is the side of a stream, as the endpoint that wrote the trace sees
// it. Directions are in the order of their names.
type Direction uint8

const (
	Received Direction = iota
	Sent
)

func (d Direction) String() string {
	if d == Sent {
		return "sent"
	}
	return "received"
}

// Fin is the FIN bit of a STREAM frame (RFC 9000 section 19.8).
type Fin uint8

const (
	FinUnknown Fin = iota
	FinFalse
	FinTrue
)

// Frame is one STREAM frame. Offset plus Length is at most 2^62-1 where both
// are known.
type Frame struct {
	Stream         uint64
	Offset, Length Quantity
	Ordinal        uint32 // of the event
	Index          uint32 // of the frame in the event
	Direction      Direction
	Fin            Fin
}

// counts says that the frame adds to ranges and totals.
func (f *Frame) counts() bool { return f.Offset != Unknown && f.Length != Unknown }

// end is where the frame's bytes end. Only for a frame that counts.
func (f *Frame) end() uint64 { return uint64(f.Offset + f.Length) }

// Text is a recorded text, or not known.
type Text struct {
	S     string
	Known bool
}

// Loss is an endpoint's declaration that a packet was lost.
type Loss struct {
	Number  Quantity
	Type    Text
	Ordinal uint32
}

// Description is what a trace says of itself.
type Description struct {
	ODCID Text
	// Vantage says that there is a vantage point; its members may be unknown.
	Vantage                  bool
	VantageName, VantageType Text
}

// Facts gathers the facts of one capture.
type Facts struct {
	declared   *redact.Declarations
	traces     []trace
	frames     []Frame
	losses     []Loss
	incomplete []uint32
}

// trace says where the lists of a trace begin. They end where those of the next
// begin.
type trace struct {
	Description
	events, frames, losses, incomplete int
}

// New makes empty facts. declared are the literals that must not be shown.
func New(declared *redact.Declarations) *Facts { return &Facts{declared: declared} }

// Traces is the number of traces begun.
func (f *Facts) Traces() int { return len(f.traces) }

// BeginTrace begins the next trace; what is added later belongs to it.
func (f *Facts) BeginTrace() {
	f.traces = append(f.traces, trace{frames: len(f.frames), losses: len(f.losses), incomplete: len(f.incomplete)})
}

// Describe says of a trace what stands beside its events.
func (f *Facts) Describe(trace int, d Description) { f.traces[trace].Description = d }

// Event counts an event of the present trace.
func (f *Facts) Event() { f.traces[len(f.traces)-1].events++ }

// Frame adds a STREAM frame of the present trace.
func (f *Facts) Frame(fr Frame) { f.frames = append(f.frames, fr) }

// Loss adds a declared loss of the present trace.
func (f *Facts) Loss(l Loss) { f.losses = append(f.losses, l) }

// Incomplete adds an event of the present trace of which something is unknown.
func (f *Facts) Incomplete(ordinal uint32) {
	n := len(f.incomplete)
	if n > f.traces[len(f.traces)-1].incomplete && f.incomplete[n-1] == ordinal {
		return
	}
	f.incomplete = append(f.incomplete, ordinal)
}

// lists gives the lists of a trace.
func (f *Facts) lists(i int) (frames []Frame, losses []Loss, incomplete []uint32) {
	t := f.traces[i]
	next := trace{frames: len(f.frames), losses: len(f.losses), incomplete: len(f.incomplete)}
	if i+1 < len(f.traces) {
		next = f.traces[i+1]
	}
	return f.frames[t.frames:next.frames], f.losses[t.losses:next.losses], f.incomplete[t.incomplete:next.incomplete]
}
