//go:build !linux

package owned

import "errors"

// errNoCeiling says that this system has no ceiling that Go can live under.
var errNoCeiling = errors.New("no memory ceiling on this system")
