package decode_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/formattest"
)

// archive is a session archive of members given as pairs of name and content.
func archive(t *testing.T, comment string, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: pairs[i], Method: zip.Deflate})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.SetComment(comment); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sessions(t *testing.T, src []byte, declared ...string) formattest.Reply {
	t.Helper()
	r := formattest.Ask(t, src, decode.Request{Format: "saz", Declared: declared})
	if r.Problem != nil {
		t.Fatal(r.Problem)
	}
	return r
}

// stored and hidden are binary fields of an archive as they are printed.
func stored(pointer, octets string) string {
	return strings.Replace(retained(pointer, octets), "producer-bytes", "saz-member-bytes", 1)
}

func hidden(pointer string) string {
	return strings.Replace(redactedField(pointer), "producer-bytes", "saz-member-bytes", 1)
}

func redactions(reason string, pointers ...string) string {
	for i, p := range pointers {
		pointers[i] = `{"pointer":"` + p + `","reason":"` + reason + `"}`
	}
	return each(pointers...)
}

func each(items ...string) string { return "[" + strings.Join(items, ",") + "]" }

const (
	sazRequest  = "GET http://h.example/a HTTP/1.1\r\nHost: h.example\r\n\r\n"
	sazHead     = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
	explicit    = "explicit-sensitive-value"
	credentials = "transport-credential"
)

func TestMembersAreSidecars(t *testing.T) {
	r := sessions(t, archive(t, "", "raw/1_c.txt", sazRequest, "raw/1_s.txt", sazHead+"hello\xff", "raw/1_w.txt", "", "raw/1_g.txt", "g")).Records[0]
	want(t, r, "/binary_fields", each(stored("/grpc", "g"), stored("/request/body", ""), stored("/request/head", sazRequest),
		stored("/response/body", "hello\xff"), stored("/response/head", sazHead), stored("/websocket", "")))
	want(t, r, "/redactions", "[]")
	want(t, r, "/numeric_literals", "[]")
	want(t, r, "/location", `{"kind":"archive-members","members":["raw/1_c.txt","raw/1_s.txt","raw/1_w.txt","raw/1_g.txt"]}`)
	want(t, r, "/reported/response", `{"body":null,"headers":[{"name":"Content-Type","value":"text/plain"}],"http_version":"HTTP/1.1","reason":"OK","status":200}`)
	want(t, r, "/reported/websocket", `""`)
	want(t, r, "/reported/grpc", `"g"`)
}

// A password in a Basic credential of an archive: not in the header list, and in
// no octets beside it.
func TestMemberCredentials(t *testing.T) {
	reply := sessions(t, archive(t, "",
		"raw/1_c.txt", "GET http://u:p@h.example/a HTTP/1.1\r\nAuthorization: Basic dTpw\r\nReferer: http://h.example/\r\nOrigin: https:q:r@h.example/\r\n\r\nb",
		"raw/1_s.txt", "HTTP/1.1 302 F\r\nLocation: //v:w@h.example/\r\nSet-Cookie: s=1\r\nSet-Cookie: t=2\r\n\r\nc",
		"raw/1_m.xml", `<Session><SessionFlags><SessionFlag N="x-AutoAuth" V="x:y"/></SessionFlags></Session>`,
		"raw/2_c.txt", "CONNECT u:p@h.example:443 HTTP/1.1\r\nodd\r\n\r\n"))
	r := reply.Records[0]
	want(t, r, "/redactions", redactions(credentials, "/metadata/children/0/children/0/attributes/1/value",
		"/request/head", "/request/headers/0/value", "/request/headers/2/value", "/request/target",
		"/response/head", "/response/headers/0/value", "/response/headers/1/value", "/response/headers/2/value"))
	want(t, r, "/binary_fields", each(stored("/request/body", "b"), hidden("/request/head"), stored("/response/body", "c"), hidden("/response/head")))
	want(t, r, "/reported/request", `{"body":"b","headers":[{"name":"Authorization","value":null},{"name":"Referer","value":"http://h.example/"},`+
		`{"name":"Origin","value":null}],"http_version":"HTTP/1.1","method":"GET","target":"http://h.example/a"}`)
	want(t, r, "/reported/response/headers", `[{"name":"Location","value":"//h.example/"},{"name":"Set-Cookie","value":null},{"name":"Set-Cookie","value":null}]`)
	r = reply.Records[1]
	want(t, r, "/reported/request/target", `"h.example:443"`)
	want(t, r, "/redactions", redactions(credentials, "/request/head", "/request/target"))
	want(t, r, "/limitations", `["The request head does not parse at line 2; such lines, and its exact bytes, are not shown."]`)
}

