// Package redact decides what leaves this program and what does not.
//
// There are two reasons to leave something out. Some values are transport
// authentication by their place: the value of a Cookie header, the userinfo of
// a recorded URL. And some are declared: the caller names literals, and every
// text, number, name or run of bytes that holds one is left out whole. A
// marker is never put in place of captured text, because a marker may itself
// hold a literal; only in sentences this program wrote itself are literals
// covered.
//
// Declared literals are compared as JavaScript compares strings, by UTF-16 code
// units, with regard to case. So one half of a surrogate pair matches inside
// the pair, and U+FFFD matches nothing but itself. Against bytes only the UTF-8
// form of a literal counts; a literal that holds a lone surrogate has none.
//
// It promises that the declarations themselves are never part of what it
// returns. It never looks for secrets that nobody declared and no standard
// names, and never says where a literal was found beyond the nearest place
// that can be named without it.
package redact
