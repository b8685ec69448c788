package mutate

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// node is a value of a document. A scalar has its text; an object or array has
// its children, and an object the names as they are spelled.
type node struct {
	text     string // of a scalar
	open     byte   // '{' or '[' of a container
	names    []string
	children []*node
}

// parse reads well-formed JSON; what it does with anything else is not defined,
// except that it ends.
func parse(text []byte) (*node, error) {
	p := parser{text: bytes.TrimPrefix(text, []byte("\ufeff"))}
	n, err := p.value()
	if err != nil {
		return nil, err
	}
	if p.blank(); p.at != len(p.text) {
		return nil, errors.New("mutate: more than one document")
	}
	return n, nil
}

type parser struct {
	text []byte
	at   int
}

var errCut = errors.New("mutate: not JSON")

func (p *parser) blank() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// next is the byte at hand, or 0 at the end.
func (p *parser) next() byte {
	p.blank()
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) value() (*node, error) {
	switch c := p.next(); c {
	case 0:
		return nil, errCut
	case '{', '[':
		return p.container(c)
	}
	text, err := p.scalar()
	return &node{text: text}, err
}

func (p *parser) container(open byte) (*node, error) {
	n := &node{open: open}
	p.at++
	for {
		switch c := p.next(); c {
		case '}', ']':
			p.at++
			return n, nil
		case ',':
			p.at++
		case 0:
			return nil, errCut
		default:
			if err := p.child(n); err != nil {
				return nil, err
			}
		}
	}
}

func (p *parser) child(n *node) error {
	if n.open == '{' {
		name, err := p.scalar()
		if err != nil {
			return err
		}
		if p.next() != ':' {
			return errCut
		}
		p.at++
		n.names = append(n.names, name)
	}
	v, err := p.value()
	n.children = append(n.children, v)
	return err
}

// scalar reads a string, or a run of what a number or a word is made of.
func (p *parser) scalar() (string, error) {
	from := p.at
	if p.text[p.at] == '"' {
		for p.at++; p.at < len(p.text); p.at++ {
			switch p.text[p.at] {
			case '\\':
				p.at++
			case '"':
				p.at++
				return string(p.text[from:p.at]), nil
			}
		}
		return "", errCut
	}
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n,:{}[]\"", p.text[p.at]) < 0 {
		p.at++
	}
	if p.at == from {
		return "", errCut
	}
	return string(p.text[from:p.at]), nil
}

func (n *node) write(b *bytes.Buffer) {
	if n.open == 0 {
		b.WriteString(n.text)
		return
	}
	b.WriteByte(n.open)
	for i, c := range n.children {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.open == '{' {
			b.WriteString(n.names[i])
			b.WriteByte(':')
		}
		c.write(b)
	}
	b.WriteByte(n.open + 2) // in ASCII the closing bracket comes two later
}

// place is a value with what it hangs on.
type place struct {
	parent  *node
	index   int
	pointer string
}

func (p place) value() *node { return p.parent.children[p.index] }

// name is the spelled name of a member, without its quotes; empty for an item.
func (p place) name() string {
	if p.parent.open != '{' {
		return ""
	}
	return strings.Trim(p.parent.names[p.index], `"`)
}

// places lists every value below n, in document order.
func places(n *node, pointer string) []place {
	var list []place
	for i, c := range n.children {
		here := place{parent: n, index: i}
		step := strconv.Itoa(i)
		if n.open == '{' {
			step = here.name()
		}
		here.pointer = pointer + "/" + step
		list = append(append(list, here), places(c, here.pointer)...)
	}
	return list
}
