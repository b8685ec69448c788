package evidence

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
)

// plain is a small envelope whose pieces come from bytes and from a file.
func plain(t *testing.T) Evidence {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "reply")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.WriteString(`--{"a":[1,2.5,"caf` + "\u00e9" + `"]}--`); err != nil {
		t.Fatal(err)
	}
	size := int64(len(`{"a":[1,2.5,"caf`) + 2 + len(`"]}`))
	return Evidence{
		Subject:       SubjectOf(Artifact{Path: "/captures/s.har", SHA256: strings.Repeat("ab", 32), Bytes: 3}),
		Provider:      Identity{"id", "name", "1"},
		PredicateType: "rea.analysis",
		Operation:     InspectCapture,
		Parameters:    map[string]any{"capture_path": "/captures/s.har", "record_ordinals": []int{0}},
		Result:        []Part{{Bytes: []byte(`{"reply":`)}, {Section: io.NewSectionReader(f, 2, size)}, {Bytes: []byte(`}`)}},
		Confidence:    "observed",
		Authority:     "historical-reference",
		Limitations:   []string{"one", "two"},
		Locations:     []any{map[string]any{"kind": "artifact-path", "path": "/captures/s.har"}},
		Links:         []string{},
	}
}

func sealed(t *testing.T, e Evidence) (string, []byte) {
	t.Helper()
	id, d, err := Seal(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(b)) != d.Size() {
		t.Errorf("Size says %d, the document has %d bytes", d.Size(), len(b))
	}
	return id, b
}

func TestOpenAcceptsWhatSealMade(t *testing.T) {
	id, doc := sealed(t, plain(t))
	var indented bytes.Buffer
	if err := json.Indent(&indented, doc, "", "\t"); err != nil {
		t.Fatal(err)
	}
	for _, d := range [][]byte{doc, indented.Bytes()} {
		got, opened, err := Open(d)
		if err != nil || got != id {
			t.Fatalf("Open: %q, %v; want %q", got, err, id)
		}
		if b, err := opened.Bytes(); err != nil || !bytes.Equal(b, doc) {
			t.Errorf("the opened document is %s, %v; want %s", b, err, doc)
		}
	}
}

// TestGoldenIdentifier: an identifier is a promise to whoever wrote it down. It
// may change only together with a line in the changelog.
func TestGoldenIdentifier(t *testing.T) {
	const want = "ev_7bc9a2875cd83a122098266cb0d2a32be0e35d37efd15f23e583fcae2168d99c"
	if id, _ := sealed(t, plain(t)); id != want {
		t.Errorf("the identifier is %s, was %s", id, want)
	}
}

func TestWhereTheFileLiesIsNotIdentified(t *testing.T) {
	e := plain(t)
	id, _ := sealed(t, e)
	e.Subject = SubjectOf(Artifact{Path: "/elsewhere/t.har", SHA256: strings.Repeat("ab", 32)})
	if moved, _ := sealed(t, e); moved != id {
		t.Error("name and local_path of the subject take part in the identifier")
	}
	e.Subject.SHA256 = strings.Repeat("cd", 32)
	if other, _ := sealed(t, e); other == id {
		t.Error("the digest of the subject takes no part in the identifier")
	}
	e.Subject = nil
	if none, doc := sealed(t, e); none == id || !bytes.Contains(doc, []byte(`"subject":null`)) {
		t.Error("a subject without digest is not null")
	}
}

func TestOpenRefuses(t *testing.T) {
	_, doc := sealed(t, plain(t))
	for _, c := range []struct{ name, old, new string }{
		{"changed result", `2.5`, `2.6`},
		{"changed limitation", `"two"`, `"three"`},
		{"changed digest", `abab`, `abac`},
		{"changed identifier", `"ev_`, `"ev_0`},
		{"unknown member", `"raw_result"`, `"extra":1,"raw_result"`},
		{"missing member", `"environment":null,`, ``},
		{"duplicate member", `"raw_result"`, `"raw_result":null,"raw_result"`},
		{"not JSON", `{`, ``},
	} {
		bad := bytes.Replace(doc, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(bad, doc) {
			t.Fatalf("%s: nothing was changed", c.name)
		}
		if id, d, err := Open(bad); err == nil || id != "" || d != nil {
			t.Errorf("%s is accepted, or leaves something behind", c.name)
		}
	}
	renamed := bytes.Replace(doc, []byte(`"name":"s.har"`), []byte(`"name":"t.har"`), 1)
	if _, _, err := Open(renamed); err != nil {
		t.Errorf("a renamed copy: %v", err)
	}
}

func TestSubjectName(t *testing.T) {
	for path, want := range map[string]string{"/a/b.har": "b.har", "": "artifact", "/": "artifact"} {
		if got := SubjectOf(Artifact{Path: path, SHA256: "x"}).Name; got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}
