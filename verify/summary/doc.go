// Package summary says in Markdown what a run came to, for the page on which a CI
// system shows a job: a table of lanes, what needs a look, what changed.
//
// It promises at most one mebibyte, which is where such pages stop, and a word on
// what was left out; and that nothing a check quotes is read as Markdown or HTML.
package summary
