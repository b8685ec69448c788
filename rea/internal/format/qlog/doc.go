// Package qlog reads traces that aioquic 1.5.0 writes: one JSON document of
// qlog 0.3 (draft-ietf-quic-qlog-main-schema-02 and the event drafts beside it)
// with whole objects as events.
//
// One pass checks the whole document: encoding, grammar, duplicate members,
// depth, and that it is of this profile at all. Behind it, each event is built,
// interpreted and handed on; whatever the first pass finds takes precedence, so
// nothing that was handed on counts until Read returns nil.
//
// Only a few fields are interpreted: the STREAM frames of packet_sent and
// packet_received, and packet_lost. In those a wrong type or range refuses the
// capture, and something missing is unknown and says so. All else is evidence,
// kept as it is, known or not.
//
// It promises that facts cover every event of the file, and that no number in
// them was rounded. It never sorts by time, never joins traces, never fills in
// a field, and never takes a trace for proof of what happened on the network.
package qlog
