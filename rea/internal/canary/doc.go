// Package canary holds the tests that look for secrets where none may be: it
// plants a distinct one at every place of a capture that can hold one, takes the
// capture through the built program in every way there is, and searches all that
// the program wrote and all that it left behind.
//
// There are two tables a format. In the first a place holds transport
// authentication, which is never shown. In the second it holds a text or number
// that the caller declared, which is shown nowhere and in no spelling: plain,
// escaped, base64 or hexadecimal. A new format brings a table of records; the
// ways through the program stay the same.
//
// It knows the program only from outside, and nothing imports it.
package canary
