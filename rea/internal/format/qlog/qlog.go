package qlog

import (
	_ "embed"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/qlog/facts"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

//go:embed sample.qlog
var sample []byte

// What the profile requires of the document's own members.
const (
	layout  = "JSON"
	version = "0.3"
)

// Format is the reader of aioquic's qlog.
type Format struct{}

// Profile describes the format.
func (Format) Profile() format.Profile {
	return format.Profile{
		Name:       "qlog",
		Title:      "QUIC and HTTP/3 event traces of aioquic 1.5.0 (qlog 0.3, JSON)",
		Decoder:    evidence.Identity{ID: "aioquic-qlog", Name: "REA aioquic qlog adapter", Version: "aioquic@1.5.0;qlog@" + version},
		NeedsBound: true,
		Analysis: map[string]any{
			"clock":        facts.Clock(),
			"producer":     "aioquic@1.5.0",
			"qlog_format":  layout,
			"qlog_version": version,
		},
		Credentials: "Excluded as transport credentials: values of Authorization, Proxy-Authorization, Cookie and Set-Cookie headers in HTTP frame events, userinfo in their Location, Referer, Origin, :authority and :path, stateless reset tokens, and NEW_TOKEN tokens. Other names are not taken as a sign of sensitivity.",
		Limits: []string{
			"The order of object members is not kept; arrays are in the producer's order, which is not an order of time.",
			"Events are one endpoint's report; a packet that it declares lost need not have been lost.",
			"Bytes that several frames cover were reported more than once; that alone shows neither a retransmission nor equal contents.",
			"A final size is where a stream was said to end; it shows neither complete coverage nor a received body.",
			"An empty list of incomplete records does not show that everything was logged or captured.",
			"No body is reported: lengths and headers are all that is known of one.",
			"The profile was chosen by the caller; the file does not authenticate its producer, nor that its clock counts from the Unix epoch.",
		},
		Sample: sample,
	}
}

// Read walks the capture. See format.Format.
func (Format) Read(in format.Input, out format.Sink) error {
	places := make(chan []place, 8)
	o := outline{src: in.Source, places: places}
	r := reader{in: in, out: out, facts: facts.New(in.Declared)}
	r.interpreter = newInterpreter(in.Declared, r.facts)
	checked := make(chan error, 1)
	go func() { checked <- o.check() }()
	r.events(places)
	if err := <-checked; err != nil {
		return err
	}
	return r.finish(&o)
}

// reader is the second pass.
type reader struct {
	in          format.Input
	out         format.Sink
	facts       *facts.Facts
	interpreter interpreter
	total       int
	field       error // the first event that isn't as it must be
	sink        error // the first error of the sink
}

// events reads every event, in order, as the first pass frees it.
func (r *reader) events(places <-chan []place) {
	var arena strictjson.Arena
	for batch := range places {
		for _, p := range batch {
			arena.Reset()
			v := strictjson.Build(r.in.Source, p.span, &arena)
			r.event(&v, p)
			r.total++
		}
	}
}

var ancestors = []string{"traces", "events"}

func (r *reader) event(v *tree.Value, p place) {
	if r.field != nil {
		return // the capture is lost
	}
	for r.facts.Traces() <= p.trace {
		r.facts.BeginTrace()
	}
	r.facts.Event()
	if f := r.interpreter.event(uint32(r.total), v); f != nil {
		r.field = &format.Problem{Kind: format.Malformed, Pointer: p.pointer() + f.at, Message: f.message}
		return
	}
	if r.sink != nil {
		return
	}
	markSecrets(v)
	r.sink = r.out.Record(&format.Entry{
		Reported:  v,
		At:        evidence.Location{Kind: evidence.AtPointer, Pointer: p.pointer()},
		Ancestors: ancestors,
	})
}

// finish hands on the document around the events, and the facts.
func (r *reader) finish(o *outline) error {
	if p := o.profile(); p != nil {
		return p
	}
	if r.field != nil {
		return r.field
	}
	if r.sink != nil {
		return r.sink
	}
	var arena strictjson.Arena
	doc := strictjson.Build(r.in.Source, o.root, &arena, o.arrays...)
	traces := doc.Get("traces").Items
	for i := range traces {
		if r.facts.Traces() <= i {
			r.facts.BeginTrace()
		}
		r.facts.Describe(i, r.interpreter.description(&traces[i]))
	}
	return r.out.Container(&format.Container{
		Reported: &doc,
		Facet:    &format.Facet{Name: facts.Name, JSON: r.facts.JSON()},
	})
}
