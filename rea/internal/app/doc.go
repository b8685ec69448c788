// Package app is the one door of the program: a call with raw argument bytes
// goes in, one JSON document comes out. The command line and the server for
// agents both go through it, so they cannot differ.
//
// It promises that arguments are read strictly and their complaints honour the
// values declared sensitive beside them; that a capture is parsed only in the
// owned process; and that whatever was made for a call is gone, and confirmed
// gone, before the call returns. Do never returns an error and never panics.
//
// It knows nothing of flags, terminals or protocols.
package app
