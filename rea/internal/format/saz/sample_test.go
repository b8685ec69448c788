package saz

import (
	"archive/zip"
	"bytes"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the sample anew")

// sampleMembers are what the embedded sample holds: a login, a WebSocket, and a
// tunnel, in the order in which Fiddler writes members.
var sampleMembers = []struct{ name, content string }{
	{"[Content_Types].xml", `<?xml version="1.0" encoding="utf-8" ?>` + "\r\n" +
		`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="txt" ContentType="text/plain" /></Types>`},
	{"raw/", ""},
	{"raw/1_c.txt", "POST https://shop.example/login HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/x-www-form-urlencoded\r\n" +
		"Cookie: sid=before\r\nContent-Length: 19\r\n\r\nuser=ada&note=caf\xc3\xa9"},
	{"raw/1_s.txt", "HTTP/1.1 303 See Other\r\nLocation: https://ada:secret@shop.example/home\r\nSet-Cookie: sid=after; HttpOnly\r\n" +
		"X-Trace: a\r\nx-trace: b\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nMoved.\r\n0\r\n\r\n"},
	{"raw/1_m.xml", sampleMetadata("1", "2031-05-06T07:08:09.1234567+02:00", "x-hostip", "203.0.113.7")},
	{"raw/2_c.txt", "GET https://shop.example/live HTTP/1.1\r\nHost: shop.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"},
	{"raw/2_s.txt", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"},
	{"raw/2_m.xml", sampleMetadata("2", "2031-05-06T07:08:10.0000000+02:00", "x-AutoAuth", "ada:secret")},
	{"raw/2_w.txt", "Response-Length: 9\r\nID: 1\r\nBitFlags: 0\r\n\r\n\x81\x05hello\xff\x00"},
	{"raw/3_c.txt", "CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example:443\r\n\r\n"},
	{"raw/3_s.txt", ""},
}

func sampleMetadata(id, began, flag, value string) string {
	return "\ufeff" + `<?xml version="1.0" encoding="utf-8"?>` + "\r\n" + `<Session SID="` + id + `" BitFlags="59">` + "\r\n" +
		`  <SessionTimers ClientBeginRequest="` + began + `" DNSTime="0" />` + "\r\n  <PipeInfo />\r\n  <SessionFlags>\r\n" +
		`    <SessionFlag N="` + flag + `" V="` + value + `" />` + "\r\n  </SessionFlags>\r\n</Session>"
}

const sampleComment = "Made for the manual; not by Fiddler"

// TestSample holds the embedded sample to its text. -update writes it.
func TestSample(t *testing.T) {
	if *update {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, m := range sampleMembers {
			h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: time.Date(2031, 5, 6, 7, 8, 10, 0, time.UTC)}
			if isDirectory(m.name) {
				h.Method = zip.Store
			}
			f, err := w.CreateHeader(h)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(f, m.content); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.SetComment(sampleComment); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("sample.saz", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		sample = b.Bytes()
	}
	r, err := zip.NewReader(bytes.NewReader(sample), int64(len(sample)))
	if err != nil {
		t.Fatal(err)
	}
	if r.Comment != sampleComment || len(r.File) != len(sampleMembers) {
		t.Fatalf("%d members, comment %q", len(r.File), r.Comment)
	}
	for i, m := range sampleMembers {
		f, err := r.File[i].Open()
		if err != nil {
			t.Fatal(err)
		}
		if content, err := io.ReadAll(f); r.File[i].Name != m.name || string(content) != m.content || err != nil {
			t.Errorf("%s is not as it should be: %v", m.name, err)
		}
	}
	g := mustRead(t, sample)
	if len(g.records) != 3 {
		t.Fatalf("%d records", len(g.records))
	}
	for _, secret := range []string{"sid=", "ada:secret\"},{"} {
		for _, r := range g.records {
			if strings.Contains(r.json, secret) {
				t.Errorf("a record holds %s:\n%s", secret, r.json)
			}
		}
	}
}
