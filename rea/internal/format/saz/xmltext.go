package saz

import (
	"strings"
	"unicode/utf8"

	"rea.example/rea/internal/tree"
)

// attributes reads the rest of a start tag into d.attrs and says whether the tag
// is that of an empty element (XML 1.0, section 3.1).
func (d *document) attributes() (empty bool) {
	d.attrs = d.attrs[:0]
	if len(d.seen) > 0 {
		d.seen = map[string]bool{}
	}
	for {
		gap := d.space()
		switch {
		case d.skip(">"):
			return false
		case d.skip("/>"):
			return true
		case gap == 0:
			d.fail("a tag of the XML document is malformed")
		}
		start := d.at
		name := d.name()
		if d.space(); !d.skip("=") {
			d.fail("an attribute of the XML document has no value")
		}
		d.space()
		value := d.attributeValue()
		if d.repeats(name) {
			d.at = start
			d.fail("a tag of the XML document has an attribute twice")
		}
		d.attrs = append(d.attrs, d.nodes.object("", text("name", name), text("value", value)))
	}
}

// few is how many attributes are still compared one by one.
const few = 16

// repeats says whether an attribute of the tag has the name already.
func (d *document) repeats(name string) bool {
	if len(d.attrs) < few {
		for i := range d.attrs {
			if d.attrs[i].Items[0].Text == name {
				return true
			}
		}
		return false
	}
	for i := len(d.seen); i < len(d.attrs); i++ {
		d.seen[d.attrs[i].Items[0].Text] = true
	}
	return d.seen[name]
}

// attributeValue reads a quoted value, in which white space reads as blanks and
// references are replaced (section 3.3.3).
func (d *document) attributeValue() string {
	start := d.at
	s := d.quoted()
	if strings.IndexByte(s, '<') >= 0 {
		d.at = start
		d.fail("an attribute of the XML document holds a <")
	}
	if !strings.ContainsAny(s, "&\t\r\n") {
		return s
	}
	end := d.at
	var run run
	for d.at = start + 1; d.at < end-1; {
		rest := d.src[d.at : end-1]
		switch n := strings.IndexAny(rest, "&\t\r\n"); {
		case n < 0:
			run.add(rest)
			d.at = end - 1
		case n > 0:
			run.add(rest[:n])
			d.at += n
		case rest[0] == '&':
			run.add(d.reference())
		default:
			if !d.skip("\r\n") {
				d.at++
			}
			run.add(" ")
		}
	}
	d.at = end
	return run.take()
}

// entities are the only ones a document without a type has (section 4.6).
var entities = map[string]string{"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": `"`}

// reference reads a reference to a character or an entity (section 4.1).
func (d *document) reference() string {
	start := d.at
	d.at++
	if d.skip("#") {
		r := d.codePoint()
		if !isChar(r) {
			d.at = start
			d.fail("a reference in the XML document is to no character")
		}
		return string(r)
	}
	name := d.name()
	if !d.skip(";") {
		d.at = start
		d.fail("a reference in the XML document is not ended")
	}
	s, ok := entities[name]
	if !ok {
		d.at = start
		d.refuse("the XML document refers to an entity that it does not define")
	}
	return s
}

// codePoint reads the number of a character reference, or gives -1.
func (d *document) codePoint() rune {
	base := rune(10)
	if d.skip("x") {
		base = 16
	}
	r, digits := rune(0), 0
	for ; d.at < len(d.src); d.at++ {
		v := rune(-1)
		switch c := d.src[d.at]; {
		case '0' <= c && c <= '9':
			v = rune(c - '0')
		case base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f':
			v = rune(c|0x20-'a') + 10
		case c == ';' && digits > 0:
			d.at++
			return r
		}
		if v < 0 {
			break
		}
		r = min(r*base+v, utf8.MaxRune+1)
		digits++
	}
	return -1
}

// characters checks that the document is UTF-8 and holds only what XML takes for
// a character (section 2.2).
func (d *document) characters() {
	begin := d.at
	for i := d.at; i < len(d.src); {
		c := d.src[i]
		if ' ' <= c && c < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(d.src[i:])
		if r == utf8.RuneError && n == 1 || !isChar(r) {
			d.at = i
			d.fail("the XML document holds something that is no character, or is not UTF-8")
		}
		i += n
	}
	d.at = begin
}

func isChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || ' ' <= r && r < 0xd800 || 0xe000 <= r && r <= 0xfffd || 0x10000 <= r && r <= utf8.MaxRune
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// nameLen is the length of the name that begins s, or 0 (section 2.3).
func nameLen(s string) int {
	for i, r := range s {
		if !isNameStart(r) && (i == 0 || !isNameRest(r)) {
			return i
		}
	}
	return len(s)
}

func isNameStart(r rune) bool {
	switch {
	case 'a' <= r|0x20 && r|0x20 <= 'z' && r < utf8.RuneSelf, r == '_', r == ':':
		return true
	case r < 0xc0, r == 0xd7, r == 0xf7, r == 0x37e:
		return false
	}
	return r <= 0x2ff || 0x370 <= r && r <= 0x1fff || r == 0x200c || r == 0x200d || 0x2070 <= r && r <= 0x218f ||
		0x2c00 <= r && r <= 0x2fef || 0x3001 <= r && r <= 0xd7ff || 0xf900 <= r && r <= 0xfdcf || 0xfdf0 <= r && r <= 0xfffd ||
		0x10000 <= r && r <= 0xeffff
}

func isNameRest(r rune) bool {
	return r == '-' || r == '.' || '0' <= r && r <= '9' || r == 0xb7 || 0x300 <= r && r <= 0x36f || r == 0x203f || r == 0x2040
}

// lineEnds turns line ends into LF (section 2.11).
func lineEnds(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// run is text in pieces. One piece alone is not copied.
type run struct {
	piece  string
	joined []byte
}

func (r *run) add(s string) {
	switch {
	case r.joined != nil:
		r.joined = append(r.joined, s...)
	case r.piece == "":
		r.piece = s
	case s != "":
		r.joined = append(append(make([]byte, 0, 2*(len(r.piece)+len(s))), r.piece...), s...)
	}
}

// take gives the text and begins anew.
func (r *run) take() string {
	s := r.piece
	if r.joined != nil {
		s = view(r.joined)
	}
	*r = run{}
	return s
}

// isSessionFlag says whether an element is Fiddler's, in whatever namespace.
func isSessionFlag(name string) bool {
	return strings.EqualFold(local(name), "SessionFlag")
}

// local is a name without its prefix.
func local(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// hideAutoAuth marks the user and password with which Fiddler answers a server's
// demand for authentication. "(default)" stands for those of the user who is
// logged in, and is neither.
func hideAutoAuth(attrs []tree.Value) {
	is := func(a *tree.Value, name string) bool { return strings.EqualFold(local(a.Items[0].Text), name) }
	for i := range attrs {
		if !is(&attrs[i], "N") || !strings.EqualFold(strings.TrimSpace(attrs[i].Items[1].Text), "x-AutoAuth") {
			continue
		}
		for j := range attrs {
			if v := &attrs[j].Items[1]; is(&attrs[j], "V") && v.Text != "(default)" {
				v.Mark |= tree.Credential
			}
		}
	}
}
