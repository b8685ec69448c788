package qlog

import (
	"errors"
	"strconv"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// What the first pass looks for.
const (
	watchRoot = iota
	watchLayout
	watchVersion
	watchTraces
	watchTrace
	watchEvents
	watchEvent
)

var watch = []strictjson.Path{
	watchRoot:    {},
	watchLayout:  {"qlog_format"},
	watchVersion: {"qlog_version"},
	watchTraces:  {"traces"},
	watchTrace:   {"traces", "*"},
	watchEvents:  {"traces", "*", "events"},
	watchEvent:   {"traces", "*", "events", "*"},
}

// place is an event that may be read.
type place struct {
	span         tree.Span
	trace, event int
}

const tracesPointer tree.Pointer = "/traces"

func (p place) pointer() tree.Pointer {
	return tracesPointer.Item(p.trace).Member("events").Item(p.event)
}

// batchSize is how many events the first pass gathers before it hands them on.
const batchSize = 256

// outline is the first pass: it checks the document and finds what is where.
// All but places is read after it ended.
type outline struct {
	src    []byte
	places chan<- []place

	root, layout, version, traces tree.Span
	arrays                        []tree.Span // of events
	shape                         error       // the first trace or event of another profile

	next      place // the next event's
	hasEvents bool  // the present trace has an array of events
	batch     []place
}

// check gives what is wrong with the document whatever its profile, and closes
// places.
func (o *outline) check() error {
	defer close(o.places)
	err := strictjson.Check(o.src, limits.CaptureDepth, watch, o.found)
	o.send()
	var p *strictjson.Problem
	if !errors.As(err, &p) {
		return err
	}
	// The pointer stays apart: quoted in a sentence, a name in it would have
	// another spelling, under which nobody looks for what was declared.
	out := &format.Problem{Kind: format.Malformed, Message: p.Kind.String() + " at offset " + strconv.Itoa(p.Offset), Pointer: p.Pointer}
	if p.Kind == strictjson.Depth {
		out.Kind = format.TooMuch
		out.Maximum = format.Maximum{Name: "maximum_capture_nesting", Value: limits.CaptureDepth}
	}
	return out
}

func (o *outline) send() {
	if len(o.batch) > 0 {
		o.places <- o.batch
		o.batch = make([]place, 0, batchSize)
	}
}

func (o *outline) found(which int, span tree.Span) {
	first := o.src[span.Start]
	switch which {
	case watchRoot:
		o.root = span
	case watchLayout:
		o.layout = span
	case watchVersion:
		o.version = span
	case watchTraces:
		o.traces = span
	case watchEvent:
		if first == '[' {
			o.unlike(o.next.pointer(), "events as arrays (columns) are not read; an event must be an object")
		}
		o.next.span = span
		o.batch = append(o.batch, o.next)
		o.next.event++
		if len(o.batch) >= batchSize {
			o.send()
		}
	case watchEvents:
		if first != '[' {
			o.unlike(tracesPointer.Item(o.next.trace).Member("events"), "a trace's events must be an array")
		}
		o.hasEvents = true
		o.arrays = append(o.arrays, span)
	case watchTrace:
		switch at := tracesPointer.Item(o.next.trace); {
		case first != '{':
			o.unlike(at, "a trace must be an object")
		case !o.hasEvents:
			o.unlike(at, "a trace needs an array of events")
		}
		o.next = place{trace: o.next.trace + 1}
		o.hasEvents = false
	}
}

// unlike notes the first place that this profile does not have.
func (o *outline) unlike(at tree.Pointer, message string) {
	if o.shape == nil {
		o.shape = &format.Problem{Kind: format.Unsupported, Pointer: at, Message: message}
	}
}

// profile says whether a document that passed the check is of the one profile
// that is read, or gives nil.
func (o *outline) profile() error {
	other := func(at tree.Pointer, message string) error {
		return &format.Problem{Kind: format.Unsupported, Pointer: at, Message: message}
	}
	switch {
	case o.src[o.root.Start] != '{':
		return other("", "a qlog document must be an object")
	case o.layout == tree.Span{}:
		return other("", "the document has no qlog_format")
	case !o.says(o.layout, layout):
		return other("/qlog_format", "only qlog_format "+layout+" is read; this document declares another")
	case o.version == tree.Span{}:
		return other("", "the document has no qlog_version")
	case !o.says(o.version, version):
		return other("/qlog_version", "only qlog_version "+version+" is read; this document declares another")
	case o.traces == tree.Span{}:
		return other("", "the document has no traces")
	case o.src[o.traces.Start] != '[':
		return other(tracesPointer, "traces must be an array")
	}
	return o.shape
}

func (o *outline) says(at tree.Span, want string) bool {
	v := strictjson.Build(o.src, at, new(strictjson.Arena))
	text, ok := v.Str()
	return ok && text == want
}
