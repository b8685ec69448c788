package canary

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// agent is a conversation with the program's server. All that the server says is
// searched for the secrets.
type agent struct {
	t       *testing.T
	secrets []secret
	in      io.WriteCloser
	out     *bufio.Reader
	asked   int
}

func newAgent(t *testing.T, secrets []secret) *agent {
	t.Helper()
	tmp := t.TempDir()
	cmd := exec.Command(program, "mcp")
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "TMP="+tmp, "REA_LOG_LEVEL=debug")
	var errs strings.Builder
	cmd.Stderr = &errs
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
	a := &agent{t: t, secrets: secrets, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		in.Close()
		rest, _ := io.ReadAll(a.out)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
		mustHide(t, "what the server says last", secrets, rest, unmeasured([]byte(errs.String())))
		mustBeEmpty(t, "the server", tmp, secrets)
	})
	a.say(`{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"canary","version":"1"}}}`)
	a.hear(`"start"`)
	a.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return a
}

func (a *agent) say(line string) {
	if _, err := io.WriteString(a.in, line+"\n"); err != nil {
		a.t.Fatal(err)
	}
}

type reply struct {
	ID     json.RawMessage
	Result struct {
		IsError bool
		Content []struct{ Text string }
	}
	Error json.RawMessage
	text  string
}

// hear gives the answer to a message.
func (a *agent) hear(id string) reply {
	a.t.Helper()
	for {
		line, err := a.out.ReadBytes('\n')
		if err != nil {
			a.t.Fatal(err)
		}
		mustHide(a.t, "an answer to an agent", a.secrets, line)
		var r reply
		if err := json.Unmarshal(line, &r); err != nil {
			a.t.Fatal(err)
		}
		if string(r.ID) != id {
			continue // a note on progress
		}
		if len(r.Result.Content) == 1 {
			r.text = r.Result.Content[0].Text
			mustHide(a.t, "a text for an agent", a.secrets, []byte(r.text))
		}
		return r
	}
}

func (a *agent) ask(method string, params any) reply {
	a.t.Helper()
	a.asked++
	p, err := json.Marshal(params)
	if err != nil {
		a.t.Fatal(err)
	}
	a.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, a.asked, method, p))
	return a.hear(fmt.Sprint(a.asked))
}

type object = map[string]any

func (a *agent) call(tool string, arguments object) reply {
	a.t.Helper()
	return a.ask("tools/call", object{"name": tool, "arguments": arguments, "_meta": object{"progressToken": a.asked}})
}

// views are what can be asked of every capture.
func views(format string) []object {
	out := []object{{"kind": "summary"}, {"kind": "capture"}, {"kind": "capture", "detail": "complete"}, {"kind": "api-surface"},
		{"kind": "capture", "detail": "complete", "max_chars": 4000}}
	if format == "qlog" {
		out = append(out, object{"kind": "qlog", "facet": "traces"}, object{"kind": "qlog", "facet": "streams", "trace_index": 0},
			object{"kind": "qlog", "facet": "incomplete-records", "trace_index": 0}, object{"kind": "qlog", "facet": "loss-declarations", "trace_index": 0},
			object{"kind": "qlog", "facet": "contributions", "trace_index": 0, "stream_id": "0", "direction": "sent"})
	}
	return append(out, object{"kind": "native"})
}

// explore takes a capture through all that an agent can ask, and the Evidence of
// it through the command line's views.
func explore(t *testing.T, f format, path string, secrets []secret, declared []string) {
	t.Helper()
	a := newAgent(t, secrets)
	arguments := object{"capture_path": path, "format": f.name}
	if declared != nil {
		arguments["sensitive_values"] = declared
	}
	whole := a.call("inspect_web_network_capture", arguments)
	if whole.Result.IsError || whole.text == "" {
		t.Fatalf("%s: %.400s", f.name, whole.text)
	}
	var evidence struct {
		ID string `json:"evidence_id"`
	}
	if err := json.Unmarshal([]byte(whole.text), &evidence); err != nil {
		t.Fatal(err)
	}
	a.ask("resources/read", object{"uri": "rea://evidence/" + evidence.ID})
	for _, v := range views(f.name) {
		a.call("inspect_analysis_view", object{"source": object{"kind": "retained-evidence", "evidence_id": evidence.ID}, "view": v})
		a.call("inspect_analysis_view", object{"source": object{"kind": "inline", "evidence": json.RawMessage(whole.text)}, "view": v})
	}
	arguments["detail"] = "summary"
	a.call("inspect_web_network_capture", arguments)
	arguments["record_ordinals"] = []int{99999}
	if r := a.call("inspect_web_network_capture", arguments); !r.Result.IsError {
		t.Error("a record that isn't there is given out")
	}

	file := save(t, t.TempDir(), "evidence.json", []byte(whole.text))
	for i, v := range views(f.name) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		_, stdout, stderr := run(t, secrets, "inspect-analysis-view", "--evidence", file, "--view", string(text), "--format", forms[i%len(forms)])
		mustHide(t, string(text), secrets, stdout, stderr)
	}
}

