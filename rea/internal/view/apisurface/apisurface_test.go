package apisurface

import (
	"fmt"
	"strings"
	"testing"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view"
	"rea.example/rea/internal/view/viewtest"
)

var request = Request{Window: view.Window{Limit: 50}, View: map[string]any{"kind": "api-surface"}}

// surfaceOf gives the result of a view of these requests.
func surfaceOf(t *testing.T, c viewtest.Capture) tree.Value {
	t.Helper()
	_, d, err := Seal(t.Context(), c.Open(t), request)
	v, perr := strictjson.Parse([]byte(viewtest.Result(t, d, err)), 80)
	if perr != nil {
		t.Fatal(perr)
	}
	return v
}

// lines spells groups as "METHOD origin template ordinals".
func lines(v tree.Value) (out []string) {
	for i := range v.Get("groups").Items {
		g := &v.Get("groups").Items[i]
		s := func(name string) string { t, _ := g.Get(name).Str(); return t }
		out = append(out, fmt.Sprintf("%s %s%s %s", s("method"), s("origin"), s("path_template"), strictjson.AppendCanonical(nil, g.Get("ordinals"))))
	}
	return out
}

func gets(urls ...string) (c viewtest.Capture) {
	for _, u := range urls {
		c.Reported = append(c.Reported, viewtest.Entry("GET", u, 200, "text/html"))
	}
	return c
}

