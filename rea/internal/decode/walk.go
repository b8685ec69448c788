package decode

import (
	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/recordedurl"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// walk visits a value in the producer's order, hides what must be hidden, and
// notes the sidecars. The way to the value is in p.side.
func (p *projector) walk(v *tree.Value) {
	switch {
	case v.Kind == tree.Bytes:
		p.bytes(v)
		return
	case v.Mark.Has(tree.Credential):
		v.SetNull()
		p.redact(evidence.TransportCredential)
		return
	case v.Mark.Has(tree.RecordedURL), v.Mark.Has(tree.RecordedAuthority):
		p.url(v)
		return
	}
	switch v.Kind {
	case tree.Number:
		p.number(v)
	case tree.String:
		p.text(v)
	case tree.Array:
		for i := range v.Items {
			p.side.enterItem(i)
			p.walk(&v.Items[i])
			p.side.leave()
		}
	case tree.Object:
		p.members(v)
	}
}

// members visits an object's members and takes out those whose name holds a
// declared value. What is inside them was checked, and is not shown.
func (p *projector) members(v *tree.Value) {
	kept := 0
	for i := range v.Items {
		m := &v.Items[i]
		if !p.silent && p.declared.InText(m.Name) {
			p.redactScope()
			continue
		}
		p.side.enterMember(m.Name)
		p.walk(m)
		p.side.leave()
		if m.Mark.Has(tree.Aside) {
			continue
		}
		if kept != i {
			v.Items[kept] = *m
		}
		kept++
	}
	v.Items = v.Items[:kept]
}

func (p *projector) number(v *tree.Value) {
	lexeme := v.Text
	safe := showable(v)
	if !p.silent {
		shown := ""
		if safe {
			shown = string(strictjson.AppendNumber(nil, lexeme))
		}
		if p.declared.InText(lexeme) || p.declared.InText(shown) {
			v.SetNull()
			p.redact(evidence.ExplicitSensitive)
			return
		}
	}
	if !v.Mark.Has(tree.Counted) && p.shown() {
		p.side.number(v)
	}
	if !safe {
		v.SetNull()
	}
}

// showable says whether a number may stand in the reported view: whether a
// reader with double-precision numbers still sees the producer's value.
func showable(v *tree.Value) bool {
	if v.Mark.Has(tree.Float) {
		return v.Text != "inf" && v.Text != "-inf" && v.Text != "nan"
	}
	return strictjson.Safe(v.Text)
}

func (p *projector) text(v *tree.Value) {
	body := p.side.body(v)
	if !p.silent && (v.Mark.Has(tree.Sensitive) || body != nil && body.Declared || p.declared.InText(v.Decode())) {
		v.SetNull()
		p.redact(evidence.ExplicitSensitive)
		if body != nil && p.shown() {
			p.note(&binaryField{representation: body.Representation, redacted: true})
		}
		return
	}
	p.mustFit(v)
	if body != nil && p.shown() {
		p.note(&binaryField{representation: body.Representation, bytes: body.Bytes, sha256: []byte(body.SHA256), base64: body.Base64})
	}
}

// cutURL reads a text as what it is marked to be.
func cutURL(mark tree.Mark, text string) (string, recordedurl.Finding) {
	switch {
	case mark.Has(tree.RecordedURL):
		return recordedurl.Cut(text)
	case mark.Has(tree.RecordedAuthority):
		return recordedurl.CutAuthority(text)
	}
	return text, recordedurl.Clean
}

// url removes the userinfo of a recorded URL; where it can't be removed alone,
// or where the text holds a declared value with it or without it, the whole
// field goes.
func (p *projector) url(v *tree.Value) {
	text := v.Decode()
	if p.declared.InText(text) {
		v.SetNull()
		p.redact(evidence.ExplicitSensitive)
		return
	}
	cut, finding := cutURL(v.Mark, text)
	switch {
	case finding == recordedurl.Clean:
		return
	case finding == recordedurl.Unsafe:
		v.SetNull()
		p.redact(evidence.TransportCredential)
	case p.declared.InText(cut):
		v.SetNull()
		p.redact(evidence.ExplicitSensitive)
	default:
		v.SetString(cut)
		p.redact(evidence.TransportCredential)
	}
}

// shown says whether the present pointer may be shown.
func (p *projector) shown() bool {
	if p.silent || !p.declared.InText(p.side.pointer()) {
		return true
	}
	p.hidden = true
	return false
}

func (p *projector) redact(reason evidence.Reason) {
	if p.shown() {
		p.side.redact(reason, "")
	}
}

func (p *projector) redactScope() {
	if p.shown() {
		p.side.redact(evidence.ExplicitSensitive, "property-name")
	}
}
