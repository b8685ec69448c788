package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// YAML writes a canonical document as YAML 1.2 in block style. Every string
// stands in double quotes, so nothing in it can be taken for a number, a date or
// a truth value; the document is written item by item, because a library that
// builds it whole needs many times the document's size.
func YAML(w io.Writer, doc []byte) error {
	v, list, items := outline(doc)
	y := yaml{w: bufio.NewWriterSize(w, 64<<10), at: list}
	y.list = func(depth int) {
		if len(items) == 0 {
			y.w.WriteString(" []\n")
			return
		}
		y.w.WriteByte('\n')
		var arena strictjson.Arena
		for _, s := range items {
			arena.Reset()
			item := strictjson.Build(doc, s, &arena)
			y.item(&item, depth)
		}
	}
	y.members(&v, 0)
	return y.w.Flush()
}

// YAMLValue writes a small document.
func YAMLValue(w io.Writer, v any) error {
	return YAML(w, strictjson.AppendValue(nil, v))
}

type yaml struct {
	w    *bufio.Writer // its Flush gives the error of every write
	at   tree.Span     // where the list of items stands, and
	list func(depth int)
	bare bool // names of nothing but letters stand without quotes
}

func (y *yaml) indent(depth int) {
	for n := 2 * depth; n > 0; n -= len(blanks) {
		y.w.WriteString(blanks[:min(n, len(blanks))])
	}
}

// members writes an object's members, each on a line of its own.
func (y *yaml) members(v *tree.Value, depth int) {
	for i := range v.Items {
		if i > 0 || depth == 0 {
			y.indent(depth)
		}
		m := &v.Items[i]
		name := m.Name
		if len(name) > longName {
			y.w.WriteString("? ")
			y.text(name)
			y.w.WriteByte('\n')
			y.indent(depth)
		} else {
			y.name(name)
		}
		y.w.WriteByte(':')
		if y.list != nil && y.at != (tree.Span{}) && int(m.Offset) == y.at.Start {
			y.list(depth + 1)
			continue
		}
		y.value(m, depth+1)
	}
}

// longName is the longest name, in bytes, that stands in front of its colon. YAML
// 1.2.2 section 7.4.2 allows such a key 1,024 characters, and every byte may take
// four; a longer name is written as an explicit key.
const longName = 200

func (y *yaml) name(s string) {
	if y.bare && s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
		y.w.WriteString(s)
		return
	}
	y.text(s)
}

// value writes what follows a colon, to the end of its last line.
func (y *yaml) value(v *tree.Value, depth int) {
	switch {
	case v.Kind == tree.Object && len(v.Items) > 0:
		y.w.WriteByte('\n')
		y.indent(depth)
		y.members(v, depth)
	case v.Kind == tree.Array && len(v.Items) > 0:
		y.w.WriteByte('\n')
		for i := range v.Items {
			y.item(&v.Items[i], depth)
		}
	default:
		y.w.WriteByte(' ')
		y.scalar(v)
		y.w.WriteByte('\n')
	}
}

// item writes one item of a sequence.
func (y *yaml) item(v *tree.Value, depth int) {
	y.indent(depth)
	y.w.WriteByte('-')
	if v.Kind == tree.Object && len(v.Items) > 0 {
		y.w.WriteByte(' ')
		y.members(v, depth+1)
		return
	}
	y.value(v, depth+1)
}

func (y *yaml) scalar(v *tree.Value) {
	switch v.Kind {
	case tree.Null:
		y.w.WriteString("null")
	case tree.False:
		y.w.WriteString("false")
	case tree.True:
		y.w.WriteString("true")
	case tree.Number:
		y.w.WriteString(yamlNumber(v.Text))
	case tree.String:
		y.text(v.Decode())
	case tree.Array:
		y.w.WriteString("[]")
	case tree.Object:
		y.w.WriteString("{}")
	}
}

// yamlNumber spells a canonical JSON number so that YAML 1.1 readers, which ask
// for a point in every number with an exponent, read a number too.
func yamlNumber(s string) string {
	if i := strings.IndexByte(s, 'e'); i >= 0 && !strings.Contains(s, ".") {
		return s[:i] + ".0" + s[i:]
	}
	return s
}

// text writes a double-quoted scalar (YAML 1.2.2 section 5.7). What YAML calls
// not printable is escaped, and so is what text for people spells out: nothing
// that can't be seen stands in it. A lone surrogate is escaped as JSON would.
func (y *yaml) text(s string) {
	y.w.WriteByte('"')
	done := 0 // what is written
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if lone, ok := tree.SurrogateAt(s[i:]); ok {
			r, n = lone, 3
		} else if r >= 0x7f && r != 0xfffe && r != 0xffff && !hidden(r) {
			i += n
			continue
		}
		y.w.WriteString(s[done:i])
		i += n
		done = i
		switch {
		case r == '"' || r == '\\':
			y.w.WriteByte('\\')
			y.w.WriteByte(byte(r))
		case r == '\n':
			y.w.WriteString(`\n`)
		case r == '\t':
			y.w.WriteString(`\t`)
		case r == '\r':
			y.w.WriteString(`\r`)
		case r < 0x100:
			fmt.Fprintf(y.w, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(y.w, `\U%08x`, r)
		default:
			fmt.Fprintf(y.w, `\u%04x`, r)
		}
	}
	y.w.WriteString(s[done:])
	y.w.WriteByte('"')
}
