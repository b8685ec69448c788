package saz

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/tree"
)

// outline writes a node tree in few characters: (name a=v child ...) for an
// element, 'text', <!comment>, <?target value>.
func outline(v *tree.Value) string {
	get := func(name string) string {
		if m := v.Get(name); m.Mark.Has(tree.Credential) {
			return "HIDDEN"
		}
		s, _ := v.Get(name).Str()
		return s
	}
	switch get("kind") {
	case "text":
		return "'" + get("value") + "'"
	case "comment":
		return "<!" + get("value") + ">"
	case "instruction":
		return "<?" + get("target") + " " + get("value") + ">"
	}
	b := "(" + get("name")
	for i := range v.Get("attributes").Items {
		a := &v.Get("attributes").Items[i]
		name, _ := a.Get("name").Str()
		value, _ := a.Get("value").Str()
		if a.Get("value").Mark.Has(tree.Credential) {
			value = "HIDDEN"
		}
		b += " " + name + "=" + value
	}
	for i := range v.Get("children").Items {
		b += " " + outline(&v.Get("children").Items[i])
	}
	return b + ")"
}

func readXML(src string) (string, *format.Problem) {
	var d document
	v, err := d.read("m", []byte(src), new(nodes))
	if err != nil {
		return "", err.(*format.Problem)
	}
	return outline(&v), nil
}

const nest = 64

var documents = []struct{ src, want string }{
	{`<a/>`, `(a)`},
	{`<a></a>`, `(a)`},
	{"<a\t/>", `(a)`},
	{`<a></a >`, `(a)`},
	{"\ufeff<a/>", `(a)`},
	{`<?xml version="1.0"?><a/>`, `(a)`},
	{`<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><a/>`, `(a)`},
	{"\ufeff<?xml version = \"1.0\"\tencoding\n=\n\"utf-8\"?>\r\n<a/>\r\n", `(a)`},
	{`<?xmlx?><!-- out --><?x y?> <a/> <!-- out --><?x y?>`, `(a)`},
	{`<a b="1" c='2'/>`, `(a b=1 c=2)`},
	{`<a b = "1"/>`, `(a b=1)`},
	{`<a b="1" B="2" x:b="3" :="4" _="5" é="6" a.-·b="7"/>`, `(a b=1 B=2 x:b=3 :=4 _=5 é=6 a.-·b=7)`},
	{`<x:a xmlns:x="u"><x:b/></x:a>`, `(x:a xmlns:x=u (x:b))`},
	{`<x:a y:b=""/>`, `(x:a y:b=)`},
	{`<a b="'" c='"' d="&lt;&gt;&amp;&apos;&quot;" e=">"/>`, `(a b=' c=" d=<>&'" e=>)`},
	{"<a b=\" x\ty\nz\r\nw\rv \"/>", `(a b= x y z w v )`},
	{`<a b="&#9;&#10;&#13;&#x20;&#x1F600;"/>`, "(a b=\t\n\r 😀)"},
	{"<a> \t\n</a>", "(a ' \t\n')"},
	{"<a>\r\nx\ry\n\rz</a>", "(a '\nx\ny\n\nz')"},
	{`<a>x&amp;y&#x41;z</a>`, `(a 'x&yAz')`},
	{`<a>&#13;&#10;</a>`, "(a '\r\n')"},
	{"<a>x<![CDATA[<b>&amp;]]\r\n]]>y</a>", "(a 'x<b>&amp;]]\ny')"},
	{`<a><![CDATA[]]></a>`, `(a)`},
	{`<a><![CDATA[x]]><![CDATA[]]]]>&gt;</a>`, `(a 'x]]>')`},
	{`<a>]]&gt; ]> ]]</a>`, `(a ']]> ]> ]]')`},
	{"<a>x<!--\r\n- y --><?z  w?x\r\n?>v</a>", "(a 'x' <!\n- y > <?z w?x\n> 'v')"},
	{`<a><?z?><?z ?><!----></a>`, `(a <?z > <?z > <!>)`},
	{`<a>x<b>y</b>z<b/></a>`, `(a 'x' (b 'y') 'z' (b))`},
	{`<a>é😀` + "\u00a0\u2028\ufffd" + `</a>`, "(a 'é😀\u00a0\u2028\ufffd')"},
	{`<a>` + "\u007f\u0085" + `</a>`, "(a '\u007f\u0085')"},
	{`<SessionFlags><SessionFlag N="x-hostip" V="1"/><SessionFlag N="x-hostip" V="2"/></SessionFlags>`, `(SessionFlags (SessionFlag N=x-hostip V=1) (SessionFlag N=x-hostip V=2))`},
	{`<SessionFlag N="x-AutoAuth" V="u:p"/>`, `(SessionFlag N=x-AutoAuth V=HIDDEN)`},
	{`<f:SessionFlag xmlns:f="u" f:N="x-AutoAuth" f:V="u:p"/>`, `(f:SessionFlag xmlns:f=u f:N=x-AutoAuth f:V=HIDDEN)`},
	{`<SessionFlag V="u:p" N="X-AUTOAUTH"/>`, `(SessionFlag V=HIDDEN N=X-AUTOAUTH)`},
	{`<f:sessionflag n=" x-auto&#65;uth " v="u:p"/>`, `(f:sessionflag n= x-autoAuth  v=HIDDEN)`},
	{`<SessionFlag N="x-AutoAuth" V="(default)"/>`, `(SessionFlag N=x-AutoAuth V=(default))`},
	{`<SessionFlag N="x-AutoAuth" V="(Default)"/>`, `(SessionFlag N=x-AutoAuth V=HIDDEN)`},
	{`<SessionFlag N="x-AutoAuthx" V="u:p"/>`, `(SessionFlag N=x-AutoAuthx V=u:p)`},
	{`<Flag N="x-AutoAuth" V="u:p"/>`, `(Flag N=x-AutoAuth V=u:p)`},
	{strings.Repeat("<a>", nest) + strings.Repeat("</a>", nest), strings.Repeat("(a ", nest-1) + "(a" + strings.Repeat(")", nest)},
	{strings.Repeat("<a>", nest-1) + "<b/>" + strings.Repeat("</a>", nest-1), strings.Repeat("(a ", nest-1) + "(b)" + strings.Repeat(")", nest-1)},
}

