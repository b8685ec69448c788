package strictjson

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"rea.example/rea/internal/tree"
)

// Path is a place in a document: member names, decoded, from the root. "*"
// stands for every item of an array and never for a member.
type Path []string

// tokenizerDepth is how many arrays and objects jsontext holds open. What is
// beyond it is not looked at, so nothing can outrank Depth there.
const tokenizerDepth = 10000

const bom = "\uFEFF"

// Check reads a whole document strictly and gives nil or a *Problem. One
// leading BOM is skipped; offsets and spans count it. The root stands at depth
// 0, and a value may stand at maxDepth but not below.
//
// It calls found for each value that stands at watch[which], as soon as that
// value has been read: a value inside before the one around it, and possibly
// before a problem is met further on. There can be 64 watches; found may be nil
// where there are none. src is only read, and is not kept.
func Check(src []byte, maxDepth int, watch []Path, found func(which int, span tree.Span)) error {
	if uint64(len(src)) > math.MaxUint32 || len(watch) > 64 {
		panic("strictjson: a document over 4 GiB, or over 64 watches")
	}
	c := checker{src: src, maxDepth: maxDepth, watch: watch, found: found}
	if bytes.HasPrefix(src, []byte(bom)) {
		c.base = len(bom)
	}
	// A bytes.Buffer is read in place, and never written to.
	c.dec = jsontext.NewDecoder(bytes.NewBuffer(src[c.base:]),
		// That the input is UTF-8 is seen to before any of it is used, so all that
		// this admits is an escaped lone surrogate.
		jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
	p := c.document()
	if !c.decode(len(src)) { // which outranks all else
		p = &Problem{Kind: Encoding, Offset: c.decoded + firstInvalid(src[c.decoded:])}
	}
	if p != nil {
		return p
	}
	return nil
}

// piece is how much is looked at for its encoding at a time: the tokenizer follows
// while it is still in the cache.
const piece = 256 << 10

// decode says whether src is UTF-8 up to end, and looks beyond.
func (c *checker) decode(end int) bool {
	for c.decoded < end {
		from, to := c.decoded, min(c.decoded+piece, len(c.src))
		for to < len(c.src) && !utf8.RuneStart(c.src[to]) {
			to++
		}
		if !utf8.Valid(c.src[from:to]) {
			return false
		}
		c.decoded = to
	}
	return true
}

func firstInvalid(src []byte) int {
	for i := 0; ; {
		if src[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}

// checker reads one document. frames[0] stands for what is around the root.
type checker struct {
	src      []byte
	base     int // where the decoder's offsets begin in src
	decoded  int // src is known to be UTF-8 up to here
	dec      *jsontext.Decoder
	maxDepth int
	watch    []Path
	found    func(int, tree.Span)
	frames   []frame
	names    nameSet
	// The first of each, if any: a later problem of syntax outranks them.
	duplicate, deep *Problem
}

// frame is an array or object that is open.
type frame struct {
	start  int    // of its bracket
	count  int    // of values begun in it
	live   uint64 // watches whose path leads to it or through it
	object bool
	named  bool   // the name is read, and its value is next
	name   []byte // of the member last begun, decoded
	names  scope
}

func (c *checker) document() *Problem {
	c.frames = append(make([]frame, 0, 16), frame{live: 1<<len(c.watch) - 1})
	for end := c.base; ; {
		before := end
		token, err := c.dec.ReadToken()
		if err != nil {
			return c.stopped(before, err)
		}
		end = c.base + int(c.dec.InputOffset())
		if c.decoded < end && !c.decode(end) {
			return nil // Check says it
		}
		f := &c.frames[len(c.frames)-1]
		kind := token.Kind()
		switch {
		case kind == '}' || kind == ']':
			c.names.leave(&f.names)
			c.frames = c.frames[:len(c.frames)-1]
			c.report(f.live, len(c.frames)-1, tree.Span{Start: f.start, End: end})
		case f.object && !f.named:
			c.member(f, before, end)
			continue
		default:
			f.named = false
			f.count++
			depth := len(c.frames) - 1
			if depth > c.maxDepth && c.deep == nil {
				start, _ := next(c.src, before)
				c.deep = &Problem{Kind: Depth, Offset: start, Pointer: c.pointer()}
			}
			live := f.live
			if live != 0 {
				live = c.follow(f, depth)
			}
			if kind == '{' || kind == '[' {
				c.frames = append(c.frames, frame{start: end - 1, live: live, object: kind == '{', names: c.names.enter()})
				continue
			}
			if live != 0 {
				start, _ := next(c.src, before)
				c.report(live, depth, tree.Span{Start: start, End: end})
			}
		}
		if len(c.frames) == 1 {
			return c.tail(end)
		}
	}
}

// next finds the token after one that ended at i, and the delimiter between
// them, if there is one.
func next(src []byte, i int) (start int, delimiter byte) {
	i = space(src, i)
	if i < len(src) && (src[i] == ',' || src[i] == ':') {
		return space(src, i+1), src[i]
	}
	return i, 0
}

func (c *checker) member(f *frame, before, end int) {
	start, _ := next(c.src, before)
	f.named = true
	f.name = c.src[start+1 : end-1]
	if bytes.IndexByte(f.name, '\\') >= 0 {
		f.name = []byte(tree.Unescape(string(f.name)))
	}
	if c.duplicate == nil && c.names.repeated(c.src, &f.names, f.name, start+1) {
		c.duplicate = &Problem{Kind: Duplicate, Offset: start, Pointer: c.pointer()}
	}
}

// follow gives the watches that lead on to the value just begun in f.
func (c *checker) follow(f *frame, depth int) (live uint64) {
	for m := f.live; m != 0; m &= m - 1 {
		w := bits.TrailingZeros64(m)
		path := c.watch[w]
		if depth == 0 || len(path) >= depth && f.leadsTo(path[depth-1]) {
			live |= 1 << w
		}
	}
	return live
}

func (f *frame) leadsTo(step string) bool {
	if f.object {
		return string(f.name) == step && step != "*"
	}
	return step == "*"
}

func (c *checker) report(live uint64, depth int, span tree.Span) {
	if c.duplicate != nil || c.deep != nil {
		return
	}
	for m := live; m != 0; m &= m - 1 {
		if w := bits.TrailingZeros64(m); len(c.watch[w]) == depth {
			c.found(w, span)
		}
	}
}

// pointer names the value or member last begun in the innermost frame.
func (c *checker) pointer() tree.Pointer {
	var b []byte
	for i := range c.frames[1:] {
		switch f := &c.frames[1+i]; {
		case f.object:
			b = tree.AppendToken(b, string(f.name))
		default:
			b = strconv.AppendInt(append(b, '/'), int64(f.count-1), 10)
		}
	}
	return tree.Pointer(b)
}

// tail is what to say when the root has ended.
func (c *checker) tail(end int) *Problem {
	if end = space(c.src, end); end < len(c.src) {
		return &Problem{Kind: Syntax, Offset: end}
	}
	return c.lesser()
}

// lesser is the problem that stands when the syntax has none.
func (c *checker) lesser() *Problem {
	if c.duplicate != nil {
		return c.duplicate
	}
	return c.deep
}

// stopped is what to say when no token follows the one that ended at end.
func (c *checker) stopped(end int, err error) *Problem {
	f := &c.frames[len(c.frames)-1]
	start, delimiter := next(c.src, end)
	// Is a value of f expected at start, and not a name, comma or end?
	expected := f.named && delimiter == ':' || !f.object && (f.count == 0 || delimiter == ',')
	within := c.pointer().Parent()
	if f.named || expected {
		f.count++
		within = c.pointer()
	}
	if expected && len(c.frames) > tokenizerDepth && start < len(c.src) && (c.src[start] == '{' || c.src[start] == '[') {
		if p := c.lesser(); p != nil {
			return p
		}
		return &Problem{Kind: Depth, Offset: start, Pointer: within}
	}
	offset := len(c.src)
	var s *jsontext.SyntacticError
	if errors.As(err, &s) && !errors.Is(err, io.ErrUnexpectedEOF) {
		offset = c.base + int(s.ByteOffset)
	}
	return &Problem{Kind: Syntax, Offset: offset, Pointer: within}
}
