package canary

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// harEntry is a valid entry; pairs of texts replace its pieces.
func harEntry(patches ...string) string {
	e := `{"startedDateTime":"2031-01-01T00:00:00Z","time":1,` +
		`"request":{"method":"GET","url":"https://h.example/a","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},` +
		`"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":0,"mimeType":"text/plain"},"redirectURL":"","headersSize":-1,"bodySize":-1},` +
		`"cache":{},"timings":{"send":0,"wait":0,"receive":0}}`
	for i := 0; i < len(patches); i += 2 {
		if !strings.Contains(e, patches[i]) {
			panic("nothing to patch: " + patches[i])
		}
		e = strings.Replace(e, patches[i], patches[i+1], 1)
	}
	return e
}

func harCapture(records []string) []byte {
	return []byte(`{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[` + strings.Join(records, ",") + `]}}`)
}

// Where a HAR record holds things, as patches of harEntry.
func harRequestHeader(h string) string { return harEntry(`"headers":[]`, `"headers":[`+h+`]`) }
func harResponseHeader(h string) string {
	return harEntry(`"cookies":[],"headers":[],"content"`, `"cookies":[],"headers":[`+h+`],"content"`)
}
func harRequest(old, new string) string {
	return harEntry(`"queryString":[],`, new+`,"queryString":[],`, old, "")
}
func harResponse(old, new string) string {
	head, tail, _ := strings.Cut(harEntry(), `"response":{`)
	return head + `"response":{` + new + "," + strings.Replace(tail, old, "", 1)
}
func harExtra(member string) string { return harEntry(`"cache":{}`, `"cache":{},`+member) }
func harContent(members string) string {
	return harEntry(`{"size":0,"mimeType":"text/plain"}`, `{"size":0,"mimeType":"text/plain",`+members+`}`)
}

var har = format{
	name:        "har",
	conformance: true,
	assemble:    harCapture,
	plain:       harEntry(),
	broken:      "{}",
	transport:   harTransport(),
	odd:         harOdd(),
	declared:    harDeclared(),
	wrong:       harWrong(),
	around:      harAround(),
	damage:      harDamage(),
}

// harTransport are the places where HAR holds transport authentication.
func harTransport() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	for _, side := range []string{"request", "response"} {
		header := harRequestHeader
		if side == "response" {
			header = harResponseHeader
		}
		for _, name := range []string{
			"Authorization", "authorization", "AUTHORIZATION", `Proxy-Authorization`, "proxy-authorization",
			"Cookie", "cookie", "cOOKIE", "Set-Cookie", "set-cookie", ` Cookie`, `Cookie `, `\tCookie\t`, `\u0043ookie`, `set\u002dcookie`,
		} {
			add(side+" header "+name, header(`{"name":"`+name+`","value":"Basic SECRET"}`))
		}
		add(side+" header, value first", header(`{"value":"SECRET","name":"Cookie"}`))
		add(side+" header, escaped value", header(`{"name":"Cookie","value":"a=ESCAPED"}`))
		add(side+" header, with a comment", header(`{"name":"Cookie","value":"a=1; b=SECRET","comment":"kept"}`))
		add(side+" header, the second of a name", header(`{"name":"Cookie","value":"a"},{"name":"Cookie","value":"SECRET"}`))
		for _, name := range []string{"Location", "location", "Referer", " referer", "Origin", "ORIGIN"} {
			add(side+" header "+name, header(`{"name":"`+name+`","value":"https://u:SECRET@h.example/a"}`))
		}
		for _, u := range harURLs {
			add(side+" header Referer, "+u.name, header(`{"name":"Referer","value":"`+u.text+`"}`))
		}
	}
	for _, u := range harURLs {
		if u.uri {
			add("url, "+u.name, harEntry("https://h.example/a", u.text))
		}
		add("redirectURL, "+u.name, harEntry(`"redirectURL":""`, `"redirectURL":"`+u.text+`"`))
	}
	for _, cookie := range []string{
		`{"name":"sid","value":"SECRET"}`, `{"value":"SECRET","name":""}`, `{"name":"U8+^x","value":"x SECRET y"}`,
		`{"name":"a","value":"ESCAPED","path":"/","httpOnly":true}`, `{"name":"a","value":"1"},{"name":"a","value":"SECRET"}`,
	} {
		add("request cookie "+cookie, harEntry(`"cookies":[]`, `"cookies":[`+cookie+`]`))
		add("response cookie "+cookie, harEntry(`"cookies":[],"headers":[],"content"`, `"cookies":[`+cookie+`],"headers":[],"content"`))
	}
	return rows
}

