package owned

import (
	"fmt"
	"os"
)

// DecodeArgument is the whole command line of an owned child. It is not a
// command of the program: nothing works without the descriptors that Run gives.
const DecodeArgument = "__decode"

// IsChild says whether a command line is that of an owned child.
func IsChild(args []string) bool { return len(args) == 2 && args[1] == DecodeArgument }

// Work is what a child does with what it was given. bounded says whether the
// memory ceiling is in force.
type Work func(request, snapshot []byte, bounded bool, reply *os.File) error

// Serve is the life of a child: it confines itself before it reads anything,
// does its work and gives the exit status.
func Serve(work Work) int {
	bound := Confine()
	child, err := Inherit()
	if err == nil {
		err = work(child.Request, child.Snapshot, bound.Enforced, child.Reply)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rea:", err)
		return 1
	}
	return 0
}
