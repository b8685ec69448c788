package schema

import (
	"strconv"

	"rea.example/rea/internal/tree"
)

// walk is the slow tier: it visits a value in the order of the schema and reports
// what ajv's generated code would, in its order. For one schema that is the type
// (unless lateType), $ref, oneOf, then the keywords for strings, for arrays and for
// objects, each group with the late type if that is the group's.
type walk struct {
	report  func(Error) bool
	stopped bool
	path    []byte // of the value being visited

	// Reaching the rule turn changes the report to after; with skip, the value
	// that stands there is not looked at.
	turn  *rule
	after func(Error) bool
	skip  bool

	postDataText *rule
}

func (w *walk) explain(r *rule, v *tree.Value) {
	if r == w.turn {
		if !w.skip {
			w.turn = nil
			w.explain(r, v)
		}
		w.report, w.stopped = w.after, false
		return
	}
	if r.types != 0 && !r.lateType && !r.admits(v) {
		w.typeError(r, v)
	}
	if r.ref != nil {
		w.explain(r.ref, v)
	}
	if r.oneOf != nil {
		w.branches(r, v)
	}
	for group := tree.String; group <= tree.Object; group++ {
		switch {
		case v.Kind == group:
			w.keywords(r, v)
		case r.lateType && r.types == kind(group):
			w.typeError(r, v)
		}
	}
}

// keywords visits the keywords that are for a value's own type.
func (w *walk) keywords(r *rule, v *tree.Value) {
	switch v.Kind {
	case tree.String:
		w.str(r, v)
	case tree.Array:
		w.array(r, v)
	case tree.Object:
		w.object(r, v)
	}
}

func (w *walk) typeError(r *rule, v *tree.Value) {
	w.emit(r, "type", r.typeWord, r == w.postDataText && v.Kind == tree.Null)
}

// branches reports what the failing branches found, and then that not exactly one
// of them passed. Once two have passed, the rest is not tried.
func (w *walk) branches(r *rule, v *tree.Value) {
	if r.passing(v) == 1 {
		return
	}
	passed := 0
	for _, branch := range r.oneOf {
		if passed == 2 {
			break
		}
		if branch.valid(v) {
			passed++
			continue
		}
		w.explain(branch, v)
	}
	w.emit(r, "oneOf", nil, false)
}

func (w *walk) str(r *rule, v *tree.Value) {
	if r.pattern == nil && r.format == nil {
		return
	}
	s := v.Text.Decode()
	if r.pattern != nil && !r.pattern(s) {
		w.emit(r, "pattern", r.patternText, false)
	}
	if r.format != nil && !r.format(s) {
		w.emit(r, "format", r.formatName, false)
	}
}

func (w *walk) array(r *rule, v *tree.Value) {
	if r.items == nil {
		return
	}
	n := len(w.path)
	for i := range v.Items {
		w.path = strconv.AppendInt(append(w.path, '/'), int64(i), 10)
		w.explain(r.items, &v.Items[i])
		w.path = w.path[:n]
	}
}

func (w *walk) object(r *rule, v *tree.Value) {
	for _, name := range r.required {
		if v.Get(name) == nil {
			w.emit(r, "required", name, false)
		}
	}
	n := len(w.path)
	for _, p := range r.properties {
		if p.rule == nil {
			continue
		}
		if m := v.Get(p.name); m != nil {
			w.path = tree.AppendToken(w.path, p.name)
			w.explain(p.rule, m)
			w.path = w.path[:n]
		}
	}
}

func (w *walk) emit(r *rule, keyword string, expected any, nullText bool) {
	if w.stopped {
		return
	}
	w.stopped = !w.report(Error{
		Pointer:          tree.Pointer(w.path),
		Keyword:          keyword,
		SchemaPointer:    r.at + "/" + keyword,
		Expected:         expected,
		NullPostDataText: nullText,
	})
}