// harURLs are spellings of userinfo, as JSON text; uri says that the schema takes
// them for a request.
var harURLs = []struct {
	name, text string
	uri        bool
}{
	{"a password", "https://u:SECRET@h.example/a?x=1", true},
	{"a user", "https://SECRET@h.example/", true},
	{"an at sign", "https://u:p@SECRET@h.example/", true},
	{"another scheme", "ftp://SECRET:p@h.example/", true},
	{"a foreign scheme", "foo+bar://SECRET@h.example/", true},
	{"upper case", "HTTPS://u:SECRET@h.example/", true},
	{"escaped", `https:\/\/u:ESCAPED\u0040h.example\/`, true},
	{"a reference", "//u:SECRET@h.example/a", false},
	{"slashless", "https:u:SECRET@h.example/", true},
	{"one slash", "https:/u:SECRET@h.example/", true},
	{"three slashes", "https:///u:SECRET@h.example/", true},
	{"a slash inside", "https://u:pa/SECRET@h.example/", true},
	{"a percent sign", "https://u:%40SECRET@h.example/", true},
	{"an empty password", "https://SECRET:@h.example/", true},
	{"backslashes", `https:\\\\u:SECRET@h.example/`, false},
	{"blank in front", " https://u:SECRET@h.example/", false},
	{"blank, controls", `\t\u0001https://u:SECRET@h.example/`, false},
	{"blank in the words", `ht\ntps://u:SECRET@h.example/`, false},
}

// harOdd are the same places in shapes that only conformance "report" opens.
func harOdd() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	for _, side := range []string{"request", "response"} {
		in := harRequest
		if side == "response" {
			in = harResponse
		}
		for _, headers := range []string{
			`"Cookie: SECRET"`, `["Cookie: SECRET"]`, `[["Cookie","SECRET"]]`, `{"Cookie":"SECRET"}`, `{"cookie":["SECRET"]}`,
			`{"set-cookie":{"x":"SECRET"}}`, `{" AUTHORIZATION ":"SECRET"}`, `{"list":[{"name":"Cookie","value":"SECRET"}]}`,
			`[{"Name":"Cookie","Value":"SECRET"}]`, `[{"name":["Cookie"],"value":"SECRET"}]`, `[{"name":"Cookie","value":["SECRET"]}]`,
			`[{"name":"Cookie","value":{"a":"SECRET"}}]`, `[{"name":"Cookie","value":DIGITS}]`, `[{"value":"SECRET"}]`,
			`[{"Cookie":"SECRET"}]`, `[{"name":"Cookie"},{"value":"SECRET"}]`, `[null,{"name":"Cookie","value":"SECRET"}]`,
			`{"Referer":"https://u:SECRET@h.example/"}`, `[{"name":"Location","value":["https://u:SECRET@h.example/"]}]`, `DIGITS`,
			`{"Proxy-Authorization":DIGITS}`, `[[[{"name":"Cookie","value":"SECRET"}]]]`,
		} {
			add(side+" headers "+headers, in(`"headers":[],`, `"headers":`+headers))
		}
		for _, cookies := range []string{
			`"sid=SECRET"`, `["sid=SECRET"]`, `{"sid":"SECRET"}`, `{"SECRET":"x"}`, `[{"name":"a","value":DIGITS}]`, `[{"name":"a","value":["SECRET"]}]`,
			`[{"Name":"a","Value":"SECRET"}]`, `[{"sid":"SECRET"}]`, `[["a","SECRET"]]`, `DIGITS`, `[{"value":"SECRET"}]`,
		} {
			add(side+" cookies "+cookies, in(`"cookies":[],`, `"cookies":`+cookies))
		}
	}
	for _, url := range []string{
		`["https://u:SECRET@h.example/"]`, `{"href":"https://u:SECRET@h.example/"}`, `DIGITS`,
		`"//u:SECRET@h.example/"`, `" https://u:SECRET@h.example/"`, `"https:\\\\u:SECRET@h.example/"`, `"h\nttps://u:SECRET@h.example/"`,
	} {
		add("url "+url, harEntry(`"https://h.example/a"`, url))
		add("redirectURL "+url, harEntry(`"redirectURL":""`, `"redirectURL":`+url))
	}
	for _, side := range []string{`"Cookie: SECRET"`, `["Cookie: SECRET"]`, `DIGITS`} {
		add("an entry "+side, side)
		add("a request "+side, `{"request":`+side+`}`)
		add("a response "+side, `{"response":`+side+`}`)
	}
	add("a bare request", `{"request":{"headers":[{"name":"Cookie","value":"SECRET"}]}}`)
	add("a bare response", `{"response":{"cookies":[{"name":"Cookie","value":"SECRET"}]}}`)
	return rows
}

