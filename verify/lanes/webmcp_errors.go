package lanes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"rea.example/verify/mcpclient"
	"rea.example/verify/product"
	"rea.example/verify/report"
)

// wrong are arguments that the tools refuse: a code, and what no part of the
// answer may hold.
func (t *talk) wrong() []struct{ name, tool, arguments, code, absent string } {
	c := &canary{plant: t.bench.Plant}
	path := t.samples[0].path
	secret, key, kind := c.next(), c.next(), c.next()
	return []struct{ name, tool, arguments, code, absent string }{
		{"no argument at all", inspectTool, `{}`, "invalid_request", ""},
		{"arguments that are null", inspectTool, `null`, "invalid_request", ""},
		{"a relative path", inspectTool, string(arguments("x.har", "har", nil)), "invalid_request", ""},
		{"an unknown format", inspectTool, string(arguments(path, kind, nil)), "invalid_request", kind},
		{"a missing file", inspectTool, string(arguments(path+".absent", "har", nil)), "invalid_request", ""},
		{"an unknown argument", inspectTool, string(arguments(path, "har", map[string]any{"more": secret})), "invalid_request", secret},
		{"an unknown argument with a declared name", inspectTool, string(arguments(path, "har", map[string]any{key: 1, "sensitive_values": []string{key}})), "invalid_request", key},
		{"an ordinal twice", inspectTool, string(arguments(path, "har", map[string]any{"record_ordinals": []int{0, 0}})), "invalid_request", ""},
		{"an ordinal beyond the end", inspectTool, string(arguments(path, "har", map[string]any{"record_ordinals": []int{99}})), "invalid_request", ""},
		{"an argument twice", inspectTool, `{"format":"har","format":"har","capture_path":"/x"}`, "invalid_request", ""},
		{"a view of nothing", viewTool, `{}`, "invalid_request", ""},
		{"a reference that is none", viewTool, string(retained(secret, `{"kind":"summary"}`)), "invalid_request", secret},
		{"a reference to nothing", viewTool, string(retained("ev_"+strings.Repeat("1", 64), `{"kind":"summary"}`)), "evidence_integrity_mismatch", ""},
	}
}

func (t *talk) refusals(ctx context.Context) error {
	for _, w := range t.wrong() {
		t.bench.Check("refused, "+w.name, func() error {
			r, err := t.session.Call(ctx, w.tool, []byte(w.arguments))
			if err != nil {
				return err
			}
			return errors.Join(rightFailure(r, w.code, w.absent), t.onCommandLine(ctx, w.tool, w.arguments, w.code))
		})
	}
	return nil
}

// rightFailure wants a failure of a tool: text alone, one error in it, nothing of
// what must not be said.
func rightFailure(r *mcpclient.Result, code, absent string) error {
	text, err := r.Text()
	if err != nil {
		return err
	}
	document, err := r.Document()
	if err != nil {
		return err
	}
	if !r.IsError || r.Structured != nil {
		return errors.New("no failure, or one with structured content")
	}
	f, err := product.Output{Exit: 1, Stdout: document}.Failure()
	if err != nil {
		return err
	}
	if f.Code != code {
		return fmt.Errorf("code %s, expected %s", f.Code, code)
	}
	if absent != "" && report.Leaks([]byte(text), absent) {
		return errors.New("the failure repeats what it was given")
	}
	return nil
}

