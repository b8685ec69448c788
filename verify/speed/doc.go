// Package speed times the product and the npm packages at the same job on the
// same bytes: a whole capture, complete JSON into a file.
//
// It promises to take turns between the two in one run, to give medians, and to
// count the memory of every process that a command starts. It asserts nothing:
// a number depends on the machine, and a person reads it. It will never time
// anything that the product's users would not run.
package speed
