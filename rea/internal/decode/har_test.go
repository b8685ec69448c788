package decode

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// memory is a reply in memory.
type memory struct{ b []byte }

func (m *memory) Write(p []byte) (int, error) { m.b = append(m.b, p...); return len(p), nil }
func (m *memory) WriteAt(p []byte, off int64) (int, error) {
	return copy(m.b[off:], p), nil
}

// decoded is a reply, read back.
type decoded struct {
	Header
	raw       string // everything that was written
	container tree.Value
	records   []tree.Value
}

func ask(t testing.TB, capture string, req Request) decoded {
	t.Helper()
	req.Format = "har"
	if req.Ordinals == nil {
		req.All = true
	}
	var m memory
	if err := Answer(req.Encode(), []byte(capture), true, &m); err != nil {
		t.Fatal(err)
	}
	h, err := ReadHeader(bytes.NewReader(m.b), int64(len(m.b)))
	if err != nil {
		t.Fatal(err)
	}
	d := decoded{Header: h, raw: string(m.b)}
	if h.Problem != nil || h.ReplyOverflow || h.UnknownOrdinals {
		return d
	}
	section := func(r Run) string { return string(m.b[r.Offset : r.Offset+r.Bytes]) }
	d.container = parse(t, section(h.Container))
	for _, r := range h.Runs {
		d.records = append(d.records, parse(t, "["+section(r)+"]").Items...)
	}
	return d
}

func parse(t testing.TB, s string) tree.Value {
	t.Helper()
	v, err := strictjson.Parse([]byte(s), limits.ArgumentDepth)
	if err != nil {
		t.Fatalf("not strict JSON: %v\n%.300s", err, s)
	}
	if c := string(strictjson.AppendCanonical(nil, &v)); c != s {
		t.Fatalf("not canonical:\n%.300s\n%.300s", s, c)
	}
	return v
}

// show gives the canonical text of what stands at a path of names.
func show(v tree.Value, path ...string) string {
	at := &v
	for _, p := range path {
		if at.Kind == tree.Array {
			var i int
			fmt.Sscan(p, &i)
			if i >= len(at.Items) {
				return "<absent>"
			}
			at = &at.Items[i]
			continue
		}
		if at = at.Get(p); at == nil {
			return "<absent>"
		}
	}
	return string(strictjson.AppendCanonical(nil, at))
}

const entryTail = `"cache":{},"timings":{"send":0,"wait":0,"receive":0}}`

// entry is a valid entry; patches replace its pieces.
func entry(patches ...string) string {
	e := `{"startedDateTime":"2031-01-01T00:00:00Z","time":1,` +
		`"request":{"method":"GET","url":"https://h.example/a","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},` +
		`"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":0,"mimeType":"text/plain"},"redirectURL":"","headersSize":-1,"bodySize":-1},` + entryTail
	return patched(e, patches)
}

func har(entries string, patches ...string) string {
	return patched(`{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[`+entries+`]}}`, patches)
}

func patched(s string, patches []string) string {
	for i := 0; i+1 < len(patches); i += 2 {
		if !strings.Contains(s, patches[i]) {
			panic("nothing to patch: " + patches[i])
		}
		s = strings.Replace(s, patches[i], patches[i+1], 1)
	}
	return s
}

// body gives an entry whose response content is the given object.
func body(content string) string {
	return entry(`{"size":0,"mimeType":"text/plain"}`, content)
}

func wantShown(t *testing.T, v tree.Value, want string, path ...string) {
	t.Helper()
	if got := show(v, path...); got != want {
		t.Errorf("/%s is\n  %s\nwant\n  %s", strings.Join(path, "/"), got, want)
	}
}

func TestNonCanonicalBase64FailsWhateverIsDeclared(t *testing.T) {
	for _, declared := range [][]string{nil, {"response"}, {"content"}, {"log"}, {"entries"}, {"text"}} {
		d := ask(t, har(body(`{"size":1,"mimeType":"a/b","encoding":"base64","text":"AR=="}`)), Request{Declared: declared})
		if d.Problem == nil || d.Problem.Kind != format.Malformed || d.Problem.Pointer != "/log/entries/0/response/content/text" {
			t.Errorf("declared %q: %+v", declared, d.Problem)
		}
	}
}

