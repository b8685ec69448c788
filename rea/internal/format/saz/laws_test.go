package saz

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/tree"
)

// FuzzRead: whatever the bytes are, there are records and a container, or there
// is a problem that names a place; and the answer is always the same.
func FuzzRead(f *testing.F) {
	for _, c := range archiveCases() {
		if len(c.src) < 64<<10 {
			f.Add(c.src)
		}
	}
	f.Add(sample)
	f.Fuzz(func(t *testing.T, src []byte) {
		before := string(src)
		g, err := read(src)
		var p *format.Problem
		switch {
		case err != nil && (!errors.As(err, &p) || p.Message == "" || g.container != ""):
			t.Errorf("%v, after a container: %v", err, g.container != "")
		case err == nil && (len(g.records) == 0 || g.container == ""):
			t.Error("a success with nothing in it")
		}
		again, err2 := read(src)
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() || len(g.records) != len(again.records) {
			t.Errorf("another reading differs: %v, %v", err, err2)
		}
		if string(src) != before {
			t.Error("the source was written to")
		}
	})
}

// FuzzXML: a document that is read says the same when it is written and read
// again.
func FuzzXML(f *testing.F) {
	for _, c := range documents {
		f.Add(c.src)
	}
	for _, c := range badDocuments {
		f.Add(c.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var d document
		v, err := d.read("m", []byte(src), new(nodes))
		if err != nil {
			return
		}
		want := outline(&v)
		if got, p := readXML(xmlOf(&v)); p != nil || got != want {
			t.Errorf("%q is %q, and written again %q, %v", src, want, got, p)
		}
	})
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// xmlOf writes a node tree as XML.
func xmlOf(v *tree.Value) string {
	get := func(v *tree.Value, name string) string { s, _ := v.Get(name).Str(); return s }
	switch get(v, "kind") {
	case "text":
		return escapes.Replace(get(v, "value"))
	case "comment":
		return "<!--" + get(v, "value") + "-->"
	case "instruction":
		return "<?" + get(v, "target") + " " + get(v, "value") + "?>"
	}
	b := "<" + get(v, "name")
	for i := range v.Get("attributes").Items {
		a := &v.Get("attributes").Items[i]
		b += " " + get(a, "name") + `="` + escapes.Replace(get(a, "value")) + `"`
	}
	b += ">"
	for i := range v.Get("children").Items {
		b += xmlOf(&v.Get("children").Items[i])
	}
	return b + "</" + get(v, "name") + ">"
}

// FuzzHead: head and body are the message; and no line of a head that names a
// credential, however it is laid out, shows what stands behind the name.
func FuzzHead(f *testing.F) {
	for _, s := range []string{plainRequest, plainResponse, "GET / HTTP/1.1\r\n\r\n", "\r\n\nA B C\nCookie : SECRET\n\n", "A B C\nx\n Cookie: SECRET\r\r\n", "HTTP/1.1 100 x\n\nHTTP/1.1 200 x\nset-cookie:SECRET\n\n", "A B C\n\xff:\x00\nSet-Cookie: SECRET", "A B C\nX: a\rCookie: SECRET\n"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, message string, isRequest bool) {
		member, side := "raw/1_s.txt", "response"
		if isRequest {
			member, side = "raw/1_c.txt", "request"
		}
		var sink headSink
		if err := (Format{}).Read(format.Input{Source: saz(member, message)}, &sink); err != nil {
			t.Fatal(err)
		}
		m := sink.record.Get(side)
		head, body := m.Get("head"), m.Get("body")
		if head.Text+body.Text != message {
			t.Fatalf("%q is split into %q and %q", message, head.Text, body.Text)
		}
		secret := false
		for _, line := range strings.FieldsFunc(head.Text, func(r rune) bool { return r == '\n' || r == '\r' }) {
			name, _, ok := strings.Cut(line, ":")
			switch strings.ToLower(strings.Trim(name, " \t")) {
			case "cookie", "set-cookie", "authorization", "proxy-authorization":
				secret = secret || ok
			}
		}
		if secret && !head.Mark.Has(tree.Credential) {
			t.Errorf("%q has a credential, and its octets are shown", head.Text)
		}
		headers := m.Get("headers").Items
		for i := range headers {
			name, _ := headers[i].Get("name").Str()
			if strings.Contains(strings.ToLower(name), "authorization") && len(strings.Trim(name, " \t")) == len("authorization") && !headers[i].Get("value").Mark.Has(tree.Credential) {
				t.Errorf("%q shows its value", name)
			}
		}
	})
}

// headSink keeps the one record of an archive.
type headSink struct{ record tree.Value }

func (s *headSink) Record(e *format.Entry) error      { s.record = *e.Reported; return nil }
func (s *headSink) Container(*format.Container) error { return nil }

// No part of an archive that ends early is an archive.
func TestBrokenOff(t *testing.T) {
	for n := range len(sample) {
		if _, err := read(sample[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes are accepted", n, len(sample))
		}
	}
}

// Sizes that an archive declares cost no memory.
func TestDeclaredSizesCostNothing(t *testing.T) {
	for name, src := range map[string][]byte{
		"a member": one(func(e *entry) { e.local, e.central = put(localSize, uint32(maxed-1)), put(dirSize, uint32(maxed-1)) }),
		"a member of half the limit": one(func(e *entry) {
			e.local, e.central = put(localSize, uint32(16<<20)), put(dirSize, uint32(16<<20))
		}),
		"entries": archiveFile{zip64: true, entries: []entry{{name: "raw/1_c.txt"}}, end64: func(r, _ []byte) {
			put(24, uint64(1<<31))(r)
			put(32, uint64(1<<31))(r)
		}}.bytes(),
		"a directory": archiveFile{zip64: true, entries: []entry{{name: "raw/1_c.txt"}}, end64: func(r, _ []byte) { put(40, uint64(1<<40))(r) }}.bytes(),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := read(src); err == nil {
			t.Errorf("%s: accepted", name)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes were allocated for %d", name, n, len(src))
		}
	}
}
