package canary

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A record of a flow file is written here as JSON, so that a secret of any
// length may stand in it. A string begins with its type tag: "," for octets, ";"
// for text, "#" and "^" for numbers as they are spelt, and "*" for octets in
// base64. In octets "¿" stands for a byte that is no UTF-8. A key is text where
// it begins with no tag. Numbers are integers, or floats where they have a dot
// or an exponent. What is no JSON stands in the file as it is.
func mitmproxyCapture(records []string) (out []byte) {
	for _, r := range records {
		d := json.NewDecoder(strings.NewReader(r))
		d.UseNumber()
		token, err := nativeValue(d, false)
		if _, end := d.Token(); err != nil || end != io.EOF {
			token = r
		}
		out = append(out, token...)
	}
	return out
}

func nativeValue(d *json.Decoder, key bool) (string, error) {
	token, err := d.Token()
	if err != nil {
		return "", err
	}
	switch v := token.(type) {
	case nil:
		return "0:~", nil
	case bool:
		return framed(strconv.FormatBool(v), '!'), nil
	case json.Number:
		if strings.ContainsAny(v.String(), ".e") {
			return framed(v.String(), '^'), nil
		}
		return framed(v.String(), '#'), nil
	case string:
		return nativeString(v, key)
	}
	in, object := "", token == json.Delim('{')
	for d.More() {
		for k := range 2 {
			if k == 0 && !object {
				continue
			}
			item, err := nativeValue(d, object && k == 0)
			if err != nil {
				return "", err
			}
			in += item
		}
	}
	if _, err := d.Token(); err != nil {
		return "", err
	}
	if object {
		return framed(in, '}'), nil
	}
	return framed(in, ']'), nil
}

func nativeString(v string, key bool) (string, error) {
	switch {
	case v == "" || key && !strings.ContainsRune(",;#^!~]}*", rune(v[0])):
		return framed(v, ';'), nil
	case v[0] == ',':
		return framed(strings.ReplaceAll(v[1:], "¿", "\xff"), ','), nil
	case v[0] == '*':
		b, err := base64.StdEncoding.DecodeString(v[1:])
		return framed(string(b), ','), err
	}
	return framed(v[1:], v[0]), nil
}

func framed(payload string, tag byte) string {
	return strconv.Itoa(len(payload)) + ":" + payload + string(tag)
}

const (
	flowRequest  = `{"headers":[],"content":null,"trailers":null,"method":",GET","scheme":",https","authority":",","path":",/a","host":";h.example","port":443}`
	flowResponse = `{"headers":[],"content":",","trailers":null,"status_code":200,"reason":",OK"}`
)

// flowState is a state; pairs of texts replace its pieces.
func flowState(patches ...string) string {
	s := `{"type":";http","version":21,"id":";i","request":` + flowRequest + `,"response":` + flowResponse + `,"websocket":null,"metadata":{},"timestamp_created":1.5,"backup":null}`
	for i := 0; i < len(patches); i += 2 {
		if !strings.Contains(s, patches[i]) {
			panic("nothing to patch: " + patches[i])
		}
		s = strings.Replace(s, patches[i], patches[i+1], 1)
	}
	return s
}

// flowSides are the places of a message: the patch that puts text there.
var flowSides = []struct {
	name    string
	request bool
	state   func(message string) string
}{
	{"request", true, func(m string) string { return flowState(flowRequest, m) }},
	{"response", false, func(m string) string { return flowState(flowResponse, m) }},
	{"backup's request", true, func(m string) string { return flowState(`"backup":null`, `"backup":{"request":`+m+`,"backup":null}`) }},
	{"backup's response", false, func(m string) string { return flowState(`"backup":null`, `"backup":{"response":`+m+`}`) }},
	{"third backup's request", true, func(m string) string {
		return flowState(`"backup":null`, `"backup":{"backup":{"backup":{"request":`+m+`}}}`)
	}},
}

var mitmproxy = format{
	name:      "mitmproxy",
	assemble:  mitmproxyCapture,
	plain:     flowState(),
	broken:    "[]",
	transport: flowTransport(),
	declared:  flowDeclared(),
	wrong:     flowWrong(),
	damage:    flowDamage(),
}

