package tree

// Kind is the kind of a JSON value.
type Kind uint8

const (
	Null Kind = iota
	False
	True
	Number
	String
	Array
	Object
	// Bytes is no JSON kind: octets that a native capture holds. The projection
	// shows them as text where they are text, and as a sidecar always.
	Bytes
)

// Span is the half-open byte range of a token in the source it was read from.
// The zero Span means that the value was not read from a source.
type Span struct{ Start, End int }

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Text is the text of a string or name.
type Text struct {
	S string
	// Raw says that S is the source's spelling between the quotes, with any
	// escapes still in it, and that the spelling is known to be valid.
	Raw bool
}

// Plain is decoded text.
func Plain(s string) Text { return Text{S: s} }

// Mark is what a format knows about the meaning of a value, as a set. A reader
// leaves every value Unmarked; a format marks, and the projection acts on it.
type Mark uint8

const (
	// Credential: the value is transport authentication and is not shown.
	Credential Mark = 1 << iota
	// RecordedURL: the value is a URL whose userinfo is not shown.
	RecordedURL
	// RecordedAuthority: the value is the authority of a URL, of which the
	// userinfo is not shown.
	RecordedAuthority
	// Aside: the value has a sidecar and no place in the reported view.
	Aside
	// Integer and Float: the producer's number is of a native type, and Text is
	// its decimal text, or the producer's name for what is not finite.
	Integer
	Float
	// Sensitive: the value holds a declared value in a form that only its
	// format can see.
	Sensitive
	// Counted: the number is this program's own and no text of the producer's.
	Counted

	Unmarked Mark = 0
)

// Has says whether all of the marks are set.
func (m Mark) Has(marks Mark) bool { return m&marks == marks }

// Value is one lossless value.
//
//	Number        Text.S is the lexeme, Text.Raw is true
//	String        Text
//	Bytes         Text.S holds the octets
//	Array         Items
//	Object        Items, each with its Name
type Value struct {
	Kind  Kind
	Mark  Mark
	Name  Text // the member's name, where the value is a member of an Object
	Text  Text
	Items []Value
	Span  Span // of the value
	// NameSpan is the span of the member's name, quotes included.
	NameSpan Span
}

// Get finds the member of an object by its exact, decoded name, or nil.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	for i := range v.Items {
		if v.Items[i].Name.Is(name) {
			return &v.Items[i]
		}
	}
	return nil
}

// At follows a path of member names, or gives nil.
func (v *Value) At(names ...string) *Value {
	for _, n := range names {
		if v = v.Get(n); v == nil {
			return nil
		}
	}
	return v
}

// Str gives the decoded text of a string value, and whether it is one.
func (v *Value) Str() (string, bool) {
	if v == nil || v.Kind != String {
		return "", false
	}
	return v.Text.Decode(), true
}

// SetNull turns the value into null and leaves its name and spans.
func (v *Value) SetNull() {
	v.Kind, v.Text, v.Items = Null, Text{}, nil
}

// SetString turns the value into a decoded string.
func (v *Value) SetString(s string) {
	v.Kind, v.Text, v.Items = String, Plain(s), nil
}
