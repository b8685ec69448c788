package qlog

import (
	"math"
	"strconv"

	"rea.example/rea/internal/exactint"
	"rea.example/rea/internal/format/qlog/facts"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/tree"
)

// fault is what is wrong with an event. The pointer is relative to it.
type fault struct {
	at      tree.Pointer
	message string
}

// interpreter reads the few fields that have a meaning here and turns them into
// facts. What is missing is unknown. What is hidden in the event, because it or
// a name on the way to it holds a declared value, is as if it were missing, but
// must be as it should be all the same.
type interpreter struct {
	declared *redact.Declarations
	facts    *facts.Facts

	packets [2]packetEvent
	lost    field // the event

	frameType, stream           field // stream is a value of frame_type
	streamID, offset, length    field
	fin, packetNumber, lossType field
}

// field is a name or constant of the producer, and whether it may not be shown.
type field struct {
	name   string
	hidden bool
}

type packetEvent struct {
	field
	direction facts.Direction
}

func newInterpreter(declared *redact.Declarations, to *facts.Facts) interpreter {
	is := func(name string, around ...string) field {
		f := field{name, declared.InText(name)}
		for _, n := range around {
			f.hidden = f.hidden || declared.InText(n)
		}
		return f
	}
	return interpreter{
		declared: declared,
		facts:    to,
		packets: [2]packetEvent{
			{is("transport:packet_sent", "traces", "events", "name", "data", "frames"), facts.Sent},
			{is("transport:packet_received", "traces", "events", "name", "data", "frames"), facts.Received},
		},
		lost:         is("recovery:packet_lost", "traces", "events", "name", "data"),
		frameType:    is("frame_type"),
		stream:       is("stream"),
		streamID:     is("stream_id"),
		offset:       is("offset"),
		length:       is("length"),
		fin:          is("fin"),
		packetNumber: is("packet_number"),
		lossType:     is("type"),
	}
}

// event checks one event and adds its facts.
func (in *interpreter) event(ordinal uint32, v *tree.Value) *fault {
	if v.Kind != tree.Object {
		return &fault{"", "an event must be an object"}
	}
	name, time, data := v.Get("name"), v.Get("time"), v.Get("data")
	switch {
	case name == nil, time == nil, data == nil:
		return &fault{"", "an event needs a name, a time and data"}
	case name.Kind != tree.String:
		return &fault{"/name", "an event's name must be a string"}
	case time.Kind != tree.Number || !finite(time.Text):
		return &fault{"/time", "an event's time must be a finite number"}
	case data.Kind != tree.Object:
		return &fault{"/data", "an event's data must be an object"}
	}
	for i := range in.packets {
		if name.Is(in.packets[i].name) {
			return in.packet(ordinal, &in.packets[i], data)
		}
	}
	if name.Is(in.lost.name) {
		return in.loss(ordinal, data)
	}
	return nil
}

func finite(lexeme string) bool {
	f, _ := strconv.ParseFloat(lexeme, 64) // the only error is that of the range
	return !math.IsInf(f, 0)
}

const framesPointer tree.Pointer = "/data/frames"

func (in *interpreter) packet(ordinal uint32, event *packetEvent, data *tree.Value) *fault {
	frames := data.Get("frames")
	if frames == nil {
		in.facts.Incomplete(ordinal)
		return nil
	}
	if frames.Kind != tree.Array {
		return &fault{framesPointer, "a packet's frames must be an array"}
	}
	complete := !event.hidden
	for i := range frames.Items {
		fr := facts.Frame{Ordinal: ordinal, Index: uint32(i), Direction: event.direction}
		said, f := in.frame(&frames.Items[i], &fr)
		if f != nil {
			f.at = framesPointer.Item(i) + f.at
			return f
		}
		complete = complete && (said == nothing || said == everything)
		if !event.hidden && (said == something || said == everything) {
			in.facts.Frame(fr)
		}
	}
	if !complete {
		in.facts.Incomplete(ordinal)
	}
	return nil
}

// said is what a frame says of a stream.
type said uint8

const (
	nothing    said = iota // it is no STREAM frame
	unknown                // not even of which stream, or whether of one
	something              // some of it is unknown
	everything             // nothing is
)

