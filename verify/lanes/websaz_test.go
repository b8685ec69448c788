package lanes

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/verify/captures"
	"rea.example/verify/product"
	"rea.example/verify/report"
	"rea.example/verify/sazfile"
)

func sidecar(pointer, content string) string {
	return fmt.Sprintf(`{"pointer":%q,"representation":"saz-member-bytes","state":"retained","content_base64":%q,"bytes":%d,"sha256":%q}`,
		pointer, base64.StdEncoding.EncodeToString([]byte(content)), len(content), captures.Digest([]byte(content)))
}

const (
	aRequest  = "GET / HTTP/1.1\r\nCookie: c\r\nX: 1\r\n\r\nbody"
	aResponse = "HTTP/1.1 200 All right\nX:  a \n\n"
	aSocket   = "\x81\x00"
)

// anArchive is an archive as Python reads it, and the Evidence that goes with it.
func anArchive() (z zipReading, records string) {
	z = zipReading{
		Members: []zipMember{
			{"raw/1_s.txt", 31, 31, "store", "00000001"}, {"raw/1_c.txt", 40, 30, "deflate", "00000002"},
			{"raw/1_m.xml", 9, 9, "store", "00000003"}, {"x.txt", 0, 0, "store", "00000000"}, {"raw/2_w.txt", 2, 2, "store", "00000004"},
		},
		Contents: map[string][]byte{"raw/1_s.txt": []byte(aResponse), "raw/1_c.txt": []byte(aRequest), "raw/1_m.xml": []byte("<S A='b'/>"), "raw/2_w.txt": []byte(aSocket)},
		Metadata: map[string][]json.RawMessage{"raw/1_m.xml": {json.RawMessage(`["S",["A","b"]]`), json.RawMessage(`["T",[]]`)}},
	}
	records = `{"location":{"kind":"archive-members","members":["raw/1_s.txt","raw/1_c.txt","raw/1_m.xml"]},"reported":{"session":"1",
"members":{"request":"raw/1_c.txt","response":"raw/1_s.txt","metadata":"raw/1_m.xml","websocket":null,"grpc":null},
"request":{"method":"GET","target":"/","http_version":"HTTP/1.1","headers":[{"name":"Cookie","value":null},{"name":"X","value":"1"}]},
"response":{"http_version":"HTTP/1.1","status":200,"reason":"All right","headers":[{"name":"X","value":"a"}]},
"metadata":{"kind":"element","name":"S","attributes":[{"name":"A","value":"b"}],"children":[{"kind":"text","value":" "},{"kind":"element","name":"T","attributes":[],"children":[]}]},
"websocket":null,"grpc":null},
"binary_fields":[{"pointer":"/request/head","state":"redacted"},` + sidecar("/request/body", "body") + "," +
		sidecar("/response/head", aResponse) + "," + sidecar("/response/body", "") + `],
"redactions":[{"pointer":"/request/head","reason":"transport-credential"},{"pointer":"/request/headers/0/value","reason":"transport-credential"}]},
{"location":{"kind":"archive-members","members":["raw/2_w.txt"]},"reported":{"session":"2","members":{"websocket":"raw/2_w.txt"},"websocket":null,"other":1},
"binary_fields":[` + sidecar("/websocket", aSocket) + `]}`
	return z, records
}

const anInventory = `"container":{"reported":{"members":[
{"name":"raw/1_s.txt","role":"response","session":"1","bytes":31,"compressed_bytes":31,"method":"store","crc32":"00000001"},
{"name":"raw/1_c.txt","role":"request","session":"1","bytes":40,"compressed_bytes":30,"method":"deflate","crc32":"00000002"},
{"name":"raw/1_m.xml","role":"metadata","session":"1","bytes":9,"compressed_bytes":9,"method":"store","crc32":"00000003"},
{"name":"x.txt","role":"other","session":null,"bytes":0,"compressed_bytes":0,"method":"store","crc32":"00000000"},
{"name":"raw/2_w.txt","role":"websocket","session":"2","bytes":2,"compressed_bytes":2,"method":"store","crc32":"00000004"}]}}`

