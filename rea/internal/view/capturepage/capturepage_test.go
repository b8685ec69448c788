package capturepage

import (
	"fmt"
	"strings"
	"testing"

	"rea.example/rea/internal/view"
	"rea.example/rea/internal/view/viewtest"
)

const binary = `[{"bytes":3,"content_base64":"AP9B","pointer":"/response/content/text","representation":"har-base64-content","sha256":"` +
	`a90a10503fbfc95789ff38a1bb5039cb71869ab9c0eb1cb51c4a9099f2933c6b","state":"retained"},` +
	`{"bytes":null,"content_base64":null,"pointer":"/x","representation":"har-base64-content","sha256":null,"state":"redacted"}]`

var capture = viewtest.Capture{
	Reported: []string{viewtest.Entry("GET", "https://h/a", 200, "text/html"), `null`, viewtest.Entry("POST", "https://h/b", 0, "")},
	Ordinals: []int{7, 2, 0}, Total: 9, Binary: binary,
}

func page(t *testing.T, p *view.Parent, req Request) string {
	t.Helper()
	req.View = map[string]any{"kind": "capture"}
	_, d, err := Seal(t.Context(), p, req)
	return viewtest.Result(t, d, err)
}

func TestPreview(t *testing.T) {
	got := page(t, capture.Open(t), Request{Window: view.Window{Limit: 2}})
	const outline = `{"binary_fields":[{"bytes":3,"pointer":"/response/content/text","representation":"har-base64-content","sha256":"a90a10503fbfc95789ff38a1bb5039cb71869ab9c0eb1cb51c4a9099f2933c6b","state":"retained"},` +
		`{"bytes":null,"pointer":"/x","representation":"har-base64-content","sha256":null,"state":"redacted"}],"headline":%s,"location":{"kind":"json-pointer","pointer":"/log/entries/%d"},"ordinal":%d}`
	want := `"items":[` + fmt.Sprintf(outline, `{"event":null,"http_version":"HTTP/1.1","method":"GET","mime_type":"text/html","started":"2024-01-01T00:00:00Z","status":200,"time":null,"url":"https://h/a"}`, 7, 7) +
		`,` + fmt.Sprintf(outline, `{"event":null,"http_version":null,"method":null,"mime_type":null,"started":null,"status":null,"time":null,"url":null}`, 2, 2) + `]`
	if !strings.Contains(got, want) {
		t.Errorf("%s\nhas no\n%s", got, want)
	}
	for _, want := range []string{`"total_records":9`, `"retained_records":3`, `"status":"page","total":3}`, `"next_offset":2`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "AP9B") {
		t.Error("a preview shows content")
	}
}

func TestComplete(t *testing.T) {
	got := page(t, capture.Open(t), Request{Complete: true, Window: view.Window{Offset: 1, Limit: 9}})
	want := `"items":[` + capture.Record(1, capture.Reported[1]) + `,` + capture.Record(2, capture.Reported[2]) + `]`
	if !strings.Contains(got, want) || !strings.Contains(got, `"exhausted":true`) {
		t.Errorf("%s\nhas no\n%s", got, want)
	}
}

// BenchmarkWarmPreview is a page of a capture of 10,000 records whose index is
// made: what an agent that looks around waits for.
func BenchmarkWarmPreview(b *testing.B) {
	var c viewtest.Capture
	for i := range 10000 {
		c.Reported = append(c.Reported, strings.Replace(viewtest.Entry("GET", fmt.Sprintf("https://h/%d", i), 200, "text/html"),
			`"time":1`, `"comment":"`+strings.Repeat("x", 3000)+`","time":1`, 1))
	}
	p := c.Open(b)
	for _, limit := range []int{20, 200} {
		b.Run(fmt.Sprint(limit), func(b *testing.B) {
			i := 0
			for b.Loop() {
				if _, _, err := Seal(b.Context(), p, Request{Window: view.Window{Offset: i % 9000, Limit: limit}, View: map[string]any{}}); err != nil {
					b.Fatal(err)
				}
				i += limit
			}
		})
	}
}
