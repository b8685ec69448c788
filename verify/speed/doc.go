// Package speed times the product and programs that others wrote for the same
// job, on the same bytes and in the same run, and prints one table.
//
// Each part has its peer: the npm packages that define the strict HAR profile,
// mitmproxy's own reader and mitmdump, Python's zipfile, and a script in Python
// that counts what a trace says of streams. It promises captures that are the
// same every time, peers that take turns with the product, medians that were
// really measured, and that the memory of every process a command starts is
// counted. Where a peer is missing, its figures are, and the reason is told.
//
// It asserts nothing: a number depends on the machine, and a person reads it. It
// will never time anything that the product's users would not run, but for the
// one Go benchmark that tells a reader from the process around it.
package speed
