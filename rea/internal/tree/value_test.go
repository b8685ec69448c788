package tree

import "testing"

func TestGet(t *testing.T) {
	v := Value{Kind: Object, Items: []Value{
		{Kind: Number, Name: Text{S: `\u0061`, Raw: true}, Text: Text{S: "1", Raw: true}},
		{Kind: Object, Name: Plain("b"), Items: []Value{{Kind: String, Name: Plain(`\u0061`), Text: Text{S: `x\n`, Raw: true}}}},
		{Kind: Array, Name: Plain("c"), Items: []Value{{Kind: Null}}},
	}}
	if got := v.Get("a"); got != &v.Items[0] {
		t.Error("a name is looked for as it is spelled")
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
	span, nameSpan := Span{10, 14}, Span{5, 8}
	v := Value{Kind: Object, Name: Plain("n"), Items: []Value{{}}, Span: span, NameSpan: nameSpan, Mark: Credential}
	v.SetString(`a\n`)
	if s, ok := v.Str(); s != `a\n` || !ok || v.Items != nil {
		t.Errorf("%+v", v)
	}
	v.SetNull()
	if v.Kind != Null || v.Text != (Text{}) || v.Items != nil || v.Mark != Credential || v.Span != span || v.NameSpan != nameSpan || !v.Name.Is("n") {
		t.Errorf("%+v", v)
	}
	if span.Len() != 4 {
		t.Error(span.Len())
	}
}
