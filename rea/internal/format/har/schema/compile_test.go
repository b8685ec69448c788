package schema

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"rea.example/rea/internal/judge"
)

// The schema is har-schema's, byte for byte.
func TestFilesAreUnchanged(t *testing.T) {
	const want = "09f4d67ef9f9e2a7e308350dcf82360b5d552e371d5e7f46182465aab24fa8e6"
	j := judge.Start(t)
	names, err := fs.Glob(files, "*/*.json")
	if err != nil || len(names) != 18 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	sum := sha256.New()
	for _, name := range names {
		src, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(src)
		if !j.Available() {
			continue
		}
		original, err := os.ReadFile(j.Package("har-schema", "lib", path.Base(name)))
		if err != nil || !bytes.Equal(src, original) {
			t.Errorf("%s is not the package's: %v", name, err)
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("the files, one after the other, have the digest %s", got)
	}
}

// What the interpreter doesn't know must not be ignored.
func TestCompileIsStrict(t *testing.T) {
	for _, row := range []struct{ file, old, new, want string }{
		{"har.json", `"type": "object"`, `"type": "object", "minProperties": 1`, "#/minProperties: unknown keyword"},
		{"har.json", `"type": "object"`, `"type": "objekt"`, "#/type: not a type"},
		{"har.json", `"type": "object"`, `"type": []`, "#/type: not a type"},
		{"har.json", `"log.json#"`, `"log.json#/definitions/a"`, "only whole files"},
		{"har.json", `"log.json#"`, `"lög.json#"`, "there is no lög.json"},
		{"har.json", `"log": {`, `"löG": {`, "would have to escape"},
		{"har.json", `"log": {`, `"loG": {`, "does not lead to entries"},
		{"har.json", `{`, `[`, "malformed JSON"},
		{"request.json", `"uri"`, `"iri"`, "no matcher for this format"},
		{"page.json", `(T)?`, `(t)?`, "no matcher for this pattern"},
		{"page.json", `"unique": true`, `"uniqueItems": true`, "page.json: #/properties/id/uniqueItems: unknown keyword"},
		{"cache.json", `{ "type": "null" }`, `5`, "#/properties/beforeRequest/oneOf/0 is not an object"},
		{"cookie.json", `"properties": {`, `"properties": null, "$comment": {`, "cookie.json#/properties is not an object"},
		{"cookie.json", "\"required\": [\n    \"name\",\n    \"value\"\n  ]", `"required": "name"`, "cookie.json#: required is not a list of names"},
	} {
		changed := fstest.MapFS{}
		names, err := fs.Glob(files, "*/*.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			src, err := fs.ReadFile(files, name)
			if err != nil {
				t.Fatal(err)
			}
			if path.Base(name) == row.file {
				old := string(src)
				if src = []byte(strings.Replace(old, row.old, row.new, 1)); string(src) == old {
					t.Fatalf("%s has no %s", row.file, row.old)
				}
			}
			changed[name] = &fstest.MapFile{Data: src}
		}
		if _, err := compile(changed); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s for %s in %s: %v, want %s", row.new, row.old, row.file, err, row.want)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := compile(files); err != nil {
			b.Fatal(err)
		}
	}
}
