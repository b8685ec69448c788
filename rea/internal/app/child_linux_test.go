package app_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/decode"
)

// script is a program that takes the place of the owned child. It finds its
// request at descriptor 3, its reply at 4 and the snapshot at 5.
func script(t *testing.T, body string) app.App {
	t.Helper()
	path := filepath.Join(open(t), "child")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return app.App{Program: path}
}

// memory is a reply in memory.
type memory struct{ b []byte }

func (m *memory) Write(p []byte) (int, error)              { m.b = append(m.b, p...); return len(p), nil }
func (m *memory) WriteAt(p []byte, off int64) (int, error) { return copy(m.b[off:], p), nil }

// replying is a child that gives a reply which was made elsewhere.
func replying(t *testing.T, reply []byte) app.App {
	t.Helper()
	path := filepath.Join(open(t), "reply")
	if err := os.WriteFile(path, reply, 0o644); err != nil {
		t.Fatal(err)
	}
	return script(t, "cat '"+path+"' >&4")
}

func reply(t *testing.T, capture string, r decode.Request) []byte {
	t.Helper()
	r.Format = "har"
	var m memory
	if err := decode.Answer(r.Encode(), []byte(capture), true, &m); err != nil {
		t.Fatal(err)
	}
	return m.b
}

// A child's reply is believed only where it is the whole answer to what was
// asked, by the decoder that was asked.
func TestReplies(t *testing.T) {
	tmp := private(t)
	two := har(entry() + "," + entry())
	path := save(t, "two.har", two)
	good := reply(t, two, decode.Request{All: true})
	do(t, replying(t, good), args{"capture_path": path, "format": "har"}).want(t, "normalized_result.total_records", "2")
	for name, b := range map[string][]byte{
		"none":            nil,
		"no reply":        []byte("hello"),
		"broken off":      good[:len(good)-1],
		"without an end":  append(bytes.Clone(good[:8]), make([]byte, 100)...),
		"another decoder": bytes.ReplaceAll(good, []byte("rea-har"), []byte("rea-hur")),
		"another version": bytes.ReplaceAll(good, []byte("har-schema@2.0.0"), []byte("har-schema@2.0.1")),
		"one record":      reply(t, two, decode.Request{Ordinals: []int{0}}),
		"another order":   reply(t, two, decode.Request{Ordinals: []int{1, 0}}),
	} {
		a := do(t, replying(t, b), args{"capture_path": path, "format": "har"})
		a.want(t, "code", `"unreadable_output"`, "category", `"execution_failure"`, "retryable", "false", "details.operation", `"`+inspect+`"`)
		if a.at("details.reason") == "<absent>" {
			t.Errorf("%s: no reason is given", name)
		}
		mustBeTidy(t, tmp)
	}
	// Fewer records than the capture are no answer to a selection either.
	a := do(t, replying(t, good), args{"capture_path": path, "format": "har", "record_ordinals": []int{0}})
	a.want(t, "code", `"unreadable_output"`)
}

// What the decoder says of the capture becomes a failure of the arguments, of
// this program's abilities, or of a limit.
func TestRefusals(t *testing.T) {
	private(t)
	for name, c := range map[string]struct{ capture, code, issue string }{
		"format":      {"{", `"invalid_request"`, `{"message":"malformed JSON at offset 1","path":["capture_path",""],"reason":"invalid_format"}`},
		"input-limit": {strings.Repeat("[", 70) + strings.Repeat("]", 70), `"invalid_request"`, `{"expected":{"maximum_capture_nesting":64},"message":"nesting too deep at offset 65","path":["capture_path","` + strings.Repeat("/0", 65) + `"],"reason":"out_of_range"}`},
		"unsupported": {har("", `"1.2"`, `"1.3"`), `"capability_unavailable"`, "<absent>"},
	} {
		a := do(t, app.App{}, args{"capture_path": save(t, name, c.capture), "format": "har"})
		a.want(t, "code", c.code, "details.issues.0", c.issue)
	}
	// A reply over its limit says so, and what to do.
	crowd := entry(`"cache":{}`, `"cache":{},"_n":[`+strings.Repeat("0,", 400)+`0]`)
	path := save(t, "crowd.har", har(strings.Repeat(crowd+",", 4999)+crowd))
	a := do(t, app.App{}, args{"capture_path": path, "format": "har"})
	a.want(t, "code", `"unreadable_output"`, "details.reason", `"what was selected needs a reply of more than 100663296 bytes"`)
	do(t, app.App{}, args{"capture_path": path, "format": "har", "record_ordinals": []int{4999}}).want(t, "normalized_result.total_records", "5000")
}

