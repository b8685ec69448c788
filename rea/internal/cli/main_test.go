package cli

import (
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/owned"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts in testdata/script")

// TestMain lets the test binary be the program, under the name that the program
// and its owned child give themselves.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rea": program})
}

// program does what main does.
func program() {
	if owned.IsChild(os.Args) {
		os.Exit(owned.Serve(func(request, snapshot []byte, bounded bool, reply *os.File) error {
			return decode.Answer(request, snapshot, bounded, reply)
		}))
	}
	os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