var badDocuments = []struct {
	src  string
	kind format.Kind
	at   int
}{
	{``, format.Malformed, 0},
	{` `, format.Malformed, 1},
	{"\ufeff\ufeff<a/>", format.Malformed, 3},
	{` <?xml version="1.0"?><a/>`, format.Malformed, 1},
	{`<?xml?><a/>`, format.Malformed, 0},
	{`<?xml ?><a/>`, format.Malformed, 5},
	{`<?xml encoding="UTF-8"?><a/>`, format.Malformed, 5},
	{`<?xml version="1.0"encoding="UTF-8"?><a/>`, format.Malformed, 19},
	{`<?xml version="1.0" standalone="maybe"?><a/>`, format.Malformed, 38},
	{`<?xml version="1.0" standalone="no" encoding="UTF-8"?><a/>`, format.Malformed, 36},
	{`<?xml version="1.0" x="y"?><a/>`, format.Malformed, 20},
	{`<?xml version="1.0"><a/>`, format.Malformed, 19},
	{`<?xml version=1.0?><a/>`, format.Malformed, 14},
	{`<?xml version="1.1"?><a/>`, format.Unsupported, 19},
	{`<?xml version="1.0" encoding="utf-16"?><a/>`, format.Unsupported, 37},
	{"<?xml version=\"1.0\" encoding=\"windows-1252\"?><a>\xe9</a>", format.Unsupported, 43},
	{"\xff\xfe<\x00a\x00/\x00>\x00", format.Unsupported, 0},
	{"\xfe\xff\x00<\x00a\x00/\x00>", format.Unsupported, 0},
	{"<a>\xe9</a>", format.Malformed, 3},
	{"<a>\xed\xa0\x80</a>", format.Malformed, 3},
	{"<a>x\x00</a>", format.Malformed, 4},
	{"<a>\x1b</a>", format.Malformed, 3},
	{"<a>\uffff</a>", format.Malformed, 3},
	{"<a b=\"\x0b\"/>", format.Malformed, 6},
	{"<a><!--\x01--></a>", format.Malformed, 7},
	{`<!DOCTYPE a><a/>`, format.Unsupported, 0},
	{`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, format.Unsupported, 0},
	{`<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>`, format.Unsupported, 0},
	{`<!doctype a><a/>`, format.Malformed, 1},
	{`<!ELEMENT a ANY><a/>`, format.Malformed, 1},
	{`<a>&nbsp;</a>`, format.Unsupported, 3},
	{`<a b="x&copy;"/>`, format.Unsupported, 7},
	{`<a>&</a>`, format.Malformed, 4},
	{`<a>& b</a>`, format.Malformed, 4},
	{`<a>&lt</a>`, format.Malformed, 3},
	{`<a b="&lt"/>`, format.Malformed, 6},
	{`<a>&#0;</a>`, format.Malformed, 3},
	{`<a>&#x1b;</a>`, format.Malformed, 3},
	{`<a>&#xD800;</a>`, format.Malformed, 3},
	{`<a>&#xFFFE;</a>`, format.Malformed, 3},
	{`<a>&#x110000;</a>`, format.Malformed, 3},
	{`<a>&#x100000041;</a>`, format.Malformed, 3},
	{`<a>&#;</a>`, format.Malformed, 3},
	{`<a>&#x;</a>`, format.Malformed, 3},
	{`<a>&#X41;</a>`, format.Malformed, 3},
	{`<a>&#4f;</a>`, format.Malformed, 3},
	{`<a>&#65</a>`, format.Malformed, 3},
	{`<a>x]]></a>`, format.Malformed, 4},
	{`<a>x]]>y<b/></a>`, format.Malformed, 4},
	{`x<a/>`, format.Malformed, 0},
	{`<a/>x`, format.Malformed, 4},
	{`<a/>&#32;`, format.Malformed, 4},
	{`<![CDATA[]]><a/>`, format.Malformed, 0},
	{`<a/><![CDATA[ ]]>`, format.Malformed, 4},
	{`<a/><b/>`, format.Malformed, 4},
	{`<a/></a>`, format.Malformed, 4},
	{`</a>`, format.Malformed, 0},
	{`<a>`, format.Malformed, 3},
	{`<a`, format.Malformed, 2},
	{`<a/`, format.Malformed, 2},
	{`<`, format.Malformed, 1},
	{`<a></b>`, format.Malformed, 3},
	{`<a></A>`, format.Malformed, 3},
	{`<a><b></a></b>`, format.Malformed, 6},
	{`<a></a`, format.Malformed, 3},
	{`<a></ a>`, format.Malformed, 5},
	{`< a/>`, format.Malformed, 1},
	{`<1a/>`, format.Malformed, 1},
	{`<-a/>`, format.Malformed, 1},
	{`<a b="1" b="1"/>`, format.Malformed, 9},
	{`<a b="1" c="2" b="3"/>`, format.Malformed, 15},
	{`<a b="1"c="2"/>`, format.Malformed, 8},
	{`<a b/>`, format.Malformed, 4},
	{`<a b=/>`, format.Malformed, 5},
	{`<a b=1/>`, format.Malformed, 5},
	{`<a b="1/>`, format.Malformed, 5},
	{`<a b="<"/>`, format.Malformed, 5},
	{`<a b='1"/>`, format.Malformed, 5},
	{`<a / >`, format.Malformed, 3},
	{`<a/ >`, format.Malformed, 2},
	{`<a><!-- x -- y --></a>`, format.Malformed, 3},
	{`<a><!-- x ---></a>`, format.Malformed, 3},
	{`<a><!-- x </a>`, format.Malformed, 7},
	{`<a><!- x --></a>`, format.Malformed, 4},
	{`<a><![CDATA[ x </a>`, format.Malformed, 12},
	{`<a><![cdata[x]]></a>`, format.Malformed, 4},
	{`<a><?xml version="1.0"?></a>`, format.Malformed, 3},
	{`<a><?XML?></a>`, format.Malformed, 3},
	{`<a><?x</a>`, format.Malformed, 6},
	{`<a><? x?></a>`, format.Malformed, 5},
	{`<a><?x+y?></a>`, format.Malformed, 3},
	{strings.Repeat("<a>", nest+1) + strings.Repeat("</a>", nest+1), format.TooMuch, 3 * nest},
	{strings.Repeat("<a>", nest) + "<b/>" + strings.Repeat("</a>", nest), format.TooMuch, 3 * nest},
	{strings.Repeat("<a>", 100_000), format.TooMuch, 3 * nest},
}

func TestXML(t *testing.T) {
	for _, c := range documents {
		if got, p := readXML(c.src); p != nil || got != c.want {
			t.Errorf("%.80q gives\n  %s, %v\nwant\n  %s", c.src, got, p, c.want)
		}
	}
	for _, c := range badDocuments {
		got, p := readXML(c.src)
		if p == nil || got != "" {
			t.Errorf("%.80q is read as %s", c.src, got)
			continue
		}
		if p.Kind != c.kind || p.Pointer != "m" || !strings.Contains(p.Message, fmt.Sprintf("(byte %d ", c.at)) {
			t.Errorf("%.80q: %v, want byte %d", c.src, p, c.at)
		}
		if want := (format.Maximum{Name: "maximum_capture_nesting", Value: 64}); p.Kind == format.TooMuch && p.Maximum != want {
			t.Errorf("%.80q: %v", c.src, p.Maximum)
		}
	}
}

func TestManyAttributes(t *testing.T) {
	var b strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&b, ` a%d=""`, i)
	}
	var d document
	if v, err := d.read("m", []byte("<a"+b.String()+"/>"), new(nodes)); err != nil || len(v.Get("attributes").Items) != 200_000 {
		t.Error(err)
	}
	for _, again := range []int{0, few - 1, few, few + 1, 199_999} {
		_, p := readXML("<a" + b.String() + fmt.Sprintf(` a%d=""`, again) + "/>")
		if p == nil || !strings.Contains(p.Message, "attribute twice") {
			t.Errorf("a%d again: %v", again, p)
		}
	}
}

