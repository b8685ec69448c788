// Package evidence holds the nouns of what this program gives out: the capture
// result with its records, locations and sidecars, and the portable envelope
// whose identifier is the digest of its canonical bytes.
//
// It promises that Seal computes the identifier over RFC 8785 canonical JSON,
// and that Open accepts only Evidence whose bytes carry the identifier they
// claim. A Document is a rope: the decoder's bytes are spliced into the envelope
// from the file they were written to, unparsed and uncopied.
//
// It knows no format by name, and it never reads a capture.
package evidence
