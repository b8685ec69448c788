// Package qlogfacet looks at one list of the qlog facet at a time: the traces of
// a capture, the streams of a trace, the frames, ranges and final sizes of a
// stream, the losses and incomplete records of a trace.
//
// It is pure functions: a request is read strictly, and rows are taken from the
// facet as the decoder made it, in its order, exact, and one at a time: of the
// facet no tree is built. A selector that is missing,
// that names nothing, or that the list has no use for is refused.
//
// It never counts, adds or interprets anew, never opens a capture, and never
// chooses a trace or stream that was not named.
package qlogfacet
