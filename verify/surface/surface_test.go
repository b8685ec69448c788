package surface_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rea.example/verify/surface"
)

func record(t *testing.T, ordinal int, text string) surface.Record {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return surface.Record{Ordinal: ordinal, Reported: v}
}

// host is a browser's parser for those who write only what it takes.
func host(url string) string {
	if strings.HasPrefix(url, "http://") {
		return "http://" + strings.SplitN(url[7:], "/", 2)[0]
	}
	return ""
}

func TestRequestsAreGroupedByTheRules(t *testing.T) {
	entry := func(method, url, status, mime string) string {
		return fmt.Sprintf(`{"request":{"method":%q,"url":%q},"response":{"status":%s,"content":{"mimeType":%q}}}`, method, url, status, mime)
	}
	redacted := record(t, 9, `{"request":{"method":"GET","url":null}}`)
	redacted.Redacted = true
	records := []surface.Record{
		record(t, 0, entry("GET", "http://h/a/1?x", "200", "Text/HTML; charset=x")),
		record(t, 1, entry("GET", "http://h/a/22#f", "404", "")),
		record(t, 2, entry("GET", "http://h/a/{numeric}", "0", "x")),
		record(t, 3, entry("POST", "http://h/2024-02-29/2023-02-29/0000-01-01", "200", "a/b")),
		record(t, 4, entry("GET", "http://h/00112233445566778899aabbccddeeff/01234567-89ab-cdef-0123-456789abcdef", "200", "a/b")),
		record(t, 5, entry("GET", "http://h", "200", "a/b")),
		record(t, 6, entry("GET", "about:blank", "200", "a/b")),
		record(t, 7, `{"request":{"url":"http://h/"}}`),
		record(t, 8, `{"response":{}}`),
		redacted,
		record(t, 10, `{"request":{"method":"GET","url":7}}`),
		record(t, 11, entry("GET", "http:h/x", "200", "a/b")),
	}
	groups, excluded := surface.Compute(records, host)
	var lines []string
	for _, g := range groups {
		lines = append(lines, fmt.Sprint(g))
	}
	want := []string{
		"{GET http://h / [5] [200] [a/b] 0 0 [] [single-sample]}",
		"{POST http://h /{iso-date}/2023-02-29/0000-01-01 [3] [200] [a/b] 0 0 [{0 iso-date [2024-02-29]}] [single-sample]}",
		"{GET http://h /{hex}/{uuid} [4] [200] [a/b] 0 0 [{0 hex [00112233445566778899aabbccddeeff]} {1 uuid [01234567-89ab-cdef-0123-456789abcdef]}] [single-sample]}",
		"{GET http://h /a/{numeric} [2] [] [] 1 1 [] [single-sample]}",
		"{GET http://h /a/{numeric} [0 1] [200 404] [text/html] 0 1 [{1 numeric [1 22]}] [mixed-statuses]}",
	}
	for _, line := range want {
		found := false
		for _, got := range lines {
			found = found || got == line
		}
		if !found {
			t.Errorf("no group %s in\n%s", line, strings.Join(lines, "\n"))
		}
	}
	if len(groups) != len(want) {
		t.Errorf("%d groups", len(groups))
	}
	if fmt.Sprint(excluded) != "map[6:url-unparseable 7:method-unavailable 8:request-unavailable 9:url-redacted 10:url-unavailable 11:url-unparseable]" {
		t.Errorf("%v", excluded)
	}
}
