// Package mcpserver is the face for agents: it speaks the Model Context Protocol
// over a pair of streams, and takes the arguments of a tool call, untouched,
// through the same door as the command line.
//
// What a tool answers is what the door answers: the whole document as text and,
// once more, as structured content; or a failure as text alone. A result that a
// client can't take in one message is replaced by a small failure that says
// where the Evidence is kept. Evidence is a resource under its identifier; so
// are the complete schemas.
//
// It promises that the server outlives whatever arrives: a line that is no
// message, one that is too long or too deep, a call that panics. Errors of the
// protocol say what kind of thing is wrong and repeat nothing of what was sent,
// since what was sent may hold declared values. When the input ends, or the
// process is told to end, calls in flight are cancelled, and nothing is left
// behind.
//
// It never opens a file, never reads an argument, and never listens.
package mcpserver
