package owned

// presentSize finds, to within one step and from above, the smallest address
// space limit that accept takes, by halving. ok is false where limits far below
// any Go program's size are taken, for there they mean nothing, and where not
// even the largest is.
func presentSize(accept func(limit uint64) bool) (size uint64, ok bool) {
	const (
		step   = 16 << 20
		absurd = step
		most   = 1 << 47
	)
	if accept(absurd) || !accept(most) {
		return 0, false
	}
	low, high := uint64(absurd), uint64(most) // refused, accepted
	for high-low > step {
		if middle := low + (high-low)/2; accept(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high, true
}
