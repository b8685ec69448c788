package schema

import (
	"strconv"

	"rea.example/rea/internal/tree"
)

// walk is the slow tier: it visits a value in the order of the schema and reports
// what ajv's generated code would, in its order. For one schema that is the type
// (unless lateType), $ref, oneOf, then the keywords for strings, for arrays and for
// objects, each group with the late type if that is the group's.
//
// Only flags are ever stored through a *walk, and paths are handed down. So neither
// it nor a caller's report has to be on the heap, which a valid entry would pay for.
type walk struct {
	report  func(Error) bool
	stopped bool

	// Once the rule turn has been visited, after takes the place of report. With
	// skip, the value that stands there is not looked at.
	turn   *rule
	after  func(Error) bool
	skip   bool
	turned bool

	postDataText *rule
}

// room is for a path; no path in the schema is longer, but for huge indexes.
type room [96]byte

func (w *walk) explain(r *rule, v *tree.Value, path []byte) {
	if r == w.turn {
		if !w.skip {
			w.visit(r, v, path)
		}
		w.turned, w.stopped = true, false
		return
	}
	w.visit(r, v, path)
}

func (w *walk) visit(r *rule, v *tree.Value, path []byte) {
	if r.types != 0 && !r.lateType && !r.admits(v) {
		w.typeError(r, v, path)
	}
	if r.ref != nil {
		w.explain(r.ref, v, path)
	}
	if r.oneOf != nil {
		w.branches(r, v, path)
	}
	for group := tree.String; group <= tree.Object; group++ {
		switch {
		case v.Kind == group:
			w.keywords(r, v, path)
		case r.lateType && r.types == kind(group):
			w.typeError(r, v, path)
		}
	}
}

func (w *walk) typeError(r *rule, v *tree.Value, path []byte) {
	w.emit(r, "type", r.typeWord, path, r == w.postDataText && v.Kind == tree.Null)
}

// branches reports what the failing branches found, and then that not exactly one
// of them passed. Once two have passed, the rest is not tried.
func (w *walk) branches(r *rule, v *tree.Value, path []byte) {
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
		w.explain(branch, v, path)
	}
	w.emit(r, "oneOf", nil, path, false)
}

// keywords visits the keywords that are for a value's own type.
func (w *walk) keywords(r *rule, v *tree.Value, path []byte) {
	switch v.Kind {
	case tree.String:
		if r.pattern == nil && r.format == nil {
			return
		}
		s := v.Decode()
		if r.pattern != nil && !r.pattern(s) {
			w.emit(r, "pattern", r.patternText, path, false)
		}
		if r.format != nil && !r.format(s) {
			w.emit(r, "format", r.formatName, path, false)
		}
	case tree.Array:
		if r.items == nil {
			return
		}
		for i := range v.Items {
			w.explain(r.items, &v.Items[i], strconv.AppendInt(append(path, '/'), int64(i), 10))
		}
	case tree.Object:
		w.object(r, v, path)
	}
}

func (w *walk) object(r *rule, v *tree.Value, path []byte) {
	var members [maxProperties]*tree.Value
	for i := range v.Items {
		if p := r.find(v.Items[i].Name); p >= 0 {
			members[p] = &v.Items[i]
		}
	}
	for _, p := range r.required {
		if members[p] == nil {
			w.emit(r, "required", r.properties[p].name, path, false)
		}
	}
	for i, p := range r.properties {
		if members[i] != nil && p.rule != nil {
			w.explain(p.rule, members[i], tree.AppendToken(path, p.name))
		}
	}
}

func (w *walk) emit(r *rule, keyword string, expected any, path []byte, nullText bool) {
	if w.stopped {
		return
	}
	report := w.report
	if w.turned {
		report = w.after
	}
	w.stopped = !report(Error{
		Pointer:          tree.Pointer(path),
		Keyword:          keyword,
		SchemaPointer:    r.at + "/" + keyword,
		Expected:         expected,
		NullPostDataText: nullText,
	})
}
