package saz

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// record is an entry as JSON. Octets are strings; hidden values are the texts
// HIDDEN (transport credentials) and DECLARED; userinfo is not cut.
type record struct {
	json   string
	limits []string
	at     evidence.Location
}

type gathered struct {
	records   []record
	container string
}

func (g *gathered) Record(e *format.Entry) error {
	v := shown(*e.Reported)
	g.records = append(g.records, record{string(strictjson.AppendCanonical(nil, &v)), append([]string{}, e.Limits...), e.At})
	return nil
}

func (g *gathered) Container(c *format.Container) error {
	g.container = containerJSON(c)
	return nil
}

func containerJSON(c *format.Container) string {
	list := &c.Reported.Items[len(c.Reported.Items)-1]
	for row := range c.Rows {
		kept := *row
		kept.Items = slices.Clone(row.Items)
		list.Items = append(list.Items, kept)
	}
	return string(strictjson.AppendCanonical(nil, c.Reported))
}

func shown(v tree.Value) tree.Value {
	switch {
	case v.Mark.Has(tree.Credential):
		v.SetString("HIDDEN")
	case v.Mark.Has(tree.Sensitive):
		v.SetString("DECLARED")
	case v.Kind == tree.Bytes:
		v.SetString(strings.Clone(v.Text))
	}
	items := make([]tree.Value, len(v.Items))
	for i := range items {
		items[i] = shown(v.Items[i])
	}
	v.Items = items
	return v
}

func read(src []byte, declared ...string) (*gathered, error) {
	g := &gathered{}
	err := Format{}.Read(format.Input{Source: src, Declared: redact.NewDeclarations(declared)}, g)
	return g, err
}

