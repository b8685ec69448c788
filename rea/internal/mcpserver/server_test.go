package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"rea.example/rea/internal/app"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/strictjson"
)

// TestListFits: a list of tools is read by every agent at every start.
func TestListFits(t *testing.T) {
	m := begin(t, serving(t)).initialize().ask("tools/list", `{}`)
	if n := len(m.wire); n > 12<<10 {
		t.Errorf("the list of tools is %d bytes", n)
	}
	if !strings.Contains(m.wire, `"cacheScope":"private"`) {
		t.Error("the list is public")
	}
}

// TestRepliesKeepTheirSchema validates real replies of every kind against what
// the list of tools advertises and against the whole schemas.
func TestRepliesKeepTheirSchema(t *testing.T) {
	private(t)
	c := begin(t, serving(t)).initialize()
	schemas := map[string][]*jsonschema.Resolved{}
	for _, s := range app.AllSchemas() {
		whole := c.ask("resources/read", `{"uri":"rea://schema/`+s.Operation+`/output"}`)
		input := c.ask("resources/read", `{"uri":"rea://schema/`+s.Operation+`/input"}`)
		if len(whole.Result.Contents) != 1 || whole.Result.Contents[0].Text != string(s.Output) || input.Result.Contents[0].Text != string(s.Input) {
			t.Fatalf("%.300s", whole.wire)
		}
		for _, raw := range [][]byte{s.Head, s.Output} {
			var schema jsonschema.Schema
			if err := json.Unmarshal(raw, &schema); err != nil {
				t.Fatal(err)
			}
			r, err := schema.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			schemas[s.Operation] = append(schemas[s.Operation], r)
		}
	}
	check := func(name, arguments string) message {
		t.Helper()
		m := c.tool(name, arguments)
		if m.Result.IsError || m.Error != nil {
			t.Fatalf("%s: %.400s", arguments, m.wire)
		}
		// The library spells a few characters as escapes; a document is what it says.
		structured, err := strictjson.Parse(m.Result.StructuredContent, 100)
		if err != nil || string(strictjson.AppendCanonical(nil, &structured)) != m.text() {
			t.Errorf("%s: text and structured content are two documents, %v", arguments, err)
		}
		var v any
		if err := json.Unmarshal(m.Result.StructuredContent, &v); err != nil {
			t.Fatal(err)
		}
		for i, s := range schemas[name] {
			if err := s.Validate(v); err != nil {
				t.Errorf("%s: schema %d: %v", arguments, i, err)
			}
		}
		return m
	}
	body := strings.Replace(entry("https://h.example/items/7"), `"mimeType":"text/plain"`, `"mimeType":"text/plain","encoding":"base64","text":"AP9B"`, 1)
	body = strings.Replace(body, `"headers":[]`, `"headers":[{"name":"Cookie","value":"a=b"}],"_secret":1`, 1)
	path := save(t, "s.har", har(body, entry("data:,x")))
	odd := save(t, "odd.har", har(strings.Replace(entry("https://h.example/"), `"time":1`, `"time":null`, 1)))
	for _, a := range []string{
		`{"capture_path":"` + path + `","format":"har"}`,
		`{"capture_path":"` + path + `","format":"har","detail":"summary"}`,
		`{"capture_path":"` + path + `","format":"har","sensitive_values":["secret"]}`,
		`{"capture_path":"` + path + `","format":"har","sensitive_values":["log"]}`,
		`{"capture_path":"` + path + `","format":"har","sensitive_values":["` + path + `"],"record_ordinals":[1]}`,
		`{"capture_path":"` + odd + `","format":"har","conformance":"report"}`,
		`{"capture_path":"` + odd + `","format":"har","conformance":"report","detail":"summary"}`,
	} {
		m := check(app.InspectOperation, a)
		id := m.at("evidence_id").(string)
		if m.at("operation") == app.ViewOperation {
			id = m.at("normalized_result.parent_evidence_id").(string)
		}
		views := []string{`{"kind":"summary"}`, `{"kind":"capture"}`, `{"kind":"capture","detail":"complete","offset":1}`, `{"kind":"capture","offset":9}`}
		if !strings.Contains(a, "sensitive") {
			views = append(views, `{"kind":"api-surface"}`, `{"kind":"api-surface","offset":9}`)
		}
		for _, v := range views {
			check(app.ViewOperation, `{"source":{"kind":"retained-evidence","evidence_id":"`+id+`"},"view":`+v+`}`)
		}
	}
	for _, p := range app.Formats() {
		if p.Sample == nil {
			continue
		}
		path := save(t, "sample", string(p.Sample))
		m := check(app.InspectOperation, `{"capture_path":"`+path+`","format":"`+p.Name+`"}`)
		source := `{"source":{"kind":"retained-evidence","evidence_id":"` + m.at("evidence_id").(string) + `"},"view":`
		for _, v := range []string{`{"kind":"summary"}`, `{"kind":"capture"}`, `{"kind":"capture","detail":"complete"}`} {
			check(app.ViewOperation, source+v+`}`)
		}
		if p.Name == "qlog" {
			check(app.ViewOperation, source+`{"kind":"qlog","facet":"traces"}}`)
			check(app.ViewOperation, source+`{"kind":"qlog","facet":"streams","trace_index":0}}`)
			check(app.ViewOperation, source+`{"kind":"qlog","facet":"incomplete-records","trace_index":0}}`)
		}
	}
}

