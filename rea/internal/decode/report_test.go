package decode

import (
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/tree"
)

func TestReportRequiresTheSkeleton(t *testing.T) {
	for capture, pointer := range map[string]tree.Pointer{
		`[]`:                       "",
		`{}`:                       "",
		`{"log":[]}`:               "/log",
		`{"log":{}}`:               "/log",
		`{"log":{"entries":{}}}`:   "/log/entries",
		`{"log":{"entries":null}}`: "/log/entries",
	} {
		d := ask(t, capture, Request{Report: true})
		if d.Problem == nil || d.Problem.Kind != format.Malformed || d.Problem.Pointer != pointer {
			t.Errorf("%s: %+v", capture, d.Problem)
		}
	}
	d := ask(t, `{"log":{"entries":[]}}`, Request{Report: true})
	wantShown(t, d.container, `[{"expected":"version","keyword":"required","pointer":"/log","schema_pointer":"#/required"},{"expected":"creator","keyword":"required","pointer":"/log","schema_pointer":"#/required"}]`, "deviations")
}

func TestReportListsWhatAjvDoesNotSee(t *testing.T) {
	d := ask(t, har(body(`{"size":1,"mimeType":"a/b","encoding":"base64","text":"<?xml?>"}`), `"1.2"`, `"1.1"`), Request{Report: true})
	wantShown(t, d.container, `[{"expected":"1.2","keyword":"profile","pointer":"/log/version","schema_pointer":null}]`, "deviations")
	wantShown(t, d.records[0], `[{"expected":"base64","keyword":"contentEncoding","pointer":"/response/content/text","schema_pointer":null}]`, "deviations")
	wantShown(t, d.records[0], "[]", "binary_fields")
	wantShown(t, d.records[0], `"<?xml?>"`, "reported", "response", "content", "text")
	d = ask(t, har(entry(`"bodySize":-1`, `"bodySize":9007199254740993`)), Request{Report: true})
	if !strings.Contains(show(d.records[0], "deviations"), `"keyword":"type","pointer":"/response/bodySize"`) {
		t.Errorf("unsafe number: %s", show(d.records[0], "deviations"))
	}
}

func TestDeviationsAreCappedAndCounted(t *testing.T) {
	headers := strings.TrimSuffix(strings.Repeat(`{"name":1,"value":"x"},`, limits.Deviations+1), ",")
	d := ask(t, har(entry(`"headers":[]`, `"headers":[`+headers+`]`)), Request{Report: true})
	wantShown(t, d.records[0], "65", "deviation_total")
	if n := len(d.records[0].Get("deviations").Items); n != limits.Deviations {
		t.Errorf("%d deviations listed", n)
	}
	d = ask(t, har(entry(`"headers":[]`, `"headers":[`+headers+`]`)), Request{})
	if len(d.Problem.Schema) != limits.SchemaIssues || d.Problem.SchemaTotal != 65 {
		t.Errorf("%d of %d schema errors", len(d.Problem.Schema), d.Problem.SchemaTotal)
	}
}

func TestStrictHasNoDeviations(t *testing.T) {
	d := ask(t, har(entry()), Request{})
	wantShown(t, d.records[0], "<absent>", "deviations")
	wantShown(t, d.container, "<absent>", "deviation_total")
	d = ask(t, har(entry()), Request{Report: true})
	wantShown(t, d.records[0], "[]", "deviations")
	wantShown(t, d.container, "0", "deviation_total")
}

