// Package attest signs what a report says, so that a stranger can tell later that
// it is the one that was written, and about which bytes.
//
// It makes an in-toto statement with the test-result predicate. Its subjects are
// the report and the product's executable; its configuration is what they were
// tested with, by content: every layer of an image, every commit of a corpus. The
// statement travels in a DSSE envelope with one ed25519 signature, as one line of
// a file beside the report.
//
// It promises that nothing is attested which tested nothing, and that checking
// needs the report, the statement and the public key: no network, no clock. What
// the statement names must be what the report names, part by part.
//
// It will never make a key, and never trust one that came with a statement.
package attest
