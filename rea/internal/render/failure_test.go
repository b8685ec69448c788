package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"rea.example/rea/internal/failure"
)

// failures are of every kind that text has to say something about.
func failures() map[string]*failure.Failure {
	minimum := int64(0)
	rules := make([]any, 12)
	for i := range rules {
		rules[i] = map[string]any{"pointer": fmt.Sprintf("/log/entries/%d/time", i), "keyword": "type"}
	}
	return map[string]*failure.Failure{
		"schema": {
			Code:    failure.InvalidRequest,
			Message: "not readable as har: a value breaks the schema of HAR 1.2",
			Action:  "Inspect it with conformance: report to read it as it is, with the deviations listed; or export it again from its producer.",
			Issues: []failure.Issue{{Path: []any{"capture_path", "/log/entries/0/time"}, Reason: failure.InvalidFormat,
				Message: "a value breaks the schema of HAR 1.2"}},
			Details: map[string]any{"schema_errors": rules, "schema_error_total": 57},
		},
		"deep": {
			Code:    failure.InvalidRequest,
			Message: "not readable as har: a value stands too deep",
			Action:  "Check the capture.",
			Issues: []failure.Issue{{Path: []any{"capture_path", ""}, Reason: failure.OutOfRange,
				Message: "a value stands too deep", Expected: map[string]any{"maximum_capture_nesting": 64}}},
		},
		"arguments": {
			Code:    failure.InvalidRequest,
			Message: "the arguments are not what they must be",
			Action:  "Correct the arguments that are named.",
			Issues: []failure.Issue{
				{Path: []any{"format"}, Reason: failure.InvalidValue, Expected: []any{"har", "saz"}},
				{Path: []any{"record_ordinals", 3}, Reason: failure.OutOfRange, Minimum: &minimum},
				{Path: []any{"capture_path"}, Reason: failure.MissingArgument, Expected: "a string"},
				{Path: []any{}, Reason: failure.UnknownArgument, Message: "an argument that doesn't exist"},
			},
		},
		"unsupported": {
			Code:    failure.CapabilityUnavailable,
			Message: "not readable as har: the version is not 1.2",
			Action:  "Export the capture in a profile that is read here.",
			Details: map[string]any{"provider_id": "har", "reason": "the version is not 1.2", "pointer": "/log/version"},
		},
		"cleanup": {
			Code:    failure.CleanupIncomplete,
			Message: "private files of this call could not be confirmed gone",
			Action:  "Remove the named resources by hand.",
			Details: map[string]any{"resources": []any{"/tmp/rea-web-capture-1", "pid:12"},
				"diagnostics": map[string]any{"stderr": "recorded text from the child"}},
		},
		"hostile": {
			Code:    failure.InvalidRequest,
			Message: "no such capture (ENOENT): /data/\x1b]0;x\x07\u202emy  file.har",
			Action:  "Look at /data/\u2028.",
			Issues:  []failure.Issue{{Path: []any{"capture_path", "/a\x1b[2J/\u200b"}, Reason: failure.InvalidFormat}},
		},
	}
}

func TestFailureGolden(t *testing.T) {
	all := failures()
	golden(t, "testdata/failures.txtar", func(name string) string {
		which, how, _ := strings.Cut(name, " ")
		f := all[which]
		if f == nil {
			t.Fatalf("no failure %q", which)
		}
		var b bytes.Buffer
		if err := Failure(&b, f.Projection(), options(t, how)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	})
}

func TestFailureShowsNothingCaptured(t *testing.T) {
	for name, f := range failures() {
		var b bytes.Buffer
		if err := Failure(&b, f.Projection(), Options{Width: 80}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "recorded text") {
			t.Errorf("%s: a diagnostic is shown: %s", name, b.String())
		}
		for _, r := range b.String() {
			if r != '\n' && hidden(r) {
				t.Errorf("%s: %U in the output", name, r)
			}
		}
	}
}
