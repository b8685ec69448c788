// Package lane runs one verification from its needs to its report.
//
// A lane is a value: a name, a sentence, what it needs, and a function that
// makes checks on a bench. It promises that the report exists before anything
// is started; that a lane whose needs are not met is unavailable, with every
// reason at once, and is never counted as passed; and that a lane which checked
// nothing has failed.
package lane