func TestDeclaredInMembers(t *testing.T) {
	src := archive(t, "the comment of Zsecret1",
		"notes Zsecret2.txt", "not read",
		"raw/Zsecret3_c.txt", "GET /caf\xe9Zsecret4 HTTP/1.1\r\nX: 1\r\n\r\nbody",
		"raw/2_s.txt", "HTTP/1.1 200 OK\r\nZsecret5: 1\r\n\r\nbody of Zsecret6",
		"raw/2_m.xml", `<a b="Zsecret7" Zsecret8="">Zsec<![CDATA[ret9]]><Zsecreta/></a>`,
		"raw/2_w.txt", "Zsecretb \xff", "raw/2_g.txt", "Zsecretc")
	whole := sessions(t, src)
	for _, c := range []struct {
		literal             string
		around, first, next []string // where something is hidden
	}{
		{"Zsecret1", []string{"/comment"}, nil, nil},
		{"Zsecret2", []string{"/members/0/name"}, nil, nil},
		{"Zsecret3", []string{"/members/1/name", "/members/1/session"}, []string{"/members/request", "/session"}, nil},
		{"Zsecret4", nil, []string{"/request/head", "/request/target"}, nil},
		{"caféZ", nil, []string{"/request/head", "/request/target"}, nil},
		{"Zsecret5", nil, nil, []string{"/response/head", "/response/headers/0/name"}},
		{"Zsecret6", nil, nil, []string{"/response/body"}},
		{"Zsecret7", nil, nil, []string{"/metadata/attributes/0/value"}},
		{"Zsecret8", nil, nil, []string{"/metadata/attributes/1/name"}},
		{"Zsecret9", nil, nil, []string{"/metadata/children/0/value"}},
		{"Zsecreta", nil, nil, []string{"/metadata/children/1/name"}},
		{"Zsecretb", nil, nil, []string{"/websocket"}},
		{"Zsecretc", nil, nil, []string{"/grpc"}},
	} {
		t.Run(c.literal, func(t *testing.T) {
			r := sessions(t, src, c.literal)
			if bytes.Contains(r.Raw, []byte(c.literal)) {
				t.Error("it is in the reply")
			}
			want(t, r.Container, "/redactions", redactions(explicit, c.around...))
			for i, pointers := range [][]string{c.first, c.next} {
				if pointers == nil && r.Texts[i] != whole.Texts[i] {
					t.Errorf("record %d changes, too", i)
				}
				want(t, r.Records[i], "/redactions", redactions(explicit, pointers...))
			}
			place := at(r.Records[0], "/location")
			if shown := place == at(whole.Records[0], "/location"); shown == (c.literal == "Zsecret3") {
				t.Errorf("the first record stands at %s", place)
			}
		})
	}
}

// Escapes are counted as they are printed: a line end takes two bytes of the
// reply, another control six.
func TestTextsThatFit(t *testing.T) {
	for _, c := range []struct {
		octet    string
		overflow bool
	}{{"\n", false}, {"\x00", true}} {
		r := sessions(t, archive(t, "", "raw/1_w.txt", strings.Repeat(c.octet, 17<<20)))
		if r.ReplyOverflow != c.overflow {
			t.Errorf("%q: an overflow: %v", c.octet, r.ReplyOverflow)
		}
	}
}

// The format is the caller's choice: nothing is guessed.
func TestArchivesAreNoOtherFormat(t *testing.T) {
	for _, format := range []string{"har", "qlog", "mitmproxy"} {
		if r := formattest.Ask(t, archive(t, "", "raw/1_c.txt", sazRequest), decode.Request{Format: format}); r.Problem == nil {
			t.Errorf("an archive is read as %s", format)
		}
	}
}

// Where the decoder's memory can't be bounded, no archive is opened.
func TestArchivesNeedTheBound(t *testing.T) {
	ask := decode.Request{Format: "saz", All: true}
	f, err := os.CreateTemp(t.TempDir(), "reply")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := decode.Answer(ask.Encode(), archive(t, "", "raw/1_c.txt", sazRequest), false, f); err != nil {
		t.Fatal(err)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		t.Fatal(err)
	}
	h, err := decode.ReadHeader(f, size)
	if err != nil || h.Problem == nil || h.Problem.Kind != format.Unsupported || h.Total != 0 {
		t.Errorf("without a memory ceiling: %+v, %v", h, err)
	}
}
