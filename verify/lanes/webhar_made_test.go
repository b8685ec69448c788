package lanes

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"rea.example/verify/captures"
	"rea.example/verify/harfile"
	"rea.example/verify/judge"
	"rea.example/verify/product"
)

func TestTheNumberRuleSeesEachFault(t *testing.T) {
	list := []string{"1.50", "9007199254740993"}
	safe := []bool{true, false}
	literals := func() map[string]string { return map[string]string{"/log/_n/0": list[0], "/log/_n/1": list[1]} }
	good := []any{json.Number("1.5"), nil}
	if err := sameRule(list, safe, good, literals()); err != nil {
		t.Error(err)
	}
	lost := literals()
	lost["/log/_n/1"] = "9007199254740992"
	for name, err := range map[string]error{
		"a number missing":       sameRule(list, safe, good[:1], literals()),
		"an unsafe one reported": sameRule(list, safe, []any{json.Number("1.5"), json.Number("9007199254740992")}, literals()),
		"a safe one hidden":      sameRule(list, safe, []any{nil, nil}, literals()),
		"another number":         sameRule(list, safe, []any{json.Number("1.6"), nil}, literals()),
		"a string":               sameRule(list, safe, []any{"1.5", nil}, literals()),
		"a spelling lost":        sameRule(list, safe, good, lost),
		"a rule with one side":   sameRule(list, []bool{true, true}, []any{json.Number("1.5"), json.Number("9007199254740993")}, literals()),
	} {
		if err == nil {
			t.Errorf("%s goes unseen", name)
		}
	}
	seen := map[string]bool{}
	for _, s := range numberSpellings(300) {
		if !json.Valid([]byte(s)) {
			t.Errorf("%s is no number", s)
		}
		seen[s] = true
	}
	if len(seen) < 250 {
		t.Errorf("%d different spellings of 300", len(seen))
	}
}

func TestATallyNamesItsFirstFaults(t *testing.T) {
	var all tally
	for i := range 5 {
		all.add(judge.Verdict{Verdict: "accept"}, i, "/p", nil)
	}
	if err := all.verdict(); err != nil || all.accepted != 5 {
		t.Errorf("%+v, %v", all, err)
	}
	for i := range 4 {
		all.add(judge.Verdict{Verdict: "reject"}, i, "/p", errors.New("fault"))
	}
	if err := all.verdict(); err == nil || all.refused != 4 || strings.Count(err.Error(), "fault") != 3 || !strings.Contains(err.Error(), "4 differ") {
		t.Errorf("%v", err)
	}
}

// served is what the origin says about three answers, and the Evidence that goes
// with it.
func servedHAR() (rows map[string]answered, records []string) {
	text, octets := "Grüße", "\x00\xff"
	rows = map[string]answered{
		"/text?id=0": {Protocol: "HTTP/1.1", Path: "/text?id=0", IdentitySHA256: captures.Digest([]byte(text)), IdentityBytes: int64(len(text))},
		"/octets":    {Protocol: "HTTP/1.1", Path: "/octets", IdentitySHA256: captures.Digest([]byte(octets)), IdentityBytes: 2},
		"/upload":    {Protocol: "HTTP/1.1", Path: "/upload", RequestBytes: streamed, IdentitySHA256: captures.Digest([]byte("é\u00ff")), IdentityBytes: 4},
		"/large":     {Protocol: "HTTP/1.1", Path: "/large", ResponseBytes: streamed + 1, IdentitySHA256: "0"},
	}
	record := func(path, post, content, binary string) string {
		return fmt.Sprintf(`{"reported":{"request":{"url":"http://h%s"%s},"response":{"content":%s}},"binary_fields":[%s]}`, path, post, content, binary)
	}
	records = []string{
		record("/text?id=0", "", `{"mimeType":"text/plain; charset=utf-8","text":"Grüße"}`, ""),
		record("/octets", "", `{"mimeType":"a/b","encoding":"base64","text":"AP8="}`, `{"sha256":"`+captures.Digest([]byte(octets))+`"}`),
		record("/upload", `,"postData":{"text":null}`, `{"mimeType":"a/b","text":"Ã©Ã¿"}`, ""),
		record("/large", "", `{"mimeType":"a/b","text":""}`, ""),
		`{"reported":{"_webSocketMessages":[]}}`,
	}
	return rows, records
}

func servedEvidence(t *testing.T, records []string) *product.Evidence {
	t.Helper()
	e, err := product.Output{Stdout: []byte(`{"evidence_id":"ev_1","normalized_result":{"records":[` + strings.Join(records, ",") + `]}}`)}.Evidence()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestServedBodiesAreHeldToTheOrigin(t *testing.T) {
	rows, records := servedHAR()
	if err := sameServedHAR(servedEvidence(t, records), rows); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another text":           {"Grüße", "Gruesse"},
		"another body":           {`{"sha256":"`, `{"sha256":"0`},
		"no sidecar":             {`{"sha256":"` + captures.Digest([]byte("\x00\xff")) + `"}`, ``},
		"another path":           {"/octets", "/other"},
		"a body that was kept":   {`"text":""`, `"text":"x"`},
		"no text":                {`"text":""`, `"text":null`},
		"a null text lost":       {`{"text":null}`, `{"text":"x"}`},
		"a null text invented":   {`"url":"http://h/text?id=0"`, `"url":"http://h/text?id=0","postData":{"text":null}`},
		"an answer not recorded": {`"url":"http://h/large"`, `"_webSocketMessages":[]`},
	} {
		rows, records := servedHAR()
		all := strings.Join(records, "\n")
		changed := strings.Replace(all, change[0], change[1], 1)
		if changed == all {
			t.Fatalf("%s: no such place", name)
		}
		if name == "an answer not recorded" {
			changed = strings.Replace(changed, `"request":{"_webSocketMessages":[]}`, `"_webSocketMessages":[]`, 1)
		}
		if err := sameServedHAR(servedEvidence(t, strings.Split(changed, "\n")), rows); err == nil {
			t.Errorf("%s goes unseen", name)
		}
	}
}

func TestOnlyTheExpectedVerdictsWillDo(t *testing.T) {
	accept, reject := judge.Verdict{Verdict: "accept"}, judge.Verdict{Verdict: "reject", Stage: "schema"}
	if err := expectedVerdicts([]judge.Verdict{accept, reject}); err != nil {
		t.Error(err)
	}
	for _, v := range [][]judge.Verdict{{reject, reject}, {accept, accept}, {accept, {Verdict: "reject", Stage: "json"}}} {
		if err := expectedVerdicts(v); err == nil {
			t.Errorf("%v is as expected", v)
		}
	}
}

func TestReportedAndRecordedHalvesOfPairsAreEqual(t *testing.T) {
	r, err := harfile.Read([]byte(`{"log":{"entries":[{"\ud800":1,"\ud801":2}]}}`))
	if err != nil || len(r.Entries[0].Numbers) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	record := `{"reported":{"\ud800":1,"\ud801":2},"numeric_literals":[{"pointer":"/\ud800","literal":"1"},{"pointer":"/\ud801","literal":"2"}]}`
	e := servedEvidence(t, []string{record})
	if err := sameLiterals(e.Result.Records[0].NumericLiterals, r.Entries[0].Numbers); err != nil {
		t.Error(err)
	}
	if err := sameReported(r.Entries[0], e.Result.Records[0].Reported, nil); err != nil {
		t.Error(err)
	}
}
