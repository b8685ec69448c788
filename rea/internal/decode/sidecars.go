package decode

import (
	"strconv"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// sidecars gathers what stands beside one reported value, and the way to where the
// walk is.
type sidecars struct {
	way        []step
	spelt      int    // how many steps of the way are spelt
	at         []byte // those, as a pointer is printed inside a JSON string
	numbers    list
	redactions list
	of         *format.Entry
}

// step is a step down: to an item, or to a member.
type step struct {
	name string
	item int // member, where it is one
	end  int // of what is spelt up to here
}

const member = -1

func (s *sidecars) reset(of *format.Entry) {
	s.way, s.spelt, s.at = s.way[:0], 0, s.at[:0]
	s.numbers.reset()
	s.redactions.reset()
	s.of = of
}

// enterItem and enterMember go one step down; leave goes back up.
func (s *sidecars) enterItem(i int) { s.way = append(s.way, step{item: i}) }

func (s *sidecars) enterMember(name string) { s.way = append(s.way, step{name: name, item: member}) }

func (s *sidecars) leave() {
	s.way = s.way[:len(s.way)-1]
	if s.spelt <= len(s.way) {
		return
	}
	s.spelt, s.at = len(s.way), s.at[:0]
	if s.spelt > 0 {
		s.at = s.at[:s.way[s.spelt-1].end]
	}
}

// spell gives the present pointer as it is printed inside a JSON string. Most steps
// lead to nothing that is noted, and so are never spelt.
func (s *sidecars) spell() []byte {
	for ; s.spelt < len(s.way); s.spelt++ {
		next := &s.way[s.spelt]
		switch {
		case next.item != member:
			s.at = strconv.AppendInt(append(s.at, '/'), int64(next.item), 10)
		case clean(next.name):
			s.at = append(append(s.at, '/'), next.name...)
		default:
			printed := strictjson.AppendString(nil, string(tree.AppendToken(nil, next.name)))
			s.at = append(s.at, printed[1:len(printed)-1]...)
		}
		next.end = len(s.at)
	}
	return s.at
}

// pointer is the present pointer as it reads when it is not printed.
func (s *sidecars) pointer() string { return tree.Unescape(string(s.spell())) }

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
	b = append(b, s.spell()...)
	b = append(b, `","producer_type":"`...)
	b = append(b, kind...)
	s.numbers.last = append(b, `"}`...)
}

func (s *sidecars) redact(reason evidence.Reason, scope string) {
	b := append(s.redactions.next(), `{"pointer":"`...)
	b = append(b, s.spell()...)
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
