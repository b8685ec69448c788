package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"rea.example/rea/internal/app"
)

func (s *session) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of its decoders",
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := tooMany(args, 0); err != nil {
				return s.fail(err, outputFlags{format: "text"})
			}
			if _, err := fmt.Fprintf(s.out, "rea %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH); err != nil {
				return err
			}
			for _, p := range app.Formats() {
				if _, err := fmt.Fprintf(s.out, "%s: %s %s\n", p.Name, p.Decoder.ID, p.Decoder.Version); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// versionFlag lets --version say what the command version says.
func (s *session) versionFlag(root *cobra.Command) {
	var show bool
	root.Flags().BoolVar(&show, "version", false, "the same as the command version")
	run := root.RunE
	root.RunE = func(c *cobra.Command, args []string) error {
		if show {
			return s.version().RunE(c, args)
		}
		return run(c, args)
	}
}

// version is that of the program, as it was built.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
