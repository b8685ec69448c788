// Package apisurface groups the requests of a HAR capture by method, origin and
// path template.
//
// A path segment becomes a placeholder only when it has one of four exact forms:
// digits, a UUID, a long run of hexadecimal digits, a calendar date. The forms
// are tried on the path as it was recorded, still encoded and with its dot
// segments, and samples meet in one group only when every segment agrees: as
// the same literal, or under the same rule. What was observed stands beside each
// placeholder, and a view with a placeholder anywhere is inferred, not derived.
//
// Memory is accounted for before it is taken. What is retained (groups, their
// observed values, exclusions, limitations) and the work on one record have to
// fit together into one budget, whose prices are worst cases; the Evidence that
// is being read is borrowed and costs nothing. A group that doesn't fit ends the
// view: there are no partial ones.
//
// It never looks for patterns across samples, never copies a query, a fragment,
// a credential, a header or a body, and never says what a path does.
package apisurface
