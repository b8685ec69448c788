package format

import (
	"fmt"
	"iter"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/tree"
)

// Profile describes a format to people, schemas and the rest of the program.
type Profile struct {
	Name    string // the value of the format argument
	Title   string // one line for help
	Decoder evidence.Identity
	// Conformance says that the format takes conformance "report".
	Conformance bool
	// NeedsBound says that the format is not read where no memory ceiling can
	// be enforced.
	NeedsBound bool
	// Analysis holds the assumptions under which the capture is interpreted;
	// nil where there are none. It becomes the Evidence's analysis profile.
	Analysis map[string]any
	// Credentials is the limitation that says what is excluded structurally.
	Credentials string
	// Limits are limitations that every result of the format carries.
	Limits []string
	// Sample is an embedded capture for trying the program out.
	Sample []byte
}

// Format reads one kind of capture.
type Format interface {
	Profile() Profile
	// Read walks the whole snapshot. A *Problem says what is wrong with the
	// capture; any other error comes from the sink.
	Read(in Input, out Sink) error
}

// Foreign is a format that another program can read as well, for this one.
type Foreign interface {
	Upstream() Upstream
}

// Upstream describes such a program: how it is run, and who reads what it
// writes. It is a description only; a format starts nothing.
type Upstream struct {
	Program  string // as people call it
	Version  string // the only one whose reading is taken
	Variable string // the environment variable that holds its absolute path
	System   string // the system, as in GOOS, on which it is run
	Script   []byte // a file that it is given
	// Args are its arguments, with the paths of an empty directory for its
	// configuration and of the script.
	Args func(configuration, script string) []string
	// Environment is added to what every owned process sees.
	Environment []string
	// Reader reads the program's reply as if it were the capture. The reply
	// stands in descriptor 4 of the program, and the capture in 5.
	Reader Format
}

// Input is one snapshot and how it is to be read.
type Input struct {
	Source []byte // read-only
	// Capture is how many bytes the capture has, where Source is what another
	// program wrote of it.
	Capture int64
	// Report asks for deviations in place of schema failures.
	Report bool
	// Declared are the literals that must not be shown; a format needs them
	// only to search bytes that it decodes itself.
	Declared *redact.Declarations
}

// Sink takes what a format finds.
//
// An error ends the reading. That the reply is full is none: whether the rest of
// the capture is as it must be is told whatever was selected.
type Sink interface {
	// Record takes the next record. The entry and all it points to may be
	// reused after the call returns.
	Record(e *Entry) error
	// Container takes the document around the records, once, after them.
	Container(c *Container) error
}

// Entry is one record before anything is hidden.
type Entry struct {
	Reported *tree.Value // may be changed by the sink
	At       evidence.Location
	// Ancestors are the member names that lead to the record; a declared value
	// in one of them hides the whole record.
	Ancestors []string
	Bodies    []Body
	// Representation names what the octets of the record's Bytes values are.
	Representation string
	Limits         []string // limitations of this record
	// Deviations are listed up to a cap; DeviationTotal counts all of them.
	Deviations     []evidence.Deviation
	DeviationTotal int
}

// Body is bytes that a record carries in an encoding of its own, decoded by the
// format. (Octets that a capture holds as they are stand in the tree as Bytes.)
type Body struct {
	At             *tree.Value // the value in Reported that holds them
	Representation string
	Base64         string // canonical, without white space
	Bytes          int64
	SHA256         string // lower-case hex
	Declared       bool   // the bytes or one of their spellings hold a declared value
}

// Container is the document around the records.
type Container struct {
	Reported *tree.Value // with the records left out; nil is null; may be changed by the sink
	// Rows, where given, are the items of the empty array that is the last
	// member of Reported, in canonical order: a list that may be too long to be
	// held at once. They are asked for twice. A row holds until the next is asked
	// for, and may be changed by the sink.
	Rows           iter.Seq[*tree.Value]
	RecordsPointer *tree.Pointer
	Deviations     []evidence.Deviation
	DeviationTotal int
	Facet          *Facet
}

// Facet is what a format derives from all records of a capture, whichever were
// selected. It is written as the format made it: a format with a facet hides
// there what is declared.
type Facet struct {
	Name string
	// JSON is the facet in canonical form, in pieces: a facet may be larger than
	// the decoder's memory. A piece holds until the next is asked for.
	JSON iter.Seq[[]byte]
}

// Kind is the kind of a problem with the capture, or with who read it.
type Kind string

const (
	// Malformed: the bytes are not what the format says they must be.
	Malformed Kind = "format"
	// Unsupported: well formed, but of a profile that isn't read here.
	Unsupported Kind = "unsupported"
	// Unreadable: a foreign program wrote what was not agreed.
	Unreadable Kind = "foreign-reply"
	// TooMuch: the capture crosses the limit that Maximum names.
	TooMuch Kind = "input-limit"
)

// Maximum is a limit that a capture crosses.
type Maximum struct {
	Name  string // as failures name it, such as maximum_capture_nesting
	Value int
}

// SchemaError is one broken rule of a format's schema.
type SchemaError struct {
	Pointer tree.Pointer
	Keyword string
}

// Problem is what is wrong with a capture. Its text names places and rules and
// never holds content.
type Problem struct {
	Kind    Kind
	Message string
	// Pointer is the place in the format's own coordinates: a JSON Pointer, or
	// the name of an archive member.
	Pointer tree.Pointer
	Maximum Maximum // of TooMuch
	// Schema lists broken schema rules up to a cap; SchemaTotal counts all.
	Schema      []SchemaError
	SchemaTotal int
}

func (p *Problem) Error() string {
	return fmt.Sprintf("%s: %s (at %q)", p.Kind, p.Message, string(p.Pointer))
}
