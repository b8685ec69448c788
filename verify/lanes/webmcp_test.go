package lanes

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rea.example/verify/mcpclient"
)

const aList = `{"tools":[
{"name":"inspect_web_network_capture","title":"T","description":"d","annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":true},
"inputSchema":{"type":"object","additionalProperties":false,"properties":{"a":{"type":"array","items":{"type":"string"}}}},"outputSchema":{"type":"object"}},
{"name":"inspect_analysis_view","title":"T","description":"d","annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},
"inputSchema":{"type":"object","additionalProperties":false,"properties":{"b":{"enum":[1]}}},"outputSchema":{"type":"object"}}]}`

func TestTheListOfToolsIsHeldToItsRules(t *testing.T) {
	if err := rightList([]byte(aList)); err != nil {
		t.Error(err)
	}
	for name, change := range map[string][2]string{
		"a name":              {"inspect_web_network_capture", "inspect"},
		"a title":             {`"title":"T"`, `"title":""`},
		"a hint":              {`"openWorldHint":true`, `"openWorldHint":false`},
		"a hint left out":     {`"destructiveHint":false,`, ``},
		"an open input":       {`"additionalProperties":false,`, ``},
		"an untyped property": {`{"enum":[1]}`, `{"description":"b"}`},
		"an untyped array":    {`,"items":{"type":"string"}`, ``},
		"no object":           {`"outputSchema":{"type":"object"}`, `"outputSchema":{"type":"string"}`},
		"recursion":           {`{"type":"string"}`, `{"$ref":"#"}`},
		"weight":              {`"description":"d"`, `"description":"` + strings.Repeat("d", maxList) + `"`},
		"a tool less":         {aList[strings.Index(aList, ",\n{\"name\":\"inspect_analysis"):], "]}"},
	} {
		changed := strings.Replace(aList, change[0], change[1], 1)
		if changed == aList {
			t.Fatalf("%s: no such place", name)
		}
		if err := rightList([]byte(changed)); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
}

func TestFailuresOfToolsHaveOneShape(t *testing.T) {
	result := func(text string) *mcpclient.Result {
		r := new(mcpclient.Result)
		if err := json.Unmarshal([]byte(text), r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	const good = `{"isError":true,"content":[{"type":"text","text":"{\"error\":{\"code\":\"c\",\"category\":\"k\",\"message\":\"m\",\"remediation\":{\"action\":\"a\"}}}"}]}`
	if err := rightFailure(result(good), "c", "secret12"); err != nil {
		t.Error(err)
	}
	if err := rightFailure(result(good), "d", ""); err == nil {
		t.Error("another code goes unseen")
	}
	for name, change := range map[string][2]string{
		"no error":           {`"isError":true`, `"isError":false`},
		"structured content": {`"isError":true`, `"isError":true,"structuredContent":{}`},
		"two parts":          {`"content":[`, `"content":[{"type":"text","text":"x"},`},
		"no wrapping":        {`{\"error\":{`, `{\"x\":1,\"error\":{`},
		"no remediation":     {`\"action\":\"a\"`, `\"action\":\"\"`},
		"an echo":            {`\"message\":\"m\"`, `\"message\":\"secret12\"`},
	} {
		if err := rightFailure(result(strings.Replace(good, change[0], change[1], 1)), "c", "secret12"); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
}

func TestStepsComeToWhatIsExpected(t *testing.T) {
	yes, no := true, false
	failed := func(accepts *bool) sdkStep {
		return sdkStep{OK: true, IsError: true, Accepts: accepts, Text: `{"error":{"code":"invalid_request"}}`}
	}
	for _, c := range []struct {
		outcome string
		step    sdkStep
		right   bool
	}{
		{"", sdkStep{OK: true, Valid: &yes, Accepts: &yes}, true},
		{"", failed(&yes), false},
		{"invalid_request", failed(&no), true},
		{"invalid_request", failed(&yes), false},
		{"invalid_request?", failed(&yes), true},
		{"invalid_request?", failed(&no), false},
		{"unsupported_target", failed(&yes), false},
		{"resource", sdkStep{OK: true, Text: `{"evidence_id":"ev_1"}`}, true},
		{"resource", sdkStep{OK: true, Text: `{}`}, false},
		{"no resource", sdkStep{Error: "-32602"}, true},
		{"no resource", sdkStep{OK: true}, false},
	} {
		if err := (expected{"x", c.outcome}).holds(c.step); (err == nil) != c.right {
			t.Errorf("%q %+v: %v", c.outcome, c.step, err)
		}
	}
	plan, files, want := sdkPlan([]sample{{"har", "/a"}, {"qlog", "/b"}})
	names := map[string]bool{}
	for _, x := range want {
		names[x.name] = true
	}
	if len(plan) != len(want) || len(files) != 2 || len(names) != len(want) {
		t.Errorf("%d steps, %d expectations, %d names, %d files", len(plan), len(want), len(names), len(files))
	}
}

func TestAProcessThatIsLeftIsSeen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are looked for in /proc")
	}
	data, err := os.ReadFile("/proc/self/environ")
	if err != nil {
		t.Fatal(err)
	}
	if err := noProcess(t.TempDir()); err != nil {
		t.Error(err)
	}
	for _, v := range strings.Split(string(data), "\x00") {
		if temp, ok := strings.CutPrefix(v, "TMPDIR="); ok {
			if err := noProcess(temp); err == nil {
				t.Error("this process goes unseen")
			}
			if n, err := decoders(filepath.Dir(temp)); n == 0 || err != nil {
				t.Errorf("%d processes below its folder, %v", n, err)
			}
		}
	}
}
