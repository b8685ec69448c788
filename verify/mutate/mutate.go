package mutate

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Mutation is one changed document.
type Mutation struct {
	Operator string // the kind of change
	Pointer  string // of the changed value
	Text     []byte
}

// operator changes a value in place; false means that it has nothing to change
// there.
type operator struct {
	name   string
	change func(p place, pick func(n int) int) bool
}

var operators = []operator{
	{"a member dropped", func(p place, _ func(int) int) bool {
		if p.parent.open != '{' {
			return false
		}
		cut(p)
		return true
	}},
	{"an item dropped", func(p place, _ func(int) int) bool {
		if p.parent.open != '[' {
			return false
		}
		cut(p)
		return true
	}},
	{"an item repeated", func(p place, _ func(int) int) bool {
		if p.parent.open != '[' {
			return false
		}
		p.parent.children = append(p.parent.children, p.value())
		return true
	}},
	{"another type", func(p place, pick func(int) int) bool {
		return set(p, anything[pick(len(anything))])
	}},
	{"wrapped in an array", func(p place, _ func(int) int) bool {
		p.parent.children[p.index] = &node{open: '[', children: []*node{p.value()}}
		return true
	}},
	{"a number as a string", func(p place, _ func(int) int) bool {
		return isNumber(p.value()) && set(p, strconv.Quote(p.value().text))
	}},
	{"another number", func(p place, pick func(int) int) bool {
		return isNumber(p.value()) && set(p, numbers[pick(len(numbers))])
	}},
	{"another string", func(p place, pick func(int) int) bool {
		list := texts[""]
		if own := texts[p.name()]; own != nil {
			list = own
		}
		return isString(p.value()) && set(p, list[pick(len(list))])
	}},
	{"a string cut", func(p place, pick func(int) int) bool {
		v := p.value()
		if !isString(v) || len(v.text) < 4 || strings.Contains(v.text, `\`) {
			return false
		}
		return set(p, v.text[:1+pick(len(v.text)-2)]+`"`)
	}},
	{"a bad byte in a string", func(p place, pick func(int) int) bool {
		return isString(p.value()) && set(p, `"`+badBytes[pick(len(badBytes))]+p.value().text[1:])
	}},
	{"a member twice", func(p place, pick func(int) int) bool {
		if p.parent.open != '{' {
			return false
		}
		name := p.parent.names[p.index]
		if first := name[1]; pick(2) == 0 && len(name) > 2 && first != '\\' && first < 0x80 {
			const hex = "0123456789abcdef"
			name = `"\u00` + string(hex[first>>4]) + string(hex[first&15]) + name[2:]
		}
		p.parent.names = append(p.parent.names, name)
		p.parent.children = append(p.parent.children, p.value())
		return true
	}},
	{"a member renamed", func(p place, _ func(int) int) bool {
		if p.parent.open != '{' {
			return false
		}
		p.parent.names[p.index] = strings.ToUpper(p.parent.names[p.index])
		return true
	}},
	{"a member more", func(p place, pick func(int) int) bool {
		if p.value().open != '{' {
			return false
		}
		v := p.value()
		v.names = append(v.names, `"_more"`)
		v.children = append(v.children, &node{text: numbers[pick(len(numbers))]})
		return true
	}},
	{"a spelling that JSON lacks", func(p place, pick func(int) int) bool {
		return set(p, lax[pick(len(lax))])
	}},
}

func cut(p place) {
	p.parent.children = append(p.parent.children[:p.index:p.index], p.parent.children[p.index+1:]...)
	if p.parent.open == '{' {
		p.parent.names = append(p.parent.names[:p.index:p.index], p.parent.names[p.index+1:]...)
	}
}

func set(p place, text string) bool {
	p.parent.children[p.index] = &node{text: text}
	return true
}

func isString(n *node) bool { return strings.HasPrefix(n.text, `"`) }

func isNumber(n *node) bool {
	return n.text != "" && (n.text[0] == '-' || n.text[0] >= '0' && n.text[0] <= '9')
}

// Mutations gives n mutations of the documents in turn, the same ones for a seed.
func Mutations(documents [][]byte, n int, seed uint64) ([]Mutation, error) {
	random := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	var list []Mutation
	for i := 0; len(list) < n; i++ {
		document := documents[i%len(documents)]
		root, err := parse(document)
		if err != nil {
			return nil, err
		}
		all := places(root, "")
		if len(all) == 0 {
			return nil, errCut
		}
		var before bytes.Buffer
		root.write(&before)
		op := operators[(i/len(documents))%len(operators)]
		// A place that the operator can change turns up soon, or the document has
		// none.
		for range 20 {
			at := all[random.IntN(len(all))]
			if !op.change(at, random.IntN) {
				continue
			}
			var b bytes.Buffer
			root.write(&b)
			if bytes.Equal(b.Bytes(), before.Bytes()) {
				continue
			}
			list = append(list, Mutation{op.name, at.pointer, b.Bytes()})
			break
		}
		if i > 100*n {
			return nil, errCut
		}
	}
	return list, nil
}
