package canary

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// spellings are the forms in which a secret counts as shown.
func spellings(secret string) [][]byte {
	var out [][]byte
	add := func(s string) {
		if b := []byte(s); !slices.ContainsFunc(out, func(o []byte) bool { return bytes.Equal(o, b) }) {
			out = append(out, b)
		}
	}
	token := strings.NewReplacer("~", "~0", "/", "~1").Replace(secret)
	for _, text := range []string{secret, token} {
		add(text)
		add(inner(quoteJSON(text)))
		add(strings.ReplaceAll(inner(quoteJSON(text)), "/", `\/`))
		add(inner(strconv.Quote(text)))
		add(escaped(text, `\u%04x`))
		add(escaped(text, `\u%04X`))
	}
	if len(secret) < 8 {
		return out // what is so short is found in any base64
	}
	add(hex.EncodeToString([]byte(secret)))
	add(strings.ToUpper(hex.EncodeToString([]byte(secret))))
	for shift := range 3 {
		// What of the base64 of any bytes around it depends on the secret alone.
		padded := append(bytes.Repeat([]byte{0}, shift), secret...)
		whole := len(padded) / 3 * 3
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			add(enc.EncodeToString(padded[:whole])[(shift*4+2)/3:])
		}
	}
	return out
}

func quoteJSON(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func inner(quoted string) string { return quoted[1 : len(quoted)-1] }

func escaped(s, format string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, format, u)
	}
	return b.String()
}

// A secret knows its spellings.
type secret struct {
	place string
	forms [][]byte
}

func newSecret(place, text string) secret { return secret{place, spellings(text)} }

// identifier is a digest of the whole, which may hold any short digits.
var identifier = regexp.MustCompile("ev_[0-9a-f]{64}")

// mustHide fails for every secret that is in what was written.
func mustHide(t *testing.T, way string, secrets []secret, written ...[]byte) {
	t.Helper()
	for i := range written {
		written[i] = identifier.ReplaceAll(written[i], []byte("ev_"))
	}
	for _, s := range secrets {
		for _, form := range s.forms {
			for _, w := range written {
				if i := bytes.Index(w, form); i >= 0 {
					t.Errorf("%s: %s shows as %q: ...%q...", way, s.place, form, w[max(0, i-60):min(len(w), i+len(form)+30)])
				}
			}
		}
	}
}

// mustBeEmpty looks through a temporary directory after a run.
func mustBeEmpty(t *testing.T, way, dir string, secrets []secret) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		t.Errorf("%s: left behind: %s", way, path)
		mustHide(t, way+", a file left behind", secrets, []byte(path))
		if d.Type().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			mustHide(t, way+", a file left behind", secrets, b)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSpellings(t *testing.T) {
	const text = `kE7"q/~Zé9`
	s := []secret{newSecret("the secret", text)}
	for name, shown := range map[string]string{
		"plain":          "a " + text + " b",
		"JSON":           quoteJSON("x" + text),
		"JSON, slashes":  strings.ReplaceAll(quoteJSON(text), "/", `\/`),
		"all escaped":    escaped(text, `\u%04x`),
		"a pointer":      `/a/kE7"q~1~0Zé9/b`,
		"hex":            hex.EncodeToString([]byte("ab" + text)),
		"base64":         base64.StdEncoding.EncodeToString([]byte(text + "ab")),
		"base64, second": base64.StdEncoding.EncodeToString([]byte("a" + text + "b")),
		"base64, third":  base64.URLEncoding.EncodeToString([]byte("ab" + text)),
	} {
		if !finds(s, shown) {
			t.Errorf("%s is not found in %q", name, shown)
		}
	}
	if finds(s, "kE7 q/~Zé9") || finds(s, "") {
		t.Error("found where it is not")
	}
}

func finds(secrets []secret, text string) bool {
	return slices.ContainsFunc(secrets, func(s secret) bool {
		return slices.ContainsFunc(s.forms, func(f []byte) bool { return bytes.Contains([]byte(text), f) })
	})
}