func TestBase64Spellings(t *testing.T) {
	for _, c := range []struct {
		text  string
		bytes int // -1: refused
	}{
		{"", 0},
		{"AP9B", 3},
		{`AP9B\n`, 3},
		{`A P\t9\r\nB`, 3},
		{`\u0041P9B`, 3},
		{`\/\/\/\/`, 3},
		{"YQ==", 1},
		{"YWI=", 2},
		{"YQ", -1},
		{"YQ=", -1},
		{"YR==", -1},
		{"YWJ=", -1},
		{"YQ==YQ==", -1},
		{"AP-B", -1},
		{"AP9B\u00a0", -1},
		{`AP9B\u000b`, -1},
		{"<?xml?>", -1},
		{"====", -1},
		{strings.Repeat("AAAA", chunk64/4) + "YQ==", chunk64/4*3 + 1},
		{strings.Repeat("AAAA", chunk64/4-1) + "YQ==AAAA", -1},
		{strings.Repeat("AAAA", chunk64/4-1) + "YQ==", chunk64/4*3 - 2},
	} {
		d := ask(t, har(body(`{"size":999,"mimeType":"a/b","encoding":"base64","text":"`+c.text+`"}`)), Request{})
		if c.bytes < 0 {
			if d.Problem == nil {
				t.Errorf("%.40q is accepted", c.text)
			}
			continue
		}
		if d.Problem != nil {
			t.Errorf("%.40q is refused: %v", c.text, d.Problem)
			continue
		}
		wantShown(t, d.records[0], fmt.Sprint(c.bytes), "binary_fields", "0", "bytes")
	}
}

// chunk64 is the size at which har decodes bodies in pieces.
const chunk64 = 64 << 10

func TestDeclaredAncestorHidesEveryRecord(t *testing.T) {
	for _, literal := range []string{"log", "entries", "ntries"} {
		d := ask(t, har(entry()+","+entry()), Request{Declared: []string{literal}})
		if len(d.records) != 2 || d.Total != 2 || !d.Hidden {
			t.Fatalf("%s: %+v", literal, d.Header)
		}
		for _, r := range d.records {
			wantShown(t, r, "null", "reported")
			wantShown(t, r, "[]", "binary_fields")
			wantShown(t, r, "[]", "numeric_literals")
			wantShown(t, r, `{"kind":"unknown","reason":"explicit-sensitive-value"}`, "location")
			wantShown(t, r, `[{"pointer":"","reason":"explicit-sensitive-value"}]`, "redactions")
		}
		wantShown(t, d.container, "null", "records_pointer")
		if strings.Contains(show(d.container, "reported"), literal) {
			t.Errorf("%s is in the container", literal)
		}
	}
}

func TestDeclaredNamesTakeTheirProperty(t *testing.T) {
	capture := har(entry(`"cache":{}`, `"cache":{},"api-secret":{"n":1},"kept":2`),
		`"version":"1.2"`, `"version":"1.2","_extension":{"api-secret/~":[1],"sibling":3}`)
	capture = strings.Replace(capture, `"_extension"`, `"_x":1,"_extension"`, 1)
	capture = strings.Replace(capture, `{"log":`, `{"_extension":{"api-secret/~":[1],"sibling":3},"log":`, 1)
	d := ask(t, capture, Request{Declared: []string{"api-secret"}})
	wantShown(t, d.container, `{"sibling":3}`, "reported", "_extension")
	wantShown(t, d.container, `[{"pointer":"/_extension","reason":"explicit-sensitive-value","scope":"property-name"},{"pointer":"/log/_extension","reason":"explicit-sensitive-value","scope":"property-name"}]`, "redactions")
	wantShown(t, d.records[0], "2", "reported", "kept")
	wantShown(t, d.records[0], `[{"pointer":"","reason":"explicit-sensitive-value","scope":"property-name"}]`, "redactions")
	if strings.Contains(d.raw, "api-secret") {
		t.Error("the declared name is in the reply")
	}
}

