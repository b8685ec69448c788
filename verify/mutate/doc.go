// Package mutate changes one field of a JSON document at a time.
//
// It keeps the spelling of everything else: texts and numbers stay as the
// document has them. It promises the same mutations for the same seed, and that
// each differs from its document. It will never say whether a mutation is still
// valid; judges do.
package mutate
