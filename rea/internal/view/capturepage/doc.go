// Package capturepage shows the records of a capture a page at a time, in the
// order in which the parent holds them: either whole, byte for byte as they
// stand in the parent, or as a preview that says in one line what each is and
// which bytes it carries.
//
// A preview never shows headers, bodies or metadata.
package capturepage
