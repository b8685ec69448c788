package saz

import (
	"slices"
	"sync/atomic"
	"testing"
)

// Rooms come in order and to the last, whoever is faster; a room that the caller
// has is not written to, and nothing is filled once the sequence has ended.
func TestAhead(t *testing.T) {
	for _, rooms := range []int{1, 2, 3, 50} {
		for enough := range rooms + 1 {
			filled, ended := 0, atomic.Bool{}
			fill := func(r *[]int) bool {
				if ended.Load() {
					t.Error("a room is filled after the end")
				}
				*r = append((*r)[:0], filled, filled)
				filled++
				return filled < rooms
			}
			var got []int
			for r := range ahead(new([]int), new([]int), fill) {
				if len(got) == enough {
					break
				}
				if (*r)[0] != (*r)[1] {
					t.Fatal("a room is written to while the caller has it")
				}
				got = append(got, (*r)[0])
			}
			ended.Store(true)
			want := make([]int, enough)
			for i := range want {
				want[i] = i
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d rooms, enough after %d: %v", rooms, enough, got)
			}
			if filled > enough+3 {
				t.Errorf("%d rooms, enough after %d: %d were filled", rooms, enough, filled)
			}
		}
	}
}
