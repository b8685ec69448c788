// Package render turns the one document of a call into the form a person or a
// program asked for: text, indented JSON, JSON lines or YAML.
//
// Text is for people. It gives a headline, a table of records that fits the
// terminal, what was left out, and where to look next; for a failure it gives
// what is wrong, where, and what to do. It promises that captured text reaches
// a terminal only with every control, direction and invisible character
// spelt out, so that nothing recorded can move the cursor, colour the screen
// or pass for something else. The other forms hold all of the document and
// change no value in it.
//
// It reads documents as bytes, a record at a time, and never builds a tree of
// the whole; it takes them for canonical, as this program writes them, and does
// not check that. It knows nothing about how a document came to be, opens
// nothing, and never adds a fact that the document doesn't hold, but for sums
// of what stands in it.
package render