// TestReportHidesCredentialsInAnyShape: what stands where credentials stand, in
// a shape of its own, does not slip through.
func TestReportHidesCredentialsInAnyShape(t *testing.T) {
	const s = "s3cret"
	for name, e := range map[string]string{
		"headers as a map":            entry(`"headers":[]`, `"headers":{"Authorization":"s3cret","Accept":"kept"}`),
		"a list in a header map":      entry(`"headers":[]`, `"headers":{"cookie":["s3cret"],"Accept":"kept"}`),
		"a number in a header map":    entry(`"headers":[]`, `"headers":{"Set-Cookie":{"v":"s3cret"},"Accept":"kept"}`),
		"an odd name in a header map": entry(`"headers":[]`, `"headers":{"0":{"name":"Authorization","value":"s3cret"},"Accept":"kept"}`),
		"a URL in a header map":       entry(`"headers":[]`, `"headers":{"Referer":"https://u:s3cret@h/","Accept":"kept"}`),
		"one header as the map":       entry(`"headers":[]`, `"headers":{"name":"Cookie","value":"s3cret"},"_k":"kept"`),
		"one header, upper case":      entry(`"headers":[]`, `"headers":{"Name":"Cookie","Value":"s3cret"},"_k":"kept"`),
		"one header, by key":          entry(`"headers":[]`, `"headers":{"key":"Cookie","value":"s3cret"},"_k":"kept"`),
		"one header, a list as name":  entry(`"headers":[]`, `"headers":{"name":["Cookie"],"value":"s3cret"},"_k":"kept"`),
		"lines in the map":            entry(`"headers":[]`, `"headers":{"raw":"Cookie: s3cret"},"_k":"kept"`),
		"lines under an odd name":     entry(`"headers":[]`, `"headers":{"all":"Accept: a\r\nCookie : s3cret","Accept":"kept"}`),
		"a URL in one header":         entry(`"headers":[]`, `"headers":{"name":"Location","value":"https://u:s3cret@h/"},"_k":"kept"`),
		"a member beside an odd item": entry(`"headers":[]`, `"headers":[{"name":"X","value":"kept","Authorization":"s3cret"},3]`),
		"a list beside an odd item":   entry(`"headers":[]`, `"headers":[{"name":"X","value":"kept","cookie":{"a":"s3cret"}},{}]`),
		"headers as text":             entry(`"headers":[]`, `"headers":"Authorization: s3cret","_k":"kept"`),
		"a header as text":            entry(`"headers":[]`, `"headers":["Authorization: s3cret",{"name":"a","value":"kept"}]`),
		"a header as a pair":          entry(`"headers":[]`, `"headers":[["Authorization","s3cret"],{"name":"a","value":"kept"}]`),
		"a list as value":             entry(`"headers":[]`, `"headers":[{"name":"Authorization","value":["s3cret"]},{"name":"a","value":"kept"}]`),
		"a header without name":       entry(`"headers":[]`, `"headers":[{"key":"Authorization","value":"s3cret"},{"name":"a","value":"kept"}]`),
		"cookies as a map":            entry(`"cookies":[]`, `"cookies":{"session":"s3cret"},"_k":"kept"`),
		"cookies as text":             entry(`"cookies":[]`, `"cookies":"session=s3cret","_k":"kept"`),
		"a cookie as text":            entry(`"cookies":[]`, `"cookies":["session=s3cret"],"_k":"kept"`),
		"a cookie with a number":      entry(`"cookies":[]`, `"cookies":[{"name":"a","value":{"x":"s3cret"}}],"_k":"kept"`),
		"a URL as an object":          entry(`"url":"https://h.example/a"`, `"url":{"href":"https://u:s3cret@h/"},"_k":"kept"`),
		"a request as text":           entry(`"request":{`, `"request":"Authorization: s3cret","_k":"kept","_r":{`),
		"a response as a list":        entry(`"response":{`, `"response":[{"headers":[{"name":"Set-Cookie","value":"s3cret"}]}],"_k":"kept","_r":{`),
		"an entry as text":            `"kept s3cret"`,
		"an entry as a list":          `[{"request":{"headers":[{"name":"Cookie","value":"s3cret"}]}},"kept"]`,
	} {
		d := ask(t, har(e), Request{Report: true})
		if d.Problem != nil {
			t.Errorf("%s: %v", name, d.Problem)
			continue
		}
		if strings.Contains(d.raw, s) {
			t.Errorf("%s: the credential is in the reply", name)
		}
		if !strings.Contains(show(d.records[0], "redactions"), `"transport-credential"`) {
			t.Errorf("%s: no redaction says so", name)
		}
		if strings.HasPrefix(e, "{") && !strings.Contains(d.raw, "kept") {
			t.Errorf("%s: more is gone than must be", name)
		}
	}
}

// TestReportSearchesBodiesThatAreNoBase64: a forgiving reader sees the declared
// value in them all the same.
func TestReportSearchesBodiesThatAreNoBase64(t *testing.T) {
	for text, hidden := range map[string]bool{
		"c2VjcmV0=":    true, // secret, and a surplus sign
		"c2VjcmV0Y":    true, // and a lone digit
		"-c2VjcmV0":    false,
		"AAAAc2Vj=":    false,
		"c2Vj====cmV0": true,
		"c2=VjcmV0":    true, // to a reader that passes over it
		"c=2VjcmV0":    true,
		"c2Vjc=mV0":    true,
		"eA==c2VjcmV0": true, // to one that begins anew behind it
		"c2*Vjc,mV0":   true,
		"__9zZWNyZXQ=": true, // 0xff 0xff and secret in the other alphabet
	} {
		content := `{"size":0,"mimeType":"text/plain","encoding":"base64","text":"` + text + `"}`
		d := ask(t, har(body(content)), Request{Report: true, Declared: []string{"secret"}})
		if d.Problem != nil {
			t.Errorf("%s: %v", text, d.Problem)
			continue
		}
		if got := show(d.records[0], "reported", "response", "content", "text"); (got == "null") != hidden {
			t.Errorf("%s: %s", text, got)
		}
		if got := show(d.records[0], "redactions"); strings.Contains(got, "explicit-sensitive") != hidden {
			t.Errorf("%s: %s", text, got)
		}
		wantShown(t, d.records[0], "1", "deviation_total")
	}
}

// TestReportCountsWhatAHiddenRecordDeviatesIn: the list would say what is in the
// record, the number does not.
func TestReportCountsWhatAHiddenRecordDeviatesIn(t *testing.T) {
	d := ask(t, har(entry(`"time":1`, `"time":"x"`)), Request{Report: true, Declared: []string{"entries"}})
	if d.Problem != nil {
		t.Fatal(d.Problem)
	}
	wantShown(t, d.records[0], "[]", "deviations")
	wantShown(t, d.records[0], "1", "deviation_total")
}

// TestNullTextOfSaveHarIsSaid: the schema is relaxed for one producer, and the
// record tells where.
func TestNullTextOfSaveHarIsSaid(t *testing.T) {
	posted := entry(`"headersSize":-1`, `"postData":{"mimeType":"","text":null,"params":[]},"headersSize":-1`)
	capture := strings.Replace(har(posted+","+entry(`"time":1`, `"time":2`)), `"creator":{`, `"creator":{"name":"mitmproxy","version":"12.2.3"},"_c":{`, 1)
	for _, report := range []bool{false, true} {
		d := ask(t, capture, Request{Report: report})
		if d.Problem != nil {
			t.Fatal(d.Problem)
		}
		hidden := ask(t, capture, Request{Report: report, Declared: []string{"entries"}})
		if got := show(hidden.records[0], "limitations"); strings.Contains(got, "postData") {
			t.Errorf("of a record that is left out: %s", got)
		}
		for i, said := range []bool{true, false} {
			if got := show(d.records[i], "limitations"); strings.Contains(got, "postData is null") != said {
				t.Errorf("record %d: %s", i, got)
			}
		}
	}
}
