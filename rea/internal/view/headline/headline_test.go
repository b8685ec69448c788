package headline

import (
	"strings"
	"testing"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

func TestOf(t *testing.T) {
	const nothing = `{"event":null,"http_version":null,"method":null,"mime_type":null,"started":null,"status":null,"time":null,"url":null}`
	flow := `{"request":{"method":"GET","scheme":"https","host":"h.example","port":PORT,"path":"/a?b","http_version":"HTTP/1.1","timestamp_start":1.5},` +
		`"response":{"status_code":200,"headers":[["X","y"],["Content-TYPE","text/html"]]}}`
	line := func(url string) string {
		return `{"event":null,"http_version":"HTTP/1.1","method":"GET","mime_type":"text/html","started":1.5,"status":200,"time":null,"url":"` + url + `"}`
	}
	port := func(p string) string { return strings.ReplaceAll(flow, "PORT", p) }
	for _, c := range []struct {
		name, format, reported string
		join                   bool
		want                   string
	}{
		{"har", "har", `{"startedDateTime":"s","time":7,"request":{"method":"GET","url":"u","httpVersion":"h"},"response":{"status":200,"content":{"mimeType":"m"}}}`, true,
			`{"event":null,"http_version":"h","method":"GET","mime_type":"m","started":"s","status":200,"time":null,"url":"u"}`},
		{"har of odd shapes", "har", `{"startedDateTime":1,"request":[],"response":{"status":"200","content":null}}`, true, nothing},
		{"hidden record", "har", `null`, true, nothing},
		{"flow", "mitmproxy", port("8443"), true, line("https://h.example:8443/a?b")},
		{"flow on its default port", "mitmproxy", port("443"), true, line("https://h.example/a?b")},
		{"flow beside declared values", "mitmproxy", port("443"), false, line("/a?b")},
		{"session", "saz", `{"request":{"method":"GET","target":"/x","http_version":"HTTP/1.1"},"response":{"status":304,"headers":[{"name":"content-type","value":"a/b"}]},` +
			`"metadata":{"kind":"element","name":"Session","attributes":[],"children":[{"kind":"text","value":" "},{"kind":"element","name":"SessionTimers","attributes":[{"name":"ClientBeginRequest","value":"2024"}],"children":[]}]}}`, true,
			`{"event":null,"http_version":"HTTP/1.1","method":"GET","mime_type":"a/b","started":"2024","status":304,"time":null,"url":"/x"}`},
		{"event", "qlog", `{"name":"transport:packet_sent","time":1.25,"data":{}}`, true,
			`{"event":"transport:packet_sent","http_version":null,"method":null,"mime_type":null,"started":null,"status":null,"time":1.25,"url":null}`},
		{"no such format", "tape", `{"method":"GET"}`, true, nothing},
	} {
		v, err := strictjson.Parse([]byte(c.reported), 64)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := string(Of(c.format, &v, c.join).Append(nil)); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// Whoever shows a headline must be able to tell what isn't known from what was
// left out, so each fact says where it would stand.
func TestPointers(t *testing.T) {
	flow := `{"request":{"path":null},"response":{"headers":[["A","b"],["content-type",null]]}}`
	session := `{"request":{},"response":{"headers":[{"name":"Content-Type","value":null}]}}`
	for _, c := range []struct {
		format, reported string
		fact             func(Line) Fact
		want             tree.Pointer
	}{
		{"har", `null`, func(l Line) Fact { return l.Method }, "/request/method"},
		{"har", `{"request":{"url":null}}`, func(l Line) Fact { return l.URL }, "/request/url"},
		{"har", `{}`, func(l Line) Fact { return l.MIMEType }, "/response/content/mimeType"},
		{"mitmproxy", flow, func(l Line) Fact { return l.URL }, "/request/path"},
		{"mitmproxy", flow, func(l Line) Fact { return l.Status }, "/response/status_code"},
		{"mitmproxy", flow, func(l Line) Fact { return l.MIMEType }, "/response/headers/1/1"},
		{"mitmproxy", `{}`, func(l Line) Fact { return l.MIMEType }, ""},
		{"saz", session, func(l Line) Fact { return l.MIMEType }, "/response/headers/0/value"},
		{"saz", session, func(l Line) Fact { return l.URL }, "/request/target"},
		{"qlog", `{}`, func(l Line) Fact { return l.Event }, "/name"},
		{"qlog", `{"time":null}`, func(l Line) Fact { return l.Time }, "/time"},
	} {
		v, err := strictjson.Parse([]byte(c.reported), 64)
		if err != nil {
			t.Fatal(err)
		}
		if f := c.fact(Of(c.format, &v, true)); f.Value != nil || f.Pointer != c.want {
			t.Errorf("%s %s: %v at %q, want nothing at %q", c.format, c.reported, f.Value, f.Pointer, c.want)
		}
	}
}