func TestDeclaredTextHidesWholeFields(t *testing.T) {
	capture := har(entry(`"cache":{}`, `"cache":{},"_a":"REDACTED","_b":"literal[","_c":"before secret after","_d":"ordinary"`))
	d := ask(t, capture, Request{Declared: []string{"REDACTED", "literal[", "secret", "["}})
	for _, name := range []string{"_a", "_b", "_c"} {
		wantShown(t, d.records[0], "null", "reported", name)
	}
	wantShown(t, d.records[0], `"ordinary"`, "reported", "_d")
}

func TestDeclaredURLIsMatchedAfterTheCutToo(t *testing.T) {
	capture := har(entry("https://h.example/a", "https://user:password@example.test/sensitive"))
	for _, literal := range []string{"https://example.test/sensitive", "user:password", "test/sens"} {
		d := ask(t, capture, Request{Declared: []string{literal}})
		wantShown(t, d.records[0], "null", "reported", "request", "url")
		wantShown(t, d.records[0], `[{"pointer":"/request/url","reason":"explicit-sensitive-value"}]`, "redactions")
	}
	d := ask(t, capture, Request{})
	wantShown(t, d.records[0], `"https://example.test/sensitive"`, "reported", "request", "url")
	wantShown(t, d.records[0], `[{"pointer":"/request/url","reason":"transport-credential"}]`, "redactions")
}

func TestDuplicatesAreRefusedBeforeAnythingElse(t *testing.T) {
	for _, ext := range []string{`"a":1,"a":1`, `"a":null,"a":null`, `"a":{},"a":{}`, `"a":1,"\u0061":2`} {
		d := ask(t, har(entry(`"cache":{}`, `"cache":{},"_x":{`+ext+`}`)), Request{})
		if d.Problem == nil || d.Problem.Kind != format.Malformed || d.Problem.Pointer != "/log/entries/0/_x/a" {
			t.Errorf("%s: %+v", ext, d.Problem)
		}
	}
	d := ask(t, har(entry(), `"version":"1.2"`, `"version":"1.2","version":"1.2"`), Request{})
	if d.Problem == nil || d.Problem.Pointer != "/log/version" {
		t.Errorf("version: %+v", d.Problem)
	}
}

func TestPrototypeNamesAreOrdinary(t *testing.T) {
	ext := `"__proto__":{"polluted":1},"constructor":{"prototype":2}`
	d := ask(t, har(entry(`"cache":{}`, `"cache":{},`+ext), `"version"`, ext+`,"version"`), Request{})
	wantShown(t, d.records[0], `{"polluted":1}`, "reported", "__proto__")
	wantShown(t, d.records[0], `{"prototype":2}`, "reported", "constructor")
	wantShown(t, d.container, `{"polluted":1}`, "reported", "log", "__proto__")
}

func TestRecordsEqualTheInput(t *testing.T) {
	e := body(`{"size":99,"mimeType":"text/plain","text":"caf\u00e9 \ud83d\ude00","_n":{"isLosslessNumber":true,"value":"1"}}`)
	d := ask(t, har(e+","+e), Request{})
	in := parse(t, canonical(t, e))
	for i, r := range d.records {
		wantShown(t, r, show(in), "reported")
		wantShown(t, r, "[]", "binary_fields")
		wantShown(t, r, fmt.Sprintf(`{"kind":"json-pointer","pointer":"/log/entries/%d"}`, i), "location")
		if !strings.Contains(show(r, "numeric_literals"), `{"literal":"99","pointer":"/response/content/size","producer_type":"json-number"}`) {
			t.Error("the size has no literal")
		}
	}
}

func canonical(t *testing.T, s string) string {
	v, err := strictjson.Parse([]byte(s), limits.CaptureDepth)
	if err != nil {
		t.Fatal(err)
	}
	return string(strictjson.AppendCanonical(nil, &v))
}