func archiveEvidence(t *testing.T, records string) *product.Evidence {
	t.Helper()
	e, err := product.Output{Stdout: []byte(`{"evidence_id":"ev_1","normalized_result":{"records":[` + strings.ReplaceAll(records, "\n{\"location", "{\"location") + `],` + anInventory + `}}`)}.Evidence()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestArchivesAreHeldToTheSecondReading(t *testing.T) {
	z, records := anArchive()
	e := archiveEvidence(t, records)
	if err := sameArchive(e, z); err != nil {
		t.Fatal(err)
	}
	if err := noSAZCredentials(e); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another stem":              {`"session":"1",`, `"session":"9",`},
		"members in another order":  {`["raw/1_s.txt","raw/1_c.txt"`, `["raw/1_c.txt","raw/1_s.txt"`},
		"a member forgotten":        {`"request":"raw/1_c.txt"`, `"request":null`},
		"a body lost":               {`"pointer":"/request/body"`, `"pointer":"/x"`},
		"another body":              {sidecar("/request/body", "body"), sidecar("/request/body", "bodY")},
		"a body cut":                {sidecar("/request/body", "body"), sidecar("/request/body", "dy")},
		"a digest":                  {captures.Digest([]byte("body")), captures.Digest([]byte("x"))},
		"another head":              {sidecar("/response/head", aResponse), sidecar("/response/head", aResponse+" ")},
		"a head hidden silently":    {`{"pointer":"/request/head","reason":"transport-credential"},`, ``},
		"another method":            {`"method":"GET"`, `"method":"PUT"`},
		"another target":            {`"target":"/"`, `"target":"/x"`},
		"another status":            {`"status":200`, `"status":201`},
		"another reason":            {`"reason":"All right"`, `"reason":"All"`},
		"a header lost":             {`,{"name":"X","value":"1"}`, ``},
		"another header":            {`{"name":"X","value":"1"}`, `{"name":"x","value":"1"}`},
		"another value":             {`{"name":"X","value":"a"}`, `{"name":"X","value":" a"}`},
		"a value hidden silently":   {`{"name":"X","value":"a"}`, `{"name":"X","value":null}`},
		"an attribute":              {`"value":"b"`, `"value":"c"`},
		"an element lost":           {`,{"kind":"element","name":"T","attributes":[],"children":[]}`, ``},
		"octets of a socket":        {sidecar("/websocket", aSocket), sidecar("/websocket", "x")},
		"octets of nowhere":         {sidecar("/websocket", aSocket), sidecar("/websocket", aSocket) + "," + sidecar("/grpc", "")},
		"a response out of nowhere": {`"other":1`, `"response":{}`},
	} {
		z, records := anArchive()
		changed := strings.Replace(records, change[0], change[1], 1)
		if changed == records {
			t.Fatalf("%s: no such place", name)
		}
		if err := sameArchive(archiveEvidence(t, changed), z); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
	for name, change := range map[string]func(*zipReading){
		"Python can't read it": func(z *zipReading) { z.Error = "BadZipFile" },
		"a size":               func(z *zipReading) { z.Members[0].Bytes++ },
		"a method":             func(z *zipReading) { z.Members[0].Method = "deflate" },
		"a checksum":           func(z *zipReading) { z.Members[3].CRC32 = "1" },
		"a member more":        func(z *zipReading) { z.Members = append(z.Members, zipMember{Name: "y"}) },
	} {
		z, records := anArchive()
		change(&z)
		if err := sameArchive(archiveEvidence(t, records), z); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
	shown := strings.Replace(records, `{"name":"Cookie","value":null}`, `{"name":"Cookie","value":"c"}`, 1)
	if err := noSAZCredentials(archiveEvidence(t, shown)); err == nil {
		t.Error("a cookie goes unseen")
	}
	kept := strings.Replace(records, `{"pointer":"/request/head","state":"redacted"}`, sidecar("/request/head", "x"), 1)
	if err := noSAZCredentials(archiveEvidence(t, kept)); err == nil {
		t.Error("a head with a cookie goes unseen")
	}
}

func TestMadeArchivesAreWhatTheyClaim(t *testing.T) {
	names := map[string]bool{}
	for _, a := range sazfile.WellMade() {
		names[a.Name] = true
		r, err := zip.NewReader(bytes.NewReader(a.Data), int64(len(a.Data)))
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		sessions := 0
		for _, f := range r.File {
			if !sessionMember.MatchString(f.Name) {
				continue
			}
			sessions++
			in, err := f.Open()
			if err != nil {
				t.Errorf("%s: %v", a.Name, err)
				continue
			}
			if _, err := io.Copy(io.Discard, in); err != nil {
				t.Errorf("%s: %v", a.Name, err)
			}
		}
		if sessions == 0 || len(a.Data) > 32<<20 {
			t.Errorf("%s: %d members of sessions in %d bytes", a.Name, sessions, len(a.Data))
		}
	}
	good := map[string]bool{}
	for _, a := range sazfile.WellMade() {
		good[string(a.Data)] = true
	}
	for _, b := range sazfile.BadlyMade() {
		if names[b.Name] || good[string(b.Data)] || len(b.Data) > 32<<20 {
			t.Errorf("%s is not broken, too large, or there twice", b.Name)
		}
		names[b.Name] = true
	}
	c := &canary{plant: func(string) {}}
	data := sazfile.WithSecrets(c.next)
	together := len(c.secrets)
	alone := sazfile.Alone(c.next)
	if together < 18 || len(c.secrets) < together+30 {
		t.Errorf("%d secrets, and %d alone", together, len(c.secrets)-together)
	}
	for i, s := range c.secrets {
		if in := [][]byte{data, alone}; !report.Leaks(in[min(1, i/together)], s) {
			t.Errorf("secret %d is not in its archive", i)
		}
	}
	oneInEach(t, alone, c.secrets[together:])
	if bytes.Equal(data, sazfile.Repeat(data)) {
		t.Error("no member is there twice")
	}
}

// oneInEach wants each member to hold one of the secrets: what is hidden for its
// sake hides no other.
func oneInEach(t *testing.T, archive []byte, secrets []string) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		for k, s := range secrets {
			if report.Leaks(text, s) != (k == i) {
				t.Errorf("%s holds secret %d: %t", f.Name, k, k != i)
			}
		}
	}
}

