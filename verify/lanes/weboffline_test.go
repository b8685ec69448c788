package lanes

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"rea.example/containers"
	"rea.example/verify/product"
)

func TestProfilesStopSocketsAndNothingElse(t *testing.T) {
	for _, deadly := range []bool{false, true} {
		var p struct {
			Default  string `json:"defaultAction"`
			Syscalls []struct {
				Names  []string `json:"names"`
				Action string   `json:"action"`
			} `json:"syscalls"`
		}
		if err := json.Unmarshal([]byte(profile(deadly)), &p); err != nil {
			t.Fatal(err)
		}
		action := map[bool]string{false: "SCMP_ACT_ERRNO", true: "SCMP_ACT_KILL_PROCESS"}[deadly]
		if p.Default != "SCMP_ACT_ALLOW" || len(p.Syscalls) != 1 || p.Syscalls[0].Action != action || !slices.Contains(p.Syscalls[0].Names, "socket") {
			t.Errorf("%+v", p)
		}
	}
}

func TestAControlThatGetsASocketIsSeen(t *testing.T) {
	for _, c := range []struct {
		exit   int
		said   string
		deadly bool
		held   bool
	}{
		{0, "PermissionError\n", false, true}, {0, "a socket\n", false, false}, {1, "", false, false},
		{159, "", true, true}, {0, "PermissionError\n", true, false}, {0, "a socket\n", true, false},
	} {
		if err := held(containers.Result{ExitCode: c.exit, Stdout: []byte(c.said)}, c.deadly); (err == nil) != c.held {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestWorkOfflineIsHeldToWorkElsewhere(t *testing.T) {
	document := func(records string) string {
		return `{"evidence_id":"ev_1","normalized_result":{"artifact":{"sha256":"00"},"records":` + records + `}}`
	}
	files := func() map[string][]byte {
		return map[string][]byte{
			"out.har.json": []byte(document(`[1]`)), "out.har.sample": []byte(document(`[1]`)), "out.har.txt": []byte("x"), "out.har.page": []byte("x"),
			"out.har.summary": []byte(`{"normalized_result":{"kind":"summary","parent_evidence_id":"ev_1"}}`),
		}
	}
	outside := product.Output{Stdout: []byte(`{"evidence_id":"ev_2","normalized_result":{"artifact":{"sha256":"00"},"records":[{}]}}`)}
	inside := strings.Replace(string(outside.Stdout), "ev_2", "ev_1", 1)
	whole := files()
	whole["out.har.json"], whole["out.har.sample"] = []byte(inside), []byte(inside)
	if err := sameOffline(whole, "har", outside); err != nil {
		t.Error(err)
	}
	for name, other := range map[string]string{
		"out.har.json":    strings.Replace(inside, "[{}]", "[]", 1),
		"out.har.sample":  strings.Replace(inside, `"00"`, `"01"`, 1),
		"out.har.txt":     "",
		"out.har.page":    "",
		"out.har.summary": `{"normalized_result":{"kind":"summary","parent_evidence_id":"ev_9"}}`,
	} {
		changed := files()
		changed["out.har.json"], changed["out.har.sample"] = []byte(inside), []byte(inside)
		changed[name] = []byte(other)
		if err := sameOffline(changed, "har", outside); err == nil {
			t.Errorf("%s: another one goes unseen", name)
		}
	}
}

func TestEveryCallIsAnswered(t *testing.T) {
	const one = `{"id":1,"result":{"structuredContent":{"normalized_result":{"kind":"summary"}}}}` + "\n"
	const begun = `{"id":0,"result":{"serverInfo":{}}}` + "\n"
	if err := answeredAll([]byte(begun+one+one), 2); err != nil {
		t.Error(err)
	}
	for _, said := range []string{begun, begun + one, one + one + one, one + `{"id":2,"result":{"isError":true}}`, one + `{"id":2,"error":{}}`, one + "x"} {
		if err := answeredAll([]byte(said), 2); err == nil {
			t.Errorf("%q answers two calls", said)
		}
	}
	if talk := offlineTalk([]sample{{"har", "/a"}}); strings.Count(talk, "\n") != 3 || !strings.Contains(talk, containers.Work+"/sample.har") {
		t.Errorf("%s", talk)
	}
}
