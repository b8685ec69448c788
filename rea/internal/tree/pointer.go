package tree

import (
	"strconv"
	"strings"
)

// Pointer is an RFC 6901 JSON Pointer. Names in it are decoded text.
type Pointer string

// Member is the pointer to a member of the value that p names.
func (p Pointer) Member(name string) Pointer {
	return Pointer(p.AppendMember(nil, name))
}

// Item is the pointer to an array item of the value that p names.
func (p Pointer) Item(i int) Pointer {
	return p + "/" + Pointer(strconv.Itoa(i))
}

// AppendMember appends p and a member's name to b.
func (p Pointer) AppendMember(b []byte, name string) []byte {
	return AppendToken(append(b, p...), name)
}

// AppendToken appends one reference token, escaped, with its slash.
func AppendToken(b []byte, name string) []byte {
	b = append(b, '/')
	if strings.IndexByte(name, '~') < 0 && strings.IndexByte(name, '/') < 0 {
		return append(b, name...)
	}
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '~':
			b = append(b, '~', '0')
		case '/':
			b = append(b, '~', '1')
		default:
			b = append(b, name[i])
		}
	}
	return b
}

// Parent is the pointer without its last token; the root's parent is the root.
func (p Pointer) Parent() Pointer {
	if i := strings.LastIndexByte(string(p), '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// Tokens splits a pointer into its unescaped tokens.
func (p Pointer) Tokens() []string {
	if p == "" {
		return nil
	}
	ts := strings.Split(string(p[1:]), "/")
	for i, t := range ts {
		ts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(t)
	}
	return ts
}
