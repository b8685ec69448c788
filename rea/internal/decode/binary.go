package decode

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"unicode/utf8"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/recordedurl"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// binaryField is a sidecar of bytes.
type binaryField struct {
	pointer        string // as printed
	representation string
	redacted       bool
	bytes          int64
	sha256         string
	base64         string // or, where this is empty,
	octets         string // what is to be encoded
}

func (s *sidecars) add(f binaryField) {
	f.pointer = string(s.at)
	s.binary = append(s.binary, f)
}

// bytes shows octets as text where they are UTF-8, and their exact form beside.
func (p *projector) bytes(v *tree.Value) {
	octets := v.Text.S
	if v.Mark.Has(tree.Credential) {
		p.hideBytes(v, evidence.TransportCredential)
		return
	}
	text, finding := cutURL(v.Mark, octets)
	if finding == recordedurl.Unsafe {
		p.hideBytes(v, evidence.TransportCredential)
		return
	}
	sum := sha256.Sum256([]byte(octets))
	digest := hex.EncodeToString(sum[:])
	if !p.silent && (p.declared.InBytes([]byte(octets)) || p.declared.InBytes([]byte(text)) ||
		p.declared.InText(base64.StdEncoding.EncodeToString([]byte(octets))) || p.declared.InText(digest)) {
		p.hideBytes(v, evidence.ExplicitSensitive)
		return
	}
	if utf8.ValidString(text) {
		v.SetString(text)
	} else {
		v.SetNull()
	}
	f := binaryField{representation: p.side.of.Representation, redacted: finding == recordedurl.Userinfo,
		bytes: int64(len(octets)), sha256: digest, octets: octets}
	if f.redacted {
		p.redact(evidence.TransportCredential)
	}
	if p.shown() {
		p.side.add(f)
	}
}

// hideBytes leaves neither text nor bytes nor digest.
func (p *projector) hideBytes(v *tree.Value, reason evidence.Reason) {
	v.SetNull()
	p.redact(reason)
	if p.shown() {
		p.side.add(binaryField{representation: p.side.of.Representation, redacted: true})
	}
}

// binary writes one binary field; a large one passes by the buffer.
func (p *projector) binary(b []byte, f *binaryField) []byte {
	if f.redacted {
		b = append(b, `{"bytes":null,"content_base64":null,"pointer":"`...)
		b = append(b, f.pointer...)
		b = append(b, `","representation":`...)
		b = strictjson.AppendString(b, f.representation)
		return append(b, `,"sha256":null,"state":"redacted"}`...)
	}
	b = append(b, `{"bytes":`...)
	b = strconv.AppendInt(b, f.bytes, 10)
	b = append(b, `,"content_base64":"`...)
	b = p.content(b, f)
	b = append(b, `","pointer":"`...)
	b = append(b, f.pointer...)
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
		b = base64.StdEncoding.AppendEncode(b[:0], []byte(rest[:piece]))
	}
	return base64.StdEncoding.AppendEncode(b, []byte(rest))
}