// flowTransport are the places where a state holds transport authentication.
func flowTransport() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	for _, side := range flowSides {
		for _, list := range []string{"headers", "trailers"} {
			in := func(header string) string { return side.state(`{"` + list + `":[[",X",",kept"],` + header + `]}`) }
			for _, name := range []string{"Authorization", "PROXY-AUTHORIZATION", "cookie", "Set-Cookie", ` Cookie\t`} {
				add(side.name+" "+list+" "+name, in(`[",`+name+`",",Basic SECRET"]`))
			}
			for _, value := range []string{`";SECRET"`, `",¿SECRET"`, `"*BASE64"`, `DIGITS`, `DIGITS.5`, `[",SECRET"]`, `{"SECRET":1}`, `{"a":{"b":[";SECRET"]}}`} {
				add(side.name+" "+list+" Cookie of "+value, in(`[",Cookie",`+value+`]`))
			}
			for _, value := range []string{`[",https://u:SECRET@h.example/"]`, `{"url":",https://u:SECRET@h.example/"}`} {
				add(side.name+" "+list+" Location of "+value, in(`[",Location",`+value+`]`))
			}
			add(side.name+" "+list+" as text", side.state(`{"`+list+`":",Cookie: SECRET"}`))
			add(side.name+" "+list+" as a dictionary", side.state(`{"`+list+`":{"Cookie":",SECRET"}}`))
			for _, name := range []string{"Location", ` referer`, "ORIGIN"} {
				for _, url := range flowURLs {
					add(side.name+" "+list+" "+name+" "+url, in(`[",`+name+`",`+url+`]`))
				}
			}
		}
		if side.request {
			for _, url := range flowURLs {
				add(side.name+" path "+url, side.state(`{"path":`+url+`}`))
				add(side.name+" authority "+url, side.state(`{"authority":`+url+`}`))
			}
			add(side.name+" path in a list", side.state(`{"path":[",https://u:SECRET@h.example/"]}`))
			for _, authority := range []string{`[",u:SECRET@h.example"]`, `",u:SECRET@h.example:443"`, `";SECRET@h.example"`, `",u:p@SECRET@h¿"`, `",SECRET:@"`} {
				add(side.name+" authority "+authority, side.state(`{"authority":`+authority+`}`))
			}
		}
	}
	for _, given := range []string{`[";u",";SECRET"]`, `",SECRET"`, `{"a":";SECRET"}`} {
		add("proxyauth of "+given, flowState(`"metadata":{}`, `"metadata":{"proxyauth":`+given+`}`))
		add("backup's proxyauth of "+given, flowState(`"backup":null`, `"backup":{"metadata":{"proxyauth":`+given+`}}`))
	}
	return rows
}

var flowURLs = []string{
	`",https://u:SECRET@h.example/a"`, `";https://SECRET@h.example/a"`, `",//u:SECRET@h.example/¿"`, `",\t\u0001https://u:SECRET@h.example"`,
	`",https:u:SECRET@h.example/"`, `";https:///SECRET@h.example/"`, `",HTTPS://u:p@SECRET@h.example/"`,
}

// flowWrong are states that don't open, with the secret in what is wrong.
func flowWrong() (rows []row) {
	for _, v := range []string{
		`"#SECRET"`, `"#DIGITS "`, `"^SECRET"`, `"^DIGITS"`, `"^1_DIGITS.5"`, `"!SECRET"`, `"~SECRET"`, `"]SECRET"`, `"]9:SECRET,"`, `"}5:SECRET"`, `"?SECRET"`,
		`{",SECRET":1}`, `{"#DIGITS":1}`, `{"]6:SECRET,":1}`, `"]12:;SECRET"`,
	} {
		rows = append(rows, row{name: v, record: flowState(`"metadata":{}`, `"metadata":`+v)})
	}
	for _, h := range []string{`";SECRET"`, `[",SECRET"]`, `[";SECRET",","]`, `[",a",",b",",SECRET"]`, `{"SECRET":1}`, `DIGITS`} {
		rows = append(rows, row{name: "header " + h, record: flowState(`"headers":[]`, `"headers":[`+h+`]`)})
	}
	for _, whole := range []string{`";SECRET"`, `[",SECRET"]`, `SECRET`, `12:SECRET`, `0:}SECRET`, `DIGITS`} {
		rows = append(rows, row{name: "record " + whole, record: whole})
	}
	return rows
}

