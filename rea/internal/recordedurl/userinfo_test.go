package recordedurl

import (
	"strings"
	"testing"
)

// findings is the table of spellings; the fuzz targets start from it. Cut is
// given only for Userinfo.
var findings = []struct {
	name string
	text string
	want Finding
	cut  string
}{
	{"no URL", "hello", Clean, ""},
	{"empty", "", Clean, ""},
	{"no userinfo", "https://h.example/a?x=1#y", Clean, ""},
	{"at sign in the path", "https://h.example/@scope/name", Clean, ""},
	{"at sign in the query", "https://h.example?m=a@b", Clean, ""},
	{"at sign in the fragment", "https://h.example#a@b", Clean, ""},
	{"mail address", "user@example.test", Clean, ""},
	{"mailto", "mailto:user:x@example.test", Clean, ""},
	{"data", "data:text/plain,//u:p@h", Clean, ""},
	{"slashless without credentials", "https:host/path", Clean, ""},
	{"slashless, at sign in the path", "https:host/p@th", Clean, ""},
	{"empty name and password, no span", "https:@h.example/", Clean, ""},

	{"name and password", "https://u:p@h.example/a?x=1", Userinfo, "https://h.example/a?x=1"},
	{"name only", "https://token@h.example/", Userinfo, "https://h.example/"},
	{"password only", "https://:p@h.example/", Userinfo, "https://h.example/"},
	{"empty", "https://@h.example/", Userinfo, "https://h.example/"},
	{"at sign in the password", "https://u:p@ss@h.example/", Userinfo, "https://h.example/"},
	{"escaped at sign", "https://u%40x:p%2Fq@h.example/", Userinfo, "https://h.example/"},
	{"blank in the password", "https://u:p w@h.example/", Userinfo, "https://h.example/"},
	{"tab in the password", "https://u:p\tw@h.example/", Userinfo, "https://h.example/"},
	{"query follows", "https://u:p@h.example?a@b", Userinfo, "https://h.example?a@b"},
	{"fragment follows", "https://u:p@h.example#a@b", Userinfo, "https://h.example#a@b"},
	{"upper case scheme", "HtTpS://u:p@h.example/", Userinfo, "HtTpS://h.example/"},
	{"reference", "//u:p@h.example/", Userinfo, "//h.example/"},
	{"blanks and controls in front are kept", "\x00\x1f \t https://u:p@h.example/ \t", Userinfo, "\x00\x1f \t https://h.example/ \t"},
	{"reference with a third slash", "///u:p@h.example/", Unsafe, ""},
	{"reference with backslashes", `\\u:p@h.example/`, Unsafe, ""},
	{"reference with one of each", `/\u:p@h.example/`, Unsafe, ""},
	{"reference with a tab between", "/\t/u:p@h.example/", Unsafe, ""},
	{"reference that has nothing but credentials", "//@#@", Unsafe, ""},
	{"reference without credentials", "///h.example/p@th", Clean, ""},
	{"path that begins with two slashes, mail address in the query", "//?mail=a@b.example", Clean, ""},
	{"path that begins with two slashes and is no host", "//my host/a@2x.png", Clean, ""},
	{"reference to an address that is none", "//256.256.256.256/a@b", Clean, ""},
	{"reference with a port that is none", "//host:port/a@b", Clean, ""},
	{"reference that a cut would leave half a password of", "//u:p@x:q/ss@h.example/", Unsafe, ""},
	{"path with an at sign", "/a//u:p@h.example", Clean, ""},
	{"any scheme", "git+ssh-2.x://u:p@h.example/", Userinfo, "git+ssh-2.x://h.example/"},
	{"file", "file://u:p@h.example/", Userinfo, "file://h.example/"},
	{"not ASCII", "https://ü:пароль@h.example/€", Userinfo, "https://h.example/€"},
	{"lone surrogate", "https://u:\xed\xa0\x80@h.example/", Userinfo, "https://h.example/"},
	{"IPv6", "wss://u:p@[2001:db8::1]:8080/", Userinfo, "wss://[2001:db8::1]:8080/"},
	{"backslash in another scheme", `ssh://do\u:p@h.example/`, Userinfo, "ssh://h.example/"},
	{"backslash after the host", `https://u:p@h.example\path`, Userinfo, `https://h.example\path`},
	{"host is wrong, nothing else looks like userinfo", "https://u:p@h.example:x/", Userinfo, "https://h.example:x/"},

	{"slashless", "https:u:p@h.example/", Unsafe, ""},
	{"one slash", "https:/u:p@h.example/", Unsafe, ""},
	{"three slashes", "https:///u:p@h.example/", Unsafe, ""},
	{"backslashes", `https:\\u:p@h.example/`, Unsafe, ""},
	{"mixed slashes", `https:/\u:p@h.example/`, Unsafe, ""},
	{"tab in the scheme", "ht\ttps://u:p@h.example/", Unsafe, ""},
	{"line end before the colon", "https\n://u:p@h.example/", Unsafe, ""},
	{"tab between the slashes", "https:/\t/u:p@h.example/", Unsafe, ""},
	{"tab and more slashes", "https://\t/u:p@h.example/", Unsafe, ""},
	{"control in front, slashless", "\x01 wss:u@h.example", Unsafe, ""},
	{"ftp", "ftp:u:p@h.example/", Unsafe, ""},
	{"slash in the password", "https://u:pa/ss@h.example/", Unsafe, ""},
	{"question mark in the password", "https://u:pa?ss@h.example/", Unsafe, ""},
	{"at sign and slash in the password", "https://u:p@x:q/ss@h.example/", Unsafe, ""},
	{"a client finds others after the cut", "https://u:p@/x@h.example/", Unsafe, ""},
	{"backslash in the name", `https://do\u:p@h.example/`, Unsafe, ""},
	{"backslash in the name of a reference", `//do\u:p@h.example/`, Unsafe, ""},
	{"two hosts", `https://u:p@h.example\@i.example/`, Unsafe, ""},
	{"no host, at sign in the path", "https:///?a@b", Unsafe, ""},
}

