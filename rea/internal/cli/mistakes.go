package cli

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/failure"
)

// Whatever is wrong with a command line is answered like arguments that are
// wrong anywhere else, and never in the words of a library, which quote what
// was typed.

func mistake(action string, issue failure.Issue) *failure.Failure {
	return &failure.Failure{Code: failure.InvalidRequest, Message: issue.Message, Action: action, Issues: []failure.Issue{issue}}
}

// badFlag says what is wrong with the value of a flag that exists.
func badFlag(flag, message string, allowed ...string) error {
	issue := failure.Issue{Path: []any{"--" + flag}, Reason: failure.InvalidValue, Message: "--" + flag + ": " + message}
	if len(allowed) > 0 {
		issue.Expected = anyOf(allowed)
	}
	return mistake("Correct the flag, and call again.", issue)
}

// cause is what the system says of a file, without the file's name.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}

// noSuchCommand lists the commands that there are.
func noSuchCommand(root *cobra.Command) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return mistake("Run rea help for what each command does.", failure.Issue{
		Path: []any{"command"}, Reason: failure.InvalidValue, Message: "there is no such command", Expected: anyOf(names),
	})
}

// tooMany refuses positional arguments beyond those that a command takes.
func tooMany(args []string, most int) error {
	if len(args) <= most {
		return nil
	}
	return mistake("Leave it out, and call again.", failure.Issue{
		Path: []any{"argument " + strconv.Itoa(most+1)}, Reason: failure.UnknownArgument, Message: "the command takes fewer arguments",
	})
}

func anyOf(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}

// flagError answers a flag that the parser refused. Nothing else of the command
// line is judged then: most of it was not read.
func (s *session) flagError(_ *cobra.Command, err error) error {
	var o outputFlags
	o.guess(s.args)
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		return s.unknownFlag(unknown.GetSpecifiedName(), o)
	case errors.As(err, &invalid):
		return s.fail(badFlag(invalid.GetFlag().Name, "the value is not valid"), o)
	case errors.As(err, &missing):
		return s.fail(badFlag(missing.GetSpecifiedName(), "the value is missing"), o)
	}
	return s.fail(mistake("Run rea help for the flags of each command.", failure.Issue{
		Path: []any{}, Reason: failure.InvalidFormat, Message: "the flags can't be read",
	}), o)
}

// unknownFlag takes the flag through the door as an argument that nobody knows,
// because its name may hold a value that is declared beside it. The other
// arguments are made up, so that nothing else is complained of.
func (s *session) unknownFlag(name string, o outputFlags) error {
	flags, file, given := declaredIn(s.args)
	values, err := s.sensitiveValues(flags, file, given)
	if err != nil {
		return s.fail(err, o)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	doc := map[string]any{"--" + name: nil, "capture_path": here, "format": app.Formats()[0].Name}
	if values != nil {
		doc["sensitive_values"] = values
	}
	raw, err := encode(doc, append(flags, name, here))
	if err != nil {
		return s.fail(err, o)
	}
	return s.call(inspectOperation, raw, o)
}

// declaredIn finds what a command line that was not parsed declares.
func declaredIn(args []string) (values []string, file string, fromFile bool) {
	for i, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if !ok && i+1 < len(args) {
			value, ok = args[i+1], true
		}
		switch {
		case ok && name == "--sensitive-value" && value != "":
			values = append(values, value)
		case ok && name == "--sensitive-values-from":
			file, fromFile = value, true
		}
	}
	return values, file, fromFile
}
