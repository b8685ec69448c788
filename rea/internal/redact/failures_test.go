package redact

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"rea.example/rea/internal/failure"
)

func TestCoverPath(t *testing.T) {
	for _, c := range []struct {
		name     string
		literals []string
		reason   failure.Reason
		path     []any
		want     []any
	}{
		{"clean", []string{"secret"}, failure.InvalidFormat, []any{"capture_path", "/log/entries/0"}, []any{"capture_path", "/log/entries/0"}},
		{"declared as decoded", []string{"private/~"}, failure.InvalidFormat, []any{"capture_path", "/metadata/private~1~0/numeric"}, []any{"capture_path", "/metadata"}},
		{"declared as spelled", []string{"private~1~0"}, failure.InvalidFormat, []any{"capture_path", "/metadata/private~1~0/numeric"}, []any{"capture_path", "/metadata"}},
		{"over a boundary", []string{"metadata/private"}, failure.InvalidFormat, []any{"capture_path", "/metadata/private~1~0/numeric"}, []any{"capture_path", "/metadata"}},
		{"over a boundary, decoded", []string{"~/num"}, failure.InvalidFormat, []any{"capture_path", "/metadata/private~1~0/numeric"}, []any{"capture_path", "/metadata/private~1~0"}},
		{"an index", []string{"17"}, failure.OutOfRange, []any{"capture_path", "/log/entries/17/time"}, []any{"capture_path", "/log/entries"}},
		{"all of it", []string{"log"}, failure.InvalidFormat, []any{"capture_path", "/log/entries"}, []any{"capture_path", ""}},
		{"a slash", []string{"/"}, failure.InvalidFormat, []any{"capture_path", "/log"}, []any{"capture_path", ""}},
		{"the document", []string{"secret"}, failure.InvalidFormat, []any{"capture_path", ""}, []any{"capture_path", ""}},
		{"the contract's name", []string{"capture"}, failure.InvalidValue, []any{"capture_path"}, []any{"capture_path"}},
		{"an index in an argument", []string{"secret"}, failure.InvalidType, []any{"sensitive_values", 3}, []any{"sensitive_values", 3}},
		{"unknown argument", []string{"secret"}, failure.UnknownArgument, []any{"mysecret"}, []any{}},
		{"unknown argument below another", []string{"secret"}, failure.UnknownArgument, []any{"view", "mysecret", "x"}, []any{"view"}},
		{"unknown argument like a pointer", []string{"secret"}, failure.UnknownArgument, []any{"/a/secret"}, []any{}},
		{"unknown argument, clean", []string{"secret"}, failure.UnknownArgument, []any{"/a/b"}, []any{"/a/b"}},
	} {
		d := NewDeclarations(c.literals)
		f := &failure.Failure{Code: failure.InvalidRequest, Issues: []failure.Issue{{Path: c.path, Reason: c.reason}}}
		if got := d.CoverFailure(f).Issues[0].Path; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		// The same path in the projection of an earlier failure.
		outer := &failure.Failure{Code: failure.CleanupIncomplete, Details: map[string]any{
			"diagnostics": map[string]any{"previous_error": f.Projection()},
		}}
		got := d.CoverFailure(outer).Details["diagnostics"].(map[string]any)["previous_error"].(map[string]any)
		issue := got["details"].(map[string]any)["issues"].([]any)[0].(map[string]any)
		if !reflect.DeepEqual(issue["path"], c.want) || issue["reason"] != string(c.reason) {
			t.Errorf("%s, as an earlier failure: %v", c.name, issue)
		}
	}
}

// everywhere is a failure that holds the word in each place where text of a
// caller or of a system can stand.
func everywhere(word string) *failure.Failure {
	previous := &failure.Failure{
		Code:    failure.InvalidRequest,
		Message: "not readable: " + word,
		Action:  "look at " + word,
		Issues: []failure.Issue{{
			Path: []any{"capture_path", "/a/" + word + "/b"}, Reason: failure.InvalidFormat,
			Message: word + " is wrong", Expected: "not " + word,
		}},
		Details: map[string]any{"reason": "because of " + word},
	}
	return &failure.Failure{
		Code:    failure.CleanupIncomplete,
		Message: "could not remove " + word,
		Action:  "remove " + word,
		Issues: []failure.Issue{
			{Path: []any{"capture_path", "/" + word}, Reason: failure.InvalidFormat, Message: word, Expected: word},
			{Path: []any{word, 1}, Reason: failure.UnknownArgument},
		},
		Details: map[string]any{
			"provider_id": "har", "operation": "inspect_web_network_capture", "cleanup": "incomplete",
			"path":          "/data/" + word,
			"resources":     []any{"/tmp/" + word, "pid:12"},
			"schema_errors": []any{map[string]any{"pointer": "/x/" + word + "/0", "keyword": "type"}},
			"captured_output": map[string]any{
				"stdout": word, "stderr": "before " + word + " after", "truncated": false, "exit_code": 2, "signal": nil,
			},
			"reported_limits": map[string]any{
				"boundary": "historical-capture-decoder", "capture_path": "/data/" + word, "maximum_input_bytes": int64(1 << 25),
			},
			"diagnostics": map[string]any{
				"phase": "decoder", "exit_code": 2, "system_code": "ENOENT", "failure_kind": "exit",
				"reason": "ended at " + word, word: "x", "x" + word + "y": map[string]any{"z": word},
				"list":           []any{word, []any{word}, map[string]any{word: 1, "kept": word}},
				"previous_error": previous.Projection(),
			},
		},
	}
}