// harWrong are records that break the schema, or the reader, with the secret in
// the very place that is wrong. A failure never quotes it, declared or not.
func harWrong() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	for _, p := range [][2]string{
		{`"time":1`, `"time":"SECRET"`},
		{`"2031-01-01T00:00:00Z"`, `"SECRET"`},
		{`"https://h.example/a"`, `" SECRET"`},
		{`"method":"GET"`, `"method":["SECRET"]`},
		{`"status":200`, `"status":"SECRET"`},
		{`"status":200`, `"status":1.DIGITS`},
		{`"bodySize":-1`, `"bodySize":90071992547409930DIGITS`},
		{`"cache":{}`, `"cache":{},"serverIPAddress":"SECRET"`},
		{`"receive":0`, `"receive":["SECRET"]`},
		{`"text/plain"`, `{"SECRET":1}`},
		{`"mimeType":"text/plain"`, `"mimeType":"a/b","encoding":"base64","text":"SECRET!"`},
		{`"mimeType":"text/plain"`, `"mimeType":"a/b","encoding":"base64","text":"BASE64=="`},
	} {
		add(p[1], harEntry(p[0], p[1]))
	}
	add("a whole entry", `"SECRET"`)
	return rows
}

// harDeclared are all places of a HAR record that a declared value can reach.
func harDeclared() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	// Free text.
	for _, p := range [][2]string{
		{`"GET"`, `"SECRET"`},
		{`https://h.example/a`, `https://h.example/SECRET?q`},
		{`https://h.example/a`, `https://u:p@h.example/SECRET`},
		{`https://h.example/a`, `https://h.example/?q=SECRET#f`},
		{`"httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString"`, `"httpVersion":"SECRET","cookies":[],"headers":[],"queryString"`},
		{`"queryString":[]`, `"queryString":[{"name":"SECRET","value":""}]`},
		{`"queryString":[]`, `"queryString":[{"name":"","value":"SECRET"}]`},
		{`"queryString":[]`, `"queryString":[{"name":"","value":"","comment":"SECRET"}]`},
		{`"headers":[]`, `"headers":[{"name":"SECRET","value":""}]`},
		{`"headers":[]`, `"headers":[{"name":"X","value":"SECRET"}]`},
		{`"headers":[]`, `"headers":[{"name":"Cookie","value":"SECRET","comment":"SECRET"}]`},
		{`"headers":[]`, `"headers":[{"name":"Referer","value":"https://u:p@h.example/SECRET"}]`},
		{`"cookies":[]`, `"cookies":[{"name":"SECRET","value":""}]`},
		{`"cookies":[]`, `"cookies":[{"name":"","value":"SECRET","path":"SECRET","domain":"SECRET","comment":"SECRET"}]`},
		{`"bodySize":0`, `"bodySize":0,"postData":{"mimeType":"SECRET","text":""}`},
		{`"bodySize":0`, `"bodySize":0,"postData":{"mimeType":"","text":"a SECRET b","comment":"SECRET"}`},
		{`"bodySize":0`, `"bodySize":0,"postData":{"mimeType":"","params":[{"name":"SECRET","value":"SECRET","fileName":"SECRET","contentType":"SECRET"}]}`},
		{`"bodySize":0`, `"bodySize":0,"comment":"SECRET"`},
		{`"OK"`, `"SECRET"`},
		{`"text/plain"`, `"SECRET"`},
		{`"mimeType":"text/plain"`, `"mimeType":"","text":"SECRET"`},
		{`"mimeType":"text/plain"`, `"mimeType":"","text":"","encoding":"SECRET"`},
		{`"mimeType":"text/plain"`, `"mimeType":"","comment":"SECRET"`},
		{`"redirectURL":""`, `"redirectURL":"/SECRET"`},
		{`"cache":{}`, `"cache":{"comment":"SECRET"}`},
		{`"cache":{}`, `"cache":{"afterRequest":{"lastAccess":"2031-01-01T00:00:00Z","eTag":"SECRET","hitCount":0}}`},
		{`"cache":{}`, `"cache":{},"pageref":"SECRET","connection":"SECRET","comment":"SECRET"`},
		{`"receive":0`, `"receive":0,"comment":"SECRET"`},
		{`"cache":{}`, `"cache":{},"_x":"SECRET"`},
		{`"cache":{}`, `"cache":{},"_x":[[{"y":["SECRET"]}]]`},
		{`"cache":{}`, `"cache":{},"_x":"ESCAPED"`},
		{`"cache":{}`, `"cache":{},"_x":"a\\SECRET\/b"`},
	} {
		add(p[1], harEntry(p[0], p[1]))
	}
	// Names.
	for _, m := range []string{
		`"SECRET":1`, `"_SECRET_":{"n":1,"t":"x"}`, `"ESCAPED":null`, `"_x":{"SECRET":[1,2]}`, `"_x":[{"a":{"SECRET":"SECRET"}}]`, `"_x":{"a":1,"ESCAPED":{"b":2},"c":3}`,
	} {
		add("the name of "+m, harExtra(m))
	}
	// Numbers.
	for _, p := range [][2]string{
		{`"time":1`, `"time":DIGITS`}, {`"time":1`, `"time":0.DIGITS`}, {`"status":200`, `"status":DIGITS`},
		{`"headersSize":-1`, `"headersSize":-DIGITS`}, {`"bodySize":0`, `"bodySize":DIGITS`}, {`"size":0`, `"size":DIGITS`},
		{`"wait":0`, `"wait":DIGITS.5`}, {`"cache":{}`, `"cache":{},"_x":90DIGITS0DIGITS`}, {`"cache":{}`, `"cache":{},"_x":[1e-DIGITS]`},
		{`"cache":{}`, `"cache":{},"_x":DIGITSe300`}, {`"cache":{}`, `"cache":{},"_x":"DIGITS"`},
	} {
		add(p[1], harEntry(p[0], p[1]))
	}
	// Bodies: declared as what they decode to, and in their other spellings.
	add("a body", harContent(`"encoding":"base64","text":"BASE64"`))
	add("a body with blanks", harContent(`"encoding":"base64","text":"BLANKS"`))
	add("a body, escaped", harContent(`"encoding":"base64","text":"EBASE64"`))
	add("no body", harContent(`"encoding":"base64x","text":"a SECRET"`))
	rows = append(rows,
		row{name: "a body, by its base64", record: harContent(`"encoding":"base64","text":"BASE64"`),
			literal: func(s string) string { return body64(s)[2:18] }},
		row{name: "a body, by its digest", record: harContent(`"encoding":"base64","text":"BASE64"`),
			literal: func(s string) string {
				sum := sha256.Sum256([]byte(bodyOf(s)))
				return hex.EncodeToString(sum[:])[20:40]
			}},
		row{name: "a URL without its userinfo", record: harEntry("https://h.example/a", "https://u:p@cut.example/path"), literal: is("https://cut.example/path")},
		row{name: "a date", record: harEntry("2031-01-01T00:00:00Z", "2031-07-19T03:04:05.678Z"), literal: is("2031-07-19T03:04:05.678Z")},
		row{name: "an address", record: harExtra(`"serverIPAddress":"203.0.113.77"`), literal: is("203.0.113.77")},
		row{name: "a date of a cookie", record: harEntry(`"cookies":[]`, `"cookies":[{"name":"","value":"","expires":"2041-02-03T04:05:06Z"}]`), literal: is("2041-02-03T04")},
		row{name: "a pointer over two names", record: harExtra(`"_deep":{"leaf":5}`), literal: is("_deep/leaf")},
		row{name: "a pointer's escape", record: harExtra(`"_a/b":5`), literal: is("_a~1b")},
		row{name: "a name with slashes", record: harExtra(`"_c/~d":{"e":1}`), literal: is("c/~d")},
		row{name: "a name with quotes", record: harExtra(`"_q\"\\\u0007":{"e":1}`), literal: is("q\"\\\a")},
		row{name: "a text with quotes", record: harExtra(`"_x":"Zq\"\\\u0007\n"`), literal: is("Zq\"\\\a\n")},
		row{name: "a text of many letters", record: harExtra(`"_x":"überß😀Ωmega"`), literal: is("berß😀Ωm")},
		row{name: "a name of many letters", record: harExtra(`"überß\ud83d\ude00Ωmega2":1`), literal: is("berß😀Ωmega2")},
		row{name: "a location", record: harEntry(), literal: is("/log/entries/3"), coarse: true},
		row{name: "the list", record: harEntry(), literal: is("entries"), coarse: true},
		row{name: "the document", record: harEntry(), literal: is("log"), coarse: true},
		row{name: "a required name", record: harEntry(), literal: is("httpVersion"), coarse: true},
		row{name: "words of a limitation", record: harEntry(), literal: is("authentic deployment"), coarse: true},
		row{name: "the name of a rule", record: harEntry(), literal: is("Text is the producer's"), coarse: true},
	)
	return rows
}

