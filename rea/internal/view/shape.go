package view

import (
	"bytes"
	"slices"
	"strings"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// A shape says whether a value is what it must be, or else what is wrong, with
// the path to it from the end.
type shape func(v *tree.Value) *wrong

type wrong struct {
	reason   failure.Reason
	expected string
	path     []any // innermost first
}

func (w *wrong) at(step any) *wrong {
	w.path = append(w.path, step)
	return w
}

func of(kind tree.Kind, name string) shape {
	return func(v *tree.Value) *wrong {
		if v.Kind != kind {
			return &wrong{reason: failure.InvalidType, expected: name}
		}
		return nil
	}
}

var (
	anything = shape(func(*tree.Value) *wrong { return nil })
	text     = of(tree.String, "string")
	count    = shape(func(v *tree.Value) *wrong {
		if n, ok := Integer(v); !ok || n < 0 || n > limits.SafeInteger {
			return &wrong{reason: failure.InvalidType, expected: "non-negative integer"}
		}
		return nil
	})
)

// digest is a SHA-256 in lower-case hexadecimal.
func digest(v *tree.Value) *wrong {
	if s, ok := v.Str(); !ok || len(s) != 64 || strings.Trim(s, "0123456789abcdef") != "" {
		return &wrong{reason: failure.InvalidFormat, expected: "64 hexadecimal digits"}
	}
	return nil
}

func word(words ...string) shape {
	return func(v *tree.Value) *wrong {
		if s, ok := v.Str(); !ok || !slices.Contains(words, s) {
			return &wrong{reason: failure.InvalidValue, expected: strings.Join(words, " or ")}
		}
		return nil
	}
}

func nullable(s shape) shape {
	return func(v *tree.Value) *wrong {
		if v.Kind == tree.Null {
			return nil
		}
		return s(v)
	}
}

func list(of shape) shape {
	return func(v *tree.Value) *wrong {
		if v.Kind != tree.Array {
			return &wrong{reason: failure.InvalidType, expected: "array"}
		}
		for i := range v.Items {
			if w := of(&v.Items[i]); w != nil {
				return w.at(i)
			}
		}
		return nil
	}
}

// fields are the members of an object. A name with "?" at its end may be absent.
type fields map[string]shape

// object is an object of exactly these members.
func object(f fields) shape {
	return func(v *tree.Value) *wrong {
		if v.Kind != tree.Object {
			return &wrong{reason: failure.InvalidType, expected: "object"}
		}
		seen := 0
		for i := range v.Items {
			name := v.Items[i].Name
			s, required := f[name]
			if !required {
				if s = f[name+"?"]; s == nil || strings.HasSuffix(name, "?") {
					return (&wrong{reason: failure.UnknownArgument}).at(name)
				}
			} else {
				seen++
			}
			if w := s(&v.Items[i]); w != nil {
				return w.at(name)
			}
		}
		for _, name := range sortedNames(f) {
			if !strings.HasSuffix(name, "?") && v.Get(name) == nil {
				return (&wrong{reason: failure.MissingArgument}).at(name)
			}
		}
		return nil
	}
}

func sortedNames[T any](f map[string]T) []string {
	names := make([]string, 0, len(f))
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// kinds is an object of which one member says what the others are.
func kinds(member string, of map[string]shape) shape {
	words := make([]string, 0, len(of))
	for w := range of {
		words = append(words, w)
	}
	slices.Sort(words)
	return func(v *tree.Value) *wrong {
		if v.Kind != tree.Object {
			return &wrong{reason: failure.InvalidType, expected: "object"}
		}
		m := v.Get(member)
		if m == nil {
			return (&wrong{reason: failure.MissingArgument}).at(member)
		}
		s, _ := m.Str()
		if of[s] == nil {
			return (&wrong{reason: failure.InvalidValue, expected: strings.Join(words, " or ")}).at(member)
		}
		return of[s](v)
	}
}

// filled is a text with something in it.
func filled(v *tree.Value) *wrong {
	if s, ok := v.Str(); !ok || s == "" {
		return &wrong{reason: failure.InvalidType, expected: "non-empty string"}
	}
	return nil
}

// decimal is a number that is spelt as a text, in which no reader rounds it.
func decimal(v *tree.Value) *wrong {
	s, _ := v.Str()
	if s == "" || strings.Trim(s, "0123456789") != "" || len(s) > 1 && s[0] == '0' {
		return &wrong{reason: failure.InvalidFormat, expected: "decimal digits"}
	}
	return nil
}

// exactly is one JSON value; what is expected says so without quoting it.
func exactly(value any, expected string) shape {
	want := strictjson.AppendValue(nil, value)
	return func(v *tree.Value) *wrong {
		if !bytes.Equal(strictjson.AppendCanonical(nil, v), want) {
			return &wrong{reason: failure.InvalidValue, expected: expected}
		}
		return nil
	}
}
