package decode_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

type (
	dict = formattest.Dict
	list = []any
)

func b(s string) []byte { return []byte(s) }

// flows is a flow file.
func flows(states ...dict) (out []byte) {
	for _, s := range states {
		out = append(out, formattest.TNetString(s)...)
	}
	return out
}

func ask(t testing.TB, capture []byte, declared ...string) formattest.Reply {
	t.Helper()
	r := formattest.Ask(t, capture, decode.Request{Format: "mitmproxy", Declared: declared})
	if r.Problem != nil {
		t.Fatal(r.Problem)
	}
	return r
}

// at gives the canonical text of a part of a record, found by a JSON pointer.
func at(record tree.Value, pointer tree.Pointer) string {
	v := &record
	for _, token := range pointer.Tokens() {
		if v.Kind == tree.Array {
			var i int
			if _, err := fmt.Sscan(token, &i); err != nil || i >= len(v.Items) {
				return "absent"
			}
			v = &v.Items[i]
		} else if v = v.Get(token); v == nil {
			return "absent"
		}
	}
	return string(strictjson.AppendCanonical(nil, v))
}

func want(t *testing.T, record tree.Value, pointer tree.Pointer, text string) {
	t.Helper()
	if got := at(record, pointer); got != text {
		t.Errorf("%s is\n  %s\nwant\n  %s", pointer, got, text)
	}
}

// sidecar finds the binary field or redaction at a pointer, or gives "absent".
func sidecar(record tree.Value, kind, pointer string) string {
	for _, f := range record.Get(kind).Items {
		if p, _ := f.Get("pointer").Str(); p == pointer {
			return string(strictjson.AppendCanonical(nil, &f))
		}
	}
	return "absent"
}

func redactedField(pointer string) string {
	return `{"bytes":null,"content_base64":null,"pointer":"` + pointer + `","representation":"producer-bytes","sha256":null,"state":"redacted"}`
}

func TestNativeValues(t *testing.T) {
	states := dict{
		"text", "ü\x00", "octets", b("a\x00ü"), "binary", b("\xff\xfe"), "none", nil, "empty", b(""), "yes", true, "no", false,
		"ints", list{7, -9007199254740991, 9007199254740992},
		"floats", list{formattest.Float("1.5"), formattest.Float("-0.0"), formattest.Float("1e+16"), formattest.Float("inf"), formattest.Float("-inf"), formattest.Float("nan")},
	}
	r := ask(t, flows(states)).Records[0]
	want(t, r, "/reported", `{"binary":null,"empty":"","floats":[1.5,0,10000000000000000,null,null,null],"ints":[7,-9007199254740991,null],"no":false,"none":null,"octets":"a\u0000ü","text":"ü\u0000","yes":true}`)
	want(t, r, "/numeric_literals", `[{"literal":"7","pointer":"/ints/0","producer_type":"integer"},`+
		`{"literal":"-9007199254740991","pointer":"/ints/1","producer_type":"integer"},{"literal":"9007199254740992","pointer":"/ints/2","producer_type":"integer"},`+
		`{"literal":"1.5","pointer":"/floats/0","producer_type":"float"},{"literal":"-0.0","pointer":"/floats/1","producer_type":"float"},`+
		`{"literal":"1e+16","pointer":"/floats/2","producer_type":"float"},{"literal":"inf","pointer":"/floats/3","producer_type":"float"},`+
		`{"literal":"-inf","pointer":"/floats/4","producer_type":"float"},{"literal":"nan","pointer":"/floats/5","producer_type":"float"}]`)
	want(t, r, "/binary_fields", "["+retained("/octets", "a\x00ü")+","+retained("/binary", "\xff\xfe")+","+retained("/empty", "")+"]")
	want(t, r, "/location", fmt.Sprintf(`{"bytes":%d,"kind":"byte-range","offset":0}`, len(flows(states))))
	want(t, r, "/redactions", "[]")
}

