package mcpserver

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rea.example/rea/internal/app"
)

// member is a member of an object in JSON text: its name as it is spelt, and
// where its value stands.
type member struct {
	name       string
	start, end int
}

// outline finds the members of the object that begins at a place, and where it
// ends. It counts brackets, and leaves it to others to say what is no JSON. The
// end is -1 where there is none.
func outline(text []byte, at int) (members []member, end int) {
	if at >= len(text) || text[at] != '{' {
		return nil, -1
	}
	depth, name, start := 0, "", -1
	finish := func(i int) {
		if start < 0 {
			return
		}
		for start < i && bytes.IndexByte(blanks, text[start]) >= 0 {
			start++
		}
		for i > start && bytes.IndexByte(blanks, text[i-1]) >= 0 {
			i--
		}
		members = append(members, member{name, start, i})
		start = -1
	}
	for i := at; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				finish(i)
				return members, i + 1
			}
		case ',':
			if depth == 1 {
				finish(i)
			}
		case ':':
			if depth == 1 && start < 0 {
				start = i + 1
			}
		case '"':
			end := closing(text, i+1)
			if end < 0 {
				return nil, -1
			}
			if depth == 1 && start < 0 {
				name = spelt(text[i : end+1])
			}
			i = end
		}
	}
	return nil, -1
}

var blanks = []byte(" \t\r\n")

// spelt is what a JSON string spells, and "" for anything else.
func spelt(quoted []byte) string {
	if len(quoted) < 2 || quoted[0] != '"' {
		return ""
	}
	if bytes.IndexByte(quoted, '\\') >= 0 {
		if s, ok := app.Spelt(quoted); ok {
			return s
		}
	}
	return string(quoted[1 : len(quoted)-1])
}

// only gives a member, and how many there are of its name.
func only(members []member, name string) (m member, count int) {
	for _, x := range members {
		if x.name == name {
			m = x
			count++
		}
	}
	return m, count
}

// below is only for the object that is the value of a member.
func below(text []byte, of member, name string) (member, int) {
	inside, _ := outline(text[:of.end], of.start)
	return only(inside, name)
}

// isScalar says whether a text is one JSON string or number.
func isScalar(text []byte) bool {
	return len(text) > 0 && (text[0] == '"' || text[0] == '-' || '0' <= text[0] && text[0] <= '9') &&
		app.IsJSON(bytes.ToValidUTF8(text, []byte("\ufffd")))
}

// put writes a number in place of a value.
func put(text []byte, at member, n int64) []byte {
	return slices.Replace(text, at.start, at.end, strconv.AppendInt(nil, n, 10)...)
}

// kept copies a value, to be repeated as it was spelt.
func kept(text []byte, at member) []byte {
	return bytes.ToValidUTF8(text[at.start:at.end], []byte("\ufffd"))
}

// decode reads a line, and takes it over. Where it is no message, it gives an
// error, and the identifier under which to say so; where nothing follows from
// it, it gives nothing.
func (w *wire) decode(text []byte) (m jsonrpc.Message, id []byte, err error) {
	members, end := outline(text, 0)
	for _, name := range []string{"jsonrpc", "id", "method", "params", "result", "error"} {
		if _, n := only(members, name); n > 1 {
			return nil, null, noMessage(text)
		}
	}
	at, ids := only(members, "id")
	if end != len(text) || ids == 1 && !isScalar(text[at.start:at.end]) && string(text[at.start:at.end]) != "null" {
		return nil, bytes.Clone(idOf(text)), noMessage(text)
	}
	id = null
	if ids == 1 {
		id = kept(text, at)
	}
	method, methods := only(members, "method")
	params, _ := only(members, "params")
	_, results := only(members, "result")
	_, errs := only(members, "error")
	switch name := spelt(text[method.start:method.end]); {
	case methods == 0 && results+errs != 1, methods == 1 && ids == 1 && string(id) == "null":
		return nil, id, noMessage(text)
	case methods == 0 && ids == 1 && errs == 1 && string(id) == "null" && app.IsJSON(text):
		return nil, nil, nil // the client couldn't read an identifier; that is not answered
	case methods == 1 && ids == 1 && name == "initialize" && !handshake(text, params) && app.IsJSON(text):
		return nil, id, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: invalidParams}
	case methods == 1 && ids == 1:
		m, err = w.call(text, at, params, name == "tools/call")
		//nolint:errorlint // to errors.Is, the library's errors of one code are all the same
		if err == errInUse {
			id = null // or the answer would be taken for the first call's
		}
	case name == "notifications/cancelled":
		m, err = w.cancel(text, params)
	default:
		m, err = read(text)
	}
	return m, id, err
}

// handshake says whether parameters name a version of the protocol. The library
// takes one that is null, or absent, for one that it doesn't know.
func handshake(text []byte, params member) bool {
	version, n := below(text, params, "protocolVersion")
	return n == 1 && text[version.start] == '"'
}

// read has the library read a line.
func read(text []byte) (jsonrpc.Message, error) {
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, noMessage(text)
	}
	return m, nil
}

func noMessage(text []byte) error {
	if app.IsJSON(text) {
		return refused("this line is JSON, and no message of the protocol")
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "this line is no message of the protocol"}
}

// errInUse: the library would not answer the second call at all.
var errInUse = refused("a call under this identifier still waits for its answer")

// call reads a call, and notes it under a number of its own.
func (w *wire) call(text []byte, id, params member, ofTool bool) (jsonrpc.Message, error) {
	c := &waiting{id: kept(text, id)}
	if ofTool {
		name, _ := below(text, params, "name")
		c.operation = app.OperationNamed(spelt(text[name.start:name.end]))
	}
	meta, metas := below(text, params, "_meta")
	token, tokens := below(text, meta, "progressToken")
	if metas > 1 || tokens > 1 {
		return nil, noMessage(text)
	}
	w.counting.Lock()
	inUse := w.numbers[string(c.id)] != 0
	w.counting.Unlock()
	if inUse {
		return nil, errInUse
	}
	w.last++
	edits := []member{id}
	if tokens == 1 && isScalar(text[token.start:token.end]) {
		c.token = kept(text, token)
		edits = append(edits, token)
	}
	slices.SortFunc(edits, func(a, b member) int { return b.start - a.start }) // from the end
	for _, e := range edits {
		text = put(text, e, w.last)
	}
	m, err := read(text)
	if err != nil {
		return nil, err
	}
	w.counting.Lock()
	defer w.counting.Unlock()
	w.pending[w.last], w.numbers[string(c.id)] = c, w.last
	return m, nil
}

// cancel reads that a call is cancelled. One that doesn't wait for an answer
// can't be.
func (w *wire) cancel(text []byte, params member) (jsonrpc.Message, error) {
	id, ids := below(text, params, "requestId")
	w.counting.Lock()
	n := w.numbers[string(kept(text, id))]
	w.counting.Unlock()
	if n != 0 && ids == 1 {
		text = put(text, id, n)
	}
	m, err := read(text)
	if err != nil || n == 0 || ids != 1 {
		return nil, err
	}
	w.counting.Lock()
	defer w.counting.Unlock()
	if c := w.pending[n]; c != nil {
		c.cancelled = true
	}
	return m, nil
}
