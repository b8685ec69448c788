// Package format says what a capture format is to the rest of the program: a
// name, a decoder identity, and a reader that walks the bytes of one snapshot
// and hands each record to a Sink.
//
// A format promises to check every record whether or not it will be shown, to
// give records in the producer's order with the place where each stands, to
// mark what is transport authentication, and to return an error that names
// places only. What it handed out before an error does not count.
//
// It never opens files, starts processes or writes output, and it never sees
// which records were selected.
package format
