// Package matrix shows results as one page of HTML: lanes by checks, with what
// needs a look first, what changed since another run, and what everything stood
// on.
//
// The page promises to be whole in itself: no script, no request, its style inside
// and named to the browser by digest, links only to files beside it. It reads from
// 360 pixels on, in light and in dark, without colour, and with the eyes of a
// screen reader. The same results make the same bytes.
//
// It will never obey what a report quotes: that is text, with every character
// visible.
package matrix