// A child that doesn't start, or dies, is a failure of this program and never of
// the capture; what was declared is not in what it said.
func TestChildEnds(t *testing.T) {
	tmp := private(t)
	path := save(t, "secret.har", har(entry()))
	arguments := args{"capture_path": path, "format": "har", "sensitive_values": []string{"secret"}}

	a := do(t, app.App{Program: filepath.Join(tmp, "secret-none")}, arguments)
	a.want(t, "code", `"execution_failure"`, "category", `"execution_failure"`, "details.diagnostics.phase", `"decoder"`, "details.diagnostics.system_code", `"ENOENT"`)
	a.wantNot(t, "secret")

	a = do(t, script(t, "echo a secret >&2; echo out; exit 2"), arguments)
	a.want(t, "code", `"execution_failure"`, "details.diagnostics.exit_code", "2", "details.diagnostics.stdout", `"out\n"`,
		"details.diagnostics.capture_path", `"`+strings.ReplaceAll(path, "secret", "[REDACTED]")+`"`)
	a.wantNot(t, "secret")
	if said := a.at("details.diagnostics.stderr"); !strings.HasSuffix(said, `a [REDACTED]\n"`) {
		t.Errorf("standard error is %s", said)
	}

	a = do(t, script(t, "kill -KILL $$"), arguments)
	a.want(t, "code", `"execution_failure"`, "details.diagnostics.signal", `"SIGKILL"`)

	a = do(t, script(t, "head -c 1100000 /dev/zero >&2; sleep 60"), arguments)
	a.want(t, "code", `"unreadable_output"`)

	a = do(t, script(t, "exit 86"), arguments)
	a.want(t, "code", `"resource_constraint"`, "details.resource", `"memory"`, "details.reported_limits.boundary", `"historical-capture-decoder"`,
		"details.reported_limits.observed_exit_code", "86", "details.reported_limits.format", `"har"`)
	a.wantNot(t, "secret")
	mustBeTidy(t, tmp)
}

// While a child works, no private file has a name, and the request stands on no
// command line and in no environment.
func TestNothingToSeeMeanwhile(t *testing.T) {
	private(t)
	seen := filepath.Join(open(t), "seen")
	path := save(t, "a.har", har(entry()))
	a := do(t, script(t, `for i in 1 2 3 4 5 6 7 8 9; do [ -e "$HOME" ] && sleep 0.2; done
{ ls -d "$HOME"; ls "$HOME"/..; env; tr '\0' '\n' </proc/$$/cmdline; } >'`+seen+`' 2>&1; cat <&3 >'`+seen+`.request'; exit 7`),
		args{"capture_path": path, "format": "har", "sensitive_values": []string{"kE7q-declared"}})
	a.want(t, "details.diagnostics.exit_code", "7")
	b, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "kE7q-declared") || strings.Contains(string(b), "capture.snapshot") {
		t.Errorf("the child's surroundings show too much:\n%s", b)
	}
	if b, err := os.ReadFile(seen + ".request"); err != nil || !strings.Contains(string(b), "kE7q-declared") {
		t.Errorf("the request did not arrive: %q, %v", b, err)
	}
}