// A document is read into memory that held another.
func TestDocumentsShareMemory(t *testing.T) {
	var d document
	var n nodes
	for range 3 {
		for _, c := range documents {
			n.reset()
			if v, err := d.read("m", []byte(c.src), &n); err != nil || outline(&v) != c.want {
				t.Fatalf("%q: %v", c.src, err)
			}
			for _, bad := range badDocuments[len(badDocuments)/2:] {
				if _, err := d.read("m", []byte(bad.src), &n); err == nil {
					t.Fatalf("%q is read", bad.src)
				}
			}
		}
	}
}

// mutants are documents with a few pieces changed.
func mutants(count int) []string {
	pieces := []string{"<", ">", "/", "&", ";", "'", `"`, "=", " ", "\r", "\n", "a", "b", ":", "-", "--", "]]>", "<![CDATA[", "<!--", "-->", "<?", "?>", "</a>", "<b>", "</b>", "&lt;", "&#65;", "#", "x", "1", "é", "<a/>", "<?xml version=\"1.0\"?>"}
	rnd := rand.New(rand.NewPCG(3, 4))
	out := make([]string, count)
	for i := range out {
		s := documents[rnd.IntN(len(documents)-2)].src
		for range 1 + rnd.IntN(8)/7 {
			at := rnd.IntN(len(s) + 1)
			end := min(len(s), at+rnd.IntN(3))
			s = s[:at] + pieces[rnd.IntN(len(pieces))] + s[end:]
		}
		out[i] = s
	}
	return out
}
