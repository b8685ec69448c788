package tree

import (
	"reflect"
	"testing"
)

func TestGet(t *testing.T) {
	v := Value{Kind: Object, Items: []Value{
		{Kind: Number, Name: "a", Text: "1"},
		{Kind: Object, Name: "b", Items: []Value{{Kind: String, Name: `\u0061`, Text: `x\n`, Raw: true}}},
		{Kind: Array, Name: "c", Items: []Value{{Kind: Null}}},
	}}
	if got := v.Get("a"); got != &v.Items[0] {
		t.Error("a member is not found")
	}
	if v.Get(`\u0061`) != nil || v.Get("") != nil || v.Get("B") != nil {
		t.Error("a name is found that is not there")
	}
	if s, ok := v.At("b", `\u0061`).Str(); s != "x\n" || !ok {
		t.Errorf("%q, %v", s, ok)
	}
	if v.At("c", "0") != nil || v.At("a", "b") != nil || v.At("none", "b", "c") != nil || v.At() != &v {
		t.Error("a path leads where there is nothing")
	}
	if _, ok := v.Get("a").Str(); ok {
		t.Error("a number is a string")
	}
	if _, ok := v.Get("none").Str(); ok {
		t.Error("nothing is a string")
	}
}

func TestSet(t *testing.T) {
	v := Value{Kind: Object, Name: "n", Items: []Value{{}}, Offset: 10, Mark: Credential, Raw: true}
	v.SetString(`a\n`)
	if s, ok := v.Str(); s != `a\n` || !ok || v.Items != nil {
		t.Errorf("%+v", v)
	}
	v.SetNull()
	if v.Kind != Null || v.Text != "" || v.Items != nil || v.Mark != Credential || v.Offset != 10 || v.Name != "n" {
		t.Errorf("%+v", v)
	}
}

// TestSize: see Value.
func TestSize(t *testing.T) {
	if n := reflect.TypeFor[Value]().Size(); n > 64 {
		t.Error(n)
	}
}
