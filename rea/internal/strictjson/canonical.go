package strictjson

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/tree"
)

// AppendCanonical appends the RFC 8785 form of a value: no white space, members
// in the order of the UTF-16 code units of their decoded names. A number too
// large for a double becomes null, as in ECMAScript; a caller that wants the
// same for every number that is not Safe says so in the tree.
func AppendCanonical(dst []byte, v *tree.Value) []byte { return appendCanonical(dst, v, nil) }

// spillBytes is how much of a large value is gathered before it is handed on.
const spillBytes = 256 << 10

// SpillCanonical is AppendCanonical for a value that may be too large to hold
// twice: between two items or members, when much has been gathered, dst is handed
// to spill, which gives back what to append to.
func SpillCanonical(dst []byte, v *tree.Value, spill func([]byte) []byte) []byte {
	return appendCanonical(dst, v, spill)
}

func appendCanonical(dst []byte, v *tree.Value, spill func([]byte) []byte) []byte {
	switch v.Kind {
	case tree.False:
		return append(dst, "false"...)
	case tree.True:
		return append(dst, "true"...)
	case tree.Number:
		return AppendNumber(dst, v.Text)
	case tree.String:
		return appendText(dst, v)
	case tree.Array:
		dst = append(dst, '[')
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCanonical(dst, &v.Items[i], spill)
			if spill != nil && len(dst) > spillBytes {
				dst = spill(dst)
			}
		}
		return append(dst, ']')
	case tree.Object:
		return appendObject(dst, v.Items, spill)
	}
	return append(dst, "null"...)
}

func appendObject(dst []byte, items []tree.Value, spill func([]byte) []byte) []byte {
	var room [fewMembers]int32
	dst = append(dst, '{')
	for k, i := range canonicalOrder(room[:0], items) {
		if k > 0 {
			dst = append(dst, ',')
		}
		v := &items[i]
		dst = append(AppendString(dst, v.Name), ':')
		dst = appendCanonical(dst, v, spill)
		if spill != nil && len(dst) > spillBytes {
			dst = spill(dst)
		}
	}
	return append(dst, '}')
}

// fewMembers is up to how many members are put in order by insertion.
const fewMembers = 24

// canonicalOrder appends the indexes of members in the order of their names. Names
// are unique in what Check accepted; in what was made, the first stays the first.
func canonicalOrder(order []int32, items []tree.Value) []int32 {
	for i := range int32(len(items)) {
		order = append(order, i)
	}
	if len(items) > fewMembers {
		slices.SortFunc(order, func(i, k int32) int {
			return cmp.Or(tree.CompareUTF16(items[i].Name, items[k].Name), cmp.Compare(i, k))
		})
		return order
	}
	for i := range items {
		name := items[i].Name
		k := i
		for ; k > 0 && tree.CompareUTF16(items[order[k-1]].Name, name) > 0; k-- {
			order[k] = order[k-1]
		}
		order[k] = int32(i)
	}
	return order
}

// AppendValue appends the canonical form of a value made in Go: nil, bool, int,
// int64, string (decoded text), []any, []string, []int, map[string]any,
// tree.Value or *tree.Value. It panics at any other type, which is a mistake in
// the program and not in its input. A nil slice is an empty array.
func AppendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return appendInt(dst, int64(v))
	case int64:
		return appendInt(dst, v)
	case string:
		return AppendString(dst, v)
	case []any:
		return appendArray(dst, v, AppendValue)
	case []string:
		return appendArray(dst, v, AppendString)
	case []int:
		return appendArray(dst, v, func(dst []byte, i int) []byte { return appendInt(dst, int64(i)) })
	case map[string]any:
		dst = append(dst, '{')
		for i, k := range slices.SortedFunc(maps.Keys(v), tree.CompareUTF16) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendValue(append(AppendString(dst, k), ':'), v[k])
		}
		return append(dst, '}')
	case tree.Value:
		return AppendCanonical(dst, &v)
	case *tree.Value:
		if v == nil {
			return append(dst, "null"...)
		}
		return AppendCanonical(dst, v)
	}
	panic(fmt.Sprintf("strictjson: no canonical form for a %T", v))
}

func appendArray[T any](dst []byte, items []T, appendItem func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, v := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendItem(dst, v)
	}
	return append(dst, ']')
}

func appendInt(dst []byte, i int64) []byte {
	if -limits.SafeInteger <= i && i <= limits.SafeInteger {
		return strconv.AppendInt(dst, i, 10)
	}
	return AppendNumber(dst, strconv.FormatInt(i, 10))
}
