//go:build unix && !linux && !darwin

package owned

const maxrssUnit = 1 << 10 // getrusage counts KiB here

func setCeiling(uint64) error { return errNoCeiling }
