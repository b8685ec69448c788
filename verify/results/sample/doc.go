// Package sample is an invented run of the workbench, and the one before it, for
// the tests of everything that shows results.
//
// It promises one lane of every verdict, checks in a matrix and checks in a list,
// one change of every kind, and text that would break a page, a document or a
// table which does not escape it. It will never hold a time or a name of this
// machine.
package sample
