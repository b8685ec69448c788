// Package judge asks the npm packages that define the strict HAR profile what
// they think of a capture, and gives the speed bench the same packages as a
// peer.
//
// It promises that the packages are exactly those of the committed lock, in a
// folder of the cache, and that where they or node are absent the answer is the
// reason, never a guess. It will never judge by itself.
package judge
