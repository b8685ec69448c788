package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rea.example/rea/internal/app"
)

func (s *session) sample() *cobra.Command {
	var names []string
	for _, p := range app.Formats() {
		if p.Sample != nil {
			names = append(names, p.Name)
		}
	}
	var write string
	var output outputFlags
	c := &cobra.Command{
		Use:       "sample FORMAT",
		Short:     "Inspect a small capture that the program carries with it",
		Long:      "Inspect a small capture that the program carries with it, in the same way as any\nother file. Formats: " + strings.Join(names, ", ") + ".",
		Args:      cobra.ExactArgs(1),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			for _, p := range app.Formats() {
				if p.Name == args[0] && p.Sample != nil {
					if write != "" {
						return s.writeSample(write, p.Sample)
					}
					return s.inspectSample(p.Name, p.Sample, output)
				}
			}
			return s.fail(badFlag("sample", "the formats with a sample are "+strings.Join(names, ", ")), output)
		},
	}
	c.Flags().StringVar(&write, "write", "", "write the capture to a new `file` instead")
	output.register(c)
	return c
}

// writeSample never writes over a file.
func (s *session) writeSample(name string, sample []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(sample); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func (s *session) inspectSample(format string, sample []byte, output outputFlags) error {
	dir, err := os.MkdirTemp("", "rea-sample-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sample."+format)
	if err := os.WriteFile(path, sample, 0o600); err != nil {
		return err
	}
	doc, err := encode(map[string]any{"capture_path": path, "format": format}, []string{path})
	if err != nil {
		return s.fail(err, output)
	}
	output.name = fmt.Sprintf("sample.%s (embedded)", format)
	return s.call(inspectOperation, doc, output)
}
