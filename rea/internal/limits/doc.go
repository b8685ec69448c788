// Package limits holds every number of the house in one place, so that a
// reader who meets a bound in an error can find what it is and why.
//
// It promises that a limit has one name and one value. It never enforces
// anything: each bound is enforced by the package named beside it, and that
// package's test crosses it by one.
package limits
