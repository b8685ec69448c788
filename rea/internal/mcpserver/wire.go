package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rea.example/rea/internal/app"
)

// grace is how long calls in flight may go on once the input has ended, so that
// the answers to a piped conversation still arrive.
const grace = 500 * time.Millisecond

// wire is a transport, and its one connection: a message a line.
type wire struct {
	in      *bufio.Reader
	out     io.Writer
	maxLine int
	stop    <-chan struct{} // the server is told to end

	lines  chan line
	closed chan struct{}
	once   sync.Once

	writing sync.Mutex // one message after the other

	counting sync.Mutex
	last     int64              // the number of the last call
	pending  map[int64]*waiting // calls without an answer, by their numbers
	numbers  map[string]int64   // of those, by their identifiers
	idle     chan struct{}      // closed when there are none; nil while nobody waits
}

// waiting is a call without an answer. The library knows it, and where its
// progress is told, by a number: what it reads it may not give back as it was,
// and what it would give back is then put in again.
type waiting struct {
	id, token []byte // as they were spelt; the token may be nil
	operation string // of the door; "" is another method
	cancelled bool   // by the client
}

// line is what was read up to a line feed; over-long lines keep their start.
type line struct {
	text []byte
	long bool
	err  error
}

func newWire(in io.Reader, out io.Writer, maxLine int, stop <-chan struct{}) *wire {
	w := &wire{in: bufio.NewReaderSize(in, 64<<10), out: out, maxLine: maxLine, stop: stop,
		lines: make(chan line), closed: make(chan struct{}), pending: map[int64]*waiting{}, numbers: map[string]int64{}}
	// A read can't be interrupted, so it has a goroutine of its own; at the end
	// of the process it is left to wait.
	go func() {
		for {
			l := w.readLine()
			select {
			case w.lines <- l:
			case <-w.closed:
				return
			}
			if l.err != nil {
				return
			}
		}
	}()
	return w
}

// Connect gives the one connection.
func (w *wire) Connect(context.Context) (mcp.Connection, error) { return w, nil }

// SessionID is empty: there is one session, and nothing hangs on it.
func (w *wire) SessionID() string { return "" }

// Close ends reading.
func (w *wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

func (w *wire) readLine() line {
	var l line
	for {
		part, err := w.in.ReadSlice('\n')
		switch {
		case l.long:
		case len(l.text)+len(part) > w.maxLine+1: // its line feed doesn't count
			l.long = true
			l.text = slices.Clip(append(l.text, part...)[:min(w.maxLine, idWindow)])
		default:
			l.text = append(l.text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && len(l.text) > 0 && errors.Is(err, io.EOF) {
			return l // the last line; the next read ends
		}
		l.err = err
		return l
	}
}

// Read gives the next message. What is no message is answered here, and the
// next line is read.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var l line
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-w.stop:
			return nil, io.EOF
		case <-w.closed:
			return nil, io.EOF
		case l = <-w.lines:
		}
		if l.err != nil {
			w.drain()
			return nil, io.EOF // a broken input is an ended one
		}
		text := bytes.TrimSpace(l.text)
		id := null
		var refusal error
		switch {
		case l.long:
			id = idOf(text)
			refusal = refused("the message is too long")
		case len(text) == 0:
			continue
		case text[0] == '[':
			refusal = refused("batches are not read: send one message a line")
		default:
			m, named, err := w.decode(text)
			if m != nil {
				return m, nil
			}
			if err == nil {
				continue
			}
			id, refusal = named, err
		}
		if err := w.refuse(id, refusal); err != nil {
			return nil, err
		}
	}
}

func refused(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: message}
}

// drain waits for the answers that are still to come, but not long.
func (w *wire) drain() {
	w.counting.Lock()
	if len(w.pending) == 0 {
		w.counting.Unlock()
		return
	}
	idle := make(chan struct{})
	w.idle = idle
	w.counting.Unlock()
	select {
	case <-idle:
	case <-w.stop:
	case <-w.closed:
	case <-time.After(grace):
	}
}

// answered takes a call off the list.
func (w *wire) answered(id jsonrpc.ID) *waiting {
	w.counting.Lock()
	defer w.counting.Unlock()
	n, _ := id.Raw().(int64)
	c := w.pending[n]
	if c == nil {
		return &waiting{id: null}
	}
	delete(w.pending, n)
	delete(w.numbers, string(c.id))
	if len(w.pending) == 0 && w.idle != nil {
		close(w.idle)
		w.idle = nil
	}
	return c
}

