// Package view opens the Evidence of a capture so that parts of it can be looked
// at, and puts the frame around what a view found.
//
// A Parent is such Evidence with an index: where its members and its records
// stand in the canonical bytes. It is made once, in one pass that builds no
// tree, and then any record is read without touching the others. A member that
// may be as long as a capture is a Text: it is surveyed once, and then walked
// over, so a page of it costs what is on the page. Evidence that
// came from outside is checked against the shape of a capture first; Evidence
// that this program made is not.
//
// A Result is what one view found. The packages below this one each know one
// kind: they are pure functions from a Parent to a Result. Here rows are cut
// into pages, the coverage is stated, the digest of the view is computed and
// the whole is sealed as Evidence of its own, linked to its parent. Whatever
// takes long ends with the context of the caller.
//
// It never opens a file, never decodes a capture again, and never shows a record
// that the parent doesn't hold.
package view
