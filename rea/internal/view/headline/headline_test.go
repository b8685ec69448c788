package headline

import (
	"strings"
	"testing"

	"rea.example/rea/internal/strictjson"
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
