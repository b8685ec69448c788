// Package recordedurl is the one place that reads a URL somebody recorded. It
// reads it for two reasons: to find the user name and password in it, and to say
// to which origin and path a request went.
//
// A URL is read in two ways at once. The text reading takes the generic syntax
// of RFC 3986 section 3.2 literally: an authority begins after "//", ends
// before "/", "?" or "#", and its userinfo ends at the last "@". The client
// reading is the one of the WHATWG URL Standard, which forgives nearly every
// spelling of a web address: missing or surplus slashes, backslashes, and
// tabs and line ends anywhere. Where both agree on what the userinfo is, exactly
// those bytes can be cut. Where the client reading finds credentials and the
// text reading gives no safe span for them, or the two contradict each other,
// there is nothing that could be cut with a good conscience, and the whole
// text is unsafe.
//
// Origin and path are given only of a text in which both readings agree where
// the authority begins and ends. The origin is the client's, the path is the
// text's: nothing is decoded, and no dot segment is resolved.
//
// It promises that no credential which a WHATWG client would see in an http,
// https, ws, wss or ftp URL is left after its answer was applied, and that text
// without an "@" is never touched. It never resolves, normalises, re-serialises
// or fetches anything, and it makes no guess about secrets in paths, queries
// or fragments.
package recordedurl
