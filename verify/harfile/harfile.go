package harfile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"rea.example/verify/surrogate"
)

// File is a HAR as this package sees it.
type File struct {
	Depth     int // of the deepest value; the document stands at 0
	Container Part
	Listed    bool // log.entries is an array
	Entries   []Part
}

// Part is an entry, or the document with its entries replaced by null.
type Part struct {
	Value   any               // json.Number, string, bool, nil, []any, map[string]any
	Numbers map[string]string // pointer → lexeme
	Body    *Body             // of an entry whose content says base64
}

// Body is a base64 body.
type Body struct {
	Bytes []byte // decoded; nil when it is not canonical base64
	Valid bool
}

// BodyPointer is where a HAR entry keeps the body of its response.
const BodyPointer = "/response/content/text"

// Read reads well-formed JSON that may begin with one byte-order mark.
func Read(data []byte) (*File, error) {
	dec := json.NewDecoder(bytes.NewReader(surrogate.Keep(bytes.TrimPrefix(data, []byte("\ufeff")))))
	dec.UseNumber()
	var document any
	if err := dec.Decode(&document); err != nil {
		return nil, errors.New("harfile: not JSON")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("harfile: more than one document")
	}
	f := &File{Depth: depth(document)}
	root, _ := document.(map[string]any)
	log, _ := root["log"].(map[string]any)
	entries, ok := log["entries"].([]any)
	f.Listed = ok
	if ok {
		for _, entry := range entries {
			part := newPart(entry)
			part.Body = body(entry)
			f.Entries = append(f.Entries, part)
		}
		log["entries"] = nil
	}
	f.Container = newPart(document)
	return f, nil
}

func newPart(v any) Part {
	p := Part{Value: v, Numbers: map[string]string{}}
	Walk(v, "", func(pointer string, v any) {
		if n, ok := v.(json.Number); ok {
			p.Numbers[pointer] = n.String()
		}
	})
	return p
}

// Walk visits v and every value in it with its RFC 6901 pointer, in no
// particular order.
func Walk(v any, pointer string, visit func(pointer string, v any)) {
	visit(pointer, v)
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			Walk(item, Child(pointer, strconv.Itoa(i)), visit)
		}
	case map[string]any:
		for name, item := range v {
			Walk(item, Child(pointer, name), visit)
		}
	}
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// Child is the pointer of a member or item.
func Child(pointer, name string) string { return pointer + "/" + escape.Replace(name) }

func depth(v any) int {
	deepest := -1
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			deepest = max(deepest, depth(item))
		}
	case map[string]any:
		for _, item := range v {
			deepest = max(deepest, depth(item))
		}
	}
	return deepest + 1
}

// At is the value at the end of the given member names, or nil.
func At(v any, names ...string) any {
	for _, name := range names {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

func body(entry any) *Body {
	if At(entry, "response", "content", "encoding") != "base64" {
		return nil
	}
	text, ok := At(entry, "response", "content", "text").(string)
	if !ok {
		return nil
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(blanks.Replace(text))
	if err != nil {
		return &Body{}
	}
	return &Body{Bytes: decoded, Valid: true}
}

var blanks = strings.NewReplacer("\t", "", "\n", "", "\r", "", " ", "")

// Same compares a value that the product reports with the recorded one. A
// difference is allowed where a number became null, if the caller's hidden
// says so, and at a pointer that the caller calls hidden; below a hidden place
// nothing is compared. The error names the first place that differs, never a
// value.
func Same(recorded, reported any, hidden func(pointer string, reported any) bool) error {
	return same(recorded, reported, "", hidden)
}

func same(recorded, reported any, pointer string, hidden func(string, any) bool) error {
	differs := fmt.Errorf("reported value differs at %q", pointer)
	if hidden(pointer, reported) {
		return nil
	}
	switch recorded := recorded.(type) {
	case map[string]any:
		object, ok := reported.(map[string]any)
		if !ok || len(object) != len(recorded) {
			return differs
		}
		for name, item := range recorded {
			got, ok := object[name]
			if !ok {
				return fmt.Errorf("reported value lacks %q", Child(pointer, name))
			}
			if err := same(item, got, Child(pointer, name), hidden); err != nil {
				return err
			}
		}
	case []any:
		list, ok := reported.([]any)
		if !ok || len(list) != len(recorded) {
			return differs
		}
		for i, item := range recorded {
			if err := same(item, list[i], Child(pointer, strconv.Itoa(i)), hidden); err != nil {
				return err
			}
		}
	case json.Number:
		number, ok := reported.(json.Number)
		if !ok || !equalNumbers(recorded, number) {
			return differs
		}
	default:
		if recorded != reported {
			return differs
		}
	}
	return nil
}

// equalNumbers compares as doubles: the reported spelling is canonical, the
// recorded one is kept beside it.
func equalNumbers(a, b json.Number) bool {
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && x == y
}
