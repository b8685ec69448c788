// Package round runs several lanes side by side and says what they came to.
//
// Nothing is shared between the lanes but the built product, the machine and the
// container engine. It promises a line for whatever a lane says, with the lane's
// name before it, one table at the end, and that an interruption lets those that
// run clean up and keeps the others from beginning. It will never judge a lane:
// its report does.
package round
