package saz

import (
	"fmt"
	"strings"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/tree"
)

// document reads one XML 1.0 document (fifth edition) without a document type
// into nodes. Names are taken as they stand: no namespace is resolved.
type document struct {
	member string
	src    string
	at     int
	nodes  *nodes
	run    run

	open    []element
	pending []tree.Value    // finished children of the open elements
	attrs   []tree.Value    // of the tag that is being read
	seen    map[string]bool // names of its attributes, where they are many
	root    tree.Value
	ended   bool // root is complete
}

// element is an open element.
type element struct {
	name  string
	attrs tree.Value
	first int // of its children in pending
}

// xmlError ends the reading of a document; it never leaves read.
type xmlError struct {
	kind    format.Kind
	at      int
	message string
}

// read gives the document element under the name of the record's member.
func (d *document) read(member string, content []byte, n *nodes) (v tree.Value, err error) {
	d.member, d.src, d.at, d.nodes, d.ended = member, view(content), 0, n, false
	d.open, d.pending, d.run = d.open[:0], d.pending[:0], run{}
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case xmlError:
			p := &format.Problem{Kind: e.kind, Pointer: tree.Pointer(member), Message: fmt.Sprintf("%s (byte %d of the member)", e.message, e.at)}
			if e.kind == format.TooMuch {
				p.Maximum = nested
			}
			v, err = tree.Value{}, p
		default:
			panic(e)
		}
	}()
	d.prolog()
	d.characters()
	for d.at < len(d.src) {
		d.step()
	}
	if !d.ended {
		d.fail("the XML document ends before its element does")
	}
	d.root.Name = roleNames[metadata]
	return d.root, nil
}

func (d *document) fail(message string) { panic(xmlError{format.Malformed, d.at, message}) }

func (d *document) refuse(message string) { panic(xmlError{format.Unsupported, d.at, message}) }

// prolog skips one byte-order mark and the declaration (section 2.8).
func (d *document) prolog() {
	if strings.HasPrefix(d.src, "\xfe\xff") || strings.HasPrefix(d.src, "\xff\xfe") {
		d.refuse("the XML document is in UTF-16; only UTF-8 is read")
	}
	if strings.HasPrefix(d.src, "\ufeff") {
		d.at = len("\ufeff")
	}
	if rest := d.src[d.at:]; !strings.HasPrefix(rest, "<?xml") || len(rest) == len("<?xml") || !isSpace(rest[len("<?xml")]) {
		return
	}
	d.at += len("<?xml")
	version, ok := d.pseudo("version")
	switch {
	case !ok:
		d.fail("the XML declaration has no version")
	case version != "1.0":
		d.refuse("the XML document is not of version 1.0")
	}
	if encoding, ok := d.pseudo("encoding"); ok && !strings.EqualFold(encoding, "utf-8") {
		d.refuse("the XML document declares another encoding than UTF-8")
	}
	if alone, ok := d.pseudo("standalone"); ok && alone != "yes" && alone != "no" {
		d.fail("the XML declaration is malformed")
	}
	if d.space(); !d.skip("?>") {
		d.fail("the XML declaration is malformed")
	}
}

// pseudo reads one name="value" of the declaration, if it is the next.
func (d *document) pseudo(name string) (value string, ok bool) {
	start := d.at
	if d.space() == 0 || !d.skip(name) {
		d.at = start
		return "", false
	}
	d.space()
	if !d.skip("=") {
		d.fail("the XML declaration is malformed")
	}
	d.space()
	return d.quoted(), true
}

// quoted reads what stands between two quotes of a kind.
func (d *document) quoted() string {
	if d.at < len(d.src) && (d.src[d.at] == '"' || d.src[d.at] == '\'') {
		if n := strings.IndexByte(d.src[d.at+1:], d.src[d.at]); n >= 0 {
			s := d.src[d.at+1:][:n]
			d.at += n + 2
			return s
		}
	}
	d.fail("a value in the XML document is not quoted")
	return ""
}

func (d *document) skip(s string) bool {
	if !strings.HasPrefix(d.src[d.at:], s) {
		return false
	}
	d.at += len(s)
	return true
}

func (d *document) space() (n int) {
	for d.at < len(d.src) && isSpace(d.src[d.at]) {
		d.at++
		n++
	}
	return n
}

// until reads up to the next occurrence of end, which it skips.
func (d *document) until(end, what string) string {
	n := strings.Index(d.src[d.at:], end)
	if n < 0 {
		d.fail(what + " in the XML document is not ended")
	}
	s := d.src[d.at:][:n]
	d.at += n + len(end)
	return s
}

