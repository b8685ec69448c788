// Package soak goes on for as long as it is told with what tests and lanes do for
// a moment: HARs with one changed field against the reference packages, generated
// flow files by both of their readers, and every fuzz target.
//
// It promises to end soon after its time is over, that each comparison can be made
// again by the seed that it prints, and that the reports of what it compared are
// those of a lane. It will never say that something is right because nobody could
// be asked: where a judge is missing it says so, and a run that compared nothing
// fails.
package soak
