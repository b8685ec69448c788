package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/failure"
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
		Args:      cobra.ArbitraryArgs,
		ValidArgs: names,
		RunE: func(c *cobra.Command, args []string) error {
			if err := tooMany(args, 1); err != nil {
				return s.fail(err, output)
			}
			for _, p := range app.Formats() {
				if len(args) == 0 || p.Name != args[0] || p.Sample == nil {
					continue
				}
				if c.Flags().Changed("write") {
					return s.writeSample(write, p.Sample, output)
				}
				return s.inspectSample(p.Name, p.Sample, output)
			}
			issue := failure.Issue{Path: []any{"format"}, Reason: failure.InvalidValue, Message: "there is no such sample", Expected: anyOf(names)}
			if len(args) == 0 {
				issue.Reason, issue.Message = failure.MissingArgument, "the sample's format is missing"
			}
			return s.fail(mistake("Name one of the formats, and call again.", issue), output)
		},
	}
	c.Flags().StringVar(&write, "write", "", "write the capture to a new `file` instead")
	output.register(c)
	return c
}

// writeSample never writes over a file, and leaves none that is incomplete.
func (s *session) writeSample(name string, sample []byte, output outputFlags) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return s.fail(badFlag("write", "there is a file of that name already, and nothing is written over"), output)
	case err != nil:
		return s.fail(badFlag("write", "the file can't be made: "+cause(err)), output)
	}
	_, err = f.Write(sample)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(name)
		return s.fail(badFlag("write", "the file can't be written: "+cause(err)), output)
	}
	return nil
}

func (s *session) inspectSample(format string, sample []byte, output outputFlags) error {
	form, err := output.resolve()
	if err != nil {
		return s.fail(err, outputFlags{format: form})
	}
	outcome, err := s.doSample(format, sample)
	if err != nil {
		reason := "the sample can't be given a file: " + cause(err)
		return s.fail(&failure.Failure{
			Code:    failure.ExecutionFailure,
			Message: reason,
			Action:  "Check the temporary directory's free space and permissions.",
			Details: map[string]any{"provider_id": format, "operation": inspectOperation, "diagnostics": map[string]any{
				"phase": "capture-read", "capture_path": "", "reason": reason, "failure_kind": "io",
			}},
		}, output)
	}
	output.name = fmt.Sprintf("sample.%s (embedded)", format)
	return s.show(outcome, form, output)
}

// doSample gives the sample a file for the length of the call.
func (s *session) doSample(format string, sample []byte) (app.Outcome, error) {
	path, release, err := app.Hold(format, sample)
	if err != nil {
		return app.Outcome{}, err
	}
	defer release()
	doc, err := encode(map[string]any{"capture_path": path, "format": format}, []string{path})
	if err != nil {
		return app.Outcome{}, err
	}
	return s.do(inspectOperation, doc), nil
}