// frame reads a frame that may be a STREAM frame (RFC 9000 section 19.8).
func (in *interpreter) frame(v *tree.Value, to *facts.Frame) (said, *fault) {
	if v.Kind != tree.Object {
		return 0, &fault{"", "a frame must be an object"}
	}
	kind := v.Get(in.frameType.name)
	switch {
	case kind == nil:
		return unknown, nil
	case kind.Kind != tree.String:
		return 0, &fault{"/frame_type", "a frame's type must be a string"}
	case !kind.Is(in.stream.name):
		if in.frameType.hidden {
			return unknown, nil
		}
		return nothing, nil
	}
	id, _, f := in.integer(v, in.streamID)
	if f == nil {
		to.Offset, _, f = in.integer(v, in.offset)
	}
	if f == nil {
		to.Length, _, f = in.integer(v, in.length)
	}
	if f == nil {
		to.Fin, f = in.bit(v, in.fin)
	}
	if f == nil {
		f = fits(v)
	}
	switch {
	case f != nil:
		return 0, f
	case id == facts.Unknown, in.frameType.hidden, in.stream.hidden:
		return unknown, nil
	}
	to.Stream = uint64(id)
	if to.Offset == facts.Unknown || to.Length == facts.Unknown || to.Fin == facts.FinUnknown {
		return something, nil
	}
	return everything, nil
}

// fits checks that a stream does not outgrow what RFC 9000 section 4.5 allows.
// It reads the frame itself: a hidden number must fit as well.
func fits(frame *tree.Value) *fault {
	offset, length := frame.Get("offset"), frame.Get("length")
	if offset == nil || length == nil {
		return nil
	}
	start, _ := exactint.Parse(offset.Text)
	n, _ := exactint.Parse(length.Text)
	if start+n > exactint.Max {
		return &fault{"", "a frame ends beyond 2^62-1"}
	}
	return nil
}

// loss reads a declaration of loss, of which nothing is required.
func (in *interpreter) loss(ordinal uint32, data *tree.Value) *fault {
	number, numberHidden, f := in.integer(data, in.packetNumber)
	if f != nil {
		f.at = "/data" + f.at
		return f
	}
	l := facts.Loss{Ordinal: ordinal, Number: number}
	typeHidden := false
	if t := data.Get(in.lossType.name); t != nil {
		text, ok := t.Str()
		if !ok {
			return &fault{"/data/type", "a packet's type must be a string"}
		}
		typeHidden = in.lossType.hidden || in.declared.InText(text)
		l.Type = facts.Text{S: text, Known: !typeHidden}
	}
	if !in.lost.hidden {
		in.facts.Loss(l)
	}
	if in.lost.hidden || numberHidden || typeHidden {
		in.facts.Incomplete(ordinal)
	}
	return nil
}

// integer reads a QUIC integer (RFC 9000 section 16), or gives Unknown.
func (in *interpreter) integer(of *tree.Value, f field) (q facts.Quantity, hidden bool, bad *fault) {
	v := of.Get(f.name)
	if v == nil {
		return facts.Unknown, false, nil
	}
	n, ok := uint64(0), v.Kind == tree.Number
	if ok {
		n, ok = exactint.Parse(v.Text)
	}
	if !ok {
		return 0, false, &fault{tree.Pointer("/" + f.name), f.name + " must be an integer from 0 to 2^62-1"}
	}
	if f.hidden || !in.declared.Empty() && (in.declared.InText(v.Text) || in.declared.InText(strconv.FormatUint(n, 10))) {
		return facts.Unknown, true, nil
	}
	return facts.Quantity(n), false, nil
}

func (in *interpreter) bit(of *tree.Value, f field) (facts.Fin, *fault) {
	v := of.Get(f.name)
	switch {
	case v == nil:
		return facts.FinUnknown, nil
	case v.Kind != tree.True && v.Kind != tree.False:
		return 0, &fault{tree.Pointer("/" + f.name), f.name + " must be true or false"}
	case f.hidden:
		return facts.FinUnknown, nil
	case v.Kind == tree.True:
		return facts.FinTrue, nil
	}
	return facts.FinFalse, nil
}

// description reads what a trace says of itself. What isn't text is unknown.
func (in *interpreter) description(trace *tree.Value) facts.Description {
	text := func(names ...string) facts.Text {
		for _, n := range append(names, "traces") {
			if in.declared.InText(n) {
				return facts.Text{}
			}
		}
		s, ok := trace.At(names...).Str()
		return facts.Text{S: s, Known: ok}
	}
	vantage := trace.Get("vantage_point")
	return facts.Description{
		ODCID:       text("common_fields", "ODCID"),
		Vantage:     vantage != nil && vantage.Kind == tree.Object,
		VantageName: text("vantage_point", "name"),
		VantageType: text("vantage_point", "type"),
	}
}
