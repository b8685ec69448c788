package redact

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// anyIn is the definition that sets and automata are held against.
func anyIn(text string, literals []string) bool {
	return slices.ContainsFunc(literals, func(l string) bool { return strings.Contains(text, l) })
}

// checkSets holds every way to search for literals against the definition.
func checkSets(t *testing.T, literals []string, text string) {
	t.Helper()
	want, total := anyIn(text, literals), 1
	for _, l := range literals {
		total += len(l)
	}
	for _, room := range []int{maxNodes, total + 1, total / 2, 2, 0} {
		s := newSetWithin(literals, 0, room)
		if got := s.in(text); got != want {
			t.Fatalf("%q with room for %d nodes in %q: %v", literals, room, text, got)
		}
	}
	if len(literals) > 0 {
		if got := newAutomaton(withoutLonger(literals)).in(text); got != want {
			t.Fatalf("%q by automaton in %q: %v", literals, text, got)
		}
	}
}

var alike = []struct{ literals, text string }{ // literals divided by blanks
	{"he she his hers", "ushers"},
	{"abcd bce", "abce"},
	{"abcd bc", "abc"},
	{"aaaab aab", "aaab"},
	{"aaaab", "aaaaaaaaab"},
	{"abab babb", "ababb"},
	{"abcabd bcabe cabf abg", "abcabcabg"},
	{"abcabd bcabe cabf abg", "abcabcabh"},
	{"aa a", "a"},
	{"abc abd abe", "abf"},
	{"a b c d e f g h i j", "xyz"},
	{"\xff\x00 \x00\x00\x01 \x00\xff", "\x00\x00\x00\x00\x01"},
	{"aaa aaa aaa", "aa"},
	{"x", ""},
}

func TestSetsAreNaive(t *testing.T) {
	for _, c := range alike {
		checkSets(t, strings.Fields(c.literals), c.text)
	}
	// Two letters and long words: beginnings and ends coincide all the time.
	r := rand.New(rand.NewPCG(41, 42))
	word := func(letters, n int) string {
		b := make([]byte, 1+r.IntN(n))
		for i := range b {
			b[i] = 'a' + byte(r.IntN(letters))
		}
		return string(b)
	}
	found := 0
	for range 5000 {
		letters := 2 + r.IntN(3)
		literals := make([]string, 1+r.IntN(12))
		for i := range literals {
			literals[i] = word(letters, 9) + word(letters, 3)
		}
		text := word(letters, 60)
		checkSets(t, literals, text)
		if anyIn(text, literals) {
			found++
		}
	}
	if found < 500 || found > 4500 {
		t.Errorf("%d of 5000 texts hold a literal: the law was hardly tried", found)
	}
}

func FuzzSets(f *testing.F) {
	for _, c := range alike {
		f.Add(c.literals, c.text)
	}
	f.Fuzz(func(t *testing.T, literals, text string) {
		if len(literals)+len(text) > 4<<10 {
			return
		}
		checkSets(t, strings.Fields(literals), text)
	})
}

// TestAlikeLiterals would not come to an end if each place of the text were
// compared with what all literals begin with.
func TestAlikeLiterals(t *testing.T) {
	begin := strings.Repeat("a", 1<<20)
	var literals []string
	for c := byte('b'); c <= 'y'; c++ {
		literals = append(literals, begin+string(c))
	}
	d := NewDeclarations(literals)
	text := strings.Repeat("a", 16<<20)
	if d.InText(text + "z") {
		t.Error("found a literal that isn't there")
	}
	if !d.InText(text + "y") {
		t.Error("the last literal was not found at the end")
	}
}

// TestAutomataAreSmall: whatever the shape of the literals, what is kept of them
// is a small multiple of the argument document that they come in, and bounded.
func TestAutomataAreSmall(t *testing.T) {
	const document = 1 << 20
	r := rand.New(rand.NewPCG(43, 44))
	random := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = ' ' + byte(r.IntN(95))
		}
		return string(b)
	}
	begin := random(64)
	for name, next := range map[string]func(i int) string{
		"of four bytes": func(int) string { return random(4) },
		"of five bytes": func(int) string { return random(5) },
		"short":         func(int) string { return random(12) },
		"long":          func(int) string { return random(8 << 10) },
		"longer":        func(int) string { return random(document/10 - 8) },
		"alike":         func(i int) string { return begin + fmt.Sprint(i) },
	} {
		var literals []string
		for i, left := 0, document; ; i++ {
			l := next(i)
			if left -= len(l) + len(`"",`); left < 0 {
				break
			}
			literals = append(literals, l)
		}
		for _, room := range []int{maxNodes, document / 8} {
			s := newSetWithin(literals, few, room)
			nodes, kept := 0, 0
			for _, x := range s.trees {
				nodes += len(x.nodes)
				kept += cap(x.nodes)*4 + cap(x.ends)*8 + cap(x.forks)*int(unsafe.Sizeof(fork{}))
			}
			if nodes > room || kept > document*9/2 || kept > room*9/2+12*len(literals) {
				t.Errorf("%s: %d nodes of %d, %d bytes for a document of %d", name, nodes, room, kept, document)
			}
		}
	}
}
