// Package sazfile makes session archives that are right and ones that are not.
//
// They are written with Go's own zip writer, and by hand where that would not
// write them. It promises the same archives every time, and for each that is
// broken what a reader has to say: the kind of failure, and the member. It will
// never read an archive.
package sazfile