// flowDeclared are the places that a declared value can reach.
func flowDeclared() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	for _, p := range [][2]string{
		{`";i"`, `";a SECRET b"`}, {`";http"`, `";SECRET"`}, {`",GET"`, `",SECRET"`}, {`",/a"`, `",/SECRET?q"`}, {`",/a"`, `",https://u:p@h.example/SECRET"`},
		{`";h.example"`, `";SECRET.example"`}, {`"authority":","`, `"authority":",u:p@SECRET.example"`}, {`"content":null`, `"content":",{SECRET}"`},
		{`"content":null`, `"content":",¿SECRET"`}, {`"content":","`, `"content":"*BASE64"`}, {`",OK"`, `";SECRET"`},
		{`"headers":[]`, `"headers":[[",SECRET",","]]`}, {`"headers":[]`, `"headers":[[",X",",SECRET"]]`}, {`"headers":[]`, `"headers":[[",Referer",",https://u:p@h.example/SECRET"]]`},
		{`"websocket":null`, `"websocket":{"messages":[[1,true,",SECRET",2.5,false,false]],"close_reason":";SECRET"}`},
		{`"metadata":{}`, `"metadata":{"k":[[{"y":[";SECRET"]}]]}`}, {`"metadata":{}`, `"metadata":{"k":";ESCAPED\u0000"}`}, {`"backup":null`, `"backup":{"comment":";SECRET"}`},
		{`"metadata":{}`, `"metadata":{"SECRET":1}`}, {`"metadata":{}`, `"metadata":{"_SECRET_":{"n":",x","t":1.5}}`}, {`"metadata":{}`, `"metadata":{"x":[{"ESCAPED":",SECRET"}]}`},
		{`"version":21`, `"version":DIGITS`}, {`"version":21`, `"version":[0,90DIGITS0DIGITS]`}, {`"port":443`, `"port":-DIGITS`},
		{`1.5`, `1DIGITS.5`}, {`1.5`, `0.DIGITS`}, {`"metadata":{}`, `"metadata":{"x":";DIGITS"}`},
	} {
		add(p[1], flowState(p[0], p[1]))
	}
	return append(rows,
		row{name: "octets, by their base64", record: flowState(`"content":null`, `"content":"*BASE64"`), literal: func(s string) string { return body64(s)[2:18] }},
		row{name: "octets, by their digest", record: flowState(`"content":null`, `"content":"*BASE64"`), literal: func(s string) string {
			sum := sha256.Sum256([]byte(bodyOf(s)))
			return hex.EncodeToString(sum[:])[20:40]
		}},
		row{name: "a URL without its userinfo", record: flowState(`",/a"`, `",https://u:p@cut.example/path"`), literal: is("https://cut.example/path")},
		row{name: "a pointer over two names", record: flowState(`"metadata":{}`, `"metadata":{"_deep":5}`), literal: is("metadata/_deep")},
		row{name: "a pointer's escape", record: flowState(`"metadata":{}`, `"metadata":{"_a/b":5}`), literal: is("_a~1b")},
		row{name: "a text of many letters", record: flowState(`";i"`, `";überß😀Ωmega"`), literal: is("berß😀Ωm")},
		row{name: "octets of many letters", record: flowState(`"content":null`, `"content":",überß😀Ωmega3"`), literal: is("berß😀Ωmega3")},
		row{name: "a name of the producer", record: flowState(), literal: is("status_code"), coarse: true},
		row{name: "an offset", record: flowState(), literal: is(strconv.Itoa(len(mitmproxyCapture([]string{flowState()})))), coarse: true},
		row{name: "words of a limitation", record: flowState(), literal: is("nothing was migrated"), coarse: true},
	)
}

// flowDamage breaks a state in the dictionary that holds the secret, or behind
// it.
func flowDamage() []damage {
	before := func(member string) func(record, secret string) string {
		return func(record, secret string) string {
			at := max(strings.Index(record, secret), 0)
			open := strings.LastIndexByte(record[:at], '{') + 1
			if open == 0 {
				return record + "?"
			}
			if strings.HasPrefix(record[open:], "}") {
				return record[:open] + member + record[open:]
			}
			return record[:open] + member + "," + record[open:]
		}
	}
	return []damage{
		{"a key in octets", before(`",k":1`)},
		{"a deep value", before(`"deep":` + strings.Repeat("[", 70) + strings.Repeat("]", 70))},
		{"a deeper one", before(`"deep":` + strings.Repeat("[", 500) + strings.Repeat("]", 500))},
		{"text that is no UTF-8", before(`"x":"]1:é;"`)},
		{"an unknown tag", before(`"x":"?"`)},
		{"more behind it", func(record, secret string) string {
			return string(mitmproxyCapture([]string{record})) + secret + "?"
		}},
		{"the end right after it", func(record, secret string) string {
			whole := string(mitmproxyCapture([]string{record}))
			return whole[:max(strings.Index(whole, secret), 5)+len(secret)]
		}},
		{"a length too long", func(record, secret string) string {
			whole := string(mitmproxyCapture([]string{record}))
			return fmt.Sprint(len(whole)) + strings.TrimLeft(whole, "0123456789")
		}},
	}
}
