package strictjson

import (
	"strconv"

	"rea.example/rea/internal/tree"
)

// ProblemKind is what is wrong with a document. Where a document has several
// problems, the smallest kind is reported, and of one kind the first.
type ProblemKind uint8

const (
	Encoding  ProblemKind = iota // not UTF-8
	Syntax                       // not exactly one RFC 8259 document
	Duplicate                    // an object has two members of one name
	Depth                        // a value stands deeper than allowed
)

// String is the kind in words.
func (k ProblemKind) String() string {
	switch k {
	case Encoding:
		return "invalid UTF-8"
	case Syntax:
		return "malformed JSON"
	case Duplicate:
		return "duplicate member name"
	}
	return "nesting too deep"
}

// Problem is why Check refused a document.
type Problem struct {
	Kind ProblemKind
	// Offset is a byte offset in the document, a leading BOM counted: the first
	// byte that is not UTF-8, the byte at which the grammar failed (the length
	// of the document if it ended too early), the opening quote of the repeated
	// name, or the first byte of the value that is too deep.
	Offset int
	// Pointer names the value that was being read, the repeated member, or the
	// value that is too deep. It is the root for Encoding.
	Pointer tree.Pointer
}

// Error names kind, offset and pointer.
func (p *Problem) Error() string {
	return p.Kind.String() + " at offset " + strconv.Itoa(p.Offset) + ", pointer " + strconv.Quote(string(p.Pointer))
}