// envelopes sends what is no call, and wants the server to live.
func (t *talk) envelopes(ctx context.Context) error {
	c := &canary{plant: t.bench.Plant}
	secret := c.next()
	alive := func() error {
		_, err := t.session.Request(ctx, "ping", []byte("{}"))
		return err
	}
	for _, w := range []struct{ name, method, params string }{
		{"an unknown method", "nothing/" + secret, "{}"},
		{"an unknown tool", "tools/call", `{"name":"` + secret + `","arguments":{"a":"` + secret + `"}}`},
		{"a name that is no text", "tools/call", `{"name":{"a":"` + secret + `"},"arguments":{}}`},
		{"parameters that are a list", "tools/call", `["` + secret + `"]`},
		{"an unknown resource", "resources/read", `{"uri":"rea://evidence/` + secret + `"}`},
	} {
		t.bench.Check("an error of the protocol, "+w.name, func() error {
			_, err := t.session.Request(ctx, w.method, []byte(w.params))
			var e *mcpclient.Error
			if !errors.As(err, &e) {
				return fmt.Errorf("no error of the protocol: %w", err)
			}
			if report.Leaks([]byte(e.Message), secret) {
				return errors.New("the error repeats what it was given")
			}
			return alive()
		})
	}
	for _, w := range []struct{ name, line string }{
		{"no JSON", "{" + secret},
		{"an empty list", "[]"},
		{"deeply nested", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`},
		{"bytes at large", "\xff\xfe" + secret},
		{"a long line", `{"jsonrpc":"2.0","method":"` + strings.Repeat("x", 1<<20) + `"}`},
	} {
		t.bench.Check("a line that is no message, "+w.name, func() error {
			if err := t.session.Line([]byte(w.line)); err != nil {
				return err
			}
			if err := alive(); err != nil {
				return err
			}
			for _, e := range t.session.Stray() {
				if report.Leaks([]byte(e.Message), secret) {
					return errors.New("the error repeats what it was given")
				}
			}
			return nil
		})
	}
	return nil
}

// progress asks to be told.
func (t *talk) progress(ctx context.Context) error {
	t.bench.Check("progress is told to who asks", func() error {
		before := len(t.session.Notes())
		c := t.samples[0]
		params := fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{"progressToken":"t1"}}`, inspectTool, arguments(c.path, c.format, nil))
		if _, err := t.session.Request(ctx, "tools/call", []byte(params)); err != nil {
			return err
		}
		for _, n := range t.session.Notes()[before:] {
			if n.Method == "notifications/progress" && strings.Contains(string(n.Params), `"t1"`) {
				return nil
			}
		}
		return errors.New("nobody was told")
	})
	return nil
}

// cancels stops a call that takes long, and wants nothing to be left of it.
func (t *talk) cancels(ctx context.Context) error {
	path, err := largeCapture(t.bench.Temp)
	if err != nil {
		return err
	}
	t.bench.Check("a cancelled call ends soon and leaves nothing", func() error {
		id, wait, err := begun(ctx, t.session, path)
		if err != nil {
			return err
		}
		if err := t.session.Notify("notifications/cancelled", fmt.Appendf(nil, `{"requestId":%d,"reason":"enough"}`, id)); err != nil {
			return err
		}
		soon, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		// A cancelled request need not be answered; what counts is what is left.
		_, err = wait(soon)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			var e *mcpclient.Error
			if !errors.As(err, &e) {
				return err
			}
		}
		if _, err := t.session.Request(ctx, "ping", []byte("{}")); err != nil {
			return err
		}
		return t.leftNothing()
	})
	return nil
}

// begun begins to inspect a capture, and returns when the server says that it is at
// it.
func begun(ctx context.Context, s *mcpclient.Session, path string) (int, func(context.Context) (json.RawMessage, error), error) {
	params := fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{"progressToken":"begun"}}`, inspectTool, arguments(path, "har", nil))
	id, wait, err := s.Begin("tools/call", []byte(params))
	if err != nil {
		return 0, nil, err
	}
	told := func() error {
		for _, n := range s.Notes() {
			if n.Method == "notifications/progress" && strings.Contains(string(n.Params), `"begun"`) {
				return nil
			}
		}
		return errors.New("the server does not say that it has begun")
	}
	return id, wait, eventually(ctx, told)
}

// eventually waits for something that must become so, though not at once. The bound
// is no measure: a machine may be busy.
func eventually(ctx context.Context, holds func() error) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for {
		err := holds()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}
