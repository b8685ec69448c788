package recordedurl

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"rea.example/rea/internal/judge"
)

var update = flag.Bool("update", false, "record what node says")

// web says whether node took a text for a URL of one of the five schemes.
func web(u judge.URL) bool {
	switch u.Protocol {
	case "http:", "https:", "ws:", "wss:", "ftp:":
		return u.OK
	}
	return false
}

func validAuthority(hostPort string) bool {
	_, _, ok := parseAuthority(hostPort)
	return ok
}

func credentials(u judge.URL) bool { return web(u) && u.Username+u.Password != "" }

// checkAgainstNode holds the treatment of one text against what node's URL
// sees before and after it.
func checkAgainstNode(t *testing.T, text string, before judge.URL, see func(string) judge.URL) {
	t.Helper()
	got, finding := Cut(text)
	switch {
	case finding == Clean && credentials(before):
		t.Errorf("%q is clean, but node sees %q:%q", text, before.Username, before.Password)
	case finding == Userinfo && credentials(see(got)):
		t.Errorf("%q left %q, in which node still sees credentials", text, got)
	case finding != Clean && !strings.Contains(text, "@"):
		t.Errorf("%q has no at sign and was changed", text)
	}
	if authority, ok := webAuthority(text); ok != web(before) && (web(before) || validAuthority(authority)) {
		t.Errorf("%q: taken for a web URL: %v; by node: %v", text, ok, web(before))
	} else if ok && !before.OK && strings.Contains(text, "@") && finding == Clean {
		t.Errorf("%q doesn't parse and holds an at sign, but is clean", text)
	}
}

// TestRecordedNode needs no node: it works on what node said of the table.
func TestRecordedNode(t *testing.T) {
	const file = "testdata/node.json"
	j := judge.Start(t)
	recorded := map[string]judge.URL{}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &recorded)
	}
	if err != nil && !*update {
		t.Fatal(err)
	}
	see := func(text string) judge.URL {
		key := strconv.QuoteToASCII(text)
		if j.Available() {
			u := j.URL(t, text)
			short := judge.URL{OK: u.OK, Protocol: u.Protocol, Username: u.Username, Password: u.Password}
			if *update {
				recorded[key] = short
			} else if recorded[key] != short {
				t.Errorf("%s: node says %+v, recorded is %+v", key, short, recorded[key])
			}
		}
		u, ok := recorded[key]
		if !ok {
			t.Fatalf("nothing is recorded of %s", key)
		}
		return u
	}
	for _, c := range findings {
		checkAgainstNode(t, c.text, see(c.text), see)
		if c.want == Userinfo {
			see(c.cut)
		}
	}
	if *update && !t.Failed() {
		out, _ := json.MarshalIndent(recorded, "", " ")
		if err := os.WriteFile(file, append(out, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// hostile makes a text of the pieces of which trouble is made.
func hostile(r *rand.Rand) string {
	starts := []string{
		"", "https://", "https:", "http:/", "wss:///", `ftp:\\`, "ws:", "//", "ht\ttps://", `https://h\`,
		"https://u:p@", "https://u:p@h", "HTTPS:", " \x01https:", "foo://", "file://", "https:///h/",
	}
	pieces := []string{
		"@", "@", "@", "@", ":", ":", "u:p@", "/", "//", `\`, "?", "#", "u", "p", "h", "h.example", "http", "https", "ws", "wss", "ftp", "file",
		"\t", "\n", "\r", " ", "\x00", "\x1f", "[::1]", "[::", "1:2:", "::1.2.3.4]", "[", "]", "%40", "%2f", "%5c", "%09", "%",
		"ü", "\u212a", "ſ", "ß", "xn--", "xn--bcher-kva", "1.2.3.4", "0x7f.1", "0x", "08", "256", "999", "65535", "65536",
		"-1", "%2d1", "%31", "+", ".", "..", "-", "_", "*", "<", "|", "^", "\u00ad", "＠", "／", "＼", "。", "\u200d", "\ufffd",
		"\xed\xa0\x80", "\xed\xbf\xbf", "😀", "۰", "א",
	}
	var b strings.Builder
	b.WriteString(starts[r.IntN(len(starts))])
	for range 1 + r.IntN(8) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestHostileSpellings(t *testing.T) {
	j := judge.Start(t)
	if !j.Available() {
		return // TestRecordedNode has the recorded answers
	}
	see := func(text string) judge.URL { return j.URL(t, text) }
	r := rand.New(rand.NewPCG(31, 32))
	counts := map[Finding]int{}
	seen, parsed := 0, 0
	for range 20000 {
		text := hostile(r)
		before := see(text)
		checkAgainstNode(t, text, before, see)
		_, finding := Cut(text)
		counts[finding]++
		if credentials(before) {
			seen++
		}
		// The library that decides about hosts reads credentials like node,
		// wherever both take the text for a URL. It refuses more hosts.
		if u, err := whatwg.Parse(text); err == nil && web(before) {
			parsed++
			if (u.Username()+u.Password() != "") != credentials(before) {
				t.Errorf("%q: the library sees %q:%q, node %q:%q", text, u.Username(), u.Password(), before.Username, before.Password)
			}
		}
	}
	if seen < 500 || parsed < 500 || counts[Clean] < 500 || counts[Userinfo] < 500 || counts[Unsafe] < 500 {
		t.Errorf("the law was hardly tried: %v, node saw credentials in %d, the library parsed %d", counts, seen, parsed)
	}
}

func FuzzAgainstNode(f *testing.F) {
	j := judge.Start(f)
	for _, c := range findings {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !j.Available() {
			return
		}
		text = strings.ToValidUTF8(text, "\ufffd")
		see := func(text string) judge.URL { return j.URL(t, text) }
		checkAgainstNode(t, text, see(text), see)
	})
}