func TestEvidenceIsAResource(t *testing.T) {
	private(t)
	c := begin(t, serving(t)).initialize()
	m := c.tool(app.InspectOperation, `{"capture_path":"`+save(t, "s.har", har(entry("https://h.example/")))+`","format":"har"}`)
	uri := "rea://evidence/" + m.at("evidence_id").(string)
	r := c.ask("resources/read", `{"uri":"`+uri+`"}`)
	if len(r.Result.Contents) != 1 || r.Result.Contents[0].Text != m.text() || r.Result.Contents[0].URI != uri || r.Result.Contents[0].MIMEType != "application/json" {
		t.Errorf("%.300s", r.wire)
	}
	if !strings.Contains(r.wire, `"cacheScope":"private"`) {
		t.Error("Evidence is public")
	}
	// Who names no resource did not ask for one that isn't there.
	for _, params := range []string{`{}`, `{"uri":null}`, `{"uri":5}`, `{"URI":"` + uri + `"}`} {
		if r := c.ask("resources/read", params); r.Error == nil || r.Error.Code != -32602 || strings.Contains(r.wire, noResource) {
			t.Errorf("%s: %.300s", params, r.wire)
		}
	}
}

// scripted serves what a function says.
func scripted(t *testing.T, do func(context.Context, app.Call) app.Outcome) *talk {
	s := serving(t)
	s.do = do
	return begin(t, s).initialize()
}

func small() app.Outcome {
	return app.Fail(&failure.Failure{Code: failure.InvalidRequest, Message: "m", Action: "a"})
}

func TestPanicIsAnswered(t *testing.T) {
	panics := true
	c := scripted(t, func(context.Context, app.Call) app.Outcome {
		if panics {
			panics = false
			panic("hunter2")
		}
		return small()
	})
	if m := c.tool(app.InspectOperation, `{}`); m.Error == nil || m.Error.Code != -32603 || strings.Contains(m.wire, "hunter2") {
		t.Errorf("%s", m.wire)
	}
	if m := c.tool(app.InspectOperation, `{}`); !m.Result.IsError {
		t.Errorf("%s", m.wire)
	}
}

func TestArgumentsArriveAsTheyAre(t *testing.T) {
	got := make(chan app.Call, 1)
	c := scripted(t, func(_ context.Context, call app.Call) app.Outcome { got <- call; return small() })
	for _, a := range []string{`{ "a" : 1.50, "a":"\u0061" }`, `null`, `[1]`, `"x"`, "{\"\xff\":1}"} {
		c.tool(app.ViewOperation, a)
		if call := <-got; string(call.Arguments) != a || call.Operation != app.ViewOperation {
			t.Errorf("%s arrives as %s", a, call.Arguments)
		}
	}
	c.ask("tools/call", `{"name":"`+app.ViewOperation+`"}`)
	if call := <-got; call.Arguments != nil {
		t.Errorf("no arguments arrive as %q", call.Arguments)
	}
}

func TestProgressIsTold(t *testing.T) {
	c := scripted(t, func(_ context.Context, call app.Call) app.Outcome {
		if call.Progress != nil {
			for range 50 {
				call.Progress(app.Reading)
			}
			time.Sleep(2 * progressPeriod)
			call.Progress(app.Decoding)
		}
		return small()
	})
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + app.InspectOperation + `","_meta":{"progressToken":"tok"},"arguments":{}}}`)
	var notes []string
	for {
		m := c.read()
		if m.Method == "" {
			break
		}
		if m.Params.ProgressToken != "tok" {
			t.Errorf("%s", m.wire)
		}
		notes = append(notes, fmt.Sprint(m.Params.Progress, " ", m.Params.Message))
	}
	if strings.Join(notes, ", ") != "1 reading the capture, 51 decoding" {
		t.Errorf("%q", notes)
	}
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + app.InspectOperation + `","arguments":{}}}`)
	if m := c.read(); m.Method != "" {
		t.Errorf("told without being asked: %s", m.wire)
	}
}

