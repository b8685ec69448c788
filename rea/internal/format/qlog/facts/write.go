package facts

import (
	"iter"
	"slices"
	"strconv"

	"rea.example/rea/internal/exactint"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/strictjson"
)

// pieceBytes is about how large the pieces of the facet are.
const pieceBytes = 32 << 10

// JSON gives the facet in canonical form, in pieces that hold until the next is
// asked for. It reorders the facts: nothing may be added any more.
func (f *Facts) JSON() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		w := writer{yield: yield, declared: f.declared, derive: deriver{declared: f.declared}}
		w.text(`{"body_bytes":"` + Bodies + `","clock":`)
		w.buf = strictjson.AppendValue(w.buf, Clock())
		w.text(`,"profile":"` + Profile + `","scope":"` + Scope + `","traces":[`)
		for i := range f.traces {
			if w.stopped {
				return
			}
			w.comma(i)
			w.trace(f, i)
		}
		w.text(`]}`)
		w.flush()
	}
}

// writer gathers text into pieces. Members are written in canonical order.
type writer struct {
	buf      []byte
	yield    func([]byte) bool
	stopped  bool // nobody reads on
	declared *redact.Declarations
	derive   deriver
}

func (w *writer) flush() {
	if !w.stopped && len(w.buf) > 0 {
		w.stopped = !w.yield(w.buf)
	}
	w.buf = w.buf[:0]
}

func (w *writer) text(s string) { w.buf = append(w.buf, s...) }

// comma comes before each item; between items a piece may end.
func (w *writer) comma(i int) {
	if len(w.buf) >= pieceBytes {
		w.flush()
	}
	if i > 0 {
		w.text(",")
	}
}

func (w *writer) integer(n uint64) { w.buf = strconv.AppendUint(w.buf, n, 10) }

// decimal writes a number as a string, in which no reader rounds it.
func (w *writer) decimal(n uint64) {
	w.text(`"`)
	w.integer(n)
	w.text(`"`)
}

func (w *writer) quantity(q Quantity) {
	if q == Unknown {
		w.text("null")
		return
	}
	w.decimal(uint64(q))
}

func (w *writer) total(n string, hidden bool) {
	if hidden {
		w.text("null")
		return
	}
	w.text(`"` + n + `"`)
}

// recorded writes a captured text, or null where it holds a declared value.
func (w *writer) recorded(t Text) {
	if !t.Known || w.declared.InText(t.S) {
		w.text("null")
		return
	}
	w.buf = strictjson.AppendString(w.buf, t.S)
}

func (w *writer) ordinals(list []uint32) {
	w.text("[")
	for i, o := range list {
		w.comma(i)
		w.integer(uint64(o))
	}
	w.text("]")
}

func (w *writer) trace(f *Facts, i int) {
	t := &f.traces[i]
	frames, losses, incomplete := f.lists(i)
	order(frames)
	w.text(`{"events":`)
	w.integer(uint64(t.events))
	w.text(`,"incomplete_records":`)
	w.ordinals(w.withConcerned(incomplete, frames))
	w.text(`,"loss_declarations":[`)
	for k := range losses {
		w.comma(k)
		w.loss(&losses[k])
	}
	w.text(`],"odcid":`)
	w.recorded(t.ODCID)
	w.text(`,"pointer":`)
	w.recorded(Text{S: "/traces/" + strconv.Itoa(i), Known: true})
	w.text(`,"streams":[`)
	for k := 0; len(frames) > 0 && !w.stopped; k++ {
		group := first(frames)
		frames = frames[len(group):]
		w.comma(k)
		w.stream(w.derive.derive(group))
	}
	w.text(`],"trace_index":`)
	w.integer(uint64(i))
	w.text(`,"vantage_point":`)
	if t.Vantage {
		w.text(`{"name":`)
		w.recorded(t.VantageName)
		w.text(`,"type":`)
		w.recorded(t.VantageType)
		w.text(`}`)
	} else {
		w.text("null")
	}
	w.text("}")
}

// withConcerned adds to the incomplete records those from which something
// follows that may not be shown.
func (w *writer) withConcerned(incomplete []uint32, frames []Frame) []uint32 {
	if w.declared.Empty() {
		return incomplete // in order as they came
	}
	all := slices.Clone(incomplete)
	for len(frames) > 0 {
		group := first(frames)
		frames = frames[len(group):]
		all = append(all, w.derive.derive(group).concerned...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (w *writer) loss(l *Loss) {
	w.text(`{"ordinal":`)
	w.integer(uint64(l.Ordinal))
	w.text(`,"packet_number":`)
	w.quantity(l.Number)
	w.text(`,"packet_type":`)
	w.recorded(l.Type)
	w.text("}")
}

func (w *writer) stream(s stream) {
	w.text(`{"contributions":[`)
	for i := range s.frames {
		w.comma(i)
		w.contribution(&s.frames[i])
	}
	w.text(`],"direction":"` + s.frames[0].Direction.String() + `","final_sizes":[`)
	w.finalSizes(s.endings)
	w.text(`],"frame_length_sum":`)
	w.total(s.sum.String(), s.sumHidden)
	w.text(`,"ranges":[`)
	for i, r := range s.ranges {
		w.comma(i)
		w.rangeRow(r)
	}
	w.text(`],"repeated_bytes":`)
	w.total(s.repeated.String(), s.repeatedHidden)
	w.text(`,"stream_id":`)
	w.decimal(s.frames[0].Stream)
	w.text(`,"unique_bytes":`)
	w.total(strconv.FormatUint(s.unique, 10), s.uniqueHidden)
	w.text("}")
}

// finalSizes writes a row for each size.
func (w *writer) finalSizes(endings []ending) {
	for i, e := range endings {
		if i > 0 && endings[i-1].size == e.size {
			w.comma(1)
		} else {
			w.comma(i)
			w.text(`{"ordinals":[`)
		}
		w.integer(uint64(e.ordinal))
		if i+1 == len(endings) || endings[i+1].size != e.size {
			w.text(`],"size":`)
			w.decimal(e.size)
			w.text("}")
		}
	}
}

func (w *writer) contribution(f *Frame) {
	w.text(`{"fin":`)
	w.text([...]string{FinUnknown: "null", FinFalse: "false", FinTrue: "true"}[f.Fin])
	w.text(`,"frame_index":`)
	w.integer(uint64(f.Index))
	w.text(`,"length":`)
	w.quantity(f.Length)
	w.text(`,"offset":`)
	w.quantity(f.Offset)
	w.text(`,"ordinal":`)
	w.integer(uint64(f.Ordinal))
	w.text("}")
}

func (w *writer) rangeRow(r exactint.Range) {
	w.text(`{"end":`)
	w.decimal(r.End)
	w.text(`,"start":`)
	w.decimal(r.Start)
	w.text("}")
}
