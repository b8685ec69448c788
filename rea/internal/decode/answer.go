package decode

import (
	"encoding/binary"
	"errors"
	"io"
	"strconv"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/all"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/strictjson"
)

// ReplyWriter is where a reply goes: appended to, and its first bytes last.
type ReplyWriter interface {
	io.Writer
	io.WriterAt
}

// Answer reads the snapshot as the request says and writes the reply. bounded
// says whether this process's memory ceiling is in force. An error means that
// no valid reply could be written.
func Answer(request, snapshot []byte, bounded bool, to ReplyWriter) error {
	req, err := decodeRequest(request)
	if err != nil {
		return err
	}
	f := all.Named(req.Format)
	if req.Foreign {
		f = foreignReader(f)
	}
	if f == nil {
		return errors.New("the request names no format that this program reads")
	}
	out := newOutput(to)
	var h Header
	if f.Profile().NeedsBound && !bounded {
		h.Problem = &format.Problem{Kind: format.Unsupported, Message: "this format is read only where the decoder's memory can be bounded, and this host can't"}
	} else {
		h = answer(f, req, snapshot, out)
	}
	h.Bounded = bounded
	h.Decoder = f.Profile().Decoder
	return out.finish(h)
}

// foreignReader is who reads what the format's foreign program wrote, or nil.
func foreignReader(f format.Format) format.Format {
	if foreign, ok := f.(format.Foreign); ok {
		return foreign.Upstream().Reader
	}
	return nil
}

func answer(f format.Format, req Request, snapshot []byte, out *output) Header {
	declared := redact.NewDeclarations(req.Declared)
	p := newProjector(req, declared, out)
	err := f.Read(format.Input{Source: snapshot, Capture: req.Capture, Report: req.Report, Declared: declared}, p)
	if err == nil {
		err = out.flush()
	}
	var problem *format.Problem
	switch {
	case err == nil:
		return p.header()
	case errors.As(err, &problem):
		return Header{Problem: problem}
	case errors.Is(err, errOverflow):
		return Header{ReplyOverflow: true}
	}
	out.err = err // nothing can be said over a reply that can't be written
	return Header{}
}

// finish writes the header and then the prologue that makes it valid.
func (o *output) finish(h Header) error {
	b := h.encode()
	if h.Problem != nil || h.ReplyOverflow {
		o.reset()
	}
	off := o.offset()
	o.write(b)
	if err := o.flush(); errors.Is(err, errOverflow) {
		return o.finish(Header{Decoder: h.Decoder, Bounded: h.Bounded, ReplyOverflow: true})
	} else if err != nil {
		return err
	}
	pro := append([]byte{}, magic[:]...)
	pro = binary.LittleEndian.AppendUint64(pro, uint64(off))
	pro = binary.LittleEndian.AppendUint64(pro, uint64(len(b)))
	_, err := o.to.WriteAt(pro, 0)
	return err
}

// header describes what a finished projection wrote.
func (p *projector) header() Header {
	h := Header{Hidden: p.hidden, Total: p.total, Container: p.container, Facet: p.facet, FacetName: p.facetName, Deviations: p.deviations}
	if p.req.All {
		h.Runs = []Run{p.all}
		return h
	}
	for _, r := range p.chosen {
		if r.Count == 0 {
			return Header{Total: p.total, UnknownOrdinals: true}
		}
	}
	h.Runs = p.chosen
	return h
}

var _ format.Sink = (*projector)(nil)

// location gives a record's place as it may be shown.
func (p *projector) location(at evidence.Location) evidence.Location {
	if p.silent {
		return at
	}
	hidden := false
	switch at.Kind {
	case evidence.AtPointer:
		hidden = p.declared.InText(string(at.Pointer))
	case evidence.AtRange:
		hidden = p.declared.InText(strconv.FormatInt(at.Offset, 10)) || p.declared.InText(strconv.FormatInt(at.Bytes, 10))
	case evidence.AtMembers:
		hidden = p.anyDeclared(at.Members)
	}
	if hidden {
		p.hidden = true
		return evidence.Location{Kind: evidence.AtUnknown}
	}
	return at
}

func appendLocation(b []byte, at evidence.Location) []byte {
	switch at.Kind {
	case evidence.AtPointer:
		b = append(b, `{"kind":"json-pointer","pointer":`...)
		return append(strictjson.AppendString(b, string(at.Pointer)), '}')
	case evidence.AtRange:
		b = append(b, `{"bytes":`...)
		b = strconv.AppendInt(b, at.Bytes, 10)
		b = append(b, `,"kind":"byte-range","offset":`...)
		return append(strconv.AppendInt(b, at.Offset, 10), '}')
	case evidence.AtMembers:
		b = append(b, `{"kind":"archive-members","members":`...)
		return append(strictjson.AppendValue(b, at.Members), '}')
	}
	return append(b, `{"kind":"unknown","reason":"explicit-sensitive-value"}`...)
}
