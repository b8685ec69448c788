// Package qlogfile reads a qlog of aioquic once more, in the plainest way: whole,
// with the standard library, and with one counter for each byte of a stream.
//
// It shares no code and no method with the product: no interval is ever joined,
// none is ever merged. It promises facts of small traces, whose streams fit into
// memory. It will never do for a trace that somebody made to be hostile.
package qlogfile
