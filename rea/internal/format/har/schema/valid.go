package schema

import (
	"strings"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// valid is the quick tier: whether a value is valid, in one pass and without
// allocating, as long as no string that has a format or pattern holds an escape.
func (r *rule) valid(v *tree.Value) bool {
	if r.types != 0 && !r.admits(v) {
		return false
	}
	if r.ref != nil && !r.ref.valid(v) {
		return false
	}
	if r.oneOf != nil && r.passing(v) != 1 {
		return false
	}
	switch v.Kind {
	case tree.String:
		if r.pattern == nil && r.format == nil {
			return true
		}
		s := v.Decode()
		return (r.pattern == nil || r.pattern(s)) && (r.format == nil || r.format(s))
	case tree.Array:
		if r.items == nil {
			return true
		}
		for i := range v.Items {
			if !r.items.valid(&v.Items[i]) {
				return false
			}
		}
	case tree.Object:
		if r.properties == nil {
			return true
		}
		var seen uint64
		for i := range v.Items {
			m := &v.Items[i]
			p := r.find(m.Name)
			if p < 0 {
				continue
			}
			seen |= 1 << p
			if next := r.properties[p].rule; next != nil && !next.valid(m) {
				return false
			}
		}
		return seen&r.needed == r.needed
	}
	return true
}

// admits says whether the type keyword admits a value. A number that isn't safe is
// null in the copy that the judge validates, and so it is here.
func (r *rule) admits(v *tree.Value) bool {
	if v.Kind != tree.Number {
		return r.types&kind(v.Kind) != 0
	}
	switch {
	case !strictjson.Safe(v.Text):
		return r.types&kind(tree.Null) != 0
	case r.types&kind(tree.Number) != 0:
		return true
	}
	return r.types&integer != 0 && integral(v.Text)
}

// passing counts the branches of oneOf that a value passes, up to two.
func (r *rule) passing(v *tree.Value) int {
	n := 0
	for _, branch := range r.oneOf {
		if branch.valid(v) {
			if n++; n == 2 {
				break
			}
		}
	}
	return n
}

// find gives the index of the property that a member's name is, or -1.
func (r *rule) find(name string) int {
	if len(name) >= len(r.byLength) {
		return -1
	}
	for _, i := range r.byLength[len(name)] {
		if r.properties[i].name == name {
			return int(i)
		}
	}
	return -1
}

// integral says whether the number that a lexeme spells is an integer, which 1e2 and
// 200.0 are. It reads the lexeme, and agrees with the double wherever that is safe:
// such a double's shortest spelling has the lexeme's digits.
func integral(lexeme string) bool {
	s := strings.TrimPrefix(lexeme, "-")
	end := strings.IndexAny(s, "eE")
	exponent := int64(0)
	if end >= 0 {
		exponent = clampedInt(s[end+1:])
		s = s[:end]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		return exponent >= int64(len(fraction))
	}
	digits := strings.TrimRight(whole, "0")
	return digits == "" || exponent >= -int64(len(whole)-len(digits))
}

// clampedInt reads an exponent, stopping short of overflow: no lexeme is long enough
// to make up for more.
func clampedInt(s string) int64 {
	negative := strings.HasPrefix(s, "-")
	n := int64(0)
	for _, c := range []byte(strings.TrimLeft(s, "+-")) {
		if n = n*10 + int64(c-'0'); n > 1<<40 {
			n = 1 << 40
			break
		}
	}
	if negative {
		return -n
	}
	return n
}