func is(literal string) func(string) string { return func(string) string { return literal } }

// bodyOf is a body that holds the secret at no multiple of three.
func bodyOf(secret string) string { return "\x00\xffbinary " + secret + " \x80" }

func body64(secret string) string { return base64.StdEncoding.EncodeToString([]byte(bodyOf(secret))) }

// harDamage breaks a record in the object that holds the secret, or below it.
func harDamage() []damage {
	before := func(member string) func(record, secret string) string {
		return func(record, secret string) string {
			at := max(strings.Index(record, secret), 0)
			open := strings.LastIndexByte(record[:at], '{') + 1
			if open == 0 {
				return member + record // no object; no JSON either
			}
			return record[:open] + member + "," + record[open:]
		}
	}
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	return []damage{
		{"a duplicate", before(`"dup":0,"\u0064up":0`)},
		{"a deep value", before(`"deep":` + deep)},
		{"bytes that are no UTF-8", before("\"x\":\"\xff\"")},
		{"no comma", before(`"x":0 "y":0`)},
		{"the end right after it", func(record, secret string) string {
			// Nothing that assemble appends closes the string again.
			return record[:max(strings.Index(record, secret), 0)+len(secret)] + "\x00"
		}},
		{"its name twice", func(record, secret string) string {
			if i := strings.Index(record, `"cache":{},`); i >= 0 {
				i += len(`"cache":{},`)
				member := strings.TrimSuffix(record[i:], `,"timings":{"send":0,"wait":0,"receive":0}}`)
				return record[:i] + member + "," + record[i:]
			}
			return "[" + record
		}},
		{"too deep below its name", func(record, secret string) string {
			if i := strings.Index(record, `"cache":{},`); i >= 0 {
				i += len(`"cache":{},`)
				if j := strings.LastIndex(record, `:`); j > i {
					name, _, _ := strings.Cut(record[i:], `":`)
					return record[:i] + name + `":` + deep + record[strings.LastIndex(record, `,"timings"`):]
				}
			}
			return record + "}"
		}},
	}
}

