// Package failure is the one kind of error that crosses a door of this
// program: a code, a message that names a place, what to do about it, and
// details in the shape that the public contract fixes.
//
// Malformed input, an unsupported profile and a trouble of the environment are
// different codes and are never mixed. The table in table.go is the only place
// that says which category a code has, whether trying again can help, and with
// which status the command ends.
//
// It will never hold captured content: callers put pointers, offsets, counts
// and names of rules into a Failure, and the causes they keep for their own
// decisions are never rendered.
package failure
