// Package mitmproxy reads the flow files that mitmproxy and mitmdump write:
// tnetstrings (typed netstrings) one after the other, each the state of one
// flow.
//
// A state is reported as it was stored, whatever its version and type: nothing
// is migrated, converted to another format, filled in or compared. Octets stay
// octets, integers and floats keep their kind and their exact text.
//
// The reader checks each length against what is left before it uses it, so that
// what it allocates is bounded by what it was given. It takes the spellings
// that mitmproxy itself writes and no other: upstream's reader in Python takes
// signs, blanks and underscores in lengths and numbers too, and those are
// format errors here.
//
// Where a caller wants mitmproxy's own reading, the package describes how
// mitmdump is to be run with the script in bridge.py, and reads the lines that
// the script writes. Both readings go through the same checks and marks.
//
// It promises to mark what is transport authentication in requests, responses
// and their backups at any depth. It never runs mitmproxy, and never decides
// that an unknown field is a secret.
package mitmproxy