func TestARefusalNamesTheMember(t *testing.T) {
	f := failure(t, "invalid_request", `["capture_path","raw/1_c.txt"]`, "invalid_format", "")
	if err := sameRefusal(f, "invalid_request", "invalid_format", "raw/1_c.txt"); err != nil {
		t.Error(err)
	}
	for _, want := range [][3]string{
		{"capability_unavailable", "", ""}, {"invalid_request", "out_of_range", ""}, {"invalid_request", "invalid_format", "raw/2_c.txt"},
	} {
		if err := sameRefusal(f, want[0], want[1], want[2]); err == nil {
			t.Errorf("%v is what it says", want)
		}
	}
	unsupported := failure(t, "capability_unavailable", `["x"]`, "y", `,"reason":"r","pointer":"raw/x"`)
	if err := sameRefusal(unsupported, "capability_unavailable", "", "raw/x"); err != nil {
		t.Error(err)
	}
}

func TestAChangedOriginalIsSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.saz")
	if err := os.WriteFile(path, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f := captures.File{Path: path, SHA256: captures.Digest([]byte("a"))}
	if err := untouched(f, before); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte("b"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := untouched(f, before); err == nil {
		t.Error("other bytes go unseen")
	}
}

func TestStructuredContentIsTheText(t *testing.T) {
	if err := sameValue([]byte(`{"a":"\u003c","b":1.50}`), []byte(`{"a":"<","b":1.50}`)); err != nil {
		t.Error(err)
	}
	for _, other := range []string{`{"a":"<","b":1.5}`, `{"a":"<"}`, `{"a":"<","b":1.50,"c":null}`, `x`} {
		if err := sameValue([]byte(other), []byte(`{"a":"<","b":1.50}`)); err == nil {
			t.Errorf("%s is the text", other)
		}
	}
}