// TestStatesAreKept: whatever type and version a state has, all of it is there,
// and nothing else.
func TestStatesAreKept(t *testing.T) {
	r := ask(t, flows(
		dict{"type", "http", "version", 999, "request", dict{"content", nil}, "response", dict{"content", b("")}},
		dict{"type", "tcp", "version", 21, "messages", list{list{true, b("ping\xff"), formattest.Float("1.5")}, list{false, b(""), formattest.Float("2.5")}}},
		dict{"type", "http", "version", 20, "websocket", dict{"messages", list{list{2, true, b("\x00m"), 3, false, false}}, "close_code", 1000}},
		dict{"type", "websocket", "version", list{0, 18, 2}, "messages", list{list{1, true, "text", 3}}, "close_message", "(message missing)"},
		dict{"type", "udp", "messages", list{}},
		dict{"type", "dns", "request", dict{"questions", list{dict{"name", "dns.example", "type", 1, "class_", 1}}}, "response", nil},
		dict{"type", "something new", "__proto__", dict{"constructor", b("x")}},
		dict{},
	))
	for i, reported := range []string{
		`{"request":{"content":null},"response":{"content":""},"type":"http","version":999}`,
		`{"messages":[[true,null,1.5],[false,"",2.5]],"type":"tcp","version":21}`,
		`{"type":"http","version":20,"websocket":{"close_code":1000,"messages":[[2,true,"\u0000m",3,false,false]]}}`,
		`{"close_message":"(message missing)","messages":[[1,true,"text",3]],"type":"websocket","version":[0,18,2]}`,
		`{"messages":[],"type":"udp"}`,
		`{"request":{"questions":[{"class_":1,"name":"dns.example","type":1}]},"response":null,"type":"dns"}`,
		`{"__proto__":{"constructor":"x"},"type":"something new"}`,
		`{}`,
	} {
		want(t, r.Records[i], "/reported", reported)
	}
	for _, f := range []struct {
		record          int
		pointer, octets string
	}{{0, "/response/content", ""}, {1, "/messages/0/1", "ping\xff"}, {1, "/messages/1/1", ""}, {2, "/websocket/messages/0/2", "\x00m"}, {6, "/__proto__/constructor", "x"}} {
		if got := sidecar(r.Records[f.record], "binary_fields", f.pointer); got != retained(f.pointer, f.octets) {
			t.Errorf("record %d: %s", f.record, got)
		}
	}
	if got := sidecar(r.Records[0], "binary_fields", "/request/content"); got != "absent" {
		t.Errorf("content that is missing has bytes: %s", got)
	}
	if got := string(strictjson.AppendCanonical(nil, &r.Container)); got != `{"numeric_literals":[],"records_pointer":null,"redactions":[],"reported":null}` {
		t.Errorf("the container is %s", got)
	}
	if r := ask(t, nil); r.Total != 0 {
		t.Errorf("an empty file has %d records", r.Total)
	}
}

// TestSelectedFromBroken: what stands before damage is not given out either.
func TestSelectedFromBroken(t *testing.T) {
	good := flows(dict{"type", "http"})
	r := formattest.Ask(t, append(good, good[:9]...), decode.Request{Format: "mitmproxy", Ordinals: []int{0}})
	if r.Problem == nil || r.Problem.Kind != format.Malformed || !strings.Contains(r.Problem.Message, fmt.Sprint("byte offset ", len(good))) {
		t.Errorf("%+v", r.Header)
	}
}

// sides are the prefixes of pointers at which a message may stand.
var sides = []string{"/request", "/response", "/backup/request", "/backup/response", "/backup/backup/backup/request"}

// message is a state with the members in the message at a prefix.
func message(prefix string, members ...any) dict {
	var v any = dict(members)
	names := strings.Split(prefix[1:], "/")
	for i := len(names) - 1; i >= 0; i-- {
		v = dict{"before", 1, names[i], v, "after", b("kept")}
	}
	return v.(dict)
}

