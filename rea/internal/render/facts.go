package render

import (
	"strings"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// facts are what a page of a capture says, and where the rest stands in the
// document. The zero Span says that something isn't there.
type facts struct {
	doc []byte

	id, path, sha256, bytes, format, total tree.Span
	container, decoder, decoderVersion     tree.Span
	facet                                  tree.Span // of a qlog
	conformance, sensitive                 tree.Span // parameters

	records     []record
	credentials int // values left out, or cut, as transport credentials
	declared    int // values left out as declared
	names       int // members left out for their declared name
	notes       int // limitations of the capture
	recordNotes int // limitations of records
	deviations  int
}

// record is where one stands.
type record struct {
	ordinal, location, reported  tree.Span
	binary, literals, redactions tree.Span
}

// gather goes through the document once, and keeps nothing of it but places.
func gather(doc []byte) *facts {
	f := &facts{doc: doc}
	c := &cursor{doc: doc}
	c.members(func(name []byte) {
		switch string(name) {
		case "evidence_id":
			f.id = c.skip()
		case "normalized_result":
			f.result(c)
		case "parameters":
			c.keep(spot{"conformance", &f.conformance}, spot{"sensitive_value_count", &f.sensitive})
		default:
			c.skip()
		}
	})
	return f
}

func (f *facts) result(c *cursor) {
	c.members(func(name []byte) {
		switch string(name) {
		case "artifact":
			c.keep(spot{"path", &f.path}, spot{"sha256", &f.sha256}, spot{"bytes", &f.bytes})
		case "container":
			f.container = tree.Span{Start: c.i}
			f.member(c, nil)
			f.container.End = c.i
		case "decoder":
			c.keep(spot{"name", &f.decoder}, spot{"version", &f.decoderVersion})
		case "format":
			f.format = c.skip()
		case "limitations":
			c.items(func() { f.notes++; c.skip() })
		case "qlog":
			f.facet = c.skip()
		case "records":
			c.items(func() {
				f.records = append(f.records, record{})
				f.member(c, &f.records[len(f.records)-1])
			})
		case "total_records":
			f.total = c.skip()
		default:
			c.skip()
		}
	})
}

// member goes through a record, or the container where r is nil: both say in the
// same way what was left out and what deviates.
func (f *facts) member(c *cursor, r *record) {
	if r == nil {
		r = new(record)
	}
	c.members(func(name []byte) {
		switch string(name) {
		case "ordinal":
			r.ordinal = c.skip()
		case "location":
			r.location = c.skip()
		case "reported":
			r.reported = c.skip()
		case "binary_fields":
			r.binary = c.skip()
		case "numeric_literals":
			r.literals = c.skip()
		case "redactions":
			r.redactions.Start = c.i
			c.items(func() { f.redaction(c) })
			r.redactions.End = c.i
		case "limitations":
			c.items(func() { f.recordNotes++; c.skip() })
		case "deviation_total":
			f.deviations += f.integer(c.skip())
		default:
			c.skip()
		}
	})
}

func (f *facts) redaction(c *cursor) {
	var reason, scope tree.Span
	c.keep(spot{"reason", &reason}, spot{"scope", &scope})
	switch {
	case scope.Len() > 0:
		f.names++
	case string(f.doc[reason.Start:reason.End]) == `"transport-credential"`:
		f.credentials++
	default:
		f.declared++
	}
}

// joins says that a fact may be put together from parts: where values were
// declared, parts that are harmless alone could spell one of them.
func (f *facts) joins() bool { return f.text(f.sensitive) == "0" }

// parts builds what pointers lead to in the value at s, which may be the zero
// Span.
func (f *facts) parts(s tree.Span, pointers ...string) tree.Value {
	if s.Len() == 0 {
		return tree.Value{}
	}
	c := cursor{doc: f.doc, i: s.Start}
	return c.pick(wanted(pointers...), new(strictjson.Arena))
}

// text gives a string decoded, a number as it is spelt, and nothing for any
// other value. It is not escaped.
func (f *facts) text(s tree.Span) string {
	raw := f.doc[s.Start:s.End]
	switch {
	case len(raw) == 0:
	case raw[0] == '"':
		return tree.Unescape(string(raw[1 : len(raw)-1]))
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return string(raw)
	}
	return ""
}

// shown is text, escaped.
func (f *facts) shown(s tree.Span) string { return Escape(f.text(s)) }

// integer gives a count, or 0.
func (f *facts) integer(s tree.Span) int {
	n := 0
	for _, c := range f.doc[s.Start:s.End] {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// word is a string decoded or a number as it is spelt, else nothing.
func word(v *tree.Value) string {
	if v != nil && (v.Kind == tree.String || v.Kind == tree.Number) {
		return v.Decode()
	}
	return ""
}

// words joins what there is of a name and a version, escaped.
func words(vs ...*tree.Value) string {
	var parts []string
	for _, v := range vs {
		if s := word(v); s != "" {
			parts = append(parts, Escape(s))
		}
	}
	return strings.Join(parts, " ")
}
