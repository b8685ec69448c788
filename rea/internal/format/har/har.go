package har

import (
	_ "embed"
	"errors"
	"slices"
	"strconv"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/har/schema"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

//go:embed sample.har
var sample []byte

// version is the only log.version that is read.
const version = "1.2"

const entriesPointer tree.Pointer = "/log/entries"

// Format is the HAR 1.2 reader.
type Format struct{}

// Profile describes the format.
func (Format) Profile() format.Profile {
	return format.Profile{
		Name:        "har",
		Title:       "HTTP Archive 1.2 (browsers, proxies, test tools)",
		Decoder:     evidence.Identity{ID: "rea-har", Name: "REA HAR capture adapter", Version: "1;har-schema@2.0.0"},
		Conformance: true,
		Credentials: "Excluded as transport credentials: values of Authorization, Proxy-Authorization, Cookie and Set-Cookie headers, all cookie values, and userinfo in request URLs, redirect URLs and Location, Referer and Origin headers. Other names are not taken as a sign of sensitivity.",
		Limits:      []string{"The order of object members is not kept; arrays are in the producer's order."},
		Sample:      sample,
	}
}

// What the first pass reports to the second.
const (
	watchRoot = iota
	watchCreator
	watchEntries
	watchEntry
)

var watch = []strictjson.Path{
	watchRoot:    {},
	watchCreator: {"log", "creator"},
	watchEntries: {"log", "entries"},
	watchEntry:   {"log", "entries", "*"},
}

// batchSize is how many entries the first pass gathers before it hands them on.
const batchSize = 64

// Read walks the capture. See format.Format.
func (Format) Read(in format.Input, out format.Sink) error {
	hides := func(name string) bool { return in.Declared.InText(name) }
	r := reader{in: in, out: out, spans: make(chan []tree.Span, 8), hidden: slices.ContainsFunc(ancestors, hides)}
	checked := make(chan error, 1)
	go func() {
		defer close(r.spans)
		checked <- r.check()
	}()
	r.entries()
	if err := <-checked; err != nil {
		return problemOf(err)
	}
	return r.finish()
}

// problemOf turns what the strict reader found into the format's terms.
func problemOf(err error) error {
	var p *strictjson.Problem
	if !errors.As(err, &p) {
		return err
	}
	// The pointer stays apart: quoted in a sentence, a declared name in it would
	// have a spelling that nobody looks for.
	out := &format.Problem{Kind: format.Malformed, Message: p.Kind.String() + " at offset " + strconv.Itoa(p.Offset), Pointer: p.Pointer}
	if p.Kind == strictjson.Depth {
		out.Kind = format.TooMuch
		out.Maximum = format.Maximum{Name: "maximum_capture_nesting", Value: limits.CaptureDepth}
	}
	return out
}

type reader struct {
	in    format.Input
	out   format.Sink
	spans chan []tree.Span // entries that may be read
	// hidden says that each entry is left out whole, and that nothing is told of it.
	hidden bool

	// Written by the first pass; read by the second after a receive that
	// follows the write, or after the first pass ended.
	root, array tree.Span
	saveHAR     bool // the creator is mitmproxy 12.2.3

	schema schemaErrors // of entries, in order
	body   error        // the first body that isn't canonical base64
	sink   error        // the first error of the sink
	total  int
}

// check is the first pass.
func (r *reader) check() error {
	var batch []tree.Span
	known := false
	send := func() {
		if len(batch) > 0 {
			r.spans <- batch
			batch = make([]tree.Span, 0, batchSize)
		}
	}
	err := strictjson.Check(r.in.Source, limits.CaptureDepth, watch, func(which int, span tree.Span) {
		switch which {
		case watchRoot:
			r.root = span
		case watchCreator:
			if !known { // a second one is a duplicate, and the end of the capture
				r.saveHAR, known = isSaveHAR(r.in.Source, span), true
			}
		case watchEntries:
			r.array = span
		case watchEntry:
			batch = append(batch, span)
			// How an entry is judged depends on the creator: entries that
			// stand before it wait.
			if known && len(batch) >= batchSize {
				send()
			}
		}
	})
	send()
	return err
}

// isSaveHAR says whether the creator is the one producer whose null
// postData.text is not held against it (mitmproxy 12.2.3, SaveHar).
func isSaveHAR(src []byte, span tree.Span) bool {
	var a strictjson.Arena
	c := strictjson.Build(src, span, &a)
	name, _ := c.Get("name").Str()
	v, _ := c.Get("version").Str()
	return name == "mitmproxy" && v == "12.2.3"
}

// entries is the second pass: every entry, in order, as the first pass frees it.
func (r *reader) entries() {
	var arena strictjson.Arena
	for batch := range r.spans {
		for _, span := range batch {
			arena.Reset()
			v := strictjson.Build(r.in.Source, span, &arena)
			r.entry(&v)
			r.total++
		}
	}
}

func (r *reader) entry(v *tree.Value) {
	e := format.Entry{Reported: v}
	valid := true
	var prefix tree.Pointer
	e.Limits = recordLimits
	schema.Entry(v, func(err schema.Error) bool {
		if err.NullPostDataText && r.saveHAR {
			if !r.hidden {
				e.Limits = saveHARLimits
			}
			return true
		}
		valid = false
		if r.in.Report {
			e.Deviations, e.DeviationTotal = deviation(e.Deviations, e.DeviationTotal, err)
			return true
		}
		if prefix == "" {
			prefix = entriesPointer.Item(r.total)
		}
		r.schema.add(prefix+err.Pointer, err.Keyword)
		return true
	})
	if !r.in.Report && (!valid || r.schema.total > 0) || r.body != nil || r.sink != nil {
		return // the capture is lost; only what decides the verdict still counts
	}
	e.At = evidence.Location{Kind: evidence.AtPointer, Pointer: entriesPointer.Item(r.total)}
	e.Ancestors = ancestors
	if text := encodedBody(v); text != nil {
		body, ok := decodeBody(text, r.in.Declared)
		switch {
		case ok:
			e.Bodies = []format.Body{body}
		case r.in.Report:
			e.DeviationTotal++
			if len(e.Deviations) < limits.Deviations {
				e.Deviations = append(e.Deviations, evidence.Deviation{Pointer: bodyPointer, Keyword: "contentEncoding", Expected: "base64"})
			}
			if hidesDeclared(text.Decode(), r.in.Declared) {
				text.Mark |= tree.Sensitive
			}
		default:
			r.body = &format.Problem{Kind: format.Malformed, Pointer: e.At.Pointer + bodyPointer,
				Message: "the body is declared base64 but is not canonical base64 with padding"}
			return
		}
	}
	markSecrets(v)
	r.sink = r.out.Record(&e)
}

var (
	ancestors    = []string{"log", "entries"}
	recordLimits = []string{
		"Text is the producer's decoding; original bytes are known only for base64 bodies.",
		"Declared sizes are the producer's and were not compared with anything.",
	}
	saveHARLimits = append(recordLimits[:len(recordLimits):len(recordLimits)],
		"The text of postData is null, which HAR forbids; mitmproxy writes that for a request without a body.")
)

// finish judges the document around the entries and hands on the container.
func (r *reader) finish() error {
	var arena strictjson.Arena
	var skip []tree.Span
	isArray := r.array != tree.Span{} && r.in.Source[r.array.Start] == '['
	if isArray {
		skip = []tree.Span{r.array}
	}
	doc := strictjson.Build(r.in.Source, r.root, &arena, skip...)
	if r.in.Report {
		return r.finishReport(&doc, isArray)
	}
	var before, after schemaErrors
	schema.Document(&doc, isArray, before.take, after.take)
	if p := joined(before, r.schema, after); p != nil {
		return p
	}
	if v, _ := doc.At("log", "version").Str(); v != version {
		return &format.Problem{Kind: format.Unsupported, Message: "only HAR version " + version + " is read; this capture declares another", Pointer: "/log/version"}
	}
	return r.deliver(&format.Container{Reported: &doc})
}

func (r *reader) finishReport(doc *tree.Value, isArray bool) error {
	if p := skeleton(doc, isArray); p != nil {
		return p
	}
	c := format.Container{Reported: doc}
	take := func(err schema.Error) bool {
		c.Deviations, c.DeviationTotal = deviation(c.Deviations, c.DeviationTotal, err)
		return true
	}
	schema.Document(doc, true, take, take)
	if v, ok := doc.At("log", "version").Str(); ok && v != version {
		c.DeviationTotal++
		if len(c.Deviations) < limits.Deviations {
			c.Deviations = append(c.Deviations, evidence.Deviation{Pointer: "/log/version", Keyword: "profile", Expected: version})
		}
	}
	return r.deliver(&c)
}

func (r *reader) deliver(c *format.Container) error {
	if r.body != nil {
		return r.body
	}
	if r.sink != nil {
		return r.sink
	}
	p := entriesPointer
	c.RecordsPointer = &p
	return r.out.Container(c)
}

// skeleton checks what conformance "report" still requires.
func skeleton(doc *tree.Value, isArray bool) error {
	missing := func(p tree.Pointer, what string) error {
		return &format.Problem{Kind: format.Malformed, Pointer: p, Message: "a HAR capture needs " + what}
	}
	log := doc.Get("log")
	switch {
	case doc.Kind != tree.Object:
		return missing("", "an object at its root")
	case log == nil:
		return missing("", "a log object")
	case log.Kind != tree.Object:
		return missing("/log", "a log object")
	case log.Get("entries") == nil:
		return missing("/log", "a log.entries array")
	case !isArray:
		return missing(entriesPointer, "a log.entries array")
	}
	return nil
}

// schemaErrors keeps the first errors and counts all.
type schemaErrors struct {
	list  []format.SchemaError
	total int
}

func (s *schemaErrors) add(p tree.Pointer, keyword string) {
	s.total++
	if len(s.list) < limits.SchemaIssues {
		s.list = append(s.list, format.SchemaError{Pointer: p, Keyword: keyword})
	}
}

func (s *schemaErrors) take(err schema.Error) bool {
	s.add(err.Pointer, err.Keyword)
	return true
}

// joined is the problem that the errors make, in the order of the schema.
func joined(groups ...schemaErrors) error {
	var all schemaErrors
	for _, g := range groups {
		all.total += g.total
		all.list = append(all.list, g.list[:min(len(g.list), limits.SchemaIssues-len(all.list))]...)
	}
	if all.total == 0 {
		return nil
	}
	first := all.list[0]
	return &format.Problem{
		Kind:        format.Malformed,
		Message:     "the capture breaks the HAR 1.2 schema in " + strconv.Itoa(all.total) + " places or ways, the first being " + first.Keyword,
		Pointer:     first.Pointer,
		Schema:      all.list,
		SchemaTotal: all.total,
	}
}

func deviation(list []evidence.Deviation, total int, err schema.Error) ([]evidence.Deviation, int) {
	if len(list) < limits.Deviations {
		list = append(list, evidence.Deviation{Pointer: err.Pointer, Keyword: err.Keyword, SchemaPointer: err.SchemaPointer, Expected: err.Expected})
	}
	return list, total + 1
}
