package schema_test

import (
	"maps"
	"slices"
	"testing"

	"rea.example/rea/internal/judge"
	"rea.example/rea/internal/tree"
)

// What producers are known to write, field by field: whether the strict reading takes
// it and, if not, what the first error is. An edit with empty text takes a member away.
func TestFields(t *testing.T) {
	const (
		entry    = "/log/entries/0"
		request  = entry + "/request"
		response = entry + "/response"
		page     = "/log/pages/0"
	)
	type edits map[tree.Pointer]string
	j := judge.Start(t)
	base := file(t, "testdata/every-field.har")
	for _, row := range []struct {
		name    string
		edits   edits
		pointer tree.Pointer
		keyword string // none: accepted
	}{
		{"a cached response without its required fields", edits{entry + "/cache/afterRequest": `{"expires":"2031-01-01T00:00:00.000Z","fetchCount":1,"_device":"disk"}`}, entry + "/cache/afterRequest", "type"},
		{"the same with them", edits{entry + "/cache/afterRequest": `{"expires":"2031-01-01T00:00:00.000Z","fetchCount":1,"_device":"disk","lastAccess":"2031-01-01T00:00:00.000Z","eTag":"","hitCount":0}`}, "", ""},
		{"a cache that is not an object", edits{entry + "/cache": `5`}, "", ""},

		{"an IPv6 address in brackets", edits{entry + "/serverIPAddress": `"[2001:db8::7]"`}, entry + "/serverIPAddress", "format"},
		{"an IPv6 address", edits{entry + "/serverIPAddress": `"2001:db8::7"`}, "", ""},
		{"an IPv4 address in an IPv6 one", edits{entry + "/serverIPAddress": `"::ffff:203.0.113.9"`}, "", ""},
		{"an address with a zone", edits{entry + "/serverIPAddress": `"fe80::1%12"`}, entry + "/serverIPAddress", "format"},
		{"an address with a port", edits{entry + "/serverIPAddress": `"203.0.113.9:443"`}, entry + "/serverIPAddress", "format"},
		{"an empty address", edits{entry + "/serverIPAddress": `""`}, entry + "/serverIPAddress", "format"},
		{"an address that is a number passes both branches", edits{entry + "/serverIPAddress": `1`}, entry + "/serverIPAddress", "type"},

		{"an expiry of NaNs", edits{response + "/cookies/0/expires": `"NaN-NaN-NaNTNaN:NaN:NaN.NaN+NaN:NaN"`}, response + "/cookies/0/expires", "format"},
		{"no expiry", edits{response + "/cookies/0/expires": `null`}, "", ""},
		{"an expiry with the session", edits{response + "/cookies/0/expires": `"Session"`}, response + "/cookies/0/expires", "format"},
		{"an empty expiry", edits{response + "/cookies/0/expires": `""`}, response + "/cookies/0/expires", "format"},
		{"an expiry that no double holds counts as null", edits{response + "/cookies/0/expires": `1e999`}, "", ""},
		{"an expiry that is a number", edits{response + "/cookies/0/expires": `1e9`}, response + "/cookies/0/expires", "type"},

		{"a page that never loaded", edits{page + "/pageTimings": `{"onContentLoad":12.5,"onLoad":null}`}, page + "/pageTimings/onLoad", "type"},
		{"a negative time is not bounded", edits{page + "/pageTimings/onLoad": `-5`}, "", ""},
		{"a date object", edits{page + "/startedDateTime": `{}`}, page + "/startedDateTime", "type"},
		{"no pages", edits{"/log/pages": ``}, "", ""},
		{"null pages", edits{"/log/pages": `null`}, "/log/pages", "type"},
		{"an empty list of pages and a reference to one", edits{"/log/pages": `[]`, entry + "/pageref": `"page_9"`}, "", ""},

		{"no time", edits{entry + "/time": `null`}, entry + "/time", "type"},
		{"no timings and an odd status", edits{entry + "/timings": ``, response + "/status": `-999`}, entry, "required"},
		{"an odd status alone", edits{response + "/status": `-999`}, "", ""},
		{"a timing that is null", edits{entry + "/timings/wait": `null`}, entry + "/timings/wait", "type"},
		{"timings that are not an object", edits{entry + "/timings": `[]`}, "", ""},

		{"parameters and text that disagree", edits{request + "/postData/text": `"a=x%20y"`, request + "/postData/params": `[{"name":"a","value":"x y"}]`}, "", ""},
		{"an empty media type of a body", edits{request + "/postData": `{"mimeType":"","text":""}`}, "", ""},
		{"no media type of a body", edits{request + "/postData/mimeType": ``}, request + "/postData", "required"},
		{"parameters are not looked into", edits{request + "/postData/params": `[5,{"name":null}]`}, "", ""},
		{"parameters as an object", edits{request + "/postData/params": `{}`}, request + "/postData/params", "type"},
		{"a query name that is null", edits{request + "/queryString": `[{"name":null,"value":""}]`}, request + "/queryString/0/name", "type"},
		{"a null text under another producer", edits{request + "/postData/text": `null`}, request + "/postData/text", "type"},
		{"a null text under the one producer", edits{request + "/postData/text": `null`, "/log/creator": `{"name":"mitmproxy","version":"12.2.3"}`}, "", ""},
		{"its other nulls", edits{request + "/postData/text": `null`, entry + "/timings/send": `null`, "/log/creator": `{"name":"mitmproxy","version":"12.2.3"}`}, entry + "/timings/send", "type"},
		{"a null text under its next version", edits{request + "/postData/text": `null`, "/log/creator": `{"name":"mitmproxy","version":"12.2.4"}`}, request + "/postData/text", "type"},
		{"no body", edits{request + "/postData": ``}, "", ""},
		{"a body with parameters only", edits{request + "/postData/text": ``}, "", ""},

		{"another version is the profile's business", edits{"/log/version": `"1.1"`}, "/log/version", ""},
		{"a version that is a number", edits{"/log/version": `1.2`}, "/log/version", "type"},
		{"bytes as characters", edits{response + "/content": `{"size":4,"mimeType":"image/png","text":"\u0089PNG"}`}, "", ""},
		{"a body in base64", edits{response + "/content": `{"size":99,"mimeType":"text/css","encoding":"base64","text":"YXt9"}`}, "", ""},
		{"a body in base64 that isn't is not the schema's business", edits{response + "/content": `{"size":4,"mimeType":"","encoding":"base64","text":"<?xml?>"}`}, "", ""},
		{"an emoji", edits{response + "/content/text": `"ok \ud83d\ude00"`}, "", ""},
		{"an extension with fractional numbers", edits{entry + "/_webSocketMessages": `[{"type":"send","time":1690000000.1234567,"opcode":1,"data":"hi"}]`}, "", ""},

		{"a blank in a URL", edits{request + "/url": `"https://h.example/first last/1"`}, request + "/url", "format"},
		{"braces in a query", edits{request + "/url": `"https://h.example/?c={\"x\":1}"`}, request + "/url", "format"},
		{"a bar in a query", edits{request + "/url": `"https://h.example/?f=a|b"`}, request + "/url", "format"},
		{"brackets in a query", edits{request + "/url": `"https://h.example/?topic[1]=1"`}, request + "/url", "format"},
		{"a blank in a fragment", edits{request + "/url": `"https://h.example/#a b"`}, request + "/url", "format"},
		{"data", edits{request + "/url": `"data:text/plain;base64,aGk="`}, "", ""},
		{"a blank page", edits{request + "/url": `"about:blank"`}, "", ""},
		{"a blob", edits{request + "/url": `"blob:https://h.example/0f"`}, "", ""},
		{"a browser extension", edits{request + "/url": `"chrome-extension://abc/x.js"`}, "", ""},
		{"a web socket", edits{request + "/url": `"wss://h.example/s"`}, "", ""},
		{"a name that is not ASCII", edits{request + "/url": `"https://b\u00fccher.example/"`}, request + "/url", "format"},
		{"escaped slashes", edits{request + "/url": `"https:\/\/h.example\/"`}, "", ""},
		{"a relative reference", edits{request + "/url": `"/a"`}, request + "/url", "format"},
		{"a redirect is not looked into", edits{response + "/redirectURL": `" not a URL"`}, "", ""},

		{"a size of headers that is null", edits{request + "/headersSize": `null`}, request + "/headersSize", "type"},
		{"a size of a body that is null", edits{response + "/content": `{"size":null,"mimeType":"text/html"}`}, response + "/content/size", "type"},
		{"integers by value", edits{request + "/headersSize": `1e2`, request + "/bodySize": `200.0`}, "", ""},
		{"half a byte", edits{request + "/headersSize": `12.5`}, request + "/headersSize", "type"},
		{"a size that no double holds", edits{response + "/bodySize": `9007199254740993`}, response + "/bodySize", "type"},
		{"the same in an extension", edits{entry + "/_id": `9223372036855065056`}, "", ""},
		{"an empty content", edits{response + "/content": `{}`}, response + "/content", "required"},

		{"log in capitals beside log", edits{"/LOG": `1`}, "", ""},
		{"only log in capitals", edits{"/log": ``, "/Log": `{}`}, "", "required"},
		{"a member named __proto__ in an extension", edits{entry + "/_x": `{"__proto__":1}`}, "", ""},
		{"names that are lone surrogates", edits{entry + "/_x": `{"\ud800":1,"\ud801":"\ude00\ud83d"}`}, "", ""},
	} {
		src := base
		for _, pointer := range slices.Sorted(maps.Keys(row.edits)) {
			src = edit(t, src, pointer, row.edits[pointer])
		}
		got := read(src)
		accepted := row.keyword == "" && row.pointer == ""
		if accepted != (got.Verdict == "accept") || got.Pointer != row.pointer || got.Keyword != row.keyword {
			t.Errorf("%s: %s %s %q %s, want %q %s", row.name, got.Verdict, got.Stage, got.Pointer, got.Keyword, row.pointer, row.keyword)
		}
		if j.Available() {
			if d := diff(got, j.Verdict(t, src)); d != "" {
				t.Errorf("%s: %s", row.name, d)
			}
		}
	}
}
