package decode_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/format/formattest"
)

// TestAFaultIsToldBehindAFullReply: what is wrong with a capture is the same for
// every selection, also where the records before the fault fill the reply.
func TestAFaultIsToldBehindAFullReply(t *testing.T) {
	long := strings.Repeat("\x00", 6<<20)
	quoted, _ := json.Marshal(long) // texts can't fail
	for name, c := range map[string]struct {
		capture []byte
		place   string
	}{
		"har": {fmt.Appendf(nil, `{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[%s{}]}}`, strings.Repeat(
			fmt.Sprintf(`{"startedDateTime":"2031-01-01T00:00:00Z","time":1,"request":{"method":"GET","url":"https://h.example/",`+
				`"httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},`+
				`"response":{"status":200,"statusText":"","httpVersion":"HTTP/1.1","cookies":[],"headers":[],`+
				`"content":{"size":0,"mimeType":"text/plain"},"redirectURL":"","headersSize":-1,"bodySize":0},`+
				`"cache":{},"timings":{"send":0,"wait":1,"receive":0},"_x":%s},`, quoted), 3)), "/log/entries/3"},
		"mitmproxy": {append(flows(dict{"a", long}, dict{"a", long}, dict{"a", long}), "9:x"...), ""},
		"saz":       {archive(t, "", "raw/1_w.txt", long, "raw/2_w.txt", long, "raw/3_w.txt", long, "raw/4_m.xml", "<a"), "raw/4_m.xml"},
		"qlog": {fmt.Appendf(nil, `{"qlog_format":"JSON","qlog_version":"0.3","traces":[{"events":[%s{"name":7}]}]}`,
			strings.Repeat(fmt.Sprintf(`{"name":"a:b","time":1,"data":{"x":%s}},`, quoted), 3)), "/traces/0/events/3"},
	} {
		t.Run(name, func(t *testing.T) {
			whole := formattest.Ask(t, c.capture, decode.Request{Format: name, All: true})
			one := formattest.Ask(t, c.capture, decode.Request{Format: name, Ordinals: []int{0}})
			if whole.Problem == nil || one.Problem == nil || whole.ReplyOverflow {
				t.Fatalf("all: %v, overflow %v; one: %v", whole.Problem, whole.ReplyOverflow, one.Problem)
			}
			if whole.Problem.Error() != one.Problem.Error() {
				t.Errorf("all: %v; one: %v", whole.Problem, one.Problem)
			}
			if place := whole.Problem.Error(); !strings.Contains(place, c.place) {
				t.Errorf("%s does not name %s", place, c.place)
			}
		})
	}
}
