// Package strictjson reads JSON the way evidence needs it and writes it in one
// form only.
//
// Check decides whether bytes are exactly one RFC 8259 document in UTF-8, with
// no name twice in an object and nothing deeper than asked, and says where the
// first trouble is. The grammar is jsontext's; duplicate names, depth and
// pointers are decided here, because two different lone surrogates are two
// names and because a caller has its own depth. Build turns bytes that Check
// accepted into a tree without copying any text. The writers give RFC 8785
// canonical JSON, with the number and string forms of ECMAScript, in which a
// lone surrogate stays the escape that it was. Indent lays canonical JSON out
// for reading.
//
// It will never repair a document, never take the last of two members, never
// round a number silently while reading, never write to the bytes it reads, and
// never put what it read into an error, except the names in a pointer.
package strictjson