func TestDeclaredNumbers(t *testing.T) {
	capture := har(entry(`"bodySize":-1`, `"bodySize":990`, `"cache":{}`, `"cache":{},"_big":9007199254740993,"_exp":1.5e3`))
	d := ask(t, capture, Request{Declared: []string{"9007199254740993", "4740993", "99", "1500"}})
	for _, at := range [][]string{{"_big"}, {"response", "bodySize"}, {"_exp"}} {
		wantShown(t, d.records[0], "null", append([]string{"reported"}, at...)...)
		p := "/" + strings.Join(at, "/")
		if !strings.Contains(show(d.records[0], "redactions"), `{"pointer":"`+p+`","reason":"explicit-sensitive-value"}`) {
			t.Errorf("%s has no redaction", p)
		}
		if strings.Contains(show(d.records[0], "numeric_literals"), p) {
			t.Errorf("%s has a literal", p)
		}
	}
}

func TestUnsafeNumbers(t *testing.T) {
	d := ask(t, har(entry(`"cache":{}`, `"cache":{},"_big":9007199254740993`)), Request{})
	wantShown(t, d.records[0], "null", "reported", "_big")
	if !strings.Contains(show(d.records[0], "numeric_literals"), `{"literal":"9007199254740993","pointer":"/_big","producer_type":"json-number"}`) {
		t.Error("the exact text is lost")
	}
	d = ask(t, har(entry(`"bodySize":-1`, `"bodySize":9007199254740993`)), Request{})
	if d.Problem == nil || d.Problem.Pointer != "/log/entries/0/response/bodySize" || d.Problem.Schema[0].Keyword != "type" {
		t.Errorf("%+v", d.Problem)
	}
}

func TestOnlyTheStandardPlaceHoldsBytes(t *testing.T) {
	ext := `"_ext":{"response":{"content":{"encoding":"base64","text":"AP9B"}}}`
	d := ask(t, har(entry(`"cache":{}`, `"cache":{},`+ext), `"version"`, ext+`,"version"`), Request{})
	wantShown(t, d.records[0], "[]", "binary_fields")
	wantShown(t, d.records[0], `{"response":{"content":{"encoding":"base64","text":"AP9B"}}}`, "reported", "_ext")
	for _, content := range []string{
		`{"size":3,"mimeType":"a/b","encoding":"BASE64","text":"AP9B"}`,
		`{"size":3,"mimeType":"a/b","text":"AP9B"}`,
		`{"size":3,"mimeType":"a/b","encoding":"base64"}`,
	} {
		wantShown(t, ask(t, har(body(content)), Request{}).records[0], "[]", "binary_fields")
	}
}

func TestBase64Body(t *testing.T) {
	d := ask(t, har(body(`{"size":999,"mimeType":"a/b","encoding":"base64","text":"AP9B\n"}`)), Request{})
	wantShown(t, d.records[0], `"AP9B"`, "binary_fields", "0", "content_base64")
	wantShown(t, d.records[0], `"AP9B\n"`, "reported", "response", "content", "text")
}

func TestTransportCredentials(t *testing.T) {
	e := entry("https://h.example/a", "https://u:p4ss@h.example/a?token=kept",
		`"cookies":[],"headers":[],"queryString"`,
		`"cookies":[{"name":"any","value":"ck1"}],"headers":[{"name":"AUTHORIZATION","value":"Basic c1"},{"name":" Cookie\t","value":"s=c2"},{"name":"X-Test","value":"one"},{"name":"X-Test","value":"two"},{"name":"Referer","value":"\t https://r:c3@h.example/"},{"name":"\u212aookie","value":"kept"}],"queryString"`,
		`"redirectURL":""`, `"redirectURL":"https:u:c4@h.example/"`,
		`"cache":{}`, `"cache":{},"Authorization":"extension"`)
	d := ask(t, har(e), Request{})
	r := d.records[0]
	wantShown(t, r, `"https://h.example/a?token=kept"`, "reported", "request", "url")
	wantShown(t, r, `[{"name":"AUTHORIZATION","value":null},{"name":" Cookie\t","value":null},{"name":"X-Test","value":"one"},{"name":"X-Test","value":"two"},{"name":"Referer","value":"\t https://h.example/"},{"name":"`+"\u212a"+`ookie","value":"kept"}]`, "reported", "request", "headers")
	wantShown(t, r, `[{"name":"any","value":null}]`, "reported", "request", "cookies")
	wantShown(t, r, "null", "reported", "response", "redirectURL")
	wantShown(t, r, `"extension"`, "reported", "Authorization")
	for _, secret := range []string{"p4ss", "ck1", "c1", "s=c2", "c3", "c4"} {
		if strings.Contains(d.raw, secret) {
			t.Errorf("%q is in the reply", secret)
		}
	}
	if n := len(at(r, "redactions").Items); n != 6 {
		t.Errorf("%d redactions, want 6: %s", n, show(r, "redactions"))
	}
}

