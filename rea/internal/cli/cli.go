package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/failure"
)

// Run runs one command and gives the exit status. serve is what the command mcp
// does.
func Run(args []string, in io.Reader, out, errs io.Writer, serve Server) int {
	// A reader that went away is an error of a write, not the end of the process.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	log, err := openLog(errs, os.Getenv(logVariable))
	if err != nil {
		fmt.Fprintln(errs, "rea:", err)
		return 1
	}
	s := &session{app: &app.App{Log: log}, ctx: ctx, calm: stop, args: args, in: in, out: out, errs: errs, serve: serve}
	help := &remembering{w: out}
	root := s.root()
	root.SetArgs(args)
	root.SetOut(help)
	root.SetErr(errs)
	return s.exit(cmp.Or(root.Execute(), help.err))
}

// remembering keeps the error of a write, which help forgets.
type remembering struct {
	w   io.Writer
	err error
}

func (r *remembering) Write(b []byte) (int, error) {
	n, err := r.w.Write(b)
	if err != nil {
		r.err = err
	}
	return n, err
}

// session is one run of the command line.
type session struct {
	app  *app.App
	ctx  context.Context // ends with the first signal
	calm func()          // gives signals back their usual meaning
	args []string
	in   io.Reader
	out  io.Writer
	errs io.Writer

	serve Server
}

// exitError is a command that has already said what went wrong.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func (s *session) exit(err error) int {
	var done exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &done):
		return int(done)
	case isClosedPipe(err):
		return 1 // whoever read us has gone; there is nobody to tell
	}
	fmt.Fprintln(s.errs, "rea:", err)
	return 1
}

func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

func (s *session) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "rea",
		Short: "Open recorded web traffic offline and say exactly what was recorded and where",
		Long: "rea opens a capture of web traffic offline and gives out Evidence: what the producer\n" +
			"recorded and where, with digests, exact number text and decoded bytes, and with\n" +
			"credentials left out. Nothing is fetched, repaired or guessed.\n\n" +
			formatList() + "\n" + exitList() + "\n" +
			logVariable + "=debug tells on standard error what is being done, as lines of JSON.\n",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return s.fail(noSuchCommand(c), outputFlags{format: "text"})
			}
			return c.Help()
		},
	}
	root.SetFlagErrorFunc(s.flagError)
	root.SetHelpCommand(s.help(root))
	root.AddCommand(s.inspect(), s.view(), s.mcp(), s.sample(), s.version())
	s.mcpFlags(root)
	s.versionFlag(root)
	return root
}

// help is cobra's, but that a command that isn't there is a failure.
func (s *session) help(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say more about a command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return s.fail(noSuchCommand(root), outputFlags{format: "text"})
			}
			c.InitDefaultHelpFlag() // else the flag is missing from the text
			return c.Help()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, c := range root.Commands() {
				names = append(names, c.Name()+"\t"+c.Short)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func formatList() string {
	var b strings.Builder
	b.WriteString("Formats:\n")
	for _, p := range app.Formats() {
		fmt.Fprintf(&b, "  %-10s %s\n", p.Name, p.Title)
	}
	return b.String()
}

func exitList() string {
	var b strings.Builder
	b.WriteString("Exit status:\n  0  the result is complete\n")
	for _, r := range failure.Table {
		fmt.Fprintf(&b, "  %d  %-28s %s\n", r.Exit, r.Code, r.Meaning)
	}
	return b.String()
}
