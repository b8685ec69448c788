package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/strictjson"
)

// client drives the built program as an agent's host would.
func client(t *testing.T, o *mcp.ClientOptions, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(program, append([]string{"mcp"}, args...)...)
	cmd.Stderr = os.Stderr
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func call(t *testing.T, s *mcp.ClientSession, name string, arguments any) (*mcp.CallToolResult, string) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	return r, r.Content[0].(*mcp.TextContent).Text
}

// TestRealClient is a whole conversation with a client that knows nothing of
// this program.
func TestRealClient(t *testing.T) {
	private(t)
	var notes []string
	var mu sync.Mutex
	s := client(t, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		mu.Lock()
		defer mu.Unlock()
		notes = append(notes, r.Params.Message)
	}})
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 2 {
		t.Fatalf("%v, %v", tools, err)
	}
	for _, tool := range tools.Tools {
		a := tool.Annotations
		open := tool.Name == app.InspectOperation
		if a.ReadOnlyHint || *a.DestructiveHint || !a.IdempotentHint || *a.OpenWorldHint != open || !strings.HasPrefix(tool.Title, "Inspect ") {
			t.Errorf("%s: %+v", tool.Name, a)
		}
	}
	path := save(t, "my captures \u00fc.har", har(entry("https://h.example/items/1"), entry("https://h.example/items/2")))
	params := &mcp.CallToolParams{Name: app.InspectOperation, Arguments: map[string]any{"capture_path": path, "format": "har", "detail": "summary"}}
	params.SetProgressToken("p")
	r, err := s.CallTool(t.Context(), params)
	if err != nil || r.IsError {
		t.Fatalf("%+v, %v", r, err)
	}
	id := r.StructuredContent.(map[string]any)["normalized_result"].(map[string]any)["parent_evidence_id"].(string)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	source := map[string]any{"kind": "retained-evidence", "evidence_id": id}
	_, text := call(t, s, app.ViewOperation, map[string]any{"source": source, "view": map[string]any{"kind": "api-surface"}})
	if !strings.Contains(text, `"path_template":"/items/{numeric}"`) {
		t.Errorf("%s", text)
	}
	uri := "rea://evidence/" + id
	whole, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil || !strings.Contains(whole.Contents[0].Text, id) {
		t.Fatalf("%+v, %v", whole, err)
	}
	// The whole Evidence, given back, is the same parent.
	_, inline := call(t, s, app.ViewOperation, map[string]any{
		"source": map[string]any{"kind": "inline", "evidence": json.RawMessage(whole.Contents[0].Text)}, "view": map[string]any{"kind": "api-surface"}})
	if inline != text {
		t.Errorf("%s\nand\n%s", inline, text)
	}
	if r, text := call(t, s, app.InspectOperation, map[string]any{"capture_path": path, "format": "har"}); !r.IsError || r.StructuredContent != nil || !strings.Contains(text, `"code":"invalid_request"`) {
		t.Errorf("%s", text)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(notes) == 0 {
		t.Error("no word of progress")
	}
}

