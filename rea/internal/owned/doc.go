// Package owned runs this program a second time, as a child that belongs to
// one call, and proves how that child ended.
//
// The parent's half is Run. The child gets its request, its reply file and the
// capture's snapshot by descriptor, an environment of a few allowed names, a
// private directory, no standard input, and nothing else. Run ends it when the
// caller cancels, when its time is up or when it talks too much; it ends
// whatever the child started, and then looks whether anything is left. What
// is left is named. How a child died is decided by its exit status and by what
// the Go runtime alone can have written, in classify.go; Failure turns an
// Outcome into the public error.
//
// A child may also be a foreign program: then this one starts itself only to
// set bounds that no parent can set for its child, and becomes the other.
//
// The child's half is Confine, to be called before any input is read, and
// Inherit. Confine bounds memory in three layers: a limit that makes the
// collector work harder, a guard that ends the process when the runtime holds
// more than the budget, and a ceiling of the operating system that no single
// allocation passes. docs/adr/0003-decoder-bound.md tells why it takes three.
//
// The package promises that a request never stands on a command line or in an
// environment, that a child does not outlive its parent where the system can
// see to that (Linux, Windows), and that no signal is sent to a process number
// that could by then mean another process (Linux, Windows).
//
// It never parses a capture or a reply, and never keeps a child between calls.
package owned
