package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
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
	pending  map[jsonrpc.ID]bool // calls without an answer
	idle     chan struct{}       // closed when there are none; nil while nobody waits
}

// line is what was read up to a line feed; over-long lines keep their start.
type line struct {
	text []byte
	long bool
	err  error
}

func newWire(in io.Reader, out io.Writer, maxLine int, stop <-chan struct{}) *wire {
	w := &wire{in: bufio.NewReaderSize(in, 64<<10), out: out, maxLine: maxLine, stop: stop,
		lines: make(chan line), closed: make(chan struct{}), pending: map[jsonrpc.ID]bool{}}
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
		var refusal error
		switch {
		case l.long:
			refusal = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the message is too long"}
		case len(text) == 0:
			continue
		case text[0] == '[':
			refusal = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "batches are not read: send one message a line"}
		default:
			m, err := jsonrpc.DecodeMessage(text)
			if err == nil && w.accept(m) {
				return m, nil
			}
			if err == nil {
				// The library would not answer at all. Under the identifier itself
				// the answer would be taken for the first call's.
				text = nil
				refusal = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "a call under this identifier still waits for its answer"}
				break
			}
			refusal = &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "this line is no message of the protocol"}
			if app.IsJSON(text) {
				refusal = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "this line is JSON, and no message of the protocol"}
			}
		}
		if err := w.refuse(idOf(text), refusal); err != nil {
			return nil, err
		}
	}
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

// accept notes a call. It says false where another one waits under the same
// identifier.
func (w *wire) accept(m jsonrpc.Message) bool {
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.IsCall() {
		return true
	}
	w.counting.Lock()
	defer w.counting.Unlock()
	if w.pending[r.ID] {
		return false
	}
	w.pending[r.ID] = true
	return true
}

func (w *wire) answered(id jsonrpc.ID) {
	w.counting.Lock()
	defer w.counting.Unlock()
	delete(w.pending, id)
	if len(w.pending) == 0 && w.idle != nil {
		close(w.idle)
		w.idle = nil
	}
}

// Write sends a message. Errors of the protocol lose their text first: the
// library quotes what it was sent.
func (w *wire) Write(_ context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Response); ok {
		w.answered(r.ID) // before it is sent: then the identifier may be used again
		if r.Error != nil {
			plain := *r
			plain.Error = withoutQuotes(r.Error)
			m = &plain
		}
	}
	b, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return w.send(b)
}

func (w *wire) refuse(id []byte, e error) error {
	b, err := jsonrpc.EncodeMessage(&jsonrpc.Response{Error: e})
	if err != nil {
		return err
	}
	// The library leaves out an identifier that isn't there; the protocol wants null.
	return w.send(append(append([]byte(`{"id":`), id...), append([]byte{','}, b[1:]...)...))
}

func (w *wire) send(b []byte) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	_, err := w.out.Write(append(b, '\n'))
	return err
}

// Texts of our own, which quote nothing.
const (
	noResource = "there is no such resource"
	evicted    = "the Evidence was retained, and had to make room for younger Evidence: inspect again"
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
		out.Message = "the parameters are not valid"
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
