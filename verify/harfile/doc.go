// Package harfile is a second, independent reading of a HAR: plain and slow,
// built on the standard library alone, so that agreement with the product means
// something.
//
// It promises to say of well-formed JSON how deep it nests, which numbers stand
// where, which bodies are base64 and what bytes those are. It will never judge
// the schema (the npm packages do) nor hide anything (lanes look at what the
// product hid).
package harfile