// harAround are the places of a HAR outside of its entries.
func harAround() (rows []row) {
	whole := string(harCapture([]string{harEntry()}))
	for _, p := range [][2]string{
		{`"name":"x"`, `"name":"SECRET"`},
		{`"version":"1"`, `"version":"SECRET","comment":"SECRET"`},
		{`"entries"`, `"browser":{"name":"SECRET","version":"SECRET"},"entries"`},
		{`"entries"`, `"comment":"a SECRET","entries"`},
		{`"entries"`, `"pages":[{"startedDateTime":"2031-01-01T00:00:00Z","id":"SECRET","title":"","pageTimings":{}}],"entries"`},
		{`"entries"`, `"pages":[{"startedDateTime":"2031-01-01T00:00:00Z","id":"","title":"https://u:p@h.example/SECRET","pageTimings":{"onLoad":1},"comment":"SECRET"}],"entries"`},
		{`"entries"`, `"pages":[{"startedDateTime":"2031-01-01T00:00:00Z","id":"","title":"","pageTimings":{"onLoad":DIGITS.5}}],"entries"`},
		{`"entries"`, `"_SECRET":{"a":1},"entries"`},
		{`"entries"`, `"_x":[{"SECRET":{"a":1}}],"entries"`},
		{`{"log"`, `{"SECRET":1,"log"`},
		{`{"log"`, `{"ESCAPED":[1],"log"`},
		{`{"log"`, `{"_x":{"y":"ESCAPED"},"log"`},
		{`{"log"`, `{"_x":90DIGITS0DIGITS,"log"`},
	} {
		rows = append(rows, row{name: p[1], record: strings.Replace(whole, p[0], p[1], 1)})
	}
	return append(rows,
		row{name: "a date", record: strings.Replace(whole, `"entries"`, `"pages":[{"startedDateTime":"2031-07-19T03:04:05.678Z","id":"","title":"","pageTimings":{}}],"entries"`, 1), literal: is("2031-07-19")},
		row{name: "a pointer over two names", record: strings.Replace(whole, `"entries"`, `"_deep":{"leaf":5},"entries"`, 1), literal: is("_deep/leaf")},
		row{name: "the records' pointer", record: whole, literal: is("log/entries")},
	)
}
