// Package summary says what a capture's Evidence is and how much it holds:
// identity and counts, and nothing of the records.
package summary
