package decode

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/recordedurl"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// binaryField is a sidecar of bytes.
type binaryField struct {
	representation string
	redacted       bool
	bytes          int64
	sha256         []byte // in hex
	base64         string // or, where this is empty,
	octets         string // what is to be encoded
}

// bytes shows octets as text where they are UTF-8, and their exact form beside.
func (p *projector) bytes(v *tree.Value) {
	switch {
	case v.Mark.Has(tree.Credential):
		p.hideBytes(v, evidence.TransportCredential)
		return
	case v.Mark.Has(tree.Sensitive):
		p.hideBytes(v, evidence.ExplicitSensitive)
		return
	}
	octets := v.Text
	text, finding := cutURL(v.Mark, octets)
	sum := sha256.Sum256(view(octets))
	var digest [2 * sha256.Size]byte
	hex.Encode(digest[:], sum[:])
	isText := utf8.ValidString(text)
	if !p.silent && (p.declared.InBytes(view(octets)) || p.declared.InBytes(view(text)) || isText && p.declared.InText(text) ||
		p.declared.InBytes(digest[:]) || p.inBase64(octets)) {
		p.hideBytes(v, evidence.ExplicitSensitive)
		return
	}
	if finding == recordedurl.Unsafe {
		p.hideBytes(v, evidence.TransportCredential)
		return
	}
	if isText {
		v.SetString(text)
		p.mustFit(v)
	} else {
		v.SetNull()
	}
	f := binaryField{representation: p.side.of.Representation, redacted: finding == recordedurl.Userinfo,
		bytes: int64(len(octets)), sha256: digest[:], octets: octets}
	if f.redacted {
		p.redact(evidence.TransportCredential)
	}
	if p.shown() {
		p.note(&f)
	}
}

// inBase64 says whether the base64 of octets holds a declared value. Of large
// octets it is never there as a whole.
func (p *projector) inBase64(octets string) bool {
	const piece = 24 << 10 // a multiple of three: no padding in between
	if len(octets) <= piece {
		p.encoded = base64.StdEncoding.AppendEncode(p.encoded[:0], view(octets))
		return p.declared.InBytes(p.encoded)
	}
	search := p.declared.NewSearcher()
	for rest := octets; rest != "" && !search.Found(); {
		n := min(piece, len(rest))
		p.encoded = base64.StdEncoding.AppendEncode(p.encoded[:0], view(rest[:n]))
		search.Write(p.encoded)
		rest = rest[n:]
	}
	return search.Found()
}

// mustFit refuses text whose printed form alone is over the reply's limit,
// before it is made: text that no JSON document spelt may grow sixfold. Of text
// that fits it remembers the room, so that large text is printed in one place.
func (p *projector) mustFit(v *tree.Value) {
	if v.Raw || len(v.Text) <= blockBytes {
		return
	}
	n := 0
	for i := range len(v.Text) {
		switch c := v.Text[i]; {
		case c == '"', c == '\\', c == '\b', c == '\t', c == '\n', c == '\f', c == '\r':
			n += 2
		case c < ' ':
			n += 6
		default:
			n++
		}
	}
	p.room += n
	if p.out.offset()+int64(p.room) > limits.ReplyBytes {
		v.SetNull()
		p.out.fail(errOverflow)
	}
}

// view is a string's bytes, to be read only.
func view(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// hideBytes leaves neither text nor bytes nor digest.
func (p *projector) hideBytes(v *tree.Value, reason evidence.Reason) {
	v.SetNull()
	p.redact(reason)
	if p.shown() {
		p.note(&binaryField{representation: p.side.of.Representation, redacted: true})
	}
}

// note writes one binary field of the present value. They are what a record begins
// with, and so are written as they are found; a large one passes by the buffer.
func (p *projector) note(f *binaryField) {
	b := p.buf
	if p.noted++; p.noted > 1 {
		b = append(b, ',')
	}
	if len(b) > blockBytes {
		b = p.spill(b)
	}
	p.buf = p.binary(b, f)
}

func (p *projector) binary(b []byte, f *binaryField) []byte {
	if f.redacted {
		b = append(b, `{"bytes":null,"content_base64":null,"pointer":"`...)
		b = append(b, p.side.spell()...)
		b = append(b, `","representation":`...)
		b = strictjson.AppendString(b, f.representation)
		return append(b, `,"sha256":null,"state":"redacted"}`...)
	}
	b = append(b, `{"bytes":`...)
	b = strconv.AppendInt(b, f.bytes, 10)
	b = append(b, `,"content_base64":"`...)
	b = p.content(b, f)
	b = append(b, `","pointer":"`...)
	b = append(b, p.side.spell()...)
	b = append(b, `","representation":`...)
	b = strictjson.AppendString(b, f.representation)
	b = append(b, `,"sha256":"`...)
	b = append(b, f.sha256...)
	return append(b, `","state":"retained"}`...)
}

// content appends base64; of a large body only the end goes through the buffer.
func (p *projector) content(b []byte, f *binaryField) []byte {
	if f.base64 != "" {
		if len(f.base64) > blockBytes {
			p.out.write(b)
			p.out.writeString(f.base64)
			return b[:0]
		}
		return append(b, f.base64...)
	}
	const piece = blockBytes / 4 * 3 // a multiple of three: no padding in between
	rest := f.octets
	for ; len(rest) > piece; rest = rest[piece:] {
		p.out.write(b)
		b = base64.StdEncoding.AppendEncode(b[:0], view(rest[:piece]))
	}
	return base64.StdEncoding.AppendEncode(b, view(rest))
}
