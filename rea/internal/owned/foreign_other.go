//go:build !linux

package owned

import "errors"

// become is for Linux, the one system on which foreign programs are run.
func become([]string) error { return errors.ErrUnsupported }
