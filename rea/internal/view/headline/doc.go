// Package headline says in one line what a record is: method, URL, status and
// the like, in the same eight words for every format, each null where the record
// doesn't say.
//
// It takes the value exactly as it is reported, with what is hidden already
// hidden, and looks only in the places where a format keeps such a fact. It
// never reads headers beyond a content type, never reads a body, and never makes
// up a fact. One thing it puts together: a proxy's scheme, host, port and path
// become one URL, and only when the caller says that no value was declared,
// because parts that are harmless alone could spell a declared value when they
// are joined.
package headline
