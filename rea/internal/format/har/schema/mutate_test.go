package schema_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"rea.example/rea/internal/format/har/schema"
	"rea.example/rea/internal/judge"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// replacements are what a field can become: every kind, numbers at the edges of
// what a double holds, and strings that are hostile to some format.
var replacements = func() []string {
	list := []string{
		`null`, `true`, `false`, `{}`, `[]`, `[null]`, `[{}]`, `{"name":"a"}`, `{"0":1,"length":1}`,
		`0`, `-0`, `0e999`, `7`, `-7`, `12.5`, `1e2`, `200.0`, `2.50e1`, `12.5e-1`, `1e21`, `1e400`, `1e-400`, `5e-324`,
		`9007199254740991`, `9007199254740993`, `-9007199254740992`, `9007199254740993.0`, `0.1000000000000000055511151231257827`,
		`""`, `"x"`, `"\u0000"`, `"\ud800"`, `"1"`, `"null"`,
	}
	for _, s := range schema.Hostile {
		list = append(list, quoted(s))
	}
	return list
}()

// quoted writes decoded text as a JSON string.
func quoted(s string) string {
	return string(strictjson.AppendString(nil, s))
}

// places lists every value of a document but the root, by its span, and every name.
func places(src []byte, v *tree.Value, values, names *[]tree.Span) {
	for i := range v.Items {
		m := &v.Items[i]
		*values = append(*values, spanOf(src, m))
		if v.Kind == tree.Object {
			*names = append(*names, nameOf(src, m))
		}
		places(src, m, values, names)
	}
}

// Every field of a capture that has them all is taken away, and becomes each of the
// replacements; then, for the order of errors, several fields change at once. The
// whole list has to be the judge's each time.
func TestMutations(t *testing.T) {
	j := judge.Start(t)
	if !j.Available() {
		t.Skip("needs the judge")
	}
	base := file(t, "testdata/every-field.har")
	doc, err := strictjson.Parse(base, depth)
	if err != nil {
		t.Fatal(err)
	}
	var values, names []tree.Span
	places(base, &doc, &values, &names)

	n, failed, rejected := 0, 0, 0
	check := func(src []byte) {
		n++
		want := j.Verdict(t, src)
		if want.Verdict == "reject" {
			rejected++
		}
		if d := diff(read(src), want); d != "" {
			if failed++; failed <= 10 {
				t.Errorf("%s\n%s", d, src)
			}
		}
	}
	for _, name := range names {
		check(splice(base, name, `"_gone"`))
	}
	random := rand.New(rand.NewPCG(7, 12))
	for i, value := range values {
		was := string(base[value.Start:value.End])
		for k, text := range replacements {
			// The strings that are hostile to a format go to the fields that have
			// one, and a few to every other.
			if k < len(replacements)-len(schema.Hostile) || formatted(was) || (i+k)%16 == 0 {
				check(splice(base, value, text))
			}
		}
	}
	for range 600 {
		src := base
		// From the back, so that the spans before stay right. A value inside one
		// that was replaced goes with it.
		last := len(src)
		for range 2 + random.IntN(4) {
			span := values[random.IntN(len(values))]
			text := replacements[random.IntN(len(replacements))]
			if random.IntN(4) == 0 {
				span, text = names[random.IntN(len(names))], `"_gone`+string(rune('a'+random.IntN(26)))+`"`
			}
			if span.End <= last {
				src, last = splice(src, span, text), span.Start
			}
		}
		if _, err := strictjson.Parse(src, depth); err == nil {
			check(src)
		}
	}
	t.Logf("%d mutations, %d of them rejected", n, rejected)
	if n < 2000 || rejected < n/3 || rejected > n*95/100 {
		t.Error("these mutations do not test what they are for")
	}
}

// formatted says whether a value looks like a date, an address or a URL.
func formatted(text string) bool {
	return strings.HasPrefix(text, `"20`) || strings.Contains(text, ":/") || strings.HasPrefix(text, `"about`) || text == "null"
}

// FuzzField puts a text into any field, as a string or, where it is JSON, as it is,
// and compares whole verdicts. It needs the judge.
func FuzzField(f *testing.F) {
	j := judge.Start(f)
	base := file(f, "testdata/every-field.har")
	doc, err := strictjson.Parse(base, depth)
	if err != nil {
		f.Fatal(err)
	}
	var values, names []tree.Span
	places(base, &doc, &values, &names)
	for i, text := range replacements {
		f.Add(uint(7*i), text, true)
	}
	for i, text := range schema.Hostile {
		f.Add(uint(i), text, false)
	}
	f.Fuzz(func(t *testing.T, place uint, text string, raw bool) {
		if !j.Available() {
			return
		}
		v, err := strictjson.Parse([]byte(text), depth)
		if !raw || err != nil {
			text = quoted(strings.ToValidUTF8(text, "\xed\xa0\x80"))
		} else if hasProto(&v) {
			return
		}
		src := splice(base, values[place%uint(len(values))], text)
		want := j.Verdict(t, src)
		if want.Verdict == "none" {
			return
		}
		if d := diff(read(src), want); d != "" {
			t.Errorf("%s\n%s", d, src)
		}
	})
}

// hasProto says whether a member is named __proto__, which the judge doesn't keep as
// a member but takes for the object's prototype.
func hasProto(v *tree.Value) bool {
	for i := range v.Items {
		if v.Items[i].Name == "__proto__" || hasProto(&v.Items[i]) {
			return true
		}
	}
	return false
}
