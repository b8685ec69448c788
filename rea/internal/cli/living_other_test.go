//go:build !linux

package cli

import "testing"

// living can't be told here; owned's own tests look after its children.
func living(*testing.T, string) []string { return nil }