// blocked is a call that runs until it is cancelled.
func blocked(started chan struct{}) func(context.Context, app.Call) app.Outcome {
	return func(ctx context.Context, _ app.Call) app.Outcome {
		started <- struct{}{}
		<-ctx.Done()
		return small()
	}
}

func TestCancelReachesTheCall(t *testing.T) {
	started := make(chan struct{})
	c := scripted(t, blocked(started))
	c.send(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"` + app.InspectOperation + `","arguments":{}}}`)
	<-started
	if m := c.ask("ping", `{}`); m.Error != nil { // meanwhile
		t.Errorf("%s", m.wire)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x","reason":"hunter2"}}`)
	if m := c.read(); string(m.ID) != `"x"` || !m.Result.IsError {
		t.Errorf("%s", m.wire)
	}
}

func TestEndsWithTheInput(t *testing.T) {
	for _, how := range []string{"input", "context"} {
		started := make(chan struct{})
		c := scripted(t, blocked(started))
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + app.InspectOperation + `","arguments":{}}}`)
		<-started
		if how == "input" {
			c.in.Close()
		} else {
			c.stop()
		}
		if err := c.wait(); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
}

// TestLastAnswersArrive: a conversation may be piped in, its end with it.
func TestLastAnswersArrive(t *testing.T) {
	c := scripted(t, func(context.Context, app.Call) app.Outcome { time.Sleep(grace / 10); return small() })
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + app.InspectOperation + `","arguments":{}}}`)
	c.in.Close()
	if m := c.read(); string(m.ID) != "1" {
		t.Errorf("%s", m.wire)
	}
	if err := c.wait(); err != nil {
		t.Error(err)
	}
}

// TestManyCallsAtOnce mixes calls: each has its own right answer, and the store
// doesn't grow by repeating them.
func TestManyCallsAtOnce(t *testing.T) {
	private(t)
	s := serving(t)
	c := begin(t, s).initialize()
	var ids []string
	var paths []string
	for i := range 4 {
		paths = append(paths, save(t, "s.har", har(entry(fmt.Sprintf("https://h%d.example/items/%d", i, i)))))
		m := c.tool(app.InspectOperation, `{"capture_path":"`+paths[i]+`","format":"har"}`)
		ids = append(ids, m.at("evidence_id").(string))
	}
	asked := map[string]string{} // id of the call → what its answer holds
	var calls []string
	for i := range 64 {
		k, id := i%4, fmt.Sprintf(`"m%d"`, i)
		var call string
		want := fmt.Sprintf("h%d.example", k)
		view := func(v string) string {
			return `{"name":"` + app.ViewOperation + `","arguments":{"source":{"kind":"retained-evidence","evidence_id":"` + ids[k] + `"},"view":` + v + `}}`
		}
		switch i / 4 % 6 {
		case 0:
			call = `{"name":"` + app.InspectOperation + `","arguments":{"capture_path":"` + paths[k] + `","format":"har"}}`
		case 1:
			call, want = view(`{"kind":"summary"}`), ids[k]
		case 2:
			call = view(`{"kind":"capture"}`)
		case 3:
			call = view(`{"kind":"api-surface"}`)
		case 4:
			call, want = view(`{"kind":"nothing"}`), "invalid_value"
		default:
			call, want = `{"name":"`+app.InspectOperation+`","arguments":{"capture_path":"`+paths[k]+`","format":"har","detail":"summary"}}`, ids[k]
		}
		asked[id] = want
		calls = append(calls, `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":`+call+`}`)
	}
	var used int64
	for round := range 2 {
		var all sync.WaitGroup
		for _, line := range calls {
			all.Go(func() { c.send(line) })
		}
		for range calls {
			m := c.read()
			if want := asked[string(m.ID)]; want == "" || !strings.Contains(m.text(), want) {
				t.Errorf("%s: no %q in %.300s", m.ID, want, m.wire)
			}
		}
		all.Wait()
		if round == 1 && s.app.Store.Used() != used {
			t.Errorf("the same calls again take the store from %d to %d bytes", used, s.app.Store.Used())
		}
		used = s.app.Store.Used()
	}
}

// TestIdentifierInUse: a second call under an identifier that still waits for
// its answer is refused, and takes nothing away from the first.
func TestIdentifierInUse(t *testing.T) {
	started := make(chan struct{})
	c := scripted(t, blocked(started))
	line := `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"` + app.InspectOperation + `","arguments":{}}}`
	c.send(line)
	<-started
	c.send(line)
	if m := c.read(); m.wire != `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a call under this identifier still waits for its answer"}}` {
		t.Errorf("%s", m.wire)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}`)
	if m := c.read(); string(m.ID) != `"x"` {
		t.Errorf("%s", m.wire)
	}
}
