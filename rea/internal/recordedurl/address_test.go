package recordedurl

import (
	"math/rand/v2"
	"strings"
	"testing"

	"rea.example/rea/internal/judge"
)

var addresses = []struct{ text, origin, path string }{
	{"http://h/a", "http://h", "/a"},
	{"https://h/a", "https://h", "/a"},
	{"https://h:443/a", "https://h", "/a"},
	{"https://H/a", "https://h", "/a"},
	{"HTTPS://h:0443", "https://h", "/"},
	{"http://h:443/", "http://h:443", "/"},
	{"wss://h:443/x", "wss://h", "/x"},
	{"ws://h:80/x", "ws://h", "/x"},
	{"ftp://h:21/x", "ftp://h", "/x"},
	{"https://h?q", "https://h", "/"},
	{"https://h#f", "https://h", "/"},
	{"https://h/?q=/a", "https://h", "/"},
	{"https://h/a/%2e%2e/admin", "https://h", "/a/%2e%2e/admin"},
	{"https://h/a/../admin#x?y", "https://h", "/a/../admin"},
	{"https://h//a//", "https://h", "//a//"},
	{"https://u:p@h/a", "https://h", "/a"},
	{"https://@h/a", "https://h", "/a"},
	{"https://h:8443/a@b", "https://h:8443", "/a@b"},
	{" https://h/a\n", "https://h", "/a"},
	{"https://h/a\tb", "https://h", "/a\tb"},
	{`https://h/a\b`, "https://h", `/a\b`},
	{"https://[::1]:8/a", "https://[::1]:8", "/a"},
	{"https://[0:0::1]/", "https://[::1]", "/"},
	{"https://0x7f.1/", "https://127.0.0.1", "/"},
	{"https://%68/", "https://h", "/"},
	{"https://b\u00fccher/", "https://xn--bcher-kva", "/"},
	{"https://xn--bcher-kva/", "https://xn--bcher-kva", "/"},
	{text: "https://xn--bcher-kvaxn--/"}, // node takes it as it is, the library not
	{text: "https://%78n--bcher-kvaxn--/"},
	{text: ""},
	{text: "https:h/a"},
	{text: "https:/h/a"},
	{text: "https:///h/a"},
	{text: "https://"},
	{text: "https://?q"},
	{text: "https://h\t.example/"},
	{text: "https://h\n/"},
	{text: "ht\ttps://h/"},
	{text: `https://h\a`},
	{text: `https:\\h\a`},
	{text: "https://h:99999/"},
	{text: "https://h:p/"},
	{text: "https://h i/"},
	{text: "https://[::1/"},
	{text: "https://u@/"},
	{text: "//h/a"},
	{text: "/a"},
	{text: "data:text/plain,x"},
	{text: "about:blank"},
	{text: "blob:https://h/x"},
	{text: "file:///a"},
	{text: "chrome-extension://abc/x"},
	{text: "foo://h/a"},
}

// TestLocate also shows the table to node, where it is there: where both see an
// address they see the same origin, and what has none for node has none here.
func TestLocate(t *testing.T) {
	j := judge.Start(t)
	for _, c := range addresses {
		got, ok := Locate(c.text)
		if ok != (c.origin != "") || ok && got != (Address{c.origin, c.path}) {
			t.Errorf("%q: %+v, %v; want %s %s", c.text, got, ok, c.origin, c.path)
		}
		if j.Available() {
			if u := j.URL(t, c.text); ok && (!u.OK || u.Origin != got.Origin) {
				t.Errorf("%q: %s, but node says %q", c.text, got.Origin, u.Origin)
			}
		}
	}
}

func TestLocateAgainstNode(t *testing.T) {
	j := judge.Start(t)
	if !j.Available() {
		return
	}
	r := rand.New(rand.NewPCG(41, 42))
	located, missed := 0, 0
	for range 20000 {
		text := hostile(r)
		a, ok := Locate(text)
		u := j.URL(t, text)
		switch {
		case ok && (!u.OK || u.Origin != a.Origin):
			t.Errorf("%q: %s, but node says %q", text, a.Origin, u.Origin)
		case ok:
			located++
		case web(u) && plainSpelling(text):
			missed++ // hosts that the library refuses and the standard allows
		}
	}
	if located < 500 || missed > located/20 {
		t.Errorf("the law was hardly tried, or too many are missed: %d located, %d not", located, missed)
	}
}

// plainSpelling says that a text has the spelling that Locate asks for.
func plainSpelling(text string) bool {
	n := schemeLen(text)
	rest, ok := strings.CutPrefix(text[n:], "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return n > 0 && ok && rest != "" && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:@[]") == ""
}

func FuzzLocate(f *testing.F) {
	j := judge.Start(f)
	for _, c := range addresses {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\ufffd")
		a, ok := Locate(text)
		if ok && (a.Path == "" || a.Path[0] != '/' || !strings.Contains(text, strings.TrimSuffix(a.Path, "/"))) {
			t.Errorf("%q: path %q", text, a.Path)
		}
		if ok && j.Available() && !strings.ContainsFunc(text, func(r rune) bool { return r > 127 }) {
			if u := j.URL(t, text); !u.OK || u.Origin != a.Origin {
				t.Errorf("%q: %s, but node says %q", text, a.Origin, u.Origin)
			}
		}
	})
}
