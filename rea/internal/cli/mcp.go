package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"rea.example/rea/internal/app"
)

// Server speaks to agents over a pair of streams, until the input ends or ctx
// does. maxResponse is how many bytes of a message the client takes.
type Server func(ctx context.Context, a *app.App, in io.Reader, out io.Writer, version string, maxResponse int64) error

const maxResponseVariable = "REA_MCP_MAX_RESPONSE_BYTES"

func (s *session) mcp() *cobra.Command {
	var roots []string
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents over standard input and output (Model Context Protocol)",
		Long: "Serve agents over standard input and output, in the Model Context Protocol. The tools\n" +
			"are the operations of the command line, with the same arguments and the same results;\n" +
			"Evidence is retained while the server runs, so that it can be looked at in pages.\n\n" +
			maxResponseVariable + " raises the " + strconv.Itoa(app.LeastResponse) + " bytes that a client is expected to take\n" +
			"in one message.",
		Example: "  rea mcp\n  rea mcp --allow-root /captures",
		Args:    cobra.ArbitraryArgs,
		RunE:    func(_ *cobra.Command, args []string) error { return s.serveAgents(args, roots) },
	}
	allowRoot(c, &roots)
	return c
}

func allowRoot(c *cobra.Command, roots *[]string) {
	c.Flags().StringArrayVar(roots, "allow-root", nil, "read captures only below this `directory`; repeatable")
	_ = c.MarkFlagDirname("allow-root")
}

// mcpFlags lets a client that can't spell a command say --mcp.
func (s *session) mcpFlags(root *cobra.Command) {
	var serve bool
	var roots []string
	root.Flags().BoolVar(&serve, "mcp", false, "the same as the command mcp")
	allowRoot(root, &roots)
	_ = root.Flags().MarkHidden("mcp")
	_ = root.Flags().MarkHidden("allow-root")
	help := root.RunE
	root.RunE = func(c *cobra.Command, args []string) error {
		if serve {
			return s.serveAgents(args, roots)
		}
		return help(c, args)
	}
}

func (s *session) serveAgents(args, roots []string) error {
	if err := tooMany(args, 0); err != nil {
		return s.fail(err, outputFlags{format: "text"})
	}
	most, err := maxResponse(os.Getenv(maxResponseVariable))
	if err != nil {
		return err
	}
	a, err := app.Serving(roots)
	if err != nil {
		return s.fail(badFlag("allow-root", "the directory can't be used: "+cause(err)), outputFlags{format: "text"})
	}
	a.Log = s.app.Log
	return errors.Join(s.serve(s.ctx, a, s.in, s.out, version(), most), a.Close())
}

// maxResponse reads a number of bytes as it must be spelt.
func maxResponse(text string) (int64, error) {
	if text == "" {
		return app.LeastResponse, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strings.Trim(text, "0123456789") != "" || n < app.LeastResponse || n > 1<<53-1 {
		return 0, fmt.Errorf("%s must be a decimal number of bytes, at least %d", maxResponseVariable, app.LeastResponse)
	}
	return n, nil
}
