package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strconv"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// A reply is a file:
//
//	prologue   8 bytes magic, header offset, header length (little-endian int64)
//	sections   canonical JSON: runs of records, the container
//	header     canonical JSON: Header
//
// The prologue is written last, because lengths are known last: a reply that
// was broken off has no magic and so no header.
const prologueBytes = 24

var magic = [8]byte{'r', 'e', 'a', 'r', 'e', 'p', 'l', '1'}

// Run is a piece of the reply that holds the records First to First+Count-1,
// with commas between them.
type Run struct {
	First, Count  int
	Offset, Bytes int64
}

// Header says what the rest of the reply is.
type Header struct {
	Decoder evidence.Identity
	// Bounded says that the memory ceiling was set and read back.
	Bounded bool
	// Hidden says that some coordinates were left out, because they hold a
	// declared value.
	Hidden          bool
	Total           int // records of the whole capture
	Runs            []Run
	Container       Run // Offset and Bytes only, as of Facet
	Facet           Run
	FacetName       string // "" where there is no facet
	Deviations      int    // of the container and the written records
	Problem         *format.Problem
	ReplyOverflow   bool // what was selected doesn't fit the reply
	UnknownOrdinals bool // an ordinal was asked for that the capture hasn't
}

func (h Header) encode() []byte {
	run := func(r Run) []any {
		return []any{r.First, r.Count, r.Offset, r.Bytes}
	}
	runs := make([]any, len(h.Runs))
	for i, r := range h.Runs {
		runs[i] = run(r)
	}
	m := map[string]any{
		"decoder":          []any{h.Decoder.ID, h.Decoder.Name, h.Decoder.Version},
		"bounded":          h.Bounded,
		"hidden":           h.Hidden,
		"total":            h.Total,
		"runs":             runs,
		"container":        run(h.Container),
		"facet":            run(h.Facet),
		"facet_name":       h.FacetName,
		"deviations":       h.Deviations,
		"overflow":         h.ReplyOverflow,
		"unknown_ordinals": h.UnknownOrdinals,
	}
	if p := h.Problem; p != nil {
		schema := make([]any, len(p.Schema))
		for i, e := range p.Schema {
			schema[i] = []any{string(e.Pointer), e.Keyword}
		}
		m["problem"] = map[string]any{
			"kind": string(p.Kind), "message": p.Message, "pointer": string(p.Pointer),
			"maximum": []any{p.Maximum.Name, p.Maximum.Value},
			"schema":  schema, "schema_total": p.SchemaTotal,
		}
	}
	return strictjson.AppendValue(nil, m)
}

// ErrReply says that a reply is missing, broken off or not of this program.
var ErrReply = errors.New("the decoder's reply is missing or malformed")

// ErrReplySize says that a reply is larger than a reply may be.
var ErrReplySize = errors.New("the decoder's reply is over " + strconv.Itoa(limits.ReplyBytes) + " bytes")

// ReadHeader reads and checks a reply of the given size. Every section it names
// lies inside the reply.
func ReadHeader(r io.ReaderAt, size int64) (Header, error) {
	if size > limits.ReplyBytes {
		return Header{}, ErrReplySize
	}
	var pro [prologueBytes]byte
	if _, err := r.ReadAt(pro[:], 0); err != nil || !bytes.Equal(pro[:8], magic[:]) {
		return Header{}, ErrReply
	}
	off := int64(binary.LittleEndian.Uint64(pro[8:]))
	n := int64(binary.LittleEndian.Uint64(pro[16:]))
	if off < prologueBytes || n < 2 || off > size || n > size-off {
		return Header{}, ErrReply
	}
	b := make([]byte, n)
	if _, err := r.ReadAt(b, off); err != nil {
		return Header{}, ErrReply
	}
	h, err := decodeHeader(b)
	if err != nil {
		return Header{}, ErrReply
	}
	for _, run := range append([]Run{h.Container, h.Facet}, h.Runs...) {
		if run.Offset < 0 || run.Bytes < 0 || run.Count < 0 || run.Offset > off || run.Bytes > off-run.Offset {
			return Header{}, ErrReply
		}
	}
	return h, nil
}

func decodeHeader(b []byte) (h Header, err error) {
	v, err := strictjson.Parse(b, limits.ArgumentDepth)
	if err != nil {
		return h, err
	}
	d := items(v.Get("decoder"))
	if len(d) != 3 {
		return h, ErrReply
	}
	h.Decoder.ID, _ = d[0].Str()
	h.Decoder.Name, _ = d[1].Str()
	h.Decoder.Version, _ = d[2].Str()
	h.Bounded, h.Hidden = isTrue(v.Get("bounded")), isTrue(v.Get("hidden"))
	h.ReplyOverflow, h.UnknownOrdinals = isTrue(v.Get("overflow")), isTrue(v.Get("unknown_ordinals"))
	total, err := integer(v.Get("total"))
	if err != nil {
		return h, err
	}
	h.Total = int(total)
	deviations, err := integer(v.Get("deviations"))
	if err != nil {
		return h, err
	}
	h.Deviations = int(deviations)
	if h.Container, err = decodeRun(v.Get("container")); err != nil {
		return h, err
	}
	if h.Facet, err = decodeRun(v.Get("facet")); err != nil {
		return h, err
	}
	h.FacetName, _ = v.Get("facet_name").Str()
	for _, r := range items(v.Get("runs")) {
		run, err := decodeRun(&r)
		if err != nil {
			return h, err
		}
		h.Runs = append(h.Runs, run)
	}
	if p := v.Get("problem"); p != nil {
		h.Problem, err = decodeProblem(p)
	}
	return h, err
}

func decodeRun(v *tree.Value) (Run, error) {
	n := items(v)
	if len(n) != 4 {
		return Run{}, ErrReply
	}
	var k [4]int64
	for i := range n {
		var err error
		if k[i], err = integer(&n[i]); err != nil {
			return Run{}, err
		}
	}
	return Run{First: int(k[0]), Count: int(k[1]), Offset: k[2], Bytes: k[3]}, nil
}

func decodeProblem(v *tree.Value) (*format.Problem, error) {
	kind, _ := v.Get("kind").Str()
	pointer, _ := v.Get("pointer").Str()
	p := &format.Problem{Kind: format.Kind(kind), Pointer: tree.Pointer(pointer)}
	p.Message, _ = v.Get("message").Str()
	if m := items(v.Get("maximum")); len(m) == 2 {
		p.Maximum.Name, _ = m[0].Str()
		n, err := integer(&m[1])
		if err != nil {
			return nil, err
		}
		p.Maximum.Value = int(n)
	}
	for _, e := range items(v.Get("schema")) {
		if len(e.Items) != 2 {
			return nil, ErrReply
		}
		at, _ := e.Items[0].Str()
		keyword, _ := e.Items[1].Str()
		p.Schema = append(p.Schema, format.SchemaError{Pointer: tree.Pointer(at), Keyword: keyword})
	}
	total, err := integer(v.Get("schema_total"))
	p.SchemaTotal = int(total)
	return p, err
}

func integer(v *tree.Value) (int64, error) {
	if v == nil || v.Kind != tree.Number {
		return 0, ErrReply
	}
	return strconv.ParseInt(v.Text, 10, 64)
}