func TestNativeCredentials(t *testing.T) {
	for _, side := range sides {
		for _, name := range []string{"Authorization", "proxy-authorization", "COOKIE", "Set-Cookie", " cookie\t"} {
			for _, in := range []string{"headers", "trailers"} {
				r := ask(t, flows(message(side, in, list{
					list{b("X-Kept"), b("s3cret-like")},
					list{b(name), b("s3cret")}, list{b(name), "s3cret"}, list{b(name), 4711}, list{b(name), list{b("s3cret"), dict{"k", "s3cret"}}}, list{b(name), nil},
				})))
				rec, base := r.Records[0], side+"/"+in
				if text := r.Texts[0]; strings.Contains(text, `"s3cret"`) || strings.Contains(text, "4711") || strings.Contains(text, base64.StdEncoding.EncodeToString(b("s3cret"))+`"`) {
					t.Errorf("%s, %s: the credential is in %s", base, name, text)
				}
				for i := 1; i <= 5; i++ {
					want(t, rec, tree.Pointer(fmt.Sprintf("/reported%s/%d/1", base, i)), "null")
					p, redaction := fmt.Sprintf("%s/%d/1", base, i), "absent"
					if i < 5 { // null says nothing that could be left out
						redaction = `{"pointer":"` + p + `","reason":"transport-credential"}`
					}
					if got := sidecar(rec, "redactions", p); got != redaction {
						t.Errorf("%s, %s: redaction %s", p, name, got)
					}
				}
				if got := sidecar(rec, "binary_fields", base+"/1/1"); got != redactedField(base+"/1/1") {
					t.Errorf("%s: %s", base, got)
				}
				if got := sidecar(rec, "binary_fields", base+"/4/1/0"); got != "absent" {
					t.Errorf("%s: bytes below a credential: %s", base, got)
				}
				want(t, rec, tree.Pointer("/reported"+base+"/0/1"), `"s3cret-like"`)
			}
		}
	}
	// The same elsewhere is no credential.
	r := ask(t, flows(dict{
		"headers", list{list{b("Cookie"), b("kept")}}, "metadata", dict{"request", dict{"headers", list{list{b("Cookie"), b("kept")}}}},
		"request", dict{"cookies", list{list{b("Cookie"), b("kept")}}, "headers", list{list{b("X-Cookie"), b("kept")}, list{b("Cooki\u212ae"), b("kept")}}},
	}))
	if n := strings.Count(r.Texts[0], `"kept"`); n != 5 {
		t.Errorf("%d of 5 are kept", n)
	}
	want(t, r.Records[0], "/redactions", "[]")
	// A dictionary of headers is nothing that mitmproxy writes.
	r = ask(t, flows(dict{"response", dict{"headers", dict{"Set-Cookie", b("s3cret"), "Location", "https://u:s3cret@h/", "Accept", b("kept")}}}))
	want(t, r.Records[0], "/reported/response/headers", `{"Accept":"kept","Location":"https://h/","Set-Cookie":null}`)
}

func TestNativeURLs(t *testing.T) {
	for _, c := range []struct{ text, cut string }{ // "-" is left out as a whole
		{"https://h.example/a?q=u:p@x", "https://h.example/a?q=u:p@x"},
		{"https://u:p@h.example/a", "https://h.example/a"},
		{"\t https://u:p@h.example/a ", "\t https://h.example/a "},
		{"\x00\x1f//u:p@h.example/a", "\x00\x1f//h.example/a"},
		{"HTTPS://u:p@x@h.example/a", "HTTPS://h.example/a"},
		{"https:u:p@h.example/a", "-"},
		{"/plain/path@v2", "/plain/path@v2"},
		{"*", "*"},
	} {
		for _, side := range sides {
			places := map[string]dict{
				"/headers/0/1":  message(side, "headers", list{list{b("Location"), nil}}),
				"/trailers/0/1": message(side, "trailers", list{list{b("\trEFERER "), nil}}),
			}
			if strings.HasSuffix(side, "request") {
				places["/path"] = message(side, "path", nil)
			}
			for place, state := range places {
				for _, octets := range []bool{true, false} {
					var v any = c.text
					if octets {
						v = b(c.text)
					}
					r := ask(t, flows(put(state, side+place, v).(dict)))
					shown, redaction, field := string(strictjson.AppendString(nil, c.cut)), "absent", retained(side+place, c.text)
					if c.cut != c.text {
						redaction, field = `{"pointer":"`+side+place+`","reason":"transport-credential"}`, redactedField(side+place)
					}
					if c.cut == "-" {
						shown = "null"
					}
					if !octets {
						field = "absent"
					}
					want(t, r.Records[0], tree.Pointer("/reported"+side+place), shown)
					if got := sidecar(r.Records[0], "redactions", side+place); got != redaction {
						t.Errorf("%q at %s%s: redaction %s", c.text, side, place, got)
					}
					if got := sidecar(r.Records[0], "binary_fields", side+place); got != field {
						t.Errorf("%q at %s%s: %s", c.text, side, place, got)
					}
				}
			}
		}
	}
	// A response has no path, and a URL elsewhere is text.
	r := ask(t, flows(dict{"response", dict{"path", b("https://u:p@h/"), "authority", b("u@h")}, "metadata", dict{"path", "https://u:p@h/"}}))
	want(t, r.Records[0], "/redactions", "[]")
	// What is no text may hold a URL, and goes as a whole.
	r = ask(t, flows(dict{"request", dict{"path", list{b("x"), 1}, "authority", nil, "headers", list{list{b("Origin"), dict{"k", b("y")}}}}}))
	want(t, r.Records[0], "/reported", `{"request":{"authority":null,"headers":[["Origin",null]],"path":null}}`)
}

// put puts v where a pointer leads in nested dictionaries and lists.
func put(in any, pointer string, v any) any {
	if pointer == "" {
		return v
	}
	name, rest, _ := strings.Cut(pointer[1:], "/")
	if rest != "" {
		rest = "/" + rest
	}
	switch in := in.(type) {
	case dict:
		for i := 0; i < len(in); i += 2 {
			if in[i] == name {
				in[i+1] = put(in[i+1], rest, v)
			}
		}
	case list:
		var i int
		fmt.Sscan(name, &i)
		in[i] = put(in[i], rest, v)
	}
	return in
}