// TestAgents plants all tables before an agent.
func TestAgents(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			transport := plant(f.transport, 0)
			explore(t, f, save(t, dir, "transport", f.capture(texts(transport)...)), secrets(transport), nil)

			declared := slices.DeleteFunc(plant(f.declared, 600), func(p planted) bool { return p.coarse })
			var literals []string
			for _, p := range declared {
				literals = append(literals, p.literal)
			}
			explore(t, f, save(t, dir, "declared", f.capture(texts(declared)...)), secrets(declared), literals)

			// What doesn't open.
			a := newAgent(t, secrets(declared))
			for i, p := range declared {
				if i%8 != 0 {
					continue
				}
				_, capture := f.damaged(i, p)
				for _, detail := range []string{"complete", "summary"} {
					r := a.call("inspect_web_network_capture", object{"capture_path": save(t, dir, "broken", capture), "format": f.name, "sensitive_values": []string{p.literal}, "detail": detail})
					if !r.Result.IsError {
						t.Errorf("%s opens", p.name)
					}
				}
			}
		})
	}
}

// TestAgentsArguments: what stands in arguments and around them is never
// repeated where it is declared, and nowhere at all in errors of the envelope.
func TestAgentsArguments(t *testing.T) {
	t.Parallel()
	hidden := []secret{newSecret("an argument", argument)}
	a := newAgent(t, hidden)
	declared := []string{argument}
	for _, arguments := range []object{
		{argument: 1, "sensitive_values": declared},
		{"x/" + argument: object{}, "capture_path": argument, "format": argument, "sensitive_values": declared},
		{"capture_path": "/" + argument, "format": "har", "sensitive_values": declared},
		{"capture_path": "/" + argument, "format": "har", "sensitive_values": declared, "detail": argument, "conformance": argument, "record_ordinals": argument},
		{"capture_path": "/x", "format": "har", "sensitive_values": argument},
	} {
		if r := a.call("inspect_web_network_capture", arguments); !r.Result.IsError {
			t.Errorf("%v is accepted", arguments)
		}
	}
	// Values of a view's arguments are not repeated either.
	for _, arguments := range []object{
		{"source": argument, "view": argument},
		{"source": object{"kind": argument, "evidence_id": argument}, "view": object{"kind": argument}},
		{"source": object{"kind": "retained-evidence", "evidence_id": argument}, "view": object{"kind": "capture", "detail": argument, "limit": argument}},
		{"source": object{"kind": "inline", "evidence": object{"evidence_id": argument}}, "view": object{"kind": "qlog", "facet": argument, "direction": argument}},
	} {
		if r := a.call("inspect_analysis_view", arguments); !r.Result.IsError {
			t.Errorf("%v is accepted", arguments)
		}
	}
	for _, r := range []reply{
		a.ask(argument, object{}), a.ask("tools/call", object{"name": argument}), a.ask("tools/call", object{"name": []string{argument}}),
		a.ask("resources/read", object{"uri": "rea://evidence/" + argument}), a.ask("resources/read", object{"uri": argument}),
		a.ask("tools/call", argument), a.ask("prompts/get", object{"name": argument}),
	} {
		if r.Error == nil {
			t.Error("no error")
		}
	}
	a.say(argument)
	a.say(`{"jsonrpc":"2.0","id":"bad","method":"ping","params":{"` + argument + `"`)
	a.hear(`"bad"`)
}