// Write sends a message. Errors of the protocol lose their text first: the
// library quotes what it was sent.
func (w *wire) Write(_ context.Context, m jsonrpc.Message) error {
	switch m := m.(type) {
	case *jsonrpc.Response:
		return w.answer(m)
	case *jsonrpc.Request:
		if m.Method == "notifications/progress" && !w.addressed(m) {
			return nil // the call has its answer
		}
	}
	b, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return w.send(b)
}

func (w *wire) answer(r *jsonrpc.Response) error {
	c := w.answered(r.ID) // before it is sent: then the identifier may be used again
	out := jsonrpc.Response{Result: r.Result}
	switch {
	case r.Error == nil:
	case !c.cancelled && !errors.Is(r.Error, context.Canceled):
		out.Error = withoutQuotes(r.Error)
	case c.operation == "":
		out.Error = refused("the caller cancelled")
	default:
		// The library doesn't begin a call that was cancelled while it waited.
		b, err := failedText(app.Fail(app.Cancelled(c.operation))).MarshalJSON()
		if err != nil {
			return err
		}
		out.Result = b
	}
	return w.reply(c.id, &out)
}

// addressed puts in the token of the call that progress is told of. It says
// false where the call isn't there any more.
func (w *wire) addressed(note *jsonrpc.Request) bool {
	members, _ := outline(note.Params, 0)
	at, _ := only(members, "progressToken")
	n, err := strconv.ParseInt(string(note.Params[at.start:at.end]), 10, 64)
	if err != nil {
		return true // such as true, which is no token, and nobody's number
	}
	w.counting.Lock()
	defer w.counting.Unlock()
	c := w.pending[n]
	if c == nil {
		return false
	}
	note.Params = slices.Replace(note.Params, at.start, at.end, c.token...)
	return true
}

func (w *wire) refuse(id []byte, e error) error { return w.reply(id, &jsonrpc.Response{Error: e}) }

// reply sends a response under an identifier as it was spelt.
func (w *wire) reply(id []byte, r *jsonrpc.Response) error {
	b, err := jsonrpc.EncodeMessage(r)
	if err != nil {
		return err
	}
	// The library leaves out an identifier that isn't there.
	head := []byte(`{"jsonrpc":"2.0","id":`)
	return w.send(append(append(head, id...), ','), bytes.TrimPrefix(b, []byte(`{"jsonrpc":"2.0",`)))
}

func (w *wire) send(parts ...[]byte) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	for _, b := range append(parts, []byte{'\n'}) {
		if _, err := w.out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// Texts of our own, which quote nothing.
const (
	noResource    = "there is no such resource"
	invalidParams = "the parameters are not valid"
	evicted       = "the Evidence was retained, and had to make room for younger Evidence: inspect again"
)

// withoutQuotes keeps an error's code, and says what the code means.
func withoutQuotes(err error) error {
	code := int64(jsonrpc.CodeInvalidRequest)
	var e *jsonrpc.Error
	if errors.As(err, &e) && e.Code != 0 {
		code = e.Code
	}
	out := &jsonrpc.Error{Code: code}
	switch {
	case e != nil && (e.Message == noResource || e.Message == evicted):
		out.Message = e.Message
	case code == jsonrpc.CodeParseError:
		out.Message = "this is no message of the protocol"
	case code == jsonrpc.CodeMethodNotFound:
		out.Message = "there is no such method"
	case code == jsonrpc.CodeInvalidParams:
		out.Message = invalidParams
	case code == jsonrpc.CodeInternalError:
		out.Message = "internal error"
	case code == mcp.CodeUnsupportedProtocolVersion:
		out.Message = "this protocol version is not spoken here"
		out.Data = append([]byte(nil), supported...)
	default:
		out.Message = "the request is not valid here"
	}
	return out
}

// supported lists the protocol versions that are spoken.
var supported = func() []byte {
	b := []byte(`{"supported":[`)
	for i, v := range mcp.SupportedProtocolVersions() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), v...), '"')
	}
	return append(b, `],"requested":""}`...)
}()
