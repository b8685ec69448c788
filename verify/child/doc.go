// Package child starts other programs so that an interruption of this one ends them,
// and nothing else does.
//
// A signal that a terminal or a CI system sends goes to a whole process group. What
// it ends half-way looks like a program that failed. So each child gets a group of
// its own, hears of the interruption from its context alone, and then its whole group
// is killed: what it started in turn, too. It will never wait long for one that
// resists, and never decides what an end means.
package child