func TestTemplates(t *testing.T) {
	hex31 := strings.Repeat("a", 31)
	for _, c := range []struct{ segment, want string }{
		{"1", "{numeric}"}, {"007", "{numeric}"}, {strings.Repeat("1", 40), "{numeric}"},
		{"E58ED763-928C-4155-BEE9-FDBAAADC15F6", "{uuid}"}, {"00000000-0000-0000-0000-000000000000", "{uuid}"},
		{"e58ed763-928c-4155-bee9-fdbaaadc15f", "e58ed763-928c-4155-bee9-fdbaaadc15f"},
		{hex31, hex31}, {hex31 + "B", "{hex}"}, {hex31 + "g", hex31 + "g"},
		{"2024-02-29", "{iso-date}"}, {"2023-02-29", "2023-02-29"}, {"0001-01-01", "{iso-date}"}, {"0000-01-01", "0000-01-01"},
		{"2024-2-9", "2024-2-9"}, {"2024-02-29T00", "2024-02-29T00"}, {"2024-12-31", "{iso-date}"}, {"2024-13-01", "2024-13-01"},
		{"whatever", "whatever"}, {"v1", "v1"}, {"x2", "x2"}, {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
		{"%31", "%31"}, {"", ""}, {"1%20", "1%20"}, {"\u0661", "\u0661"}, {"+1", "+1"}, {"1.5", "1.5"}, {"{numeric}", "{numeric}"},
	} {
		v := surfaceOf(t, gets("https://h/e/"+c.segment+"?q=2#3"))
		want := "GET https://h/e/" + c.want + " [0]"
		if got := lines(v); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", c.segment, got, want)
		}
	}
}

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		name string
		c    viewtest.Capture
		want string
	}{
		{"numbered resources", gets("https://h/pets/1", "https://h/pets/2", "https://h/pets/1"), "GET https://h/pets/{numeric} [0,1,2]"},
		{"origins", gets("http://h/a", "https://h/a", "https://h:443/a", "https://H/a"), "GET http://h/a [0]\nGET https://h/a [1,2,3]"},
		{"encoded paths", gets("https://h/a/%2e%2e/admin", "https://h/admin", "https://h/a/../admin"),
			"GET https://h/a/%2e%2e/admin [0]\nGET https://h/a/../admin [2]\nGET https://h/admin [1]"},
		{"slashes", gets("https://h", "https://h/", "https://h//", "https://h/a", "https://h/a/"), "GET https://h/ [0,1]\nGET https://h// [2]\nGET https://h/a [3]\nGET https://h/a/ [4]"},
		{"a literal that spells a placeholder", gets("https://h/{numeric}", "https://h/1"), "GET https://h/{numeric} [0]\nGET https://h/{numeric} [1]"},
		{"order by units", gets("https://h/\ue000", "https://h/\U0001f600", "https://g/z"), "GET https://g/z [2]\nGET https://h/\U0001f600 [1]\nGET https://h/\ue000 [0]"},
		{"methods", viewtest.Capture{Reported: []string{viewtest.Entry("POST", "https://h/", 200, ""), viewtest.Entry("GET", "https://h/", 200, ""), viewtest.Entry("get", "https://h/", 200, "")}},
			"GET https://h/ [1]\nPOST https://h/ [0]\nget https://h/ [2]"},
		{"selected order", viewtest.Capture{Reported: gets("https://h/1", "https://h/2").Reported, Ordinals: []int{5, 3}, Total: 9}, "GET https://h/{numeric} [5,3]"},
	} {
		if got := strings.Join(lines(surfaceOf(t, c.c)), "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestWhatAGroupSays(t *testing.T) {
	var c viewtest.Capture
	for _, s := range []struct {
		url    string
		status int
		mime   string
	}{
		{"https://h/x/2/2024-01-02", 200, "Text/HTML; charset=utf-8"}, {"https://h/x/1/2024-01-02", 404, "application/json"},
		{"https://h/x/2/2024-01-03", 0, ""}, {"https://h/x/2/2024-01-03", -999, "no essence"}, {"https://h/x/2/2024-01-03", 200, "text/html"},
		{"https://h/x/2/2024-01-03", 200, "text/"},
	} {
		c.Reported = append(c.Reported, viewtest.Entry("GET", s.url, s.status, s.mime))
	}
	v := surfaceOf(t, c)
	const want = `[{"flags":["mixed-statuses","mixed-content-types"],"method":"GET","mime_types":["application/json","text/html"],"ordinals":[0,1,2,3,4,5],"origin":"https://h",` +
		`"path_template":"/x/{numeric}/{iso-date}","segments":[{"basis":"inferred","index":1,"literals":["1","2"],"placeholder":"{numeric}","rule":"numeric"},` +
		`{"basis":"inferred","index":2,"literals":["2024-01-02","2024-01-03"],"placeholder":"{iso-date}","rule":"iso-date"}],"statuses":[200,404],"unknown_mime_types":3,"unknown_statuses":2}]`
	if got := string(strictjson.AppendCanonical(nil, v.Get("groups"))); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	v = surfaceOf(t, gets("https://h/x"))
	if got := string(strictjson.AppendCanonical(nil, v.Get("groups"))); !strings.Contains(got, `"flags":["single-sample"]`) || !strings.Contains(got, `"segments":[]`) {
		t.Errorf("%s", got)
	}
}

func TestExclusions(t *testing.T) {
	c := gets("data:,x", "about:blank", "https:h/path", "https://h\t.example/", "chrome-extension://a/b", "file:///a", "https://ok/", "https://u@/x")
	c.Reported = append(c.Reported,
		`null`, `{"request":null}`, `{"request":[]}`,
		`{"request":{"url":"https://h/"}}`, `{"request":{"method":null,"url":"https://h/"}}`,
		`{"request":{"method":"GET","url":null}}`, `{"request":{"method":"GET"}}`, `{"request":{"method":"GET","url":7}}`)
	c.Total = 20
	v := surfaceOf(t, c)
	var want []string
	for i, r := range []string{urlUnparseable, urlUnparseable, urlUnparseable, urlUnparseable, urlUnparseable, urlUnparseable, "", urlUnparseable,
		requestUnavailable, requestUnavailable, requestUnavailable, methodUnavailable, methodUnavailable, urlRedacted, urlUnavailable, urlUnavailable} {
		if r != "" {
			want = append(want, fmt.Sprintf(`{"ordinal":%d,"reason":"%s"}`, i, r))
		}
	}
	got := string(strictjson.AppendCanonical(nil, v.Get("records")))
	if all := `{"examined":16,"excluded":[` + strings.Join(want, ",") + `],"total":20}`; got != all {
		t.Errorf("%s\nwant\n%s", got, all)
	}
	if l := strings.Join(view.Strings(v.Get("limitations")), "\n"); !strings.Contains(l, subset) || !strings.Contains(l, "Captured.") || !strings.Contains(l, "Of a record.") || !strings.Contains(l, noMeaning) {
		t.Errorf("limitations: %s", l)
	}
}

func TestConfidenceIsThatOfTheWhole(t *testing.T) {
	c := gets("https://h/a", "https://h/1")
	for _, offset := range []int{0, 1, 7} { // neither the page without a template nor an empty one is derived
		r := request
		r.Offset, r.Limit = offset, 1
		_, d, err := Seal(t.Context(), c.Open(t), r)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := d.Bytes(); !strings.Contains(string(b), `"confidence":"inferred"`) || !strings.Contains(string(b), `"templated_groups":1,"total_groups":2`) {
			t.Errorf("offset %d: %s", offset, b)
		}
	}
	_, d, err := Seal(t.Context(), gets("https://h/a").Open(t), request)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := d.Bytes(); !strings.Contains(string(b), `"confidence":"derived"`) {
		t.Errorf("%s", b)
	}
}

func TestNothingElseIsCopied(t *testing.T) {
	c := gets("https://u:PASSWORD@h/a?QUERY=1#FRAGMENT")
	c.Reported[0] = strings.Replace(c.Reported[0], `"request":{`, `"request":{"headers":[{"name":"X","value":"HEADER"}],`, 1)
	v := surfaceOf(t, c)
	got := string(strictjson.AppendCanonical(nil, &v))
	for _, secret := range []string{"PASSWORD", "QUERY", "FRAGMENT", "HEADER"} {
		if strings.Contains(got, secret) {
			t.Errorf("%s is in %s", secret, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		c      viewtest.Capture
		reason string
	}{
		{viewtest.Capture{Format: "saz"}, "an API surface is made of HAR captures alone"},
		{viewtest.Capture{Format: "mitmproxy"}, "an API surface is made of HAR captures alone"},
		{viewtest.Capture{Format: "qlog"}, "an API surface is made of HAR captures alone"},
		{viewtest.Capture{Declared: 1}, "sensitive_values_unretained"},
		{viewtest.Capture{Declared: false}, "sensitive_values_unretained"},
	} {
		_, _, err := Seal(t.Context(), c.c.Open(t), request)
		f := failure.As(err)
		if f == nil || f.Code != failure.UnsupportedTarget || f.Details["reason"] != c.reason || f.Details["operation"] != "inspect_analysis_view" || f.Details["path"] != "/captures/s.har" {
			t.Errorf("%+v: %+v", c.c, f)
		}
	}
}
