package apisurface

import (
	"cmp"
	"slices"
	"strings"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// group is what requests of one method, origin and template have in common.
type group struct {
	method, origin, template string
	segments                 []segment
	ordinals                 []int
	statuses                 map[int64]bool
	mimes                    map[string]bool
	unknownStatuses          int
	unknownMIMEs             int
}

// segment is a placeholder of a template and what was observed in its place.
type segment struct {
	index    int
	rule     *rule
	literals map[string]bool
}

// sample is what one record contributes.
type sample struct {
	ordinal              int
	method, origin, path string
	status               int64
	statusKnown          bool
	mime                 string // "" is unknown
}

// eachSegment walks a path without splitting it into a list.
func eachSegment(path string, visit func(i int, segment string, r *rule)) {
	for i, rest := 0, path[1:]; ; i++ {
		s, more, found := strings.Cut(rest, "/")
		visit(i, s, ruleOf(s))
		if !found {
			return
		}
		rest = more
	}
}

// appendKey writes what samples of one group agree on. A segment has no slash,
// and what stands before it says whether it is a rule or itself.
func (s *sample) appendKey(b []byte) []byte {
	b = append(append(b, s.origin...), '\n')
	eachSegment(s.path, func(_ int, text string, r *rule) {
		if r != nil {
			b = append(append(b, '{'), r.name...)
		} else {
			b = append(append(b, '='), text...)
		}
		b = append(b, '/')
	})
	return append(append(b, '/'), s.method...)
}

func (s *sample) template() (template string, placeholders int) {
	var b strings.Builder
	eachSegment(s.path, func(_ int, text string, r *rule) {
		b.WriteByte('/')
		if r != nil {
			b.WriteString(r.placeholder())
			placeholders++
		} else {
			b.WriteString(text)
		}
	})
	return b.String(), placeholders
}

// price is what it costs to retain a sample in g, or in a group of its own where
// g is nil.
func (s *sample) price(g *group, key int) int64 {
	n := int64(itemPrice) // the ordinal
	if g == nil {
		n += groupPrice + entryPrice + textPrice(key) + textPrice(len(s.method)) + textPrice(len(s.origin))
	}
	k, template := 0, 0
	eachSegment(s.path, func(_ int, text string, r *rule) {
		template += 1 + len(text)
		if r == nil {
			return
		}
		template += len(r.name) + len("{}") - len(text)
		if g == nil {
			n += entryPrice // the placeholder itself
		}
		if g == nil || !g.segments[k].literals[text] {
			n += entryPrice + textPrice(len(text))
		}
		k++
	})
	if g == nil {
		n += textPrice(template)
	}
	if s.statusKnown && (g == nil || !g.statuses[s.status]) {
		n += entryPrice
	}
	if s.mime != "" && (g == nil || !g.mimes[s.mime]) {
		n += entryPrice + textPrice(len(s.mime))
	}
	return n
}

func newGroup(s *sample) *group {
	template, placeholders := s.template()
	g := &group{
		method: strings.Clone(s.method), origin: strings.Clone(s.origin), template: template,
		statuses: map[int64]bool{}, mimes: map[string]bool{}, segments: make([]segment, 0, placeholders),
	}
	eachSegment(s.path, func(i int, _ string, r *rule) {
		if r != nil {
			g.segments = append(g.segments, segment{index: i, rule: r, literals: map[string]bool{}})
		}
	})
	return g
}

func (g *group) add(s *sample) {
	g.ordinals = append(g.ordinals, s.ordinal)
	k := 0
	eachSegment(s.path, func(_ int, text string, r *rule) {
		if r == nil {
			return
		}
		if l := g.segments[k].literals; !l[text] {
			l[strings.Clone(text)] = true
		}
		k++
	})
	switch {
	case !s.statusKnown:
		g.unknownStatuses++
	default:
		g.statuses[s.status] = true
	}
	switch {
	case s.mime == "":
		g.unknownMIMEs++
	case !g.mimes[s.mime]:
		g.mimes[strings.Clone(s.mime)] = true
	}
}

func (g *group) compare(h *group) int {
	return cmp.Or(
		tree.CompareUTF16(g.origin, h.origin),
		tree.CompareUTF16(g.template, h.template),
		tree.CompareUTF16(g.method, h.method),
		// A literal segment can spell a placeholder.
		slices.CompareFunc(g.segments, h.segments, func(a, b segment) int {
			return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.rule.name, b.rule.name))
		}),
	)
}

// row is the group as canonical JSON.
func (g *group) row() []byte {
	segments := make([]any, len(g.segments))
	for i, s := range g.segments {
		segments[i] = map[string]any{"index": s.index, "rule": s.rule.name, "placeholder": s.rule.placeholder(),
			"literals": texts(s.literals), "basis": "inferred"}
	}
	numbers := make([]int64, 0, len(g.statuses))
	for n := range g.statuses {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	statuses := make([]any, len(numbers))
	for i, n := range numbers {
		statuses[i] = n
	}
	flags := []string{}
	for _, f := range []struct {
		set  bool
		name string
	}{
		{len(g.ordinals) == 1, "single-sample"},
		{len(g.statuses) > 1, "mixed-statuses"},
		{len(g.mimes) > 1, "mixed-content-types"},
	} {
		if f.set {
			flags = append(flags, f.name)
		}
	}
	return strictjson.AppendValue(nil, map[string]any{
		"method": g.method, "origin": g.origin, "path_template": g.template, "segments": segments,
		"ordinals": g.ordinals, "statuses": statuses, "mime_types": texts(g.mimes),
		"unknown_statuses": g.unknownStatuses, "unknown_mime_types": g.unknownMIMEs, "flags": flags,
	})
}

func texts(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	slices.SortFunc(out, tree.CompareUTF16)
	return out
}
