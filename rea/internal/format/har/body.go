package har

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/tree"
)

// bodyPointer is the only place where HAR declares that text stands for bytes.
const bodyPointer tree.Pointer = "/response/content/text"

// encodedBody finds the text of a base64 body, or nil.
func encodedBody(entry *tree.Value) *tree.Value {
	content := entry.At("response", "content")
	if enc := content.Get("encoding"); enc == nil || enc.Kind != tree.String || !enc.Is("base64") {
		return nil
	}
	if text := content.Get("text"); text != nil && text.Kind == tree.String {
		return text
	}
	return nil
}

// strict is base64 of RFC 4648 section 4 with padding and zero trailing bits.
var strict = base64.StdEncoding.Strict()

// blanks are what may stand between the characters of a body.
var blanks = strings.NewReplacer("\t", "", "\n", "", "\r", "", " ", "")

// chunk is how much base64 is decoded at a time: a multiple of four.
const chunk = 64 << 10

// decodeBody decodes a body in pieces: a body of 32 MiB is never held twice.
func decodeBody(at *tree.Value, declared *redact.Declarations) (format.Body, bool) {
	encoded := at.Decode()
	text := encoded
	if strings.ContainsAny(encoded, "\t\n\r ") {
		text = blanks.Replace(encoded)
	}
	h := sha256.New()
	search := declared.NewSearcher()
	var n int64
	var out [chunk / 4 * 3]byte
	in := make([]byte, 0, min(chunk, len(text)))
	for rest := text; rest != ""; {
		k := min(chunk, len(rest))
		in = append(in[:0], rest[:k]...)
		rest = rest[k:]
		m, err := strict.Decode(out[:], in)
		if err != nil || rest != "" && m != len(out) {
			return format.Body{}, false // padding inside the text counts as an error too
		}
		h.Write(out[:m])
		search.Write(out[:m])
		n += int64(m)
	}
	sum := hex.EncodeToString(h.Sum(nil))
	return format.Body{
		At:             at,
		Representation: "har-base64-content",
		Base64:         text,
		Bytes:          n,
		SHA256:         sum,
		Declared:       search.Found() || declared.InText(encoded) || declared.InText(text) || declared.InText(sum),
	}, true
}

// hidesDeclared looks for declared values in text that is declared base64 and is
// none, as forgiving readers decode it: without what is no digit, in either alphabet,
// and with padding anywhere. To some, padding is no digit like others; to others,
// digits are counted anew behind it.
func hidesDeclared(text string, declared *redact.Declarations) bool {
	return !declared.Empty() && (decodesTo(text, declared, true) || decodesTo(text, declared, false))
}

func decodesTo(text string, declared *redact.Declarations, anew bool) bool {
	search := declared.NewSearcher()
	var out [chunk / 4 * 3]byte
	digits := make([]byte, 0, chunk)
	flush := func() {
		n, _ := base64.RawStdEncoding.Decode(out[:], digits) // digits alone, so all but a lone last one counts
		search.Write(out[:n])
		digits = digits[:0]
	}
	for _, c := range []byte(text) {
		switch {
		case c == '-':
			c = '+'
		case c == '_':
			c = '/'
		case c == '=' && anew:
			flush()
			continue
		case c != '+' && c != '/' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z'):
			continue
		}
		if digits = append(digits, c); len(digits) == chunk {
			flush()
		}
	}
	flush()
	return search.Found()
}