// TestParity: what the command line prints and what an agent is sent are the
// same canonical bytes, success or failure. What the command line adds to its
// failures of views are labels.
func TestParity(t *testing.T) {
	private(t)
	s := client(t, nil)
	path := save(t, "s.har", har(entry("https://h.example/items/1"), strings.Replace(entry("https://u:p@h.example/2"), `"text/plain"`, `"text/<>&\u2028 \ud83d\ude00"`, 1)))
	bad := save(t, "bad.har", `{"log":{}}`)
	values := save(t, "values.json", `["secret"]`)
	run := func(args ...string) []byte {
		t.Helper()
		var out bytes.Buffer
		cmd := exec.Command(program, append(args, "--json")...)
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	same := func(what string, printed []byte, text string) {
		t.Helper()
		v, err := strictjson.Parse(printed, 100)
		if err != nil {
			t.Fatalf("%s: %v: %.300s", what, err, printed)
		}
		items := v.Items[:0]
		for _, m := range v.Items {
			if m.Name != "error" && m.Name != "input_path" && m.Name != "input_reason" {
				items = append(items, m)
			}
		}
		v.Items = items
		got := string(strictjson.AppendCanonical(nil, &v))
		if text = strings.TrimSuffix(strings.TrimPrefix(text, `{"error":`), "}"); got != text && got != text+"}" {
			t.Errorf("%s:\n%s\nis printed, sent is\n%s", what, got, text)
		}
	}
	for _, c := range []struct {
		args      []string
		arguments string
	}{
		{[]string{path, "har"}, `{"capture_path":"` + path + `","format":"har"}`},
		{[]string{path, "har", "--record", "1", "--record", "0"}, `{"capture_path":"` + path + `","format":"har","record_ordinals":[1,0]}`},
		{[]string{path, "har", "--sensitive-values-from", values, "--conformance", "report"}, `{"capture_path":"` + path + `","format":"har","conformance":"report","sensitive_values":["secret"]}`},
		{[]string{bad, "har"}, `{"capture_path":"` + bad + `","format":"har"}`},
		{[]string{path, "har", "--record", "9"}, `{"capture_path":"` + path + `","format":"har","record_ordinals":[9]}`},
		{[]string{path, "har", "--record", "x"}, `{"capture_path":"` + path + `","format":"har","record_ordinals":["x"]}`},
		{[]string{path, "tape"}, `{"capture_path":"` + path + `","format":"tape"}`},
		{[]string{path + "/none", "har"}, `{"capture_path":"` + path + `/none","format":"har"}`},
		{[]string{"s.har", "har"}, `{"capture_path":"s.har","format":"har"}`},
		{nil, `{}`},
	} {
		_, text := call(t, s, app.InspectOperation, json.RawMessage(c.arguments))
		same(fmt.Sprint(c.args), run(append([]string{"inspect-web-network-capture"}, c.args...)...), text)
	}
	evidence := run("inspect-web-network-capture", path, "har")
	file := save(t, "e.json", string(evidence))
	for _, view := range []string{`{"kind":"summary"}`, `{"kind":"capture"}`, `{"kind":"capture","detail":"complete","limit":1}`, `{"kind":"api-surface"}`,
		`{"kind":"native"}`, `{"kind":"qlog","facet":"traces"}`, `{}`} {
		arguments := `{"source":{"kind":"inline","evidence":` + string(evidence) + `},"view":` + view + `}`
		_, text := call(t, s, app.ViewOperation, json.RawMessage(arguments))
		same(view, run("inspect-analysis-view", "--evidence", file, "--view", view), text)
		same(view, run("inspect-analysis-view", save(t, "a.json", arguments)), text)
	}
	missing := `{"source":{"kind":"retained-evidence","evidence_id":"ev_` + strings.Repeat("0", 64) + `"},"view":{"kind":"summary"}}`
	for _, arguments := range []string{`{}`, `{"source":{},"view":{"kind":"summary"}}`} {
		_, text := call(t, s, app.ViewOperation, json.RawMessage(arguments))
		same(arguments, run("inspect-analysis-view", arguments), text)
	}
	if out := run("inspect-analysis-view", missing); !bytes.Contains(out, []byte(`"reason": "missing"`)) {
		t.Errorf("%s", out)
	}
}

// TestRootsFromOutside: the fence is the server's, not the command line's.
func TestRootsFromOutside(t *testing.T) {
	private(t)
	path := save(t, "s.har", har(entry("https://h.example/")))
	s := client(t, nil, "--allow-root", t.TempDir())
	if r, text := call(t, s, app.InspectOperation, map[string]any{"capture_path": path, "format": "har"}); !r.IsError || !strings.Contains(text, `"boundary":"allowed-roots"`) {
		t.Errorf("%s", text)
	}
	for _, args := range [][]string{{"mcp", "--allow-root", filepath.Join(t.TempDir(), "none")}, {"mcp", "more"}} {
		cmd := exec.Command(program, args...)
		if out, err := cmd.CombinedOutput(); err == nil || len(out) == 0 {
			t.Errorf("%v: %s", args, out)
		}
	}
	for value, ok := range map[string]bool{"10485760": true, "10485759": false, "1e9": false, "-1": false, "0x1000000": false, " 20000000": false, "9007199254740992": false} {
		cmd := exec.Command(program, "--mcp")
		cmd.Env = append(os.Environ(), "REA_MCP_MAX_RESPONSE_BYTES="+value)
		if out, err := cmd.CombinedOutput(); (err == nil) != ok {
			t.Errorf("%q: %v, %s", value, err, out)
		}
	}
}

// busy is a server with a call in its decoder, and its temporary directory.
func busy(t *testing.T) (cmd *exec.Cmd, in io.WriteCloser, dir string) {
	t.Helper()
	dir = t.TempDir()
	var entries []string
	for i := range 40000 {
		entries = append(entries, entry(fmt.Sprintf("https://h.example/%d", i)))
	}
	path := save(t, "large.har", har(entries...))
	cmd = exec.Command(program, "mcp")
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "TMP="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+app.InspectOperation+`","_meta":{"progressToken":1},"arguments":{"capture_path":"`+path+`","format":"har","detail":"summary"}}}`+"\n")
	// Once the decoder holds its files they have no names any more. (A server that
	// is killed before that leaves them for the next one to sweep.)
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if left, err := os.ReadDir(dir); err == nil && len(left) == 0 && len(family(t, cmd.Process.Pid)) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no decoder starts")
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return cmd, in, dir
}

