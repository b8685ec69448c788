package view

import (
	"strings"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// A longShape is a shape of a value that may be as long as a capture: it is walked
// over, and a tree is built of its smallest parts alone. The walker stands before
// the value, and then behind it.
type longShape func(w *Walker) *wrong

// short is a shape for what is never long.
func short(s shape) longShape {
	var arena strictjson.Arena
	return func(w *Walker) *wrong {
		raw := w.Raw()
		if len(raw) == 0 {
			return nil // the walker says what went wrong
		}
		v := strictjson.Build(raw, tree.Span{End: len(raw)}, &arena)
		defer arena.Reset()
		return s(&v)
	}
}

// longFields are the members of an object, all of which it must have.
type longFields map[string]longShape

func longObject(f longFields) longShape {
	return func(w *Walker) *wrong {
		if w.Kind() != '{' {
			return &wrong{reason: failure.InvalidType, expected: "object"}
		}
		seen := make(map[string]bool, len(f))
		for spelt := range w.Members() {
			name := tree.Unescape(string(spelt))
			s := f[name]
			if s == nil {
				return (&wrong{reason: failure.UnknownArgument}).at(name)
			}
			seen[name] = true
			if bad := s(w); bad != nil {
				return bad.at(name)
			}
		}
		for _, name := range sortedNames(f) {
			if !seen[name] && w.Err() == nil {
				return (&wrong{reason: failure.MissingArgument}).at(name)
			}
		}
		return nil
	}
}

// longList is a list. No two items have the same in all of the members that are
// named.
func longList(of longShape, distinct ...string) longShape {
	return func(w *Walker) *wrong {
		if w.Kind() != '[' {
			return &wrong{reason: failure.InvalidType, expected: "array"}
		}
		seen := map[string]bool{}
		for i := range w.Items() {
			at := w.At()
			if bad := of(w); bad != nil {
				return bad.at(i)
			}
			if len(distinct) == 0 {
				continue
			}
			end := w.At()
			var key strings.Builder
			for _, name := range distinct {
				if w.Go(at); w.Member(name) {
					key.Write(w.Raw())
				}
				key.WriteByte(' ')
			}
			w.Go(end)
			if seen[key.String()] {
				return (&wrong{reason: failure.InvalidValue, expected: "what no item before it has"}).at(distinct[0]).at(i)
			}
			seen[key.String()] = true
		}
		return nil
	}
}
