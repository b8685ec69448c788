package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/format/mitmproxy"
)

const mitmdump = "REA_MITMDUMP_COMMAND"

// fake is a program that takes the place of mitmdump: a shell script that finds
// the capture at descriptor 5, and its reply at 4.
func fake(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(open(t), "mitmdump")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// says is a fake that gives a reply.
func says(t *testing.T, reply string) string {
	t.Helper()
	path := filepath.Join(open(t), "reply")
	if err := os.WriteFile(path, []byte(reply), 0o644); err != nil {
		t.Fatal(err)
	}
	return fake(t, "cat '"+path+"' >&4")
}

// flow is a capture of one record, and what the script writes of it.
var flow = string(formattest.TNetString(formattest.Dict{"type", "http", "request", formattest.Dict{"path", []byte("https://u:hunter2@h.example/a")}}))

var flowLines = fmt.Sprintf("mitmproxy 12.2.3\n@%d\n{2\n;dHlwZQ==\n;aHR0cA==\n;cmVxdWVzdA==\n{1\n;cGF0aA==\n,aHR0cHM6Ly91Omh1bnRlcjJAaC5leGFtcGxlL2E=\n.%[1]d\n", len(flow))

// TestDecoders: who reads is chosen as asked; the records are the same, and only
// who read and how differs.
func TestDecoders(t *testing.T) {
	private(t)
	path := save(t, "one.mitm", flow)
	call := func(decoder string) answer {
		a := args{"capture_path": path, "format": "mitmproxy"}
		if decoder != "" {
			a["decoder"] = decoder
		}
		return do(t, app.App{}, a)
	}
	const embedded, upstream = `"rea-tnetstring"`, `"mitmproxy-native-tnetstring"`
	t.Setenv(mitmdump, "")
	for decoder, who := range map[string]string{"": embedded, "auto": embedded, "embedded": embedded} {
		call(decoder).want(t, "provider.id", who, "normalized_result.decoder.id", who)
	}
	t.Setenv(mitmdump, says(t, flowLines))
	var records []string
	for decoder, who := range map[string]string{"": upstream, "auto": upstream, "upstream": upstream, "embedded": embedded} {
		a := call(decoder)
		a.want(t, "provider.id", who, "normalized_result.decoder.id", who, "parameters.format", `"mitmproxy"`, "parameters.decoder", "<absent>", "normalized_result.format", `"mitmproxy"`)
		a.wantNot(t, "hunter2")
		records = append(records, a.at("normalized_result.records"))
	}
	for _, r := range records {
		if r != records[0] || !strings.Contains(r, `"path":"https://h.example/a"`) {
			t.Errorf("the records differ:\n%s\n%s", r, records[0])
		}
	}
	call("upstream").want(t, "provider.version", `"12.2.3"`)
}

// TestUpstreamIsGivenLittle: what stands on the command line, and in the private
// directory while the program runs.
func TestUpstreamIsGivenLittle(t *testing.T) {
	private(t)
	seen := filepath.Join(open(t), "seen")
	t.Setenv(mitmdump, fake(t, `{ printf '%s\n' "$@"; echo; ls -A; for a; do case $a in confdir=*) ls -A "${a#confdir=}"; stat -c %a "${a#confdir=}";; esac; done; (echo x >&5) 2>&- || echo 5 is for reading; cmp "$6" '`+scriptCopy(t)+`' && echo same; } > '`+seen+`' 2>&1; cat <&5 >> '`+seen+`'; printf 'mitmproxy 12.2.3\n.0\n' >&4`))
	path := save(t, "none-declared.mitm", "")
	do(t, app.App{}, args{"capture_path": path, "format": "mitmproxy", "sensitive_values": []string{"declared"}}).want(t, "normalized_result.total_records", "0")
	got, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(got), "\n")
	room := filepath.Dir(strings.TrimPrefix(lines[3], "confdir="))
	want := []string{"--no-server", "-q", "--set", "confdir=" + room + "/configuration", "-s", room + "/script.py", "",
		"configuration", "reply", "script.py", "700", "5 is for reading", "same", ""}
	// The reply of the next step may or may not be there yet.
	if text := strings.ReplaceAll(string(got), "\nreply\n", "\n"); text != strings.ReplaceAll(strings.Join(want, "\n"), "\nreply\n", "\n") {
		t.Errorf("the program saw\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if !strings.HasPrefix(room, os.Getenv("TMPDIR")) {
		t.Errorf("the room is %s", room)
	}
}

// scriptCopy is a copy of the script.
func scriptCopy(t *testing.T) string {
	t.Helper()
	path := filepath.Join(open(t), "script.py")
	if err := os.WriteFile(path, mitmproxy.Format{}.Upstream().Script, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUpstreamUnavailable(t *testing.T) {
	private(t)
	path := save(t, "one.mitm", flow)
	plain := save(t, "plain", "")
	for name, c := range map[string]struct{ command, decoder, reason string }{
		"not set":         {"", "upstream", "REA_MITMDUMP_COMMAND is not set"},
		"relative":        {"mitmdump", "auto", "REA_MITMDUMP_COMMAND is not an absolute path"},
		"missing":         {filepath.Join(filepath.Dir(plain), "none"), "auto", "REA_MITMDUMP_COMMAND names no file that can be executed (ENOENT)"},
		"not executable":  {plain, "upstream", "REA_MITMDUMP_COMMAND names no file that can be executed (EACCES)"},
		"a directory":     {filepath.Dir(plain), "upstream", "REA_MITMDUMP_COMMAND names no file that can be executed (EISDIR)"},
		"another version": {says(t, "mitmproxy 12.2.2\n"), "auto", `mitmproxy 12.2.3 is required, and the program is "12.2.2"`},
	} {
		t.Setenv(mitmdump, c.command)
		a := do(t, app.App{}, args{"capture_path": path, "format": "mitmproxy", "decoder": c.decoder})
		a.want(t, "code", `"capability_unavailable"`, "category", `"unsupported_provider"`, "retryable", "false",
			"details.provider_id", `"mitmproxy"`, "details.operation", `"`+inspect+`"`, "details.required_version", `"12.2.3"`)
		if got := a.Failure.Message; got != c.reason || a.Failure.Details["reason"] != c.reason {
			t.Errorf("%s: %s", name, got)
		}
		// It is nobody's business while this program reads.
		do(t, app.App{}, args{"capture_path": path, "format": "mitmproxy", "decoder": "embedded"}).want(t, "normalized_result.total_records", "1")
		do(t, app.App{}, args{"capture_path": save(t, "a.har", har(entry())), "format": "har"}).want(t, "normalized_result.total_records", "1")
	}
}

func TestUpstreamFailures(t *testing.T) {
	tmp := private(t)
	path := save(t, "one.mitm", flow)
	head := strings.TrimSuffix(flowLines, fmt.Sprintf(".%d\n", len(flow)))
	for name, c := range map[string]struct {
		command string
		want    []string
	}{
		"malformed":     {says(t, head+"?\n"), []string{"code", `"invalid_request"`, "details.issues.0.path", `["capture_path",""]`, "details.issues.0.reason", `"invalid_format"`}},
		"too deep":      {says(t, head+">\n"), []string{"code", `"invalid_request"`, "details.issues.0.reason", `"out_of_range"`, "details.issues.0.expected", `{"maximum_capture_nesting":64}`}},
		"no memory":     {fake(t, "exit 70"), []string{"code", `"resource_constraint"`, "details.resource", `"memory"`, "details.reported_limits.address_space_mib", "768"}},
		"no time":       {fake(t, "kill -XCPU $$"), []string{"code", `"resource_constraint"`, "details.resource", `"cpu"`, "details.reported_limits.observed_signal", `"SIGXCPU"`}},
		"too much":      {fake(t, "exit 71"), []string{"code", `"unreadable_output"`, "details.reason", `"the reading needs a reply of more than 100663296 bytes"`}},
		"a defect":      {fake(t, "echo hunter2 >&2; exit 72"), []string{"code", `"execution_failure"`, "details.diagnostics.phase", `"decoder"`, "details.diagnostics.exit_code", "72", "details.diagnostics.stderr", `"[REDACTED]\n"`}},
		"another tool":  {"/bin/false", []string{"code", `"execution_failure"`, "details.diagnostics.exit_code", "1"}},
		"no reply":      {"/bin/true", []string{"code", `"unreadable_output"`}},
		"broken off":    {says(t, head), []string{"code", `"unreadable_output"`}},
		"fewer records": {says(t, "mitmproxy 12.2.3\n.0\n"), []string{"code", `"unreadable_output"`}},
		"more records":  {says(t, flowLines[:len(head)]+flowLines[len("mitmproxy 12.2.3\n"):]), []string{"code", `"unreadable_output"`}},
		"another size":  {says(t, head+fmt.Sprintf(".%d\n", len(flow)+1)), []string{"code", `"unreadable_output"`}},
		"another reply": {says(t, "hello hunter2\n"), []string{"code", `"unreadable_output"`}},
		"talk":          {fake(t, "yes hunter2"), []string{"code", `"unreadable_output"`}},
		"no program":    {executable(t, "no program"), []string{"code", `"execution_failure"`, "details.diagnostics.exit_code", "127"}},
	} {
		t.Setenv(mitmdump, c.command)
		a := do(t, app.App{}, args{"capture_path": path, "format": "mitmproxy", "sensitive_values": []string{"hunter2"}})
		a.want(t, c.want...)
		a.wantNot(t, "hunter2")
		mustBeTidy(t, tmp)
		if t.Failed() {
			t.Fatalf("%s: %s", name, a.text)
		}
	}
}

func executable(t *testing.T, content string) string {
	t.Helper()
	path := save(t, "executable", content)
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestUpstreamCancelled: the program and whatever it started end with the call.
func TestUpstreamCancelled(t *testing.T) {
	tmp := private(t)
	started := filepath.Join(open(t), "started")
	t.Setenv(mitmdump, fake(t, "sleep 1000 & echo > '"+started+"'; sleep 1000"))
	path := save(t, "one.mitm", flow)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(started); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	a := app.App{Program: program}
	out := a.Do(ctx, app.Call{Operation: inspect, Arguments: marshal(t, args{"capture_path": path, "format": "mitmproxy"})})
	read(t, out).want(t, "code", `"cancelled"`, "details.cleanup", `"complete"`)
	mustBeTidy(t, tmp)
}
