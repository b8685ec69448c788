package mcpclient

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-json"

	"rea.example/verify/child"
	"rea.example/verify/product"
)

// Version is of the protocol that the client asks for.
const Version = "2025-06-18"

// closing bounds the wait for a server whose input has ended.
const closing = 10 * time.Second

// maxLine bounds one message of the server.
const maxLine = 256 << 20

// Session is one server with one client.
type Session struct {
	// Server is what it says of itself.
	Server struct {
		ProtocolVersion string `json:"protocolVersion"`
		Instructions    string `json:"instructions"`
		ServerInfo      struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"serverInfo"`
	}

	cmd    *exec.Cmd
	in     io.WriteCloser
	stderr bytes.Buffer

	mu      sync.Mutex // of all below, and of writing
	next    int
	waiting map[int]chan message
	notes   []Note
	stray   []*Error
	ended   error // why no more will be read
}

// Note is a notification of the server.
type Note struct {
	Method string
	Params json.RawMessage
}

// message is any line of the server. One without a number answers no question
// that was put.
type message struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// Error is an error of the protocol, not of a tool.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("mcpclient: error %d: %s", e.Code, e.Message) }

// Open starts `rea mcp` with more arguments, and introduces the client.
func Open(ctx context.Context, p *product.Product, args ...string) (*Session, error) {
	s := &Session{waiting: map[int]chan message{}}
	s.cmd = child.Command(ctx, p.Path, append([]string{"mcp"}, args...)...)
	s.cmd.Env = append(os.Environ(), p.Env...)
	s.cmd.Stderr = &s.stderr
	s.cmd.WaitDelay = closing
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("mcpclient: %w", err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("mcpclient: %w", err)
	}
	s.in = in
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("mcpclient: %w", err)
	}
	go s.read(out)
	hello := `{"protocolVersion":"` + Version + `","capabilities":{},"clientInfo":{"name":"rea-verify","version":"1"}}`
	raw, err := s.Request(ctx, "initialize", []byte(hello))
	if err == nil {
		err = json.Unmarshal(raw, &s.Server)
	}
	if err == nil {
		err = s.Notify("notifications/initialized", []byte("{}"))
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Session) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var m message
		if err := json.Unmarshal(bytes.Clone(lines.Bytes()), &m); err != nil {
			s.end(errors.New("mcpclient: a line of the server is not JSON"))
			return
		}
		s.take(m)
	}
	err := lines.Err()
	if err == nil {
		err = io.EOF
	}
	s.end(fmt.Errorf("mcpclient: the server says no more: %w", err))
}

func (s *Session) take(m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case m.Method != "":
		s.notes = append(s.notes, Note{m.Method, m.Params})
	case m.ID == nil && m.Error != nil:
		s.stray = append(s.stray, m.Error)
	case m.ID != nil && s.waiting[*m.ID] != nil:
		s.waiting[*m.ID] <- m
		delete(s.waiting, *m.ID)
	}
}

func (s *Session) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = err
	for id, c := range s.waiting {
		close(c)
		delete(s.waiting, id)
	}
}

// Request asks and waits. An answer that is an error of the protocol is an Error.
func (s *Session) Request(ctx context.Context, method string, params []byte) (json.RawMessage, error) {
	_, wait, err := s.Begin(method, params)
	if err != nil {
		return nil, err
	}
	return wait(ctx)
}

// Notify tells the server something that has no answer.
func (s *Session) Notify(method string, params []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// Line sends any line at all.
func (s *Session) Line(line []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(line)
}

func (s *Session) write(line []byte) error {
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("mcpclient: %w", err)
	}
	return nil
}

// Notes are the notifications so far.
func (s *Session) Notes() []Note {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Note(nil), s.notes...)
}

// Stray are errors that answer no question, such as those on lines that are no
// messages.
func (s *Session) Stray() []*Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Error(nil), s.stray...)
}

// Result is what a tool answered.
type Result struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
	Bytes      int             `json:"-"` // of the whole result on the wire
}

// Text is the one text of the result.
func (r *Result) Text() (string, error) {
	if len(r.Content) != 1 || r.Content[0].Type != "text" {
		return "", fmt.Errorf("mcpclient: %d parts of content, expected one text", len(r.Content))
	}
	return r.Content[0].Text, nil
}

// Document is the text of a success, or of the failure inside {"error": …}.
func (r *Result) Document() ([]byte, error) {
	text, err := r.Text()
	if err != nil || !r.IsError {
		return []byte(text), err
	}
	var wrapped map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &wrapped); err != nil || len(wrapped) != 1 || wrapped["error"] == nil {
		return nil, errors.New("mcpclient: the text of a failure is not one error")
	}
	return wrapped["error"], nil
}

// Call runs a tool. The arguments are sent as they are.
func (s *Session) Call(ctx context.Context, tool string, arguments []byte) (*Result, error) {
	raw, err := s.Request(ctx, "tools/call", fmt.Appendf(nil, `{"name":%q,"arguments":%s}`, tool, arguments))
	if err != nil {
		return nil, err
	}
	r := &Result{Bytes: len(raw)}
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, fmt.Errorf("mcpclient: %w", err)
	}
	return r, nil
}

// Begin asks and does not wait. The function waits.
func (s *Session) Begin(method string, params []byte) (id int, wait func(context.Context) (json.RawMessage, error), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return 0, nil, s.ended
	}
	s.next++
	id, answer := s.next, make(chan message, 1)
	s.waiting[id] = answer
	wait = func(ctx context.Context) (json.RawMessage, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case m, ok := <-answer:
			switch {
			case !ok:
				return nil, s.why()
			case m.Error != nil:
				return nil, m.Error
			}
			return m.Result, nil
		}
	}
	return id, wait, s.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
}

// why is the reason that no more will be read.
func (s *Session) why() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Kill ends the server without a word.
func (s *Session) Kill() error { return s.cmd.Process.Kill() }

// Resource reads one resource as text.
func (s *Session) Resource(ctx context.Context, uri string) (string, error) {
	raw, err := s.Request(ctx, "resources/read", fmt.Appendf(nil, `{"uri":%q}`, uri))
	if err != nil {
		return "", err
	}
	var r struct {
		Contents []struct {
			URI      string `json:"uri"`
			MIMEType string `json:"mimeType"`
			Text     string `json:"text"`
		} `json:"contents"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", fmt.Errorf("mcpclient: %w", err)
	}
	if len(r.Contents) != 1 || r.Contents[0].URI != uri || !strings.HasSuffix(r.Contents[0].MIMEType, "json") {
		return "", errors.New("mcpclient: a resource is not one JSON text under its own address")
	}
	return r.Contents[0].Text, nil
}

// Close ends the server's input and waits for its end, which must be an orderly
// one that left nothing on standard error.
func (s *Session) Close() error {
	err := s.in.Close()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case waited := <-done:
		err = errors.Join(err, waited)
	case <-time.After(closing):
		err = errors.Join(fmt.Errorf("mcpclient: the server did not end within %s", closing), s.cmd.Process.Kill(), <-done)
	}
	if err != nil {
		return fmt.Errorf("mcpclient: %w", err)
	}
	if s.stderr.Len() > 0 {
		return fmt.Errorf("mcpclient: %d bytes on standard error", s.stderr.Len())
	}
	return nil
}
