// Package facts counts what a qlog capture says of QUIC streams: which bytes
// of which stream were reported sent or received, how often, where a stream
// ended, and which packets an endpoint declared lost.
//
// It takes interpreted numbers, one frame at a time, keeps them compactly, and
// derives the rest when it writes the facet. All arithmetic is exact. Streams
// are told apart by trace, stream identifier and direction, never by guessing
// what runs in them.
//
// It promises that the facet covers every event that was added, selected or
// not, and that nothing in it holds a declared value except the names and
// constants of the contract, and counts and ordinals, which are this program's
// own. It never takes something unknown for zero, never calls an overlap a
// retransmission, and never says that a list is complete.
package facts
