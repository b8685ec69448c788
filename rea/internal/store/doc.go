// Package store retains the Evidence that one process has given out, so that
// views of it need no capture and no second decoding.
//
// A document is kept under its identifier, which is the digest of what it says:
// retaining it twice keeps it once. The canonical bytes of all documents are
// bounded; when a new one needs room the oldest go, where being retained again
// or being looked at makes a document young. Small documents are held in memory,
// large ones stay in the nameless files that they were decoded into.
//
// It promises that a document which somebody holds a lease on stays readable
// until the lease is released, that the index of a parent is made once, and that
// it can tell what was evicted from what never was there. It never writes a file
// of its own, never outlives its process, and never belongs to a session.
package store
