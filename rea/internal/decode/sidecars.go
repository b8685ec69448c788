package decode

import (
	"strconv"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// sidecars gathers what stands beside one reported value, and the pointer to
// where the walk is. The pointer is kept as it is printed inside a JSON string,
// so that most sidecars only copy it.
type sidecars struct {
	at         []byte
	numbers    list
	redactions list
	binary     []binaryField
	of         *format.Entry
}

func (s *sidecars) reset(of *format.Entry) {
	s.at = s.at[:0]
	s.numbers.reset()
	s.redactions.reset()
	s.binary, s.of = s.binary[:0], of
}

// enterItem and enterMember go one step down; leave goes back to the mark they
// gave.
func (s *sidecars) enterItem(i int) (mark int) {
	mark = len(s.at)
	s.at = strconv.AppendInt(append(s.at, '/'), int64(i), 10)
	return mark
}

func (s *sidecars) enterMember(name string) (mark int) {
	mark = len(s.at)
	if clean(name) {
		s.at = append(append(s.at, '/'), name...)
		return mark
	}
	token := tree.AppendToken(nil, name)
	printed := strictjson.AppendString(nil, string(token))
	s.at = append(s.at, printed[1:len(printed)-1]...)
	return mark
}

func (s *sidecars) leave(mark int) { s.at = s.at[:mark] }

// pointer is the present pointer as it reads when it is not printed.
func (s *sidecars) pointer() string { return tree.Unescape(string(s.at)) }

func (s *sidecars) number(v *tree.Value) {
	kind := "json-number"
	switch {
	case v.Mark.Has(tree.Integer):
		kind = "integer"
	case v.Mark.Has(tree.Float):
		kind = "float"
	}
	b := append(s.numbers.next(), `{"literal":"`...)
	b = append(b, v.Text...)
	b = append(b, `","pointer":"`...)
	b = append(b, s.at...)
	b = append(b, `","producer_type":"`...)
	b = append(b, kind...)
	s.numbers.last = append(b, `"}`...)
}

func (s *sidecars) redact(reason evidence.Reason, scope string) {
	b := append(s.redactions.next(), `{"pointer":"`...)
	b = append(b, s.at...)
	b = append(b, `","reason":"`...)
	b = append(b, reason...)
	if scope != "" {
		b = append(b, `","scope":"`...)
		b = append(b, scope...)
	}
	s.redactions.last = append(b, `"}`...)
}

// body finds the decoded bytes that a value holds, or nil.
func (s *sidecars) body(v *tree.Value) *format.Body {
	for i := range s.of.Bodies {
		if s.of.Bodies[i].At == v {
			return &s.of.Bodies[i]
		}
	}
	return nil
}

// clean says whether a name can stand in a printed pointer as it is: it is ASCII,
// and nothing in it is escaped by JSON or by a pointer.
func clean(name string) bool {
	for i := range len(name) {
		if !asItIs[name[i]] {
			return false
		}
	}
	return true
}

var asItIs = func() (t [256]bool) {
	for c := ' '; c <= '~'; c++ {
		t[c] = c != '"' && c != '\\' && c != '~' && c != '/'
	}
	return t
}()

// list is the text of a JSON list's items, in pieces: a record of a million
// numbers has a long one, which is never copied to grow.
type list struct {
	full [][]byte
	last []byte
}

// next gives what the next item is to be appended to.
func (l *list) next() []byte {
	if len(l.last) > blockBytes {
		l.full = append(l.full, l.last)
		l.last = make([]byte, 0, blockBytes+blockBytes/8)
	}
	if len(l.last) > 0 || len(l.full) > 0 {
		return append(l.last, ',')
	}
	return l.last
}

func (l *list) reset() { l.full, l.last = nil, l.last[:0] }
