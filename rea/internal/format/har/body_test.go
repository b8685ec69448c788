package har

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

var bodies = []string{
	"", "AP9B", "A P\t9\r\nB", "YQ==", "YWI=", "YQ", "YQ=", "YR==", "YWJ=", "YQ==YQ==", "AP-B", "AP9B\u00a0",
	"AP9B\v", "====", "A===", "=AAA", "AA=A", "\u00ff", strings.Repeat("AAAA", chunk/4), strings.Repeat("AAAA", chunk/4) + "YQ==",
	strings.Repeat("AAAA", chunk/4-1) + "YQ==", strings.Repeat("AAAA", chunk/4-1) + "YQ==AAAA",
}

// FuzzBody states the law of bodies: a text is taken exactly where, without
// white space, it is what encoding its own bytes gives; the digest and count are
// those of these bytes, however the text is spelt in JSON.
func FuzzBody(f *testing.F) {
	for _, b := range bodies {
		f.Add(b, false)
		f.Add(b, true)
	}
	f.Fuzz(func(t *testing.T, text string, escaped bool) {
		if strings.ToValidUTF8(text, "") != text {
			t.Skip()
		}
		spelt := string(strictjson.AppendString(nil, text))
		if escaped {
			spelt = strings.ReplaceAll(spelt, "/", `\/`)
		}
		v := tree.Value{Kind: tree.String, Text: spelt[1 : len(spelt)-1], Raw: true}
		got, ok := decodeBody(&v, redact.NewDeclarations(nil))

		bare := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "").Replace(text)
		octets, err := base64.StdEncoding.DecodeString(bare)
		want := err == nil && base64.StdEncoding.EncodeToString(octets) == bare
		if ok != want {
			t.Fatalf("%q: taken is %v, canonical is %v", text, ok, want)
		}
		if !ok {
			if got.At != nil || got.Base64 != "" || got.SHA256 != "" {
				t.Fatalf("%q: a refused body leaves something behind", text)
			}
			return
		}
		sum := sha256.Sum256(octets)
		if got.Bytes != int64(len(octets)) || got.SHA256 != hex.EncodeToString(sum[:]) || got.Base64 != bare {
			t.Fatalf("%q: %d bytes, digest %s", text, got.Bytes, got.SHA256)
		}
	})
}