// What can't be removed is named, with what happened before.
func TestCleanupThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		capture string
		child   string
		want    []string
	}{
		"after a success": {har(entry()), "", []string{"details.diagnostics.previous_error", "null", "details.execution_failure", "<absent>"}},
		"after a refusal": {`{"secret"`, "", []string{"details.execution_failure", `"invalid_request"`, "details.diagnostics.previous_error.code", `"invalid_request"`,
			"details.diagnostics.previous_error.details.issues.0.path", `["capture_path",""]`}},
		"after a death": {har(entry()), "echo out; echo a secret >&2; exit 3", []string{"details.execution_failure", `"execution_failure"`,
			"details.diagnostics.previous_error.details.diagnostics.exit_code", "3",
			"details.diagnostics.previous_error.details.diagnostics.stdout", `"out\n"`,
			"details.diagnostics.previous_error.details.diagnostics.signal", "null"}},
	} {
		t.Run(name, func(t *testing.T) {
			tmp := private(t)
			if err := os.Chmod(tmp, 0o777); err != nil {
				t.Fatal(err)
			}
			a := app.App{Program: program}
			if c.child != "" {
				a = script(t, c.child)
			}
			path := save(t, "secret.har", c.capture)
			var out answer
			ordinarily(t, func() {
				if os.Geteuid() == 0 {
					// The directory has to belong to whoever shuts it.
					own := filepath.Join(tmp, "own")
					if err := os.Mkdir(own, 0o700); err != nil {
						t.Error(err)
						return
					}
					t.Setenv("TMPDIR", own)
				}
				dir := os.Getenv("TMPDIR")
				out = doCall(t, a, app.Call{Operation: inspect,
					Arguments: marshal(t, args{"capture_path": path, "format": "har", "sensitive_values": []string{"secret"}}),
					Progress: func(s app.Step) {
						if s == app.Decoding {
							if err := os.Chmod(dir, 0o500); err != nil {
								t.Error(err)
							}
						}
					}})
			})
			own := os.Getenv("TMPDIR")
			rooms, err := filepath.Glob(own + "/*")
			if err != nil || len(rooms) != 1 {
				t.Fatalf("what stays is %v, %v", rooms, err)
			}
			out.want(t, "code", `"cleanup_incomplete"`, "category", `"execution_failure"`, "retryable", "false", "details.cleanup", `"incomplete"`,
				"details.resources", `["`+rooms[0]+`"]`)
			out.want(t, c.want...)
			out.wantNot(t, "secret")
			// It stays without content, and the next call takes it away.
			if inside, _ := os.ReadDir(rooms[0]); len(inside) > 0 {
				t.Errorf("content stays: %v", inside)
			}
			if err := errors.Join(os.Chmod(own, 0o700), os.Lchown(rooms[0], os.Geteuid(), -1)); err != nil {
				t.Fatal(err)
			}
			do(t, app.App{}, args{"capture_path": save(t, "next.har", har(entry())), "format": "har"})
			mustBeTidy(t, own)
			if own != tmp {
				os.Remove(own)
			}
		})
	}
}

// Who may not read a capture is told so; that is no fault of the arguments.
func TestRefusedCapture(t *testing.T) {
	private(t)
	path := save(t, "shut-secret.har", har(entry()))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	tmp := os.Getenv("TMPDIR")
	if err := os.Chmod(tmp, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, literals := range [][]string{nil, {"secret"}} {
		var a answer
		ordinarily(t, func() {
			a = do(t, app.App{}, args{"capture_path": path, "format": "har", "sensitive_values": append([]string{"zzz"}, literals...)})
		})
		shown := path
		if literals != nil {
			shown = strings.ReplaceAll(path, "secret", "[REDACTED]")
		}
		a.want(t, "code", `"access_denied"`, "category", `"unavailable"`, "retryable", "false",
			"details", fmt.Sprintf(`{"boundary":"filesystem-read","operation":"inspect_web_network_capture","path":%q,"system_code":"EACCES"}`, shown))
	}
}
