package tree

import "strings"

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
// The zero Span is that of no token.
type Span struct{ Start, End int }

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

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

// Value is one lossless value. A capture may hold millions of them at once, and
// so its size (64 bytes, which a test holds) is what bounds a single record.
//
//	Number        Text is the lexeme
//	String        Text, as the source spells it where Raw says so
//	Bytes         Text holds the octets
//	Array         Items
//	Object        Items, each with its Name
type Value struct {
	// Name is the decoded name, where the value is a member of an Object.
	Name  string
	Text  string
	Items []Value
	// Offset is where the value's first byte stands in the source that it was
	// read from. It means nothing for a value that was made.
	Offset uint32
	Kind   Kind
	Mark   Mark
	// Raw says that the Text of a String is the source's spelling between the
	// quotes, with any escapes still in it, and that the spelling is known to be
	// valid. Otherwise it is decoded.
	Raw bool
}

// Get finds the member of an object by its exact, decoded name, or nil.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	for i := range v.Items {
		if v.Items[i].Name == name {
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
	return v.Decode(), true
}

// Decode gives the decoded text, which is WTF-8 where the value is a String. Text
// without escapes is not copied.
func (v *Value) Decode() string {
	if !v.Raw {
		return v.Text
	}
	return Unescape(v.Text)
}

// Is says whether the decoded text equals s, without decoding where it can.
func (v *Value) Is(s string) bool {
	if v.Text == s {
		// An escape in s would be a backslash, which decoded text may hold
		// as itself: only then the spelling proves nothing.
		return !v.Raw || strings.IndexByte(s, '\\') < 0
	}
	return v.Raw && strings.IndexByte(v.Text, '\\') >= 0 && Unescape(v.Text) == s
}

// SetNull turns the value into null and leaves its name and place.
func (v *Value) SetNull() {
	v.Kind, v.Text, v.Items, v.Raw = Null, "", nil, false
}

// SetString turns the value into a decoded string.
func (v *Value) SetString(s string) {
	v.Kind, v.Text, v.Items, v.Raw = String, s, nil, false
}
