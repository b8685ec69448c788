// Package views shows a run from its reports: a table in the terminal, and the
// HTML, JUnit and Markdown that were asked for.
//
// It promises that every view is of the same reports, read once, and that none is
// written of reports whose attestation was to be checked and does not hold. It will
// never judge a run: what it came to is in the reports.
package views
