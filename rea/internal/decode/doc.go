// Package decode is what runs inside the owned process: it reads a request,
// walks the snapshot with the requested format, hides what must be hidden, and
// writes the reply; and it is the codec of both, which the parent uses too.
//
// It promises that every record of a capture is read and checked even when few
// were selected, that what it writes is finished: canonical, redacted and
// bounded, and that a reply without a valid header says nothing at all.
//
// It never opens a file and never writes anywhere but into the reply.
package decode
