package strictjson

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"rea.example/rea/internal/tree"
)

// oracle reads the next value with nothing but jsontext.
type oracle struct {
	d    *jsontext.Decoder
	base int
	ends map[int]int // of every value, by where it begins
}

func newOracle(src []byte) oracle {
	rest := bytes.TrimPrefix(src, []byte(bom))
	return oracle{jsontext.NewDecoder(bytes.NewReader(rest), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)), len(src) - len(rest), map[int]int{}}
}

func (o oracle) raw() (string, tree.Span) {
	v, err := o.d.ReadValue()
	if err != nil {
		panic(err)
	}
	end := o.base + int(o.d.InputOffset())
	return string(v), tree.Span{Start: end - len(v), End: end}
}

func (o oracle) bracket() int {
	if _, err := o.d.ReadToken(); err != nil {
		panic(err)
	}
	return o.base + int(o.d.InputOffset())
}

func (o oracle) value() (v tree.Value) {
	kind := o.d.PeekKind()
	switch kind {
	case '{', '[':
		start := o.bracket() - 1
		for k := o.d.PeekKind(); k != '}' && k != ']'; k = o.d.PeekKind() {
			name := ""
			if kind == '{' {
				s, _ := o.raw()
				name = tree.Unescape(s[1 : len(s)-1])
			}
			item := o.value()
			item.Name = name
			v.Items = append(v.Items, item)
		}
		v.Kind = map[jsontext.Kind]tree.Kind{'{': tree.Object, '[': tree.Array}[kind]
		v.Offset, o.ends[start] = uint32(start), o.bracket()
		return v
	}
	s, span := o.raw()
	v.Offset, o.ends[span.Start] = uint32(span.Start), span.End
	switch kind {
	case '"':
		v.Kind, v.Raw, v.Text = tree.String, true, s[1:len(s)-1]
	case '0':
		v.Kind, v.Text = tree.Number, s
	default:
		v.Kind = map[jsontext.Kind]tree.Kind{'n': tree.Null, 't': tree.True, 'f': tree.False}[kind]
	}
	return v
}

// sameTree says how the tree that was built of a document, or an end of a value that
// Skip finds there, differs from what jsontext reads, or "".
func sameTree(src []byte, got tree.Value) string {
	o := newOracle(src)
	if want := o.value(); !reflect.DeepEqual(got, want) {
		return fmt.Sprintf("built %+v\njsontext reads %+v", got, want)
	}
	for start, want := range o.ends {
		if end := Skip(src, start); end != want {
			return fmt.Sprintf("the value at %d ends at %d, Skip says at %d", start, want, end)
		}
	}
	return ""
}

func TestBuild(t *testing.T) {
	var a Arena
	for _, r := range accepted {
		src := []byte(r.in)
		v, err := Parse(src, 64)
		if err != nil {
			t.Errorf("line %d: %v", r.line, err)
			continue
		}
		if problem := sameTree(src, v); problem != "" {
			t.Errorf("line %d: %s", r.line, problem)
		}
		// The same in memory that held other values.
		a.Reset()
		if problem := sameTree(src, Build(src, tree.Span{Start: int(v.Offset), End: Skip(src, int(v.Offset))}, &a)); problem != "" {
			t.Errorf("line %d, second use: %s", r.line, problem)
		}
	}
}

func TestBuildOfParts(t *testing.T) {
	src := []byte(bom + `{"log": {"n":1, "entries": [ {"a":"x"} , -2.5e3 ,[3, []], "y\"" , null,true ]}}`)
	var spans []tree.Span
	if err := Check(src, 64, []Path{{"log", "entries", "*"}}, func(_ int, s tree.Span) { spans = append(spans, s) }); err != nil {
		t.Fatal(err)
	}
	whole, err := Parse(src, 64)
	if err != nil {
		t.Fatal(err)
	}
	items := whole.At("log", "entries").Items
	if len(spans) != 6 || len(items) != 6 {
		t.Fatalf("%d spans, %d items", len(spans), len(items))
	}
	var a Arena
	built := make([]tree.Value, len(spans))
	for i, s := range spans {
		built[i] = Build(src, s, &a)
	}
	// All of them live in one arena until it is reset.
	if !reflect.DeepEqual(built, items) {
		t.Errorf("built %+v\nwant %+v", built, items)
	}
}

