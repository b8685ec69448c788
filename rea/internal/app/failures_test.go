package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/limits"
)

// Arguments that are wrong are said to be wrong by name and before any file is
// looked at: the capture of these calls does not exist.
func TestArguments(t *testing.T) {
	private(t)
	for _, c := range []struct{ arguments, issues string }{
		{`{"capture_path":"/none"}`, `[missing_argument format]`},
		{`{"format":"har"}`, `[missing_argument capture_path]`},
		{`{"capture_path":7,"format":"har"}`, `[invalid_type capture_path]`},
		{`{"capture_path":null,"format":"har"}`, `[invalid_type capture_path]`},
		{`{"capture_path":"","format":"har"}`, `[out_of_range capture_path]`},
		{`{"capture_path":"none.har","format":"har"}`, `[invalid_format capture_path]`},
		{`{"capture_path":"/no\u0000ne","format":"har"}`, `[invalid_format capture_path]`},
		{`{"capture_path":"/no\ud800ne","format":"har"}`, `[invalid_format capture_path]`},
		{`{"capture_path":"C:\temp\new.har","format":"har"}`, `[invalid_format capture_path]`},
		{`{"capture_path":"/none","format":"HAR"}`, `[invalid_value format]`},
		{`{"capture_path":"/none","format":["har"]}`, `[invalid_type format]`},
		{`{"capture_path":"/none","format":"har","record_ordinals":"[2,0]"}`, `[invalid_type record_ordinals]`},
		{`{"capture_path":"/none","format":"har","record_ordinals":2}`, `[invalid_type record_ordinals]`},
		{`{"capture_path":"/none","format":"har","record_ordinals":["2"]}`, `[invalid_type record_ordinals 0]`},
		{`{"capture_path":"/none","format":"har","record_ordinals":[0,1.5,true,null]}`, `[invalid_type record_ordinals 1] [invalid_type record_ordinals 2] [invalid_type record_ordinals 3]`},
		{`{"capture_path":"/none","format":"har","record_ordinals":[-1,-1.5,1e300,10000000000000000000,1e-300]}`, `[out_of_range record_ordinals 0] [invalid_type record_ordinals 1] [out_of_range record_ordinals 2] [out_of_range record_ordinals 3] [invalid_type record_ordinals 4]`},
		{`{"capture_path":"/none","format":"har","record_ordinals":[9007199254740992]}`, `[out_of_range record_ordinals 0]`},
		{`{"capture_path":"/none","format":"har","record_ordinals":[99999999999999999999999999]}`, `[out_of_range record_ordinals 0]`},
		{`{"capture_path":"/none","format":"har","record_ordinals":[` + strings.Repeat("0,", 1000) + `0]}`, strings.TrimSpace(strings.Repeat("[invalid_format record_ordinals] ", limits.ArgumentIssues))},
		{`{"capture_path":"/none","format":"har","record_ordinals":[]}`, `[out_of_range record_ordinals]`},
		{`{"capture_path":"/none","format":"har","record_ordinals":[2,0,2.0]}`, `[invalid_format record_ordinals]`},
		{`{"capture_path":"/none","format":"har","sensitive_values":"x"}`, `[invalid_type sensitive_values]`},
		{`{"capture_path":"/none","format":"har","sensitive_values":["x",""]}`, `[out_of_range sensitive_values 1]`},
		{`{"capture_path":"/none","format":"har","sensitive_values":["x",["y"]]}`, `[invalid_type sensitive_values 1]`},
		{`{"capture_path":"/none","format":"har","conformance":"lax"}`, `[invalid_value conformance]`},
		{`{"capture_path":"/none","format":"har","conformance":null}`, `[invalid_type conformance]`},
		{`{"capture_path":"/none","format":"mitmproxy","decoder":"mitmdump"}`, `[invalid_value decoder]`},
		{`{"capture_path":"/none","format":"mitmproxy","decoder":true}`, `[invalid_type decoder]`},
		{`{"capture_path":"/none","format":"har","decoder":"embedded"}`, `[invalid_value decoder]`},
		{`{"capture_path":"/none","format":"qlog","decoder":"upstream"}`, `[invalid_value decoder]`},
		{`{"capture_path":"/none","format":"mitmproxy","conformance":"report"}`, `[invalid_value conformance]`},
		{`{"capture_path":"/none","format":"har","recordOrdinals":[0]}`, `[unknown_argument recordOrdinals]`},
		{`{"capture_path":"/none","format":"har","Capture_path":""}`, `[unknown_argument Capture_path]`},
		{`{"capture_path":"/none","format":"har","a":1,"b":2}`, `[unknown_argument a] [unknown_argument b]`},
		{`{"capture_path":"/none","format":"har","format":"har"}`, `[invalid_format]`},
		{`{"capture_path":"/none","format":"har"} {}`, `[invalid_format]`},
		{`{"capture_path":"/none","format":"har",}`, `[invalid_format]`},
		{"{\"capture_path\":\"/\xff\"}", `[invalid_format]`},
		{`[]`, `[invalid_type]`},
		{`"x"`, `[invalid_type]`},
		{``, `[invalid_format]`},
		{`{"x":` + strings.Repeat("[", 90) + strings.Repeat("]", 90) + `}`, `[out_of_range]`},
		{`{"capture_path":"/` + strings.Repeat("x", limits.ArgumentBytes) + `"}`, `[out_of_range]`},
	} {
		a := do(t, app.App{}, c.arguments)
		a.want(t, "code", `"invalid_request"`, "category", `"invalid_input"`, "retryable", "true")
		var said []string
		for _, i := range a.Failure.Issues {
			said = append(said, "["+strings.TrimSpace(string(i.Reason)+" "+strings.Trim(fmt.Sprint(i.Path), "[]"))+"]")
		}
		if got := strings.Join(said, " "); got != c.issues {
			t.Errorf("%.120s: %s, want %s", c.arguments, got, c.issues)
		}
	}
	doCall(t, app.App{}, app.Call{Operation: "bogus"}).want(t, "code", `"invalid_request"`)
	doCall(t, app.App{}, app.Call{Operation: inspect}).want(t, "code", `"invalid_request"`)
}

