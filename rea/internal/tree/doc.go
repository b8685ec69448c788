// Package tree is the lossless picture of one JSON-like value: its kind, its
// members in the order in which they were recorded, the exact text of every
// number, and where in the source it stood.
//
// Strings may be held in two forms, and a Value knows which: as the source spells
// them between its quotes (Raw), or decoded. Names are decoded. Decoded text is
// WTF-8: UTF-8 in which a lone surrogate, which JSON may spell but UTF-8 may not
// hold, stands as the three bytes its code point would have. So two different
// lone surrogates stay different, and the writer can give back the escape.
//
// It never parses and never writes; strictjson does both. It never copies a
// body: a Value read from a snapshot points into the snapshot.
package tree
