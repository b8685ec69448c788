package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rea.example/rea/internal/app"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata")

// program is the built product: the owned child of the calls here, and the
// server of the tests that see it from outside. It is built without the race
// detector, under which its bounds would be others.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "mcpserver-test-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "rea")
	build := exec.Command("go", "build", "-o", program, "rea.example/rea")
	code := 1
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// private gives the calls of a test a temporary directory of their own, which
// has to be empty after the test.
func private(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	t.Cleanup(func() { mustBeEmpty(t, dir) })
	return dir
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// patience is how long anything here may take before it counts as never.
const patience = 60 * time.Second

// talk is a conversation with a server in this process.
type talk struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	ended chan error
	stop  context.CancelFunc
	next  int
}

func serving(t *testing.T) *server {
	t.Helper()
	a, err := app.Serving(nil)
	if err != nil {
		t.Fatal(err)
	}
	a.Program = program
	t.Cleanup(func() { a.Close() })
	return newServer(a, 0)
}

func begin(t *testing.T, s *server) *talk {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	in, w := io.Pipe()
	r, out := io.Pipe()
	c := &talk{t: t, in: w, lines: make(chan string, 1000), ended: make(chan error, 1), stop: stop}
	go func() {
		err := s.serve(ctx, in, out, "test")
		out.Close()
		c.ended <- err
	}()
	go func() {
		defer close(c.lines)
		b := bufio.NewReader(r)
		for {
			line, err := b.ReadString('\n')
			if err != nil {
				return
			}
			c.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	t.Cleanup(func() { w.Close(); stop(); c.wait() })
	return c
}

// wait waits for the end of the server.
func (c *talk) wait() error {
	select {
	case err := <-c.ended:
		c.ended <- err
		return err
	case <-time.After(patience):
		c.t.Error("the server doesn't end")
		return nil
	}
}

func (c *talk) send(line string) {
	if _, err := io.WriteString(c.in, line+"\n"); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		c.t.Error(err)
	}
}

func (c *talk) line() string {
	select {
	case l := <-c.lines:
		return l
	case <-time.After(patience):
		c.t.Fatal("no answer")
		return ""
	}
}

// message is anything that the server sends.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProgressToken any     `json:"progressToken"`
		Progress      float64 `json:"progress"`
		Message       string  `json:"message"`
	} `json:"params"`
	Result struct {
		Content []struct {
			Type, Text string
		} `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		IsError           bool            `json:"isError"`
		Tools             json.RawMessage `json:"tools"`
		Contents          []struct {
			URI, MIMEType, Text string
		} `json:"contents"`
	} `json:"result"`
	Error *struct {
		Code    int
		Message string
		Data    json.RawMessage
	} `json:"error"`
	wire string
}

func (c *talk) read() message {
	c.t.Helper()
	line := c.line()
	m := message{wire: line}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		c.t.Fatalf("%.200s: %v", line, err)
	}
	return m
}

func (c *talk) initialize() *talk {
	c.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	c.read()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// ask sends a request and gives its answer, dropping notes on progress.
func (c *talk) ask(method, params string) message {
	c.t.Helper()
	c.next++
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.next, method, params))
	for {
		if m := c.read(); m.Method == "" && string(m.ID) == fmt.Sprint(c.next) {
			return m
		}
	}
}

func (c *talk) tool(name, arguments string) message {
	c.t.Helper()
	return c.ask("tools/call", `{"name":"`+name+`","arguments":`+arguments+`}`)
}

func (m message) text() string {
	if len(m.Result.Content) != 1 {
		return ""
	}
	return m.Result.Content[0].Text
}

// at gives what stands at a path in the text of a result.
func (m message) at(path string) any {
	var v any
	if err := json.Unmarshal([]byte(m.text()), &v); err != nil {
		return err
	}
	for _, name := range strings.Split(path, ".") {
		o, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = o[name]
	}
	return v
}

func entry(url string) string {
	return `{"startedDateTime":"2031-01-01T00:00:00Z","time":1,"request":{"method":"GET","url":"` + url + `","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},` +
		`"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":0,"mimeType":"text/plain"},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":0,"receive":0}}`
}

func har(entries ...string) string {
	return `{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[` + strings.Join(entries, ",") + `]}}`
}

func save(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func encoded(t *testing.T, m jsonrpc.Message) string {
	t.Helper()
	b, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
