package lanes

import (
	"context"
	"encoding/json"
	"strings"

	"rea.example/verify/bench"
)

// planted marks where a secret goes into the texts below.
const planted = "SECRET"

// urlSecrets are spellings of a URL with a secret in what is user or password, or
// what some reader takes for one: a slash in a password leaves half of it behind
// what looks like the authority.
var urlSecrets = []string{
	"https://u:SECRET@h.example/", "https://SECRET@h.example/a?b#c", "https:u:SECRET@h.example/", "https:///u:SECRET@h.example/",
	"https:/u:SECRET@h.example/", `https:\\u:SECRET@h.example/`, `https://u:SECRET@h.example\@i.example/`, "//u:SECRET@h.example/",
	`\\u:SECRET@h.example/`, " https://u:SECRET@h.example/", "https://u:p@x:SECRET/s@h.example/", "https://u:p@/SECRET@h.example/",
	"https://u:p@q@SECRET@h.example/", "custom://u:SECRET@h.example/", "ht\ttps://u:SECRET@h.example/",
}

// messageSecrets are request, or response, in which a secret stands where a
// standard HAR has headers, cookies or a URL, in shapes that are not its own. What
// isn't named like one header, but written like one, may hold any.
var messageSecrets = []string{
	`{"headers":{"Authorization":"Bearer SECRET"}}`, `{"headers":{"COOKIE":["sid=SECRET"]}}`, `{"headers":{"Referer":"https://u:SECRET@h.example/"}}`,
	`{"headers":{"title":"Authorization","text":"Bearer SECRET"}}`, `{"headers":{"field":"Authorization","line":"Bearer SECRET"}}`,
	`{"headers":{"field":"Cookie","lines":"sid=SECRET"}}`, `{"headers":{"name":"Cookie","value":"sid=SECRET"}}`,
	`{"headers":{"name":"Cookie","content":"sid=SECRET"}}`, `{"headers":{"key":"Cookie","content":"sid=SECRET"}}`, `{"headers":{"header":"Cookie","content":"sid=SECRET"}}`,
	`{"headers":{"headers":"Cookie","content":"sid=SECRET"}}`, `{"headers":{"field":"Cookie","value":"sid=SECRET"}}`, `{"headers":{"field":"Cookie","values":"sid=SECRET"}}`,
	`{"headers":{"raw":"sid=SECRET"}}`, `{"headers":{"0":"Cookie: sid=SECRET"}}`, `{"headers":{"0":"Origin: https://u:SECRET@h.example"}}`,
	`{"headers":{"all":["Cookie","SECRET"]}}`, `{"headers":"Cookie: sid=SECRET"}`, `{"headers":["Cookie: sid=SECRET"]}`, `{"headers":[["Cookie","sid=SECRET"]]}`,
	`{"headers":[{"name":"Cookie","value":["sid=SECRET"]}]}`, `{"headers":[{"Cookie":"sid=SECRET"}]}`, `{"headers":[{"name":"X","value":"y","cookie":"SECRET"},[]]}`,
	`{"cookies":{"sid":"SECRET"}}`, `{"cookies":"sid=SECRET"}`, `{"cookies":["sid=SECRET"]}`, `{"cookies":[{"name":"sid","value":{"text":"SECRET"}}]}`,
	`["https://u:SECRET@h.example/"]`, `"Cookie: sid=SECRET"`,
}

// shaped gives HARs with a secret of its own at each place: one that strict mode
// reads, with URLs of every spelling, and one with messages of every shape.
func (c *canary) shaped() (strict, odd string) {
	text := func(s string) string {
		out, err := json.Marshal(s)
		if err != nil {
			panic(err) // texts
		}
		return strings.ReplaceAll(string(out), planted, c.next())
	}
	har := func(entries []string) string {
		return `{"log":{"version":"1.2","creator":{"name":"canary","version":"1"},"entries":[` + strings.Join(entries, ",") + `]}}`
	}
	var plain, shapes []string
	for _, u := range urlSecrets {
		headers := func() string {
			var list []string
			for _, name := range []string{"Location", "Referer", "Origin"} {
				list = append(list, `{"name":"`+name+`","value":`+text(u)+`}`)
			}
			return strings.Join(list, ",")
		}
		plain = append(plain, `{"startedDateTime":"2024-01-01T00:00:00Z","time":1,"request":{"method":"GET","url":"https://h.example/","httpVersion":"",`+
			`"cookies":[],"headers":[`+headers()+`],"queryString":[],"headersSize":-1,"bodySize":0},"response":{"status":302,"statusText":"","httpVersion":"",`+
			`"cookies":[],"headers":[`+headers()+`],"content":{"size":0,"mimeType":""},"redirectURL":`+text(u)+`,"headersSize":-1,"bodySize":0},`+
			`"cache":{},"timings":{"send":0,"wait":1,"receive":0}}`)
		shapes = append(shapes, `{"request":{"url":`+text(u)+`}}`)
	}
	for _, m := range messageSecrets {
		for _, side := range []string{"request", "response"} {
			shapes = append(shapes, `{"`+side+`":`+strings.ReplaceAll(m, planted, c.next())+`}`)
		}
	}
	for _, place := range []string{`{"request":{"url":["SECRET"]}}`, `{"response":{"redirectURL":{"href":"SECRET"}}}`} {
		shapes = append(shapes, strings.ReplaceAll(place, planted, "https://u:"+c.next()+"@h.example/"))
	}
	shapes = append(shapes, text("Cookie: sid="+planted), "["+text("Cookie: sid="+planted)+"]")
	return har(plain), har(shapes)
}

// checkShapes looks for secrets at places of a HAR that are spelled or shaped as
// the standard's are not.
func checkShapes(ctx context.Context, b *bench.Bench, run *runner) error {
	c := &canary{plant: b.Plant}
	strict, odd := c.shaped()
	if err := c.check(ctx, b, run, "URLs of every spelling", strict, 0, [][]string{{"--json"}, {"--format", "text"}}); err != nil {
		return err
	}
	report := []string{"--conformance", "report"}
	if err := c.check(ctx, b, run, "messages of every shape", odd, 0, [][]string{append(report, "--json"), append(report, "--format", "text")}); err != nil {
		return err
	}
	return c.check(ctx, b, run, "messages of every shape, strictly,", odd, 1, [][]string{{"--json"}, {"--format", "text"}})
}
