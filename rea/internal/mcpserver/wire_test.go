package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/rogpeppe/go-internal/txtar"

	"rea.example/rea/internal/app"
)

var (
	digests    = regexp.MustCompile(`[0-9a-f]{64}`)
	evidenceID = regexp.MustCompile(`ev_[0-9a-f]{64}`)
)

// TestConversations plays the files of testdata: what a client sends, a line at
// a time, and what the server answers to each before the next is sent. Lines
// that begin with # are said to nobody.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			private(t)
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			var client, want string
			for _, f := range a.Files {
				switch f.Name {
				case "client":
					client = string(f.Data)
				case "server":
					want = string(f.Data)
				default:
					if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			c := begin(t, serving(t))
			var got strings.Builder
			id := "" // of the first Evidence that is given out
			for line := range strings.Lines(client) {
				line = strings.TrimSuffix(line, "\n")
				if strings.HasPrefix(line, "#") || line == "" {
					continue
				}
				line = strings.ReplaceAll(line, "$DIR", dir)
				line = strings.ReplaceAll(line, "$DEEP", strings.Repeat("[", 1100)+strings.Repeat("]", 1100))
				line = strings.ReplaceAll(line, "$ID", id)
				c.send(line)
				if strings.Contains(line, `"method":"notifications/`) || !strings.Contains(line, `"method"`) && strings.Contains(line, `"result"`) {
					continue
				}
				for {
					m := c.read()
					if m.Params.Progress > 1 {
						continue // whether there is time for more depends on the machine
					}
					text := strings.ReplaceAll(m.wire, dir, "$DIR")
					got.WriteString(digests.ReplaceAllString(text, "HEX") + "\n")
					if m.Method == "" {
						if found, ok := m.at("evidence_id").(string); ok && id == "" {
							id = found
						}
						break
					}
				}
			}
			if *update {
				for i := range a.Files {
					if a.Files[i].Name == "server" {
						a.Files[i].Data = []byte(got.String())
					}
				}
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != want {
				g, w := strings.Split(got.String(), "\n"), strings.Split(want, "\n")
				for i := range max(len(g), len(w)) {
					if i >= len(g) || i >= len(w) || g[i] != w[i] {
						t.Errorf("answer %d:\n%s\nwant\n%s", i, at(g, i), at(w, i))
					}
				}
			}
		})
	}
}

