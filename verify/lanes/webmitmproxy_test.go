package lanes

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rea.example/containers"
	"rea.example/verify/captures"
	"rea.example/verify/product"
)

const equal = `{"file":"f.mitm","kind":"states","records":2,"upstream":{"ok":true,"provider":"u"},"embedded":{"ok":true,"provider":"e"}}`

func line(t *testing.T, text string) both {
	t.Helper()
	lines, err := readBoth(containers.Result{Stdout: []byte(text)})
	if err != nil || len(lines) != 1 {
		t.Fatalf("%v, %v", lines, err)
	}
	return lines[0]
}

func TestBothReadingsMustAgree(t *testing.T) {
	const refused = `{"upstream":{"ok":false,"code":"c","reason":"r"},"embedded":{"ok":false,"code":"c","reason":"r"}}`
	for _, text := range []string{equal, refused} {
		if err := sameBoth(line(t, text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for name, change := range map[string][2]string{
		"records that differ":    {`"records":2`, `"differs":"record 0"`},
		"another projection":     {`"records":2`, `"projection":"record 0"`},
		"a limitation more":      {`"records":2`, `"extra":1`},
		"one of them refuses":    {`"ok":true,"provider":"e"`, `"ok":false`},
		"the same reader twice":  {`"provider":"e"`, `"provider":"u"`},
		"another failure's code": {`{"ok":true,"provider":"u"},"embedded":{"ok":true,"provider":"e"}`, `{"code":"a"},"embedded":{"code":"b"}`},
		"another reason":         {`{"ok":true,"provider":"u"},"embedded":{"ok":true,"provider":"e"}`, `{"code":"a","reason":"x"},"embedded":{"code":"a"}`},
	} {
		if err := sameBoth(line(t, strings.Replace(equal, change[0], change[1], 1))); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
}

func TestEachKindOfFileIsHeldToItsRule(t *testing.T) {
	if err := each(nil, "states", sameBoth); err == nil {
		t.Error("no file is enough")
	}
	lines := []both{line(t, equal), line(t, equal)}
	if err := each(lines, "states", sameBoth); err != nil {
		t.Error(err)
	}
	if err := counted(lines, 4); err != nil {
		t.Error(err)
	}
	if err := counted(lines, 5); err == nil {
		t.Error("a state that was not read goes unseen")
	}
	spelled := both{Upstream: reading{OK: true}, Embedded: reading{Code: "invalid_request", Reason: "invalid_format"}}
	if err := onlyUpstream(spelled); err != nil {
		t.Error(err)
	}
	taken, other, neither := spelled, spelled, spelled
	taken.Embedded.OK, other.Embedded.Code, neither.Upstream.OK = true, "execution_failure", false
	for _, l := range []both{taken, other, neither} {
		if err := onlyUpstream(l); err == nil {
			t.Errorf("%+v goes unseen", l)
		}
	}
	refusal := reading{Code: "invalid_request", Reason: "invalid_format"}
	deep := reading{Code: "invalid_request", Reason: "out_of_range"}
	for _, c := range []struct {
		name string
		got  reading
		n    int
		same bool
	}{
		{"special-empty", reading{OK: true}, 0, true},
		{"special-empty", reading{OK: true}, 1, false},
		{"special-empty", refusal, 0, false},
		{"special-too-deep", deep, 0, true},
		{"special-too-deep", refusal, 0, false},
		{"special-list-at-top", refusal, 0, true},
		{"special-list-at-top", deep, 0, false},
		{"special-list-at-top", reading{OK: true}, 1, false},
		{"special-length-of-12-digits", reading{OK: true}, 1, true},
		{"special-length-of-12-digits", refusal, 0, false},
		{"special-length-of-13-digits", refusal, 0, true},
		{"special-length-of-13-digits", reading{OK: true}, 1, false},
	} {
		if err := asExpected(both{File: c.name + ".mitm", Embedded: c.got, Records: c.n}); (err == nil) != c.same {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestEachFlowHasItsSecret(t *testing.T) {
	c := &canary{plant: func(string) {}}
	data := c.secretFlow()
	if len(c.secrets) < 80 {
		t.Errorf("%d secrets", len(c.secrets))
	}
	if err := c.present(data); err != nil {
		t.Error(err)
	}
	if got := dictionary("a", row(octets("b"), unicode("\u00e9"))); got != "16:1:a;9:1:b,2:\u00e9;]}" {
		t.Errorf("%q", got)
	}
}

func TestNotesOfTheTableAreRead(t *testing.T) {
	for _, c := range []struct {
		note string
		ok   bool
		n    int
		same bool
	}{
		{"ACCEPT 7 records as they are", true, 7, true},
		{"ACCEPT 7 records", true, 8, false},
		{"ACCEPT 7 records", false, 0, false},
		{"REJECT format: keys", false, 0, true},
		{"REJECT", true, 1, false},
		{"", true, 3, true},
	} {
		if err := sameNote(captures.File{Note: c.note}, c.ok, c.n); (err == nil) != c.same {
			t.Errorf("%q: %v", c.note, err)
		}
	}
}

// recorded is a recording of one exchange, one WebSocket and one stream, and what
// the origin wrote down of them.
func recorded() (rows []answered, flows string) {
	sum := func(s string) string { return captures.Digest([]byte(s)) }
	rows = []answered{
		{Protocol: "HTTP/1.1", Path: "/a", Method: "GET", Status: 200, RequestSHA256: sum(""), ResponseSHA256: sum("body"), ResponseBytes: 4},
		{Protocol: "HTTP/2.0", Path: "/large", Method: "POST", Status: 201, RequestSHA256: sum("x"), RequestBytes: streamed + 1, ResponseSHA256: sum("")},
		{Protocol: "websocket", FromClient: true, SHA256: sum("hi")}, {Protocol: "websocket", SHA256: sum("ho")},
		{Protocol: "tcp", FromClient: true, SHA256: sum("one")}, {Protocol: "tcp", FromClient: true, SHA256: sum("two")}, {Protocol: "tcp", SHA256: sum("three")},
		{Protocol: "udp", FromClient: true, SHA256: sum("u")},
	}
	field := func(pointer, text string) string {
		return fmt.Sprintf(`{"pointer":%q,"bytes":%d,"sha256":%q}`, pointer, len(text), sum(text))
	}
	http := func(path, version, method, status, requestContent, responseContent, fields, more string) string {
		return fmt.Sprintf(`{"reported":{"type":"http","websocket":null,"error":null,"is_replay":null,"request":{"path":%q,"http_version":%q,"method":%q,"content":%s},"response":{"status_code":%s,"content":%s}%s},"binary_fields":[%s]}`,
			path, version, method, requestContent, status, responseContent, more, fields)
	}
	flows = strings.Join([]string{
		http("/a", "HTTP/1.1", "GET", "200", `""`, `"body"`, field("/request/content", "")+","+field("/response/content", "body"), ""),
		http("/large", "HTTP/2.0", "POST", "201", "null", `""`, field("/response/content", ""), ""),
		`{"reported":{"type":"http","websocket":null,"error":{"msg":"m"},"request":{"path":"/refused"}}}`,
		`{"reported":{"type":"http","websocket":null,"error":{"msg":"m"},"request":{"path":"/abort"}}}`,
		`{"reported":{"type":"http","websocket":{"messages":[[1,true,"hi"],[2,false,"ho"]]}},"binary_fields":[` + field("/websocket/messages/0/2", "hi") + "," + field("/websocket/messages/1/2", "ho") + `]}`,
		`{"reported":{"type":"tcp","messages":[[true,"one"],[false,"three"],[true,"two"]]},"binary_fields":[` + field("/messages/0/1", "one") + "," + field("/messages/1/1", "three") + "," + field("/messages/2/1", "two") + `]}`,
		`{"reported":{"type":"udp","messages":[[true,"u"]]},"binary_fields":[` + field("/messages/0/1", "u") + `]}`,
		`{"reported":{"type":"dns","request":{"questions":[{}]}}}`, `{"reported":{"type":"dns","request":{"questions":[{}]}}}`,
	}, "\n")
	return rows, flows
}

func TestFlowsAreHeldToTheOrigin(t *testing.T) {
	rows, flows := recorded()
	if err := sameFlows(servedEvidence(t, strings.Split(flows, "\n")), rows, "flows.mitm"); err != nil {
		t.Fatal(err)
	}
	if err := sameFlows(servedEvidence(t, strings.Split(flows, "\n")), rows, "replayed.mitm"); err == nil {
		t.Error("a recording passes for a replay")
	}
	for name, change := range map[string][2]string{
		"another body":           {captures.Digest([]byte("body")), captures.Digest([]byte("bodY"))},
		"a body lost":            {`{"pointer":"/response/content"`, `{"pointer":"/x"`},
		"another size":           {`"pointer":"/response/content","bytes":4`, `"pointer":"/response/content","bytes":5`},
		"a body that was lost":   {`"content":null`, `"content":"x"`},
		"another status":         {`"status_code":200`, `"status_code":201`},
		"another method":         {`"method":"GET"`, `"method":"HEAD"`},
		"another version":        {`"http_version":"HTTP/2.0"`, `"http_version":"HTTP/1.1"`},
		"another path":           {`"path":"/a"`, `"path":"/b"`},
		"a replay":               {`"is_replay":null`, `"is_replay":"request"`},
		"no error":               {`"error":{"msg":"m"}`, `"error":null`},
		"a message lost":         {`[1,true,"hi"],`, ``},
		"a message's direction":  {`[2,false,"ho"]`, `[2,true,"ho"]`},
		"another message":        {captures.Digest([]byte("three")), captures.Digest([]byte("four"))},
		"messages in disorder":   {`"pointer":"/messages/0/1","bytes":3,"sha256":"` + captures.Digest([]byte("one")), `"pointer":"/messages/0/1","bytes":3,"sha256":"` + captures.Digest([]byte("two"))},
		"no question":            {`"questions":[{}]`, `"questions":[]`},
		"an unknown type":        {`"type":"udp"`, `"type":"quic"`},
		"a DNS flow less":        {"\n" + `{"reported":{"type":"dns","request":{"questions":[{}]}}}`, ``},
		"an answer not recorded": {strings.Split(flows, "\n")[0] + "\n", ``},
	} {
		rows, flows := recorded()
		changed := strings.Replace(flows, change[0], change[1], 1)
		if changed == flows {
			t.Fatalf("%s: no such place", name)
		}
		if err := sameFlows(servedEvidence(t, strings.Split(changed, "\n")), rows, "flows.mitm"); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
}

func TestRecordsAreComparedByTheirBytes(t *testing.T) {
	document := func(id, records string) product.Output {
		return product.Output{Stdout: []byte(`{"evidence_id":"ev_1","provider":{"id":"` + id + `","version":"12.2.3"},"normalized_result":{"records":` + records + `}}`)}
	}
	a, b := document("mitmproxy-native-tnetstring", `[{"reported": 1}]`), document("rea-tnetstring", `[ {"reported":1} ]`)
	if err := sameRecords(a, b); err != nil {
		t.Error(err)
	}
	if err := providers(a, b); err != nil {
		t.Error(err)
	}
	if err := providers(b, a); err == nil {
		t.Error("each read as the other")
	}
	for _, other := range []product.Output{document("e", `[{"reported":1.0}]`), document("e", `[]`), {Exit: 1, Stdout: []byte(`{"code":"c"}`)}} {
		if err := sameRecords(a, other); err == nil {
			t.Errorf("%s has the same records", other.Stdout)
		}
	}
}

func TestRangesCoverTheFile(t *testing.T) {
	at := func(list ...[2]int64) *product.Evidence {
		e := new(product.Evidence)
		for _, r := range list {
			var record product.Record
			record.Location.Kind, record.Location.Offset, record.Location.Bytes = "byte-range", r[0], r[1]
			e.Result.Records = append(e.Result.Records, record)
		}
		return e
	}
	if err := covers(at([2]int64{0, 3}, [2]int64{3, 4}), 7); err != nil {
		t.Error(err)
	}
	for name, e := range map[string]*product.Evidence{
		"a gap": at([2]int64{0, 3}, [2]int64{4, 3}), "an overlap": at([2]int64{0, 4}, [2]int64{3, 4}), "a rest": at([2]int64{0, 3}), "nothing": at([2]int64{0, 0}, [2]int64{0, 7}),
	} {
		if err := covers(e, 7); err == nil {
			t.Errorf("%s goes unseen", name)
		}
	}
}

func TestMisbehaviourHasOneFailureEach(t *testing.T) {
	failed := func(code, message string) product.Output {
		text, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		return product.Output{Exit: 1, Stdout: []byte(`{"code":"` + code + `","category":"c","message":` + string(text) + `,"remediation":{"action":"a"}}`)}
	}
	for _, c := range []struct {
		out        product.Output
		code, word string
		same       bool
	}{
		{failed("execution_failure", "SIGKILL"), "execution_failure", "SIGKILL", true},
		{failed("execution_failure", "x"), "execution_failure", "SIGKILL", false},
		{failed("execution_failure", "Canary"), "execution_failure", "", false},
		{failed("provider_timeout", "x"), "execution_failure", "", false},
		{failed("capability_unavailable", "12.2.3 is required"), "capability_unavailable", "", true},
		{failed("capability_unavailable", "no"), "capability_unavailable", "", false},
		{failed("execution_failure", "x"), "", "", false},
		{product.Output{Stdout: []byte(`{"evidence_id":"ev_1"}`)}, "", "", true},
		{product.Output{Stdout: []byte(`{"evidence_id":"ev_1"}`)}, "execution_failure", "", false},
	} {
		if err := misbehaved(c.out, c.code, c.word); (err == nil) != c.same {
			t.Errorf("%s %q: %v", c.code, c.word, err)
		}
	}
	seen := map[string]bool{}
	fake := string(script("fake.py").Data)
	for _, m := range misbehaviour {
		if seen[m.name] || !strings.Contains(fake, `"`+m.name+`"`) {
			t.Errorf("fake.py can't be %s, or is it twice", m.name)
		}
		seen[m.name] = true
	}
}
