package tree

import (
	"slices"
	"testing"
)

func TestPointer(t *testing.T) {
	for _, r := range []struct {
		line   int
		tokens []string
		want   Pointer
	}{
		{line(), nil, ""},
		{line(), []string{""}, "/"},
		{line(), []string{"", ""}, "//"},
		{line(), []string{"log", "entries", "0"}, "/log/entries/0"},
		{line(), []string{"a/b", "m~n", "~1", "~0/"}, "/a~1b/m~0n/~01/~00~1"},
		{line(), []string{"é", "\xed\xa0\x80", " \""}, "/é/\xed\xa0\x80/ \""},
	} {
		var p Pointer
		for _, token := range r.tokens {
			if parent := p.Member(token).Parent(); parent != p {
				t.Errorf("line %d: parent %q, want %q", r.line, parent, p)
			}
			p = p.Member(token)
		}
		if p != r.want {
			t.Errorf("line %d: %q, want %q", r.line, p, r.want)
		}
		if got := p.Tokens(); !slices.Equal(got, r.tokens) {
			t.Errorf("line %d: tokens %q", r.line, got)
		}
	}
	if got := Pointer("/a").Item(0).Item(12); got != "/a/0/12" {
		t.Error(got)
	}
	if got := Pointer("").Parent(); got != "" {
		t.Error(got)
	}
}

func TestPointersDoNotShareMemory(t *testing.T) {
	p := Pointer("/a")
	x, y := p.Member("x"), p.Member("y")
	if x != "/a/x" || y != "/a/y" || p != "/a" {
		t.Error(x, y, p)
	}
}

// FuzzPointer: a pointer gives back the names that made it.
func FuzzPointer(f *testing.F) {
	f.Add("a/b", "~1")
	f.Add("", "~0~01//")
	f.Fuzz(func(t *testing.T, a, b string) {
		p := Pointer("").Member(a).Member(b)
		if got := p.Tokens(); !slices.Equal(got, []string{a, b}) || p.Parent() != Pointer("").Member(a) {
			t.Errorf("%q gives %q", p, got)
		}
	})
}