func at(v tree.Value, name string) *tree.Value { return v.Get(name) }

func TestStructureIsRequired(t *testing.T) {
	for _, c := range []struct {
		capture string
		pointer tree.Pointer
	}{
		{`{`, ""},
		{har(entry(), `{"log"`, `{"log":1,"log"`), "/log"},
		{har(entry(), `"creator":{"name":"x","version":"1"},`, ``), "/log"},
		{`{"Log":{}}`, ""},
		{`[]`, ""},
		{`{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":{}}}`, "/log/entries"},
		{`{"log":{"version":1.2,"creator":{"name":"x","version":"1"},"entries":[]}}`, "/log/version"},
	} {
		d := ask(t, c.capture, Request{})
		if d.Problem == nil || d.Problem.Kind != format.Malformed || d.Problem.Pointer != c.pointer {
			t.Errorf("%s: %+v", c.capture, d.Problem)
		}
	}
	d := ask(t, har(entry(), `"1.2"`, `"1.1"`), Request{})
	if d.Problem == nil || d.Problem.Kind != format.Unsupported || d.Problem.Pointer != "/log/version" {
		t.Errorf("version 1.1: %+v", d.Problem)
	}
}

func TestNullPostDataOfOneProducer(t *testing.T) {
	e := entry(`"headersSize":-1,"bodySize":0}`, `"headersSize":-1,"bodySize":0,"postData":{"mimeType":"","text":null}}`)
	mitm := `"creator":{"name":"mitmproxy","version":"12.2.3"}`
	for _, c := range []struct {
		name, capture string
		accept        bool
	}{
		{"creator before", har(e, `"creator":{"name":"x","version":"1"}`, mitm), true},
		{"creator after", har(e, `"creator":{"name":"x","version":"1"},`, ``, `]}}`, `],`+mitm+`}}`), true},
		{"escaped creator", har(e, `"creator":{"name":"x","version":"1"}`, `"\u0063reator":{"name":"mitm\u0070roxy","version":"12.2.3"}`), true},
		{"other version", har(e, `"creator":{"name":"x","version":"1"}`, `"creator":{"name":"mitmproxy","version":"12.2.2"}`), false},
		{"other creator", har(e), false},
		{"null elsewhere", har(strings.Replace(e, `"mimeType":"","text":null`, `"mimeType":null,"text":null`, 1), `"creator":{"name":"x","version":"1"}`, mitm), false},
	} {
		for _, report := range []bool{false, true} {
			d := ask(t, c.capture, Request{Report: report})
			switch {
			case report && (d.Problem != nil || (d.Deviations == 0) != c.accept):
				t.Errorf("%s, report: %+v, %d deviations", c.name, d.Problem, d.Deviations)
			case !report && (d.Problem == nil) != c.accept:
				t.Errorf("%s: %+v", c.name, d.Problem)
			}
			if d.Problem == nil {
				wantShown(t, d.records[0], "null", "reported", "request", "postData", "text")
			}
		}
	}
}