func TestNativeAuthority(t *testing.T) {
	for _, c := range []struct{ text, cut string }{
		{"", ""},
		{"h.example:443", "h.example:443"},
		{"u:p@h.example:443", "h.example:443"},
		{"u@x@h.example", "h.example"},
		{"@h.example", "h.example"},
		{"https://u:p@h.example:443", "https://h.example:443"},
		{"//u:p@h.example", "//h.example"},
		{"//u:p@h.example/x@y", "y"},
		{"u:p@", ""},
	} {
		for _, side := range []string{"/request", "/backup/request", "/backup/backup/request"} {
			for _, v := range []any{c.text, b(c.text)} {
				r := ask(t, flows(message(side, "authority", v)))
				want(t, r.Records[0], tree.Pointer("/reported"+side+"/authority"), string(strictjson.AppendString(nil, c.cut)))
				if got := sidecar(r.Records[0], "redactions", side+"/authority"); (got == "absent") != (c.cut == c.text) {
					t.Errorf("%q: redaction %s", c.text, got)
				}
			}
		}
	}
}

// TestURLsThatAreNotUTF8: the view is null, and the bytes, which hold the
// userinfo, are left out.
func TestURLsThatAreNotUTF8(t *testing.T) {
	const url = "https://u:s3cret@h.example/\xff"
	request := dict{"path", b(url), "authority", b("u:s3cret@h\xff"), "headers", list{list{b("Location"), b(url)}, list{b("Referer"), b(url)}, list{b("Origin"), b(url)}}}
	r := ask(t, flows(dict{"request", request, "backup", dict{"request", request}}))
	for _, side := range []string{"/request", "/backup/request"} {
		for _, place := range []string{"/path", "/authority", "/headers/0/1", "/headers/1/1", "/headers/2/1"} {
			want(t, r.Records[0], tree.Pointer("/reported"+side+place), "null")
			if got := sidecar(r.Records[0], "binary_fields", side+place); got != redactedField(side+place) {
				t.Errorf("%s%s: %s", side, place, got)
			}
		}
	}
	if n := strings.Count(r.Texts[0], `"transport-credential"`); n != 10 {
		t.Errorf("%d redactions", n)
	}
	// Without userinfo the bytes stay.
	r = ask(t, flows(dict{"request", dict{"path", b("/a\xff")}}))
	want(t, r.Records[0], "/reported/request/path", "null")
	if got := sidecar(r.Records[0], "binary_fields", "/request/path"); got != retained("/request/path", "/a\xff") {
		t.Error(got)
	}
}

// TestHeadersInOneText: what is no list of headers is hidden where a line of it
// reads like a credential, and shown where none does.
func TestHeadersInOneText(t *testing.T) {
	for text, hidden := range map[string]bool{"": false, "text": false, "Accept: a\r\nX: b": false, "Accept: a\r\nCookie: s3cret": true} {
		for _, v := range []any{text, b(text)} {
			for _, at := range []string{"headers", "trailers"} {
				r := ask(t, flows(dict{"request", dict{at, v}}))
				if strings.Contains(r.Texts[0], `"transport-credential"`) != hidden || strings.Contains(r.Texts[0], "s3cret") {
					t.Errorf("%s %q: %s", at, v, r.Texts[0])
				}
			}
		}
	}
}

// TestTextThatGrows: text of control characters is printed six times as long as
// it is; what would be over the limit of a reply says so.
func TestTextThatGrows(t *testing.T) {
	for _, v := range []any{strings.Repeat("\x01", limits.ReplyBytes/6+1), b(strings.Repeat("\x01", limits.ReplyBytes/6+1))} {
		r := ask(t, flows(dict{"a", v}))
		if !r.ReplyOverflow {
			t.Error("no overflow")
		}
	}
	if r := ask(t, flows(dict{"a", strings.Repeat("\x01", 1<<20)})); r.ReplyOverflow || len(r.Records) != 1 {
		t.Error("an overflow where there is none")
	}
}

// retained is a binary field as it is printed.
func retained(pointer, octets string) string {
	sum := sha256.Sum256(b(octets))
	return fmt.Sprintf(`{"bytes":%d,"content_base64":"%s","pointer":"%s","representation":"producer-bytes","sha256":"%x","state":"retained"}`,
		len(octets), base64.StdEncoding.EncodeToString(b(octets)), pointer, sum)
}
