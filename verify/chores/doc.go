// Package chores is what a developer asks of the workspace every day: build
// both modules, test them, lint them, fuzz them.
//
// It promises that the output of the tools passes through unchanged, that a
// chore which failed says so in its error, and that both modules are treated
// both ways: in the workspace, and each on its own as it is published. It will
// never change a source file.
package chores