func mustRead(t testing.TB, src []byte, declared ...string) *gathered {
	t.Helper()
	g, err := read(src, declared...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// mustFail looks for a problem of a kind at a member, whose message holds a word.
func mustFail(t testing.TB, src []byte, kind format.Kind, member, word string) {
	t.Helper()
	g, err := read(src)
	var p *format.Problem
	switch {
	case err == nil:
		t.Errorf("it is accepted, with %d records", len(g.records))
	case !errors.As(err, &p):
		t.Errorf("%v", err)
	case p.Kind != kind || string(p.Pointer) != member || !strings.Contains(p.Message, word):
		t.Errorf("got %v", p)
	}
}

// part is what stands at a path of names in JSON.
func part(t testing.TB, json string, path ...string) string {
	t.Helper()
	v, err := strictjson.Parse([]byte(json), 1000)
	if err != nil {
		t.Fatal(err)
	}
	at := v.At(path...)
	if at == nil {
		return "<absent>"
	}
	return string(strictjson.AppendCanonical(nil, at))
}

func wantPart(t testing.TB, json, want string, path ...string) {
	t.Helper()
	if got := part(t, json, path...); got != want {
		t.Errorf("/%s is\n  %s\nwant\n  %s", strings.Join(path, "/"), got, want)
	}
}

func TestWholeRecord(t *testing.T) {
	f := archiveFile{comment: "Fiddler (v5.0.x) Session Archive", entries: []entry{
		{name: "[Content_Types].xml", data: "<Types/>"},
		{name: "raw/", store: true},
		{name: "raw/1_c.txt", data: plainRequest},
		{name: "raw/1_m.xml", data: plainMetadata},
		{name: "raw/1_s.txt", data: plainResponse, store: true},
		{name: "raw/1_w.txt", data: "\x00\xff"},
		{name: "raw/1_g.txt", data: "", store: true},
		{name: "_index.htm", data: "<html>"},
	}}
	g := mustRead(t, f.bytes())
	if len(g.records) != 1 || len(g.records[0].limits) != 0 {
		t.Fatalf("%+v", g)
	}
	r := g.records[0]
	if got := strings.Join(r.at.Members, " "); r.at.Kind != "archive-members" || got != "raw/1_c.txt raw/1_m.xml raw/1_s.txt raw/1_w.txt raw/1_g.txt" {
		t.Errorf("it stands at %+v", r.at)
	}
	wantPart(t, r.json, `"1"`, "session")
	wantPart(t, r.json, `{"grpc":"raw/1_g.txt","metadata":"raw/1_m.xml","request":"raw/1_c.txt","response":"raw/1_s.txt","websocket":"raw/1_w.txt"}`, "members")
	wantPart(t, r.json, `{"body":"","head":"GET http://h.example/a HTTP/1.1\r\nHost: h.example\r\nX: 1\r\nx: 2\r\n\r\n",`+
		`"headers":[{"name":"Host","value":"h.example"},{"name":"X","value":"1"},{"name":"x","value":"2"}],`+
		`"http_version":"HTTP/1.1","method":"GET","target":"http://h.example/a"}`, "request")
	wantPart(t, r.json, `{"body":"hello","head":"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",`+
		`"headers":[{"name":"Content-Type","value":"text/plain"}],"http_version":"HTTP/1.1","reason":"OK","status":200}`, "response")
	wantPart(t, r.json, `{"attributes":[{"name":"SID","value":"1"}],"children":[{"attributes":[],"children":[`+
		`{"attributes":[{"name":"N","value":"x-hostip"},{"name":"V","value":"203.0.113.7"}],"children":[],"kind":"element","name":"SessionFlag"}],`+
		`"kind":"element","name":"SessionFlags"}],"kind":"element","name":"Session"}`, "metadata")
	wantPart(t, r.json, `""`, "grpc")
	wantPart(t, r.json, "\"\\u0000\ufffd\"", "websocket")
	wantPart(t, g.container, `"Fiddler (v5.0.x) Session Archive"`, "comment")
	if want := `{"bytes":50,"compressed_bytes":50,"crc32":"`; !strings.Contains(g.container, want) {
		t.Errorf("the inventory has no %s:\n%s", want, g.container)
	}
	for _, row := range []string{
		`"method":"deflate","name":"[Content_Types].xml","role":"other","session":null}`,
		`{"bytes":0,"compressed_bytes":0,"crc32":"00000000","method":"store","name":"raw/","role":"other","session":null}`,
		`"method":"store","name":"raw/1_s.txt","role":"response","session":"1"}`,
		`"name":"raw/1_m.xml","role":"metadata","session":"1"}`,
		`"name":"raw/1_w.txt","role":"websocket","session":"1"}`,
		`"crc32":"00000000","method":"store","name":"raw/1_g.txt","role":"grpc","session":"1"}`,
	} {
		if !strings.Contains(g.container, row) {
			t.Errorf("the inventory has no %s:\n%s", row, g.container)
		}
	}
}

// A body in gzip stays in gzip.
func TestBodiesAreNotDecoded(t *testing.T) {
	const gzip = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	sink := octetsSink{}
	message := "POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n14\r\n" + gzip + "\r\n0\r\n\r\n"
	if err := (Format{}).Read(format.Input{Source: saz("raw/1_c.txt", message)}, sink); err != nil || sink["raw/1_c.txt"] != message {
		t.Errorf("%q, %v", sink["raw/1_c.txt"], err)
	}
}

func TestMissingIsNotEmpty(t *testing.T) {
	g := mustRead(t, saz("raw/1_c.txt", "", "raw/2_s.txt", "", "raw/3_w.txt", "", "raw/4_m.xml", ""))
	empty := `{"body":"","head":"","headers":[],"http_version":null,`
	wantPart(t, g.records[0].json, empty+`"method":null,"target":null}`, "request")
	wantPart(t, g.records[0].json, `null`, "response")
	wantPart(t, g.records[0].json, `null`, "members", "response")
	wantPart(t, g.records[1].json, empty+`"reason":null,"status":null}`, "response")
	wantPart(t, g.records[1].json, `null`, "request")
	wantPart(t, g.records[2].json, `""`, "websocket")
	wantPart(t, g.records[2].json, `null`, "grpc")
	wantPart(t, g.records[3].json, `null`, "metadata")
	wantPart(t, g.records[3].json, `"raw/4_m.xml"`, "members", "metadata")
	for i, want := range []int{0, 0, 0, 1} {
		if len(g.records[i].limits) != want {
			t.Errorf("record %d: %q", i, g.records[i].limits)
		}
	}
	wantPart(t, g.container, `null`, "comment")
}

func TestOrderIsTheDirectorys(t *testing.T) {
	g := mustRead(t, saz("raw/10_s.txt", plainResponse, "raw/2_c.txt", plainRequest, "raw/10_c.txt", plainRequest,
		"raw/010_c.txt", plainRequest, "raw/2_s.txt", plainResponse, "raw/a_b_c.txt", "", "raw/ü 1_m.xml", "<a/>", "raw/_c_c.txt", ""))
	var stems, places []string
	for _, r := range g.records {
		stems = append(stems, part(t, r.json, "session"))
		places = append(places, strings.Join(r.at.Members, "+"))
	}
	if got := strings.Join(stems, " "); got != `"10" "2" "010" "a_b" "ü 1" "_c"` {
		t.Errorf("sessions %s", got)
	}
	if got := strings.Join(places[:3], " "); got != "raw/10_s.txt+raw/10_c.txt raw/2_c.txt+raw/2_s.txt raw/010_c.txt" {
		t.Errorf("at %s", got)
	}
}