// What the file system says of a capture, each in its own class.
func TestFiles(t *testing.T) {
	private(t)
	good := save(t, "a.har", har(entry()))
	large := save(t, "large.har", "")
	if err := os.Truncate(large, limits.CaptureBytes+1); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(filepath.Dir(good), "link.har")
	if err := os.Symlink(good, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		good + "x":         `{"path":["capture_path"],"reason":"invalid_value"}`,
		good + "/x":        `{"path":["capture_path"],"reason":"invalid_value"}`,
		link:               `{"path":["capture_path"],"reason":"invalid_format"}`,
		filepath.Dir(good): `{"path":["capture_path"],"reason":"invalid_format"}`,
		large:              `{"expected":{"maximum_capture_bytes":33554432},"path":["capture_path"],"reason":"out_of_range"}`,
	} {
		a := do(t, app.App{}, args{"capture_path": path, "format": "har"})
		issue := a.doc["details"].(map[string]any)["issues"].([]any)[0].(map[string]any)
		delete(issue, "message")
		a.want(t, "code", `"invalid_request"`, "details.issues.0", want)
	}
	a := do(t, app.App{}, args{"capture_path": good, "format": "har", "record_ordinals": []int{0, 3}})
	a.want(t, "code", `"invalid_request"`, "details.issues.0.path", `["record_ordinals"]`, "details.issues.0.reason", `"invalid_format"`)
	if m := a.at("message"); !strings.Contains(m, "3") || !strings.Contains(m, "1 record") {
		t.Errorf("the message names neither ordinal nor count: %s", m)
	}
}

// A call that is over before it begins, or is cancelled at any of its steps.
func TestCancel(t *testing.T) {
	tmp := private(t)
	path := save(t, "a.har", har(entry()))
	for _, at := range []app.Step{"", app.Reading, app.Decoding, app.Sealing} {
		ctx, cancel := context.WithCancel(t.Context())
		if at == "" {
			cancel()
		}
		a := app.App{Program: program}
		out := read(t, a.Do(ctx, app.Call{Operation: inspect, Arguments: marshal(t, args{"capture_path": path, "format": "har"}), Progress: func(s app.Step) {
			if s == at {
				cancel()
			}
		}}))
		cancel()
		out.want(t, "code", `"cancelled"`, "category", `"cancelled"`, "retryable", "true",
			"details", `{"cleanup":"complete","operation":"inspect_web_network_capture"}`)
		mustBeTidy(t, tmp)
	}
}

// Calls don't meet: many at once give what each would give alone.
func TestCallsAtOnce(t *testing.T) {
	private(t)
	path := save(t, "a.har", har(entry()))
	alone := do(t, app.App{}, args{"capture_path": path, "format": "har"})
	a := app.App{Program: program}
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			arguments := args{"capture_path": path, "format": "har"}
			if i%2 > 0 {
				arguments["capture_path"] = path + "x"
			}
			out := a.Do(t.Context(), app.Call{Operation: inspect, Arguments: marshal(t, arguments)})
			defer out.Close()
			if b, err := out.Document.Bytes(); err != nil || (string(b) == alone.text) != (i%2 == 0) {
				t.Errorf("call %d: %v, %.200s", i, err, b)
			}
		})
	}
	wait.Wait()
}

// The outcome can be read more than once and after the capture is gone.
func TestDocumentOutlivesTheCapture(t *testing.T) {
	private(t)
	path := save(t, "a.har", har(entry()))
	a := app.App{Program: program}
	out := a.Do(t.Context(), app.Call{Operation: inspect, Arguments: marshal(t, args{"capture_path": path, "format": "har"})})
	defer out.Close()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	first, err := out.Document.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := out.Document.Bytes(); err != nil || string(again) != string(first) || int64(len(first)) != out.Document.Size() {
		t.Errorf("a second reading differs: %v", err)
	}
}