func TestDeclaredBodies(t *testing.T) {
	const sum = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b" // SHA-256 of "secret"
	for _, literal := range []string{"c2VjcmV0", "2Vjc", "c2 Vj", "secret", "ecre", sum, sum[10:20]} {
		d := ask(t, har(body(`{"size":6,"mimeType":"a/b","encoding":"base64","text":"c2 VjcmV0"}`)), Request{Declared: []string{literal}})
		wantShown(t, d.records[0], "null", "reported", "response", "content", "text")
		wantShown(t, d.records[0], `[{"bytes":null,"content_base64":null,"pointer":"/response/content/text","representation":"har-base64-content","sha256":null,"state":"redacted"}]`, "binary_fields")
		wantShown(t, d.records[0], `[{"pointer":"/response/content/text","reason":"explicit-sensitive-value"}]`, "redactions")
		if strings.Contains(d.raw, literal) {
			t.Errorf("%q is in the reply", literal)
		}
	}
}

func TestDepth(t *testing.T) {
	deep := func(levels int) string {
		return har(entry(`"cache":{}`, `"cache":{},"_extension":`+strings.Repeat(`{"child":`, levels)+`1`+strings.Repeat("}", levels)))
	}
	// The extension stands at level 4 of the document.
	if d := ask(t, deep(60), Request{}); d.Problem != nil {
		t.Errorf("64 levels: %+v", d.Problem)
	}
	d := ask(t, deep(61), Request{})
	if want := tree.Pointer("/log/entries/0/_extension" + strings.Repeat("/child", 61)); d.Problem == nil || d.Problem.Kind != format.TooMuch || d.Problem.Pointer != want {
		t.Errorf("65 levels: %+v", d.Problem)
	}
}

func TestEncodings(t *testing.T) {
	const bom = "\xef\xbb\xbf"
	if d := ask(t, bom+har(entry()), Request{}); d.Problem != nil {
		t.Errorf("one BOM: %v", d.Problem)
	}
	for _, bad := range []string{bom + bom + har(entry()), strings.Replace(har(entry()), "OK", "\xff", 1), "", "\x1e" + har(""), har("") + har(""), "f(" + har("") + ")"} {
		if d := ask(t, bad, Request{}); d.Problem == nil || d.Problem.Kind != format.Malformed {
			t.Errorf("%.20q: %+v", bad, d.Problem)
		}
	}
}

func TestLoneSurrogates(t *testing.T) {
	ext := `"_a":"\ud800","_b":"\ufffd","_c":"\ud83d\ude00","_k":{"\ud800":1,"\ud801":2}`
	d := ask(t, har(entry(`"cache":{}`, `"cache":{},`+ext)), Request{})
	wantShown(t, d.records[0], `"\ud800"`, "reported", "_a")
	wantShown(t, d.records[0], `{"\ud800":1,"\ud801":2}`, "reported", "_k")
	d = ask(t, har(entry(`"cache":{}`, `"cache":{},`+ext)), Request{Declared: []string{"\xed\xa0\x80"}})
	wantShown(t, d.records[0], "null", "reported", "_a")
	wantShown(t, d.records[0], "\"\ufffd\"", "reported", "_b")
	wantShown(t, d.records[0], `{"\ud801":2}`, "reported", "_k")
	d = ask(t, har(entry(`"cache":{}`, `"cache":{},`+ext)), Request{Declared: []string{"\ufffd", "\U0001f600"}})
	wantShown(t, d.records[0], `"\ud800"`, "reported", "_a")
	wantShown(t, d.records[0], "null", "reported", "_b")
	wantShown(t, d.records[0], "null", "reported", "_c")
}

func TestDeclaredCoordinates(t *testing.T) {
	// The literal occurs in the pointer only: the value stays, its sidecar goes.
	d := ask(t, har(entry(`"cache":{}`, `"cache":{},"field/name":7`)), Request{Declared: []string{"~1"}})
	wantShown(t, d.records[0], "7", "reported", "field/name")
	if strings.Contains(show(d.records[0], "numeric_literals"), "~1") || !d.Hidden {
		t.Error("the pointer is shown")
	}
	d = ask(t, har(entry()+","+entry()), Request{Declared: []string{"es/1"}})
	wantShown(t, d.records[0], `{"kind":"json-pointer","pointer":"/log/entries/0"}`, "location")
	wantShown(t, d.records[1], `{"kind":"unknown","reason":"explicit-sensitive-value"}`, "location")
}

