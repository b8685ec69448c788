package mitmproxy

import (
	"strconv"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/tree"
)

// fault is why a record is refused.
type fault struct {
	offset  int    // in the file
	what    string // a rule, never content
	deep    bool   // the record is nested too deeply
	pointer tree.Pointer
}

func faultAt(offset int, what string) *fault { return &fault{offset: offset, what: what} }

func tooDeep(offset int) *fault {
	return &fault{offset: offset, deep: true,
		what: "values are nested more than " + strconv.Itoa(limits.CaptureDepth) + " levels deep"}
}

// in tells a fault that it lies within an item or member of a value at depth.
// What no pointer leads to is not told: a place deeper than any capture may be, or
// below a key that is no text. Then the last ancestor is named that has a pointer.
func (f *fault) in(step tree.Pointer, depth int) *fault {
	switch {
	case step == nowhere:
		f.pointer = ""
	case depth <= limits.CaptureDepth:
		f.pointer = step + f.pointer
	}
	return f
}

// nowhere is no step: a pointer to a child begins with a slash.
const nowhere tree.Pointer = ""

// step is the way from an array or object to its i-th child.
func step(v *tree.Value, i int) tree.Pointer {
	if v.Kind == tree.Array {
		return tree.Pointer("").Item(i)
	}
	if name := v.Items[i].Name; name != notText {
		return tree.Pointer("").Member(name)
	}
	return nowhere
}

// problem is the fault in the format's terms, in the record at offset.
func (f *fault) problem(offset int) *format.Problem {
	message := "the record at byte offset " + strconv.Itoa(offset) + " is refused: " + f.what
	if f.offset > offset {
		message += " (byte offset " + strconv.Itoa(f.offset) + ")"
	}
	p := &format.Problem{Kind: format.Malformed, Message: message, Pointer: f.pointer}
	if f.deep {
		p.Kind = format.TooMuch
		p.Maximum = format.Maximum{Name: "maximum_capture_nesting", Value: limits.CaptureDepth}
	}
	return p
}
