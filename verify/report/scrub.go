package report

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/goccy/go-json"
)

var urlAlphabet = strings.NewReplacer("+", "-", "/", "_")

// Spellings gives the forms in which a secret can stand in a document: as it
// is, escaped for JSON, escaped for a URL, in hex of either case, and in base64 at each of the
// three alignments that a surrounding text can give it. The base64 forms leave
// out the characters that depend on the neighbours.
func Spellings(secret string) [][]byte {
	quoted := strconv.Quote(secret)
	forms := [][]byte{
		[]byte(secret),
		[]byte(quoted[1 : len(quoted)-1]),
		[]byte(url.QueryEscape(secret)),
		[]byte(hex.EncodeToString([]byte(secret))),
		[]byte(strings.ToUpper(hex.EncodeToString([]byte(secret)))),
	}
	if escaped, err := json.Marshal(secret); err == nil { // < > & as \u escapes
		forms = append(forms, escaped[1:len(escaped)-1])
	}
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString(append(make([]byte, shift), secret...))
		text = trimEdges(text, shift, len(secret))
		if len(text) >= 8 { // a shorter run of base64 says nothing
			forms = append(forms, []byte(text), []byte(urlAlphabet.Replace(text)))
		}
	}
	return forms
}

// trimEdges keeps the characters that hold bits of the secret alone: bit 8*shift
// up to bit 8*(shift+size).
func trimEdges(text string, shift, size int) string {
	first := (8*shift + 5) / 6
	last := 8 * (shift + size) / 6
	return text[first:last]
}

// Leaks says whether the secret stands in data in any of its spellings.
func Leaks(data []byte, secret string) bool { return leak(data, []string{secret}) >= 0 }

// leak is the index of the first secret that stands in data, or -1.
func leak(data []byte, secrets []string) int {
	for i, secret := range secrets {
		if secret == "" {
			continue
		}
		for _, form := range Spellings(secret) {
			if bytes.Contains(data, form) {
				return i
			}
		}
	}
	return -1
}

// withheld keeps what identifies the run and drops everything that could hold
// the secret.
func withheld(r Report, secret int) Report {
	out := New(r.Lane)
	out.Status, out.Started, out.Finished, out.Product = r.Status, r.Started, r.Finished, r.Product
	out.Verdict = Failed
	out.Checks = []Check{{
		Name: "report", Verdict: Failed,
		Detail: fmt.Sprintf("the report held planted secret number %d; its checks are withheld", secret),
	}}
	return out
}