func TestOffsetsLeadToTheValues(t *testing.T) {
	for _, r := range accepted {
		v, err := Parse([]byte(r.in), 64)
		if err != nil {
			t.Fatal(err)
		}
		var walk func(v *tree.Value)
		walk = func(v *tree.Value) {
			token := r.in[v.Offset:Skip([]byte(r.in), int(v.Offset))]
			if again, err := Parse([]byte(token), 64); err != nil || !bytes.Equal(AppendCanonical(nil, &again), AppendCanonical(nil, v)) {
				t.Errorf("line %d: %q is not a value, %v", r.line, token, err)
			}
			for i := range v.Items {
				walk(&v.Items[i])
			}
		}
		walk(&v)
	}
}

func TestSkip(t *testing.T) {
	const in = `{"a": [1,{"b":[2]}], "c":"x,y", "d":{"e":{}} ,"f":-1}`
	at := func(s string) tree.Span {
		i := strings.Index(in, s)
		return tree.Span{Start: i, End: i + len(s)}
	}
	for _, r := range []struct {
		line int
		skip []tree.Span
		want string
	}{
		{line(), nil, `{"a":[1,{"b":[2]}],"c":"x,y","d":{"e":{}},"f":-1}`},
		{line(), []tree.Span{at(`[1,{"b":[2]}]`)}, `{"a":null,"c":"x,y","d":{"e":{}},"f":-1}`},
		{line(), []tree.Span{at(`-1`), at(`1`), at(`{}`)}, `{"a":[null,{"b":[2]}],"c":"x,y","d":{"e":null},"f":null}`},
		{line(), []tree.Span{at(`"x,y"`), at(`[2]`)}, `{"a":[1,{"b":null}],"c":null,"d":{"e":{}},"f":-1}`},
		{line(), []tree.Span{at(`{"e":{}}`), at(`{}`)}, `{"a":[1,{"b":[2]}],"c":"x,y","d":null,"f":-1}`},
		{line(), []tree.Span{{Start: 0, End: len(in)}}, `null`},
	} {
		v := Build([]byte(in), tree.Span{Start: 0, End: len(in)}, new(Arena), r.skip...)
		if got := string(AppendCanonical(nil, &v)); got != r.want {
			t.Errorf("line %d: %s, want %s", r.line, got, r.want)
		}
		var nulls []int
		var walk func(v *tree.Value)
		walk = func(v *tree.Value) {
			if v.Kind == tree.Null {
				nulls = append(nulls, int(v.Offset))
			}
			for i := range v.Items {
				walk(&v.Items[i])
			}
		}
		walk(&v)
		for _, s := range r.skip {
			if s != at(`{}`) && !slices.Contains(nulls, s.Start) {
				t.Errorf("line %d: no null at %v", r.line, s)
			}
		}
	}
}

// One record after the other must not cost memory for each.
func TestBuildReusesMemory(t *testing.T) {
	src := []byte(`{"a":[1,2,{"b":"c"}],"d":{"e":[[],[],{}]},"f":"g"}`)
	var a Arena
	n := testing.AllocsPerRun(100, func() {
		a.Reset()
		Build(src, tree.Span{Start: 0, End: len(src)}, &a)
	})
	if n != 0 || cap(a.slab) > 32 {
		t.Errorf("%v allocations a record, room for %d values", n, cap(a.slab))
	}
}

// Nodes without text are the densest input: the arena may use their own size.
func TestBuildOfManyNodes(t *testing.T) {
	const n = 1 << 20
	src := []byte("[" + strings.Repeat("0,", n-1) + "0]")
	var a Arena
	v := Build(src, tree.Span{Start: 0, End: len(src)}, &a)
	if len(v.Items) != n || cap(a.slab) != n {
		t.Errorf("%d items in room for %d", len(v.Items), cap(a.slab))
	}
	a.Reset()
	if cap(a.slab) != 0 {
		t.Error("an unusually large slab is kept")
	}
}

// FuzzBuild: what is built is what jsontext reads, and canonical form is a
// fixed point of reading and writing.
func FuzzBuild(f *testing.F) {
	for _, r := range accepted {
		f.Add([]byte(r.in))
	}
	for _, r := range suiteRows {
		f.Add([]byte(r))
	}
	f.Add([]byte(strings.Repeat(`{"\\\"":["\\",`, 30)))
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := Parse(in, 64)
		if err != nil {
			return
		}
		if problem := sameTree(in, v); problem != "" {
			t.Fatal(problem)
		}
		once := AppendCanonical(nil, &v)
		w, err := Parse(once, 64)
		if err != nil {
			t.Fatalf("%q is not JSON: %v", once, err)
		}
		if twice := AppendCanonical(nil, &w); !bytes.Equal(once, twice) {
			t.Fatalf("%q becomes %q", once, twice)
		}
	})
}
