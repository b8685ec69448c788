package render

import (
	"strings"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// cursor goes through a canonical document from the front and steps over what is
// of no use. The document is one of ours and is not checked.
type cursor struct {
	doc []byte
	i   int // where the next value begins
}

// skip steps over a value.
func (c *cursor) skip() tree.Span {
	start := c.i
	c.i = strictjson.Skip(c.doc, start)
	return tree.Span{Start: start, End: c.i}
}

// members calls visit before the value of each member of an object, which visit
// must step over. The name is as it is spelt. Any other value is stepped over.
func (c *cursor) members(visit func(name []byte)) {
	if c.doc[c.i] != '{' {
		c.skip()
		return
	}
	for c.i++; c.doc[c.i] != '}'; {
		if c.doc[c.i] == ',' {
			c.i++
		}
		name := c.skip()
		c.i++ // the colon
		visit(c.doc[name.Start+1 : name.End-1])
	}
	c.i++
}

// items calls visit before each item of an array, as members does.
func (c *cursor) items(visit func()) {
	if c.doc[c.i] != '[' {
		c.skip()
		return
	}
	for c.i++; c.doc[c.i] != ']'; {
		if c.doc[c.i] == ',' {
			c.i++
		}
		visit()
	}
	c.i++
}

// spot is a member, and where to note where its value stands.
type spot struct {
	name string
	to   *tree.Span
}

// keep steps over an object and notes where some of its members stand.
func (c *cursor) keep(spots ...spot) {
	c.members(func(name []byte) {
		s := c.skip()
		for _, p := range spots {
			if p.name == string(name) {
				*p.to = s
			}
		}
	})
}

// want names a part of a value that is of use: a member, or "*" for each item.
// Without parts of its own it is wanted whole.
type want struct {
	name  string
	parts []want
}

// wanted puts together what pointers lead to. None of their names needs an
// escape.
func wanted(pointers ...string) (parts []want) {
	for _, p := range pointers {
		at := &parts
		for _, name := range strings.Split(p[1:], "/") {
			k := 0
			for k < len(*at) && (*at)[k].name != name {
				k++
			}
			if k == len(*at) {
				*at = append(*at, want{name: name})
			}
			at = &(*at)[k].parts
		}
	}
	return parts
}

// pick builds what is wanted of a value and steps over the rest. A value of
// another kind than the parts are for is built whole.
func (c *cursor) pick(parts []want, a *strictjson.Arena) (v tree.Value) {
	each := len(parts) == 1 && parts[0].name == "*"
	switch {
	case parts != nil && !each && c.doc[c.i] == '{':
		v.Kind, v.Items = tree.Object, make([]tree.Value, 0, len(parts))
		c.members(func(name []byte) {
			for _, w := range parts {
				if w.name == string(name) {
					m := c.pick(w.parts, a)
					m.Name = w.name
					v.Items = append(v.Items, m)
					return
				}
			}
			c.skip()
		})
	case each && c.doc[c.i] == '[':
		v.Kind = tree.Array
		c.items(func() { v.Items = append(v.Items, c.pick(parts[0].parts, a)) })
	default:
		v = strictjson.Build(c.doc, c.skip(), a)
	}
	return v
}
