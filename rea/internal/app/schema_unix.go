//go:build !windows

package app

// absolutePath is what the contract takes for an absolute path.
const absolutePath = `^/[^\x00]*$`