func (d *document) name() string {
	n := nameLen(d.src[d.at:])
	if n == 0 {
		d.fail("the XML document has something else where a name must stand")
	}
	s := d.src[d.at:][:n]
	d.at += n
	return s
}

// step reads one piece of markup, or the text up to the next.
func (d *document) step() {
	if d.src[d.at] != '<' {
		d.text()
		return
	}
	rest := d.src[d.at:]
	switch {
	case strings.HasPrefix(rest, "<![CDATA["):
		if len(d.open) == 0 {
			d.fail("the XML document has text outside of its element")
		}
		d.at += len("<![CDATA[")
		d.run.add(lineEnds(d.until("]]>", "a CDATA section")))
		return
	case strings.HasPrefix(rest, "<!--"):
		d.comment()
	case strings.HasPrefix(rest, "<!DOCTYPE"):
		d.refuse("the XML document has a document type, which is not read")
	case strings.HasPrefix(rest, "<?"):
		d.instruction()
	case strings.HasPrefix(rest, "</"):
		d.endTag()
	default:
		d.startTag()
	}
}

// text reads character data up to the next markup (section 2.4).
func (d *document) text() {
	if len(d.open) == 0 {
		if d.space() == 0 {
			d.fail("the XML document has text outside of its element")
		}
		return
	}
	n := strings.IndexAny(d.src[d.at:], "<&")
	switch {
	case n < 0:
		d.at = len(d.src)
	case n > 0:
		s := d.src[d.at:][:n]
		if i := strings.Index(s, "]]>"); i >= 0 {
			d.at += i
			d.fail("the XML document has the end of a CDATA section without its begin")
		}
		d.run.add(lineEnds(s))
		d.at += n
	default:
		d.run.add(d.reference())
	}
}

// flush makes a node of the text so far.
func (d *document) flush() {
	if s := d.run.take(); s != "" {
		d.pending = append(d.pending, d.nodes.object("", constant("kind", "text"), text("value", s)))
	}
}

func (d *document) comment() {
	start := d.at
	d.at += len("<!--")
	s := d.until("-->", "a comment")
	if strings.Contains(s, "--") || strings.HasSuffix(s, "-") {
		d.at = start
		d.fail("a comment in the XML document holds two hyphens")
	}
	if len(d.open) > 0 {
		d.flush()
		d.pending = append(d.pending, d.nodes.object("", constant("kind", "comment"), text("value", lineEnds(s))))
	}
}

func (d *document) instruction() {
	start := d.at
	d.at += len("<?")
	target := d.name()
	s := d.until("?>", "an instruction")
	value := strings.TrimLeft(s, " \t\r\n")
	if strings.EqualFold(target, "xml") || s != "" && len(value) == len(s) {
		d.at = start
		d.fail("an instruction in the XML document is malformed")
	}
	if len(d.open) > 0 {
		d.flush()
		d.pending = append(d.pending, d.nodes.object("", constant("kind", "instruction"), text("target", target), text("value", lineEnds(value))))
	}
}

func (d *document) startTag() {
	start := d.at
	d.at++
	if d.ended {
		d.at = start
		d.fail("the XML document has more than one element at its top")
	}
	if len(d.open) == limits.CaptureDepth {
		panic(xmlError{format.TooMuch, start, "the XML document nests its elements too deep"})
	}
	d.flush()
	e := element{name: d.name(), first: len(d.pending)}
	empty := d.attributes()
	if isSessionFlag(e.name) {
		hideAutoAuth(d.attrs)
	}
	e.attrs = d.nodes.list("attributes", d.attrs)
	d.open = append(d.open, e)
	if empty {
		d.close()
	}
}

func (d *document) endTag() {
	start := d.at
	d.at += len("</")
	name := d.name()
	if d.space(); !d.skip(">") || len(d.open) == 0 || d.open[len(d.open)-1].name != name {
		d.at = start
		d.fail("an end tag of the XML document ends no element")
	}
	d.close()
}

// close makes a node of the innermost element.
func (d *document) close() {
	d.flush()
	e := d.open[len(d.open)-1]
	d.open = d.open[:len(d.open)-1]
	children := d.nodes.list("children", d.pending[e.first:])
	v := d.nodes.object("", e.attrs, children, constant("kind", "element"), text("name", e.name))
	d.pending = append(d.pending[:e.first], v)
	if len(d.open) == 0 {
		d.root, d.ended = v, true
	}
}