// TestHandshakes: every version that shakes hands is answered with itself.
func TestHandshakes(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		c := begin(t, serving(t))
		m := c.ask("initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
		if !strings.Contains(m.wire, `"protocolVersion":"`+version+`"`) {
			t.Errorf("%s: %s", version, m.wire)
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

func TestLongLines(t *testing.T) {
	in, w := io.Pipe()
	r, out := io.Pipe()
	wire := newWire(in, out, 100, context.Background().Done())
	answers := make(chan string, 10)
	go func() {
		for b := bufio.NewReader(r); ; {
			line, err := b.ReadString('\n')
			if err != nil {
				return
			}
			answers <- line
		}
	}()
	go func() {
		long := `{"jsonrpc":"2.0","id":7,"method":"x","params":{"secret":"` + strings.Repeat("s", 200000) + `"}}` + "\n"
		exact := `{"jsonrpc":"2.0","id":8,"method":"` + strings.Repeat("m", 100-len(`{"jsonrpc":"2.0","id":8,"method":""}`)) + `"}` + "\n"
		io.WriteString(w, long+exact+strings.Replace(exact, "m", "mm", 1)+`{"jsonrpc":"2.0","id":9,"method":"last"}`)
		w.Close()
	}()
	for _, want := range []string{"mmm", "last"} {
		m, err := wire.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if b := encoded(t, m); !strings.Contains(b, want+`"}`) {
			t.Errorf("%s, want %s", b, want)
		}
	}
	for _, want := range []string{"7", "8"} {
		if a := <-answers; a != `{"jsonrpc":"2.0","id":`+want+`,"error":{"code":-32600,"message":"the message is too long"}}`+"\n" {
			t.Errorf("%s", a)
		}
	}
	wire.Close() // the answers to 8 and 9 will not come
	if _, err := wire.Read(t.Context()); err != io.EOF {
		t.Error(err)
	}
}

func TestIdentifierOfWhatCannotBeRead(t *testing.T) {
	long := strings.Repeat("1", longestID)
	for text, want := range map[string]string{
		`{"id":7,`:                  `7`,
		`{"id" : -12 }`:             `-12`,
		`{"a":{"id":1},"id":"x y"`:  `"x y"`,
		`{"a":["id",2],"id":3,`:     `3`,
		`{"a":"id","b":[[[`:         `null`,
		`{"id":`:                    `null`,
		`{"id":7`:                   `null`, // it may go on
		`{"id":7.5,`:                `null`,
		`{"id":07,`:                 `null`,
		`{"id":1-2,`:                `null`,
		`{"id":[7],`:                `null`,
		`{"id":null,`:               `null`,
		`{"id":"a\"b",`:             `null`,
		`{"id":"` + "\u00e9" + `",`: `null`,
		`{"id":"open`:               `null`,
		`{"a\":1,"id":5,`:           `null`,
		`["id",7]`:                  `null`,
		`id`:                        `null`,
		`{"id":` + long + `,`:       long,
		`{"id":1` + long + `,`:      `null`,
		`{"x":"` + strings.Repeat("y", idWindow) + `","id":7}`: `null`,
	} {
		if got := string(idOf([]byte(text))); got != want {
			t.Errorf("%.60s: %.60s, want %.60s", text, got, want)
		}
	}
}

func FuzzIdentifier(f *testing.F) {
	f.Add([]byte(`{"a":["id",2],"id":3,`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if id := idOf(text); string(id) != "null" && !strings.Contains(string(text), string(id)) {
			t.Errorf("%q has no %q", text, id)
		}
	})
}

// TestIdentifiersComeBack: an answer bears the identifier as it was spelt, and a
// cancellation and a note on progress find their call by it.
func TestIdentifiersComeBack(t *testing.T) {
	started := make(chan struct{})
	c := scripted(t, func(ctx context.Context, call app.Call) app.Outcome {
		call.Progress(app.Reading)
		started <- struct{}{}
		<-ctx.Done()
		return small()
	})
	for _, id := range []string{`1`, `-0`, `1.5`, `1e3`, `9007199254740993`, `99999999999999999999`, `""`, `"1"`, `"a\"b"`, `"\ud800"`, `"\udc00x\/"`, `"<& >"`,
		`"` + strings.Repeat("long", 1000) + `"`} {
		c.send(`{"jsonrpc":"2.0","params":{"_meta":{"progressToken":` + id + `},"name":"` + app.InspectOperation + `","arguments":{}},"id":` + id + `,"method":"tools/call"}`)
		if m := c.read(); !strings.Contains(m.wire, `"progressToken":`+id+`,`) {
			t.Errorf("%s: %s", id, m.wire)
		}
		<-started
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		if m := c.read(); !strings.HasPrefix(m.wire, `{"jsonrpc":"2.0","id":`+id+`,"result":`) || !m.Result.IsError {
			t.Errorf("%s: %s", id, m.wire)
		}
		c.send(`{"jsonrpc":"2.0","id" : ` + id + ` ,"method":"nothing/such"}`)
		if m := c.read(); !strings.HasPrefix(m.wire, `{"jsonrpc":"2.0","id":`+id+`,"error":`) {
			t.Errorf("%s: %s", id, m.wire)
		}
	}
	c.send("{\"jsonrpc\":\"2.0\",\"id\":\"a\xffb\",\"method\":\"ping\"}")
	if m := c.read(); !strings.HasPrefix(m.wire, "{\"jsonrpc\":\"2.0\",\"id\":\"a\ufffdb\",\"result\"") {
		t.Error(m.wire)
	}
}

// TestNoLineIsDropped: what is no request, notification or answer is said to be
// none.
func TestNoLineIsDropped(t *testing.T) {
	c := begin(t, serving(t)).initialize()
	const ping = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	for _, l := range []struct {
		line, id string
		code     int
	}{
		{ping + ping, `7`, -32700},
		{ping + ` {}`, `7`, -32700},
		{ping + `x`, `7`, -32700},
		{ping + `,`, `7`, -32700},
		{ping + `]`, `7`, -32700},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}{`, `null`, -32700},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"`, `null`, -32700},
		{`{}`, `null`, -32600},
		{`7`, `null`, -32600},
		{`"x"`, `null`, -32600},
		{`null`, `null`, -32600},
		{`{"jsonrpc":"2.0"}`, `null`, -32600},
		{`{"jsonrpc":"2.0","id":7}`, `7`, -32600},
		{`{"jsonrpc":"2.0","id":7.5,"params":{}}`, `7.5`, -32600},
		{`{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"m"}}`, `7`, -32600},
		{`{"jsonrpc":"2.0","result":{}}`, `null`, -32600},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `null`, -32600},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, `null`, -32600},
		{`{"jsonrpc":"2.0","id":01,"method":"ping"}`, `null`, -32700},
		{`{"jsonrpc":"2.0","id":1.5,"method":[]}`, `1.5`, -32600},
		{`{"jsonrpc":"1.0","id":1.5,"method":"ping"}`, `1.5`, -32600},
		{`{"id":1.5,"method":"ping"}`, `1.5`, -32600},
		{`{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"ping"}`, `null`, -32700},
		{`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"progressToken":1,"progressToken":2}}}`, `7`, -32700},
		{`{"jsonrpc":"2.0","id":7,"method":"ping","params":{]}`, `7`, -32700},
		{`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":null,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, `7`, -32602},
		{`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":20250618}}`, `7`, -32602},
		{`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}`, `7`, -32602},
		{`{"jsonrpc":"2.0","id":7,"method":"initialize"}`, `7`, -32602},
		{`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":null]}`, `7`, -32700},
	} {
		c.send(l.line)
		m := c.read()
		if m.Error == nil || m.Error.Code != l.code || string(m.ID) != l.id {
			t.Errorf("%s: %s", l.line, m.wire)
		}
	}
	// Answers that nobody asked for, and notifications, are said to nobody.
	for _, l := range []string{`{"jsonrpc":"2.0","id":7,"result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`,
		`{"jsonrpc":"2.0","method":"notifications/nothing"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`} {
		c.send(l)
	}
	if m := c.ask("ping", `{}`); m.Error != nil {
		t.Error(m.wire)
	}
}

// TestCancelledAtOnce: a call may be cancelled before it is begun.
func TestCancelledAtOnce(t *testing.T) {
	private(t)
	c := begin(t, serving(t)).initialize()
	for i := range 200 {
		id := fmt.Sprint(i)
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + app.ViewOperation + `","arguments":{}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		m := c.read()
		if code := m.at("error.code"); string(m.ID) != id || !m.Result.IsError || code != "cancelled" && code != "invalid_request" {
			t.Fatalf("%s", m.wire)
		}
	}
}

// TestCancelledBeforeItBegins is what the library does of that, without the luck.
func TestCancelledBeforeItBegins(t *testing.T) {
	var out bytes.Buffer
	r, _ := io.Pipe()
	w := newWire(r, &out, 100, nil)
	defer w.Close()
	for _, l := range []struct{ method, params, want string }{
		{"tools/call", `{"name":"` + app.ViewOperation + `"}`, `{"jsonrpc":"2.0","id":"x","result":{"content":[{"type":"text","text":"{\"error\":{\"category\":\"cancelled\",\"code\":\"cancelled\",` +
			`\"details\":{\"cleanup\":\"complete\",\"operation\":\"inspect_analysis_view\"}`},
		{"tools/call", `{"name":"hunter2"}`, `{"jsonrpc":"2.0","id":"x","error":{"code":-32600,"message":"the caller cancelled"}}`},
		{"tools/list", `{}`, `{"jsonrpc":"2.0","id":"x","error":{"code":-32600,"message":"the caller cancelled"}}`},
	} {
		out.Reset()
		m, _, err := w.decode([]byte(`{"jsonrpc":"2.0","id":"x","method":"` + l.method + `","params":` + l.params + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(t.Context(), &jsonrpc.Response{ID: m.(*jsonrpc.Request).ID, Error: context.Canceled}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), l.want) || !strings.HasSuffix(out.String(), "}\n") {
			t.Errorf("%s", out.String())
		}
	}
}

// FuzzLines states the law: no line breaks the reading of lines, and who sends
// no message is told so in JSON.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","params":{"_meta":{"progressToken":"t"},"requestId":1},"id":"x","method":"notifications/cancelled"}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"error":{}}`))
	f.Add([]byte(`{"":[{,:"`))
	r, _ := io.Pipe()
	f.Fuzz(func(t *testing.T, text []byte) {
		w := &wire{out: io.Discard, pending: map[int64]*waiting{}, numbers: map[string]int64{}, in: bufio.NewReader(r)}
		m, id, err := w.decode(bytes.TrimSpace(bytes.Clone(text)))
		if m != nil && err != nil || err != nil && !json.Valid(id) {
			t.Errorf("%v, %q, %v", m, id, err)
		}
		if q, ok := m.(*jsonrpc.Request); ok && q.IsCall() != (len(w.pending) == 1) {
			t.Errorf("%d calls wait", len(w.pending))
		}
	})
}
