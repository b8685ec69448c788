package owned

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"rea.example/rea/internal/failure"
)

var about = About{
	Operation: "inspect_web_network_capture", ProviderID: "har", CapturePath: "/captures/a.har", Format: "har",
}

func TestMemoryFailure(t *testing.T) {
	code := 86
	o := Outcome{Ending: MemoryExhausted, ExitCode: &code, Stderr: "words\n", StderrBytes: 6}
	limits := map[string]any{
		"boundary": "historical-capture-decoder", "capture_path": "/captures/a.har", "format": "har",
		"maximum_input_bytes": int64(33554432), "maximum_reply_bytes": int64(100663296),
		"decoder_memory_mib": int64(192), "decoder_ceiling_mib": int64(304),
		"observed_exit_code": 86, "observed_signal": nil,
	}
	want := map[string]any{
		"operation": "inspect_web_network_capture", "resource": "memory",
		"reason":          "the decoder needs more memory than its bound of 192 MiB leaves room for",
		"reported_limits": limits,
		"captured_output": map[string]any{
			"stdout": "", "stderr": "words\n", "truncated": false,
			"stdout_bytes": int64(0), "stderr_bytes": int64(6), "exit_code": 86, "signal": nil,
		},
	}
	f := o.memory(about, "linux")
	if f.Code != failure.ResourceConstraint || !reflect.DeepEqual(f.Details, want) {
		t.Errorf("%s with details\n%v, want\n%v", f.Code, f.Details, want)
	}
	limits["process_memory_limit_bytes"] = int64(304 << 20)
	if f := o.memory(about, "windows"); !reflect.DeepEqual(f.Details, want) {
		t.Errorf("on Windows the details are\n%v, want\n%v", f.Details, want)
	}
}

func TestEndingsAsFailures(t *testing.T) {
	status := func(n int) *int { return &n }
	for _, c := range []struct {
		name string
		Outcome
		code failure.Code
		kind any
	}{
		{"status 2", Outcome{Ending: Finished, ExitCode: status(3)}, failure.ExecutionFailure, "exit"},
		{"no status", Outcome{Ending: Finished}, failure.ExecutionFailure, "exit"},
		{"crash", Outcome{Ending: Crashed, Signal: "SIGSEGV"}, failure.ExecutionFailure, "crash"},
		{"stack", Outcome{Ending: StackExhausted, ExitCode: status(2)}, failure.ExecutionFailure, "stack-overflow"},
		{"not started", Outcome{Ending: NotStarted, Err: errors.New("x")}, failure.ExecutionFailure, "not-started"},
		{"overflow", Outcome{Ending: DiagnosticsOverflow, Signal: "SIGKILL"}, failure.UnreadableOutput, nil},
		{"timeout", Outcome{Ending: TimedOut, Signal: "SIGKILL"}, failure.ProviderTimeout, nil},
		{"cancelled", Outcome{Ending: CancelledByCaller}, failure.Cancelled, nil},
		{"memory", Outcome{Ending: MemoryExhausted, ExitCode: status(86)}, failure.ResourceConstraint, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := c.Failure(about)
			if f == nil || f.Code != c.code || f.Message == "" || f.Action == "" || f.Details["operation"] != about.Operation {
				t.Fatalf("failure %+v", f)
			}
			diagnostics, _ := f.Details["diagnostics"].(map[string]any)
			if diagnostics["failure_kind"] != c.kind {
				t.Errorf("kind %v, want %v", diagnostics["failure_kind"], c.kind)
			}
		})
	}
}

func TestFailureCarriesStatusAndBothStreams(t *testing.T) {
	code := 7
	o := Outcome{Ending: Finished, ExitCode: &code, Stdout: "out", Stderr: strings.Repeat("é", outputBytes), StderrBytes: 2 * outputBytes}
	want := map[string]any{
		"phase": "decoder", "capture_path": "/captures/a.har", "failure_kind": "exit",
		"reason": "the decoder ended with exit code 7", "exit_code": 7, "signal": nil,
		"stdout": "out", "stderr": strings.Repeat("é", outputBytes/2), "diagnostic_truncated": true,
	}
	if got := o.Failure(about).Details["diagnostics"]; !reflect.DeepEqual(got, want) {
		t.Errorf("diagnostics are\n%.300v, want\n%.300v", got, want)
	}
}

// What could not be cleaned up wins, and carries what went wrong before.
func TestResidueWins(t *testing.T) {
	code := 1
	o := Outcome{
		Ending: Finished, ExitCode: &code, Stdout: "out", Stderr: "err", RunID: "rea-web-capture-1",
		Residue: []string{"pid:7", "process-group:6"},
	}
	f := o.Failure(about)
	first := o
	first.Residue = nil
	reason := f.Message
	want := map[string]any{
		"provider_id": "har", "operation": "inspect_web_network_capture", "cleanup": "incomplete",
		"resources":         []any{"rea-web-capture-1", "pid:7", "process-group:6"},
		"execution_failure": "execution_failure",
		"diagnostics": map[string]any{
			"reason": reason, "capture_path": "/captures/a.har",
			"previous_error": first.Failure(about).Projection(),
		},
	}
	if f.Code != failure.CleanupIncomplete || !reflect.DeepEqual(f.Details, want) {
		t.Errorf("%s with details\n%v, want\n%v", f.Code, f.Details, want)
	}

	code = 0
	f = o.Failure(about)
	diagnostics, _ := f.Details["diagnostics"].(map[string]any)
	if _, before := f.Details["execution_failure"]; before || f.Code != failure.CleanupIncomplete || diagnostics["previous_error"] != nil {
		t.Errorf("after a success: %v", f.Details)
	}
}
