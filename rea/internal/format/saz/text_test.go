package saz

import (
	"bytes"
	"testing"
)

// TestLatin1TakesNoMoreThanItsText guards the budget: a head may be as long as an
// archive may expand to.
func TestLatin1TakesNoMoreThanItsText(t *testing.T) {
	octets := bytes.Repeat([]byte("\xff\xfea"), 1000)
	if got := testing.AllocsPerRun(10, func() { latin1(octets) }); got != 1 {
		t.Errorf("%v allocations for one text", got)
	}
	if got := latin1([]byte("a\xe9\xff\x80\x7f")); got != "aéÿ\u0080\x7f" {
		t.Errorf("%q", got)
	}
}
