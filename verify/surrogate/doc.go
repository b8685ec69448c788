// Package surrogate keeps lone surrogates of JSON apart for readers that cannot.
//
// A JSON text may escape half of a pair, such as "\ud800", which is no
// character; Go's readers make U+FFFD of each, so that two names become one.
// Keep replaces every lone half by a character of the last private plane, one for
// each, in all that is compared. It will never touch a proper pair.
package surrogate
