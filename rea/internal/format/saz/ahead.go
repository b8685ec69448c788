package saz

import "iter"

// ahead fills two rooms in turn in another goroutine, and gives each when it is
// full: while a reader's caller uses the one, the reader fills the other, which
// takes the two about half of the time on two processors. fill says whether there
// is more to come. A room holds until the next is asked for; when the sequence
// ends, also before its end, the other goroutine does nothing any more.
//
// A hand-over costs as much as reading some kilobytes: a room should take more.
func ahead[R any](one, other R, fill func(R) (more bool)) iter.Seq[R] {
	return func(yield func(R) bool) {
		free, full := make(chan R, 2), make(chan R, 2)
		free <- one
		free <- other
		go func() {
			defer close(full)
			for room := range free {
				more := fill(room)
				if full <- room; !more {
					return
				}
			}
		}()
		for room := range full {
			if !yield(room) {
				break
			}
			free <- room
		}
		close(free)
		for range full { // until the other goroutine has seen that there is no more to do
		}
	}
}