func TestSelection(t *testing.T) {
	var es []string
	for i := range 200 {
		es = append(es, entry(`"time":1`, fmt.Sprintf(`"time":%d`, i)))
	}
	capture := har(strings.Join(es, ","))
	want := []int{150, 0, 199, 7}
	d := ask(t, capture, Request{Ordinals: want})
	var got []int
	for i, r := range d.records {
		got = append(got, d.Runs[i].First)
		wantShown(t, r, fmt.Sprint(want[i]), "ordinal")
		wantShown(t, r, fmt.Sprint(want[i]), "reported", "time")
	}
	if !slices.Equal(got, want) || d.Total != 200 {
		t.Errorf("%v of %d", got, d.Total)
	}
	if d := ask(t, capture, Request{Ordinals: []int{3, 200}}); !d.UnknownOrdinals || d.Total != 200 {
		t.Errorf("%+v", d.Header)
	}
	bad := strings.Replace(capture, `"time":199`, `"time":null`, 1)
	if d := ask(t, bad, Request{Ordinals: []int{0}}); d.Problem == nil || d.Problem.Pointer != "/log/entries/199/time" {
		t.Errorf("an unselected record was not checked: %+v", d.Problem)
	}
}

func TestContainer(t *testing.T) {
	d := ask(t, har(entry(), `{"log":`, `{"_n":1.50,"log":`), Request{})
	wantShown(t, d.container, `{"_n":1.5,"log":{"creator":{"name":"x","version":"1"},"entries":null,"version":"1.2"}}`, "reported")
	wantShown(t, d.container, `[{"literal":"1.50","pointer":"/_n","producer_type":"json-number"}]`, "numeric_literals")
	wantShown(t, d.container, `"/log/entries"`, "records_pointer")
	d = ask(t, har(""), Request{})
	if d.Total != 0 || len(d.records) != 0 || d.Problem != nil {
		t.Errorf("empty: %+v", d.Header)
	}
}

func TestReplyLimitIsCrossedByOne(t *testing.T) {
	var m memory
	o := newOutput(&m)
	o.write(make([]byte, limits.ReplyBytes-prologueBytes))
	if o.err != nil {
		t.Fatalf("exactly the limit: %v", o.err)
	}
	o.write([]byte{0})
	if o.err != errOverflow {
		t.Fatalf("one more: %v", o.err)
	}
	if _, err := ReadHeader(bytes.NewReader(m.b), limits.ReplyBytes+1); err != ErrReplySize {
		t.Errorf("the parent accepts a reply over the limit: %v", err)
	}
}

// TestBrokenReplies: whatever a reply holds, reading it gives a header whose
// sections lie inside it, or an error.
func TestBrokenReplies(t *testing.T) {
	var m memory
	if err := Answer(Request{Format: "har", All: true}.Encode(), []byte(har(entry())), true, &m); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadHeader(bytes.NewReader(nil), 0); err != ErrReply {
		t.Errorf("an absent reply: %v", err)
	}
	for n := range len(m.b) {
		if _, err := ReadHeader(bytes.NewReader(m.b[:n]), int64(n)); err == nil {
			t.Fatalf("a reply broken off at %d is accepted", n)
		}
	}
	for i := range prologueBytes {
		b := slices.Clone(m.b)
		b[i] ^= 0x40
		if _, err := ReadHeader(bytes.NewReader(b), int64(len(b))); err == nil {
			t.Fatalf("a reply with byte %d changed is accepted", i)
		}
	}
}

type failingWriter struct{ memory }

func (*failingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestUnwritableReply(t *testing.T) {
	if err := Answer(Request{Format: "har", All: true}.Encode(), []byte(har(entry())), true, &failingWriter{}); err == nil {
		t.Error("a reply that can't be written is no error")
	}
}