func TestInspect(t *testing.T) {
	for _, c := range findings {
		f, start, end := Inspect(c.text)
		if f != c.want {
			t.Errorf("%s: Inspect(%q) = %d, want %d", c.name, c.text, f, c.want)
			continue
		}
		got, f2 := Cut(c.text)
		want := map[Finding]string{Clean: c.text, Userinfo: c.cut, Unsafe: ""}[f]
		if got != want || f2 != f {
			t.Errorf("%s: Cut(%q) = %q, %d, want %q, %d", c.name, c.text, got, f2, want, f)
		}
		if f == Userinfo && (c.text[:start]+c.text[end:] != c.cut || !strings.HasSuffix(c.text[start:end], "@")) {
			t.Errorf("%s: span %q", c.name, c.text[start:end])
		}
		if f != Userinfo && (start != 0 || end != 0) {
			t.Errorf("%s: span %d:%d without userinfo", c.name, start, end)
		}
	}
}

// A text as large as a capture must be decided from its authority alone, and
// a userinfo of that size must not be copied a piece at a time.
func TestInspectLargeText(t *testing.T) {
	long := strings.Repeat("u", 8<<20)
	for text, want := range map[string]Finding{
		"https://h.example/" + long + "@":   Clean,
		"https:" + long + "@h.example/":     Unsafe,
		"https://" + long + "@h.example/":   Userinfo,
		"https:////h.example/" + long + "@": Clean,
	} {
		if f, _, _ := Inspect(text); f != want {
			t.Errorf("%.24q...: %d, want %d", text, f, want)
		}
	}
	text := "https://h.example/" + long + "@"
	if n := testing.AllocsPerRun(1, func() { Inspect(text) }); n > 64 {
		t.Errorf("a large clean text cost %v allocations", n)
	}
}

func FuzzCut(f *testing.F) {
	for _, c := range findings {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, finding := Cut(text)
		if !strings.Contains(text, "@") && finding != Clean {
			t.Fatalf("%q without an at sign: %d", text, finding)
		}
		if again, f2 := Cut(got); f2 != Clean || again != got {
			t.Fatalf("%q left %q, which gives %q, %d", text, got, again, f2)
		}
		_, start, end := Inspect(text)
		if got != "" && got != text[:start]+text[end:] {
			t.Fatalf("%q: %q is not the text around %d:%d", text, got, start, end)
		}
	})
}
