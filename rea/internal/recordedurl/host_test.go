package recordedurl

import (
	"math/rand/v2"
	"strings"
	"testing"

	"rea.example/rea/internal/judge"
)

var hosts = []struct{ hostPort, origin string }{ // "" where the standard has no host
	{"h", "http://h"},
	{"-1", "http://-1"},
	{"+1", "http://+1"},
	{"a-.-b", "http://a-.-b"},
	{"ab--c", "http://ab--c"},
	{"_dmarc.H", "http://_dmarc.h"},
	{"!$&'()*+,;=~_-`{}\"", "http://!$&'()*+,;=~_-`{}\""},
	{".", "http://."},
	{"..", "http://.."},
	{"h.", "http://h."},
	{"h..", "http://h.."},
	{".h", "http://.h"},
	{"+.", "http://+."},
	{"%2e", "http://."},
	{"%48%2D", "http://h-"},
	{"%C3%BC", "http://xn--tda"},
	{"", ""},
	{"h h", ""},
	{"%20", ""},
	{"%zz", ""},
	{"%", ""},
	{"h%", ""},
	{"%25", ""},
	{"%ff", ""},
	{"%2f", ""},
	{"a|b", ""},
	{"a^b", ""},
	{"a<b", ""},
	{"\x7f", ""},

	{"1.2.3.4", "http://1.2.3.4"},
	{"1.2.3.4.", "http://1.2.3.4"},
	{"1.2.3.4..", "http://1.2.3.4.."},
	{"1.2.3", "http://1.2.0.3"},
	{"1.65535", "http://1.0.255.255"},
	{"4294967295", "http://255.255.255.255"},
	{"4294967296", ""},
	{"1.16777216", ""},
	{"256.1", ""},
	{"1.2.3.4.5", ""},
	{"1..2", ""},
	{"a.1", ""},
	{"a.0x", ""},
	{"a.0xg", "http://a.0xg"},
	{"a.09", ""},
	{"09", ""},
	{"0x", "http://0.0.0.0"},
	{"0X7F.1", "http://127.0.0.1"},
	{"0177.1", "http://127.0.0.1"},
	{"%31.1", "http://1.0.0.1"},
	{"99999999999999999999999999", ""},
	{"99999999999999999999999999x", "http://99999999999999999999999999x"},
	{"0xffffffffffffffffffffffff", ""},
	{"1.-1", "http://1.-1"},
	{"1.+1", "http://1.+1"},
	{"１.２", "http://1.0.0.2"},
	{"²", "http://0.0.0.2"},
	{"①。1", "http://1.0.0.1"},

	{"[::1]", "http://[::1]"},
	{"[1:0:0:2:0:0:0:3]", "http://[1:0:0:2::3]"},
	{"[::FFFF:1.2.3.4]", "http://[::ffff:102:304]"},
	{"[[::1]]", ""},
	{"[][::]", ""},
	{"[::1]h", ""},
	{"h[::1]", ""},
	{"[::1%25eth0]", ""},
	{"[::1.2.3]", ""},
	{"[:::]", ""},
	{"[]", ""},
	{"[::1", ""},

	{"h:", "http://h"},
	{"h:80", "http://h"},
	{"h:00080", "http://h"},
	{"h:0", "http://h:0"},
	{"h:65535", "http://h:65535"},
	{"h:65536", ""},
	{"h:99999999999999999999", ""},
	{"h:-1", ""},
	{"h:8:8", ""},
	{"h:８", ""},
	{":80", ""},
	{"[::1]:8080", "http://[::1]:8080"},
	{"-1:8080", "http://-1:8080"},

	{"bücher", "http://xn--bcher-kva"},
	{"BÜCHER。example", "http://xn--bcher-kva.example"},
	{"bücher.", "http://xn--bcher-kva."},
	{"faß", "http://xn--fa-hia"},
	{"xn--bcher-kva", "http://xn--bcher-kva"},
	{"XN--Bcher-KVA", "http://xn--bcher-kva"},
	{"_dmarc.xn--bcher-kva.", "http://_dmarc.xn--bcher-kva."},
	{"xn--", ""},
	{"a.xn--", ""},
	{"xn--a", ""},
	{"xn--iñvalid-", ""},
	{"ｘn--", ""},
	{"\u200d", ""},
	{"\u00ad", ""},
	{"\ufffd", ""},
}

// unlike are hosts that node has and we don't. docs/rough-edges.md tells of them.
var unlike = []string{"xn--a-", "%78n--a-", "_bücher", "a_b.bücher", "bücher.≠", "a\u0628", "ü--b"}

// TestHosts also shows the table to node, where it is there.
func TestHosts(t *testing.T) {
	j := judge.Start(t)
	for _, c := range hosts {
		got, ok := Locate("http://" + c.hostPort + "/")
		if ok != (c.origin != "") || got.Origin != c.origin && ok {
			t.Errorf("%q: %q, %v; want %q", c.hostPort, got.Origin, ok, c.origin)
		}
		if j.Available() {
			if u := j.URL(t, "http://"+c.hostPort+"/"); u.OK != (c.origin != "") || u.OK && c.origin != "" && u.Origin != c.origin {
				t.Errorf("%q: node says %v, %q; the table has %q", c.hostPort, u.OK, u.Origin, c.origin)
			}
		}
	}
	for _, host := range unlike {
		if _, ok := Locate("http://" + host + "/"); ok {
			t.Errorf("%q is a host after all", host)
		}
		if j.Available() {
			if u := j.URL(t, "http://"+host+"/"); !u.OK {
				t.Errorf("%q is no host to node either", host)
			}
		}
	}
}

// TestHostsAgainstNode: what is ASCII and no Punycode is to us what it is to node;
// of other hosts we know fewer, and no other.
func TestHostsAgainstNode(t *testing.T) {
	j := judge.Start(t)
	if !j.Available() {
		return // TestHosts has the recorded answers
	}
	pieces := []string{"a", "A", "1", "0", "9", "-", "--", "-1", ".", "..", "_", "*", "!", "+", "~", "{", "\"", "'", "%20", "%2e", "%41", "%31", "%", "%C3%BC",
		"|", "^", " ", "<", "0x", "0X7f", "08", "0777", "255", "256", "65536", "4294967295", "4294967296", "99999999999999999999", ".1", ".0x", ".09",
		"[", "]", "[::1]", "::", "1:2:3:4:5:6:7:8", "[::1.2.3.4]", "ffff", ":80", ":", ":443", ":65536", ":-1", ":00080",
		"xn--", "XN--", "xn--bcher-kva", "xn--a-", "xn--1ug", "ü", "ß", "ſ", "²", "①", "１", "。", "．", "ー", "א", "\u00ad", "\u200d", "-\u00ad-", "－", "ｘn", "\u0301", "≠", "😀"}
	r := rand.New(rand.NewPCG(51, 52))
	same, missed := 0, 0
	for range 20000 {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		host := b.String()
		u := j.URL(t, "http://"+host+"/")
		a, ok := Locate("http://" + host + "/")
		plain := isASCII(unescaped(host)) && !hasPunycode(strings.ToLower(unescaped(host)))
		switch {
		case ok && (!u.OK || u.Origin != a.Origin):
			t.Errorf("%q: %s, but node says %q", host, a.Origin, u.Origin)
		case ok:
			same++
		case u.OK && plain:
			t.Errorf("%q: node says %q", host, u.Origin)
		case u.OK:
			missed++
		}
	}
	if same < 3000 || missed > same/2 {
		t.Errorf("the law was hardly tried, or too many are missed: %d hosts, %d not", same, missed)
	}
}