// gone is how long a dead server's child and files may stay.
const gone = 2 * time.Second

func TestNothingStays(t *testing.T) {
	for name, end := range map[string]func(*exec.Cmd, io.WriteCloser) error{
		"server killed":     func(c *exec.Cmd, _ io.WriteCloser) error { return c.Process.Kill() },
		"server terminated": func(c *exec.Cmd, _ io.WriteCloser) error { return c.Process.Signal(terminate) },
		"client gone":       func(_ *exec.Cmd, in io.WriteCloser) error { return in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			cmd, in, dir := busy(t)
			children := family(t, cmd.Process.Pid)
			if err := end(cmd, in); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			cmd.Wait()
			if name != "server killed" && !cmd.ProcessState.Success() {
				t.Errorf("the server ends with %v", cmd.ProcessState)
			}
			for {
				alive := running(children)
				left, err := os.ReadDir(dir)
				if err != nil {
					t.Fatal(err)
				}
				if len(alive)+len(left) == 0 {
					return
				}
				if time.Since(began) > gone {
					t.Fatalf("processes %v and files %v stay", alive, left)
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
}

// TestCancelledDecoder: a cancelled call ends its decoder and cleans up before
// it is answered.
func TestCancelledDecoder(t *testing.T) {
	dir := private(t)
	s := serving(t)
	s.app.Program = save(t, "slow", "#!/bin/sh\nexec sleep 1000\n")
	if err := os.Chmod(s.app.Program, 0o755); err != nil {
		t.Fatal(err)
	}
	c := begin(t, s).initialize()
	path := save(t, "s.har", har(entry("https://h.example/")))
	c.send(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"` + app.InspectOperation + `","arguments":{"capture_path":"` + path + `","format":"har"}}}`)
	for deadline := time.Now().Add(patience); len(family(t, os.Getpid())) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no decoder starts")
		}
	}
	children := family(t, os.Getpid())
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}`)
	m := c.read()
	if !m.Result.IsError || m.at("error.code") != "cancelled" || m.at("error.details.cleanup") != "complete" {
		t.Errorf("%s", m.wire)
	}
	if alive := running(children); len(alive) > 0 {
		t.Errorf("processes %v stay", alive)
	}
	mustBeEmpty(t, dir)
}
