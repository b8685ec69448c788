package view

import (
	"bytes"
	"context"
	"io"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/tree"
)

// index says where things stand in the canonical bytes of a document.
type index struct {
	envelope map[string]tree.Span // values of the envelope's members
	result   map[string]tree.Span // values of normalized_result's members
	records  []tree.Span
}

const scanBlock = 256 << 10

// newIndex reads a canonical document once, from the start to the end.
func newIndex(ctx context.Context, d *evidence.Document) (*index, error) {
	s := scanner{index: &index{envelope: map[string]tree.Span{}, result: map[string]tree.Span{}}}
	r := d.Reader()
	block := make([]byte, scanBlock)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := r.Read(block)
		s.scan(block[:n])
		if err == io.EOF {
			return s.index, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// scanner finds members and records in canonical JSON, which has no white space,
// by counting brackets. It can stop between any two bytes.
type scanner struct {
	*index
	at       int // offset of the next byte
	depth    int
	inString bool
	escape   bool   // the last byte of a string is a backslash that escapes
	naming   bool   // the string is the name of a member that is wanted
	text     []byte // of that name
	outer    string // the envelope's member that is being read
	inner    string // the result's member that is being read
	start    int    // of the value on the depth that is looked at
	outStart int    // of the envelope's value, while inside normalized_result
	inStart  int    // of the result's value, while inside records
}

// wanted says that the names on this depth are looked at.
func (s *scanner) wanted() bool {
	return s.depth == 1 || s.depth == 2 && s.outer == "normalized_result"
}

// listed says that the values on this depth are records.
func (s *scanner) listed() bool {
	return s.depth == 3 && s.outer == "normalized_result" && s.inner == "records"
}

func (s *scanner) scan(p []byte) {
	for i := 0; i < len(p); {
		if s.inString {
			i += s.within(p[i:])
			continue
		}
		at := s.at + i
		switch p[i] {
		case '"':
			s.inString = true
			s.naming = s.wanted() && s.start < 0
			s.text = s.text[:0]
		case ':':
			if s.wanted() {
				s.start = at + 1
			}
		case '{', '[':
			s.open(at)
		case '}', ']':
			s.end(at, true)
		case ',':
			s.end(at, false)
		}
		i++
	}
	s.at += len(p)
}

// within goes on in a string, and gives the number of bytes it took.
func (s *scanner) within(p []byte) int {
	i, quote := 0, -1
	for i < len(p) && s.inString {
		if s.escape {
			s.escape = false
			i++
			continue
		}
		if quote < i { // the last one found was escaped, or none was looked for
			if quote = bytes.IndexByte(p[i:], '"'); quote < 0 {
				quote = len(p)
			} else {
				quote += i
			}
		}
		if b := bytes.IndexByte(p[i:quote], '\\'); b >= 0 {
			s.escape = true
			i += b + 1
			continue
		}
		s.inString = quote == len(p)
		i = min(quote+1, len(p))
	}
	if s.naming {
		s.text = append(s.text, p[:i]...)
		if !s.inString {
			s.named(string(s.text[:len(s.text)-1]))
		}
	}
	return i
}

func (s *scanner) named(name string) {
	s.naming = false
	if s.depth == 1 {
		s.outer = name
	} else {
		s.inner = name
	}
}

func (s *scanner) open(at int) {
	switch {
	case s.wanted() && s.depth == 1:
		s.outStart = s.start
	case s.wanted():
		s.inStart = s.start
	}
	s.depth++
	switch {
	case s.listed():
		s.start = at + 1
	case s.wanted():
		s.start = -1
	}
}

// end ends the value before a comma or a closing bracket.
func (s *scanner) end(at int, closed bool) {
	switch {
	case s.depth == 1 && s.start >= 0:
		s.envelope[s.outer] = tree.Span{Start: s.start, End: at}
		s.start = -1
	case s.wanted() && s.start >= 0:
		s.result[s.inner] = tree.Span{Start: s.start, End: at}
		s.start = -1
	case s.listed() && at > s.start:
		s.records = append(s.records, tree.Span{Start: s.start, End: at})
		s.start = at + 1
	}
	if !closed {
		return
	}
	s.depth--
	switch {
	case s.depth == 1:
		s.start = s.outStart
	case s.wanted():
		s.start = s.inStart
	}
}
