// Package cli is the command line: it turns flags into the arguments document of
// an operation, takes it through the one door, and prints the one document that
// comes back.
//
// Rules of the output: standard output holds exactly one document and nothing
// else. Standard error holds failures in text form and, on a terminal, progress
// once a call has taken half a second. Captured text never reaches a terminal
// with its control characters alive. NO_COLOR is honoured. The exit status is 0
// for a complete result and otherwise the one that the failure's row says.
//
// It never opens a capture itself and decides nothing about one.
package cli