func TestCoverFailureLeavesNothing(t *testing.T) {
	// "12345", "Each", "absolute" and the like are words that sentences hold
	// by chance; the last two also try the markers.
	for _, word := range []string{"caller-marked", "12345", "absolute", "a~b/c", "REDACTED-x", "…x"} {
		d := NewDeclarations([]string{word})
		f := everywhere(word)
		before := toJSON(t, f)
		got := toJSON(t, d.CoverFailure(f))
		if strings.Contains(got, word) {
			t.Errorf("%q is left in %s", word, got)
		}
		if toJSON(t, f) != before {
			t.Errorf("%q: the given failure was changed", word)
		}
	}
}

func TestCoverFailureKeepsTheKind(t *testing.T) {
	d := NewDeclarations([]string{"caller-marked"})
	p := d.CoverFailure(everywhere("caller-marked")).Projection()
	details := p["details"].(map[string]any)
	diagnostics := details["diagnostics"].(map[string]any)
	previous := diagnostics["previous_error"].(map[string]any)
	for _, c := range []struct{ got, want any }{
		{p["code"], "cleanup_incomplete"},
		{p["category"], "execution_failure"},
		{p["message"], "could not remove [REDACTED]"},
		{p["remediation"], map[string]any{"action": "remove [REDACTED]"}},
		{details["provider_id"], "har"},
		{details["path"], "/data/[REDACTED]"},
		{details["resources"], []any{"/tmp/[REDACTED]", "pid:12"}},
		{details["schema_errors"], []any{map[string]any{"pointer": "/x", "keyword": "type"}}},
		{details["captured_output"], map[string]any{
			"stdout": "[REDACTED]", "stderr": "before [REDACTED] after", "truncated": false, "exit_code": 2, "signal": nil,
		}},
		{details["reported_limits"].(map[string]any)["boundary"], "historical-capture-decoder"},
		{details["reported_limits"].(map[string]any)["maximum_input_bytes"], int64(1 << 25)},
		{diagnostics["phase"], "decoder"},
		{diagnostics["exit_code"], 2},
		{diagnostics["system_code"], "ENOENT"},
		{diagnostics["failure_kind"], "exit"},
		{diagnostics["list"], []any{"[REDACTED]", []any{"[REDACTED]"}, map[string]any{"kept": "[REDACTED]"}}},
		{previous["code"], "invalid_request"},
		{previous["category"], "invalid_input"},
		{previous["retryable"], true},
		{previous["message"], "not readable: [REDACTED]"},
		{previous["details"].(map[string]any)["reason"], "because of [REDACTED]"},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if len(diagnostics) != 7 {
		t.Errorf("a diagnostic with a literal in its name is left: %v", diagnostics)
	}
}

// Words of the contract stay even where a declaration is one of them.
func TestCoverFailureContractWords(t *testing.T) {
	d := NewDeclarations([]string{"har", "code", "ENOENT", "invalid", "exit"})
	f := &failure.Failure{
		Code: failure.ExecutionFailure, Message: "exit code 2",
		Details: map[string]any{"provider_id": "har", "diagnostics": map[string]any{"exit_code": 2, "system_code": "ENOENT", "exit_text": "x"}},
	}
	got := d.CoverFailure(f)
	want := map[string]any{"provider_id": "har", "diagnostics": map[string]any{"exit_code": 2, "system_code": "ENOENT"}}
	if got.Code != f.Code || got.Message != "[REDACTED] [REDACTED] 2" || !reflect.DeepEqual(got.Details, want) {
		t.Errorf("%+v", got)
	}
}

func TestCoverFailureWithoutDeclarations(t *testing.T) {
	f := everywhere("word")
	if NewDeclarations(nil).CoverFailure(f) != f || NewDeclarations([]string{"x"}).CoverFailure(nil) != nil {
		t.Error("a failure was copied for nothing")
	}
}

func toJSON(t *testing.T, f *failure.Failure) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(f.Projection()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
