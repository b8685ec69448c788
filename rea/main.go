// Command rea opens recorded web traffic offline and says exactly what the
// producer recorded and where.
package main

import (
	"os"

	"rea.example/rea/internal/cli"
	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/mcpserver"
	"rea.example/rea/internal/owned"
)

func main() {
	switch {
	case owned.IsChild(os.Args):
		os.Exit(owned.Serve(answer))
	case owned.IsLimited(os.Args):
		os.Exit(owned.Limit(os.Args))
	}
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, mcpserver.Serve))
}

func answer(request, snapshot []byte, bounded bool, reply *os.File) error {
	return decode.Answer(request, snapshot, bounded, reply)
}
