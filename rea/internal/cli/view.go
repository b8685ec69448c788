package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/failure"
)

// viewFlags are the flags of inspect-analysis-view, as they were given.
type viewFlags struct {
	evidence string
	view     string
	output   outputFlags
}

// viewLabel marks the failures of this command.
const viewLabel = "no analysis view was made"

func (s *session) view() *cobra.Command {
	var f viewFlags
	c := &cobra.Command{
		Use:   "inspect-analysis-view [JSON|FILE]",
		Short: "Look at a part of Evidence: a summary, a page of records, an API surface",
		Long: "Look at a part of Evidence that was saved with --json. What to look at is one JSON\n" +
			"document, {\"source\": {...}, \"view\": {...}}, given as text or as a file; or name the file\n" +
			"with the Evidence and the view apart. - is standard input.\n\n" +
			"Views:\n" +
			"  {\"kind\": \"summary\"}\n" +
			"  {\"kind\": \"capture\", \"detail\": \"preview\", \"offset\": 0, \"limit\": 20}\n" +
			"  {\"kind\": \"capture\", \"detail\": \"complete\", \"offset\": 0, \"limit\": 20}\n" +
			"  {\"kind\": \"api-surface\", \"offset\": 0, \"limit\": 50}\n" +
			"  {\"kind\": \"qlog\", \"facet\": \"streams\", \"trace_index\": 0}\n\n" + exitList(),
		Example: "  rea inspect-web-network-capture /absolute/session.har har --json > evidence.json\n" +
			"  rea inspect-analysis-view --evidence evidence.json --view '{\"kind\":\"api-surface\"}'",
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			f.output.view = true
			f.output.labels = map[string]any{"error": viewLabel}
			doc, err := s.viewArguments(args, &f)
			if err != nil {
				return s.fail(err, f.output)
			}
			return s.call(app.ViewOperation, doc, f.output)
		},
	}
	c.Flags().StringVar(&f.evidence, "evidence", "", "the `file` with the Evidence; - is standard input")
	c.Flags().StringVar(&f.view, "view", "", "the view, as `JSON`")
	f.output.register(c)
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		f.output.guess(s.args)
		f.output.labels = map[string]any{"error": viewLabel}
		f.output.view = true
		var unknown *pflag.NotExistError
		var missing *pflag.ValueRequiredError
		switch {
		case errors.As(err, &unknown):
			return s.fail(mistake("Correct the command, and call again.", failure.Issue{
				Path: []any{"--" + unknown.GetSpecifiedName()}, Reason: failure.UnknownArgument, Message: "the command has no such flag",
			}), f.output)
		case errors.As(err, &missing):
			return s.fail(badFlag(missing.GetSpecifiedName(), "the value is missing"), f.output)
		}
		return s.fail(mistake("Run rea help for the flags of each command.", failure.Issue{
			Path: []any{}, Reason: failure.InvalidFormat, Message: "the flags can't be read",
		}), f.output)
	})
	return c
}

// exampleView is shown to whoever gave none.
const exampleView = `{"kind":"summary"}`

// viewArguments builds the arguments document, or takes it as it was given. What
// isn't JSON is labelled here; the door says what is wrong with it.
func (s *session) viewArguments(args []string, f *viewFlags) ([]byte, error) {
	switch {
	case len(args) > 1, len(args) == 1 && f.evidence+f.view != "":
		return nil, badView("give one JSON document or file, or --evidence and --view")
	case len(args) == 1 && (strings.HasPrefix(strings.TrimSpace(args[0]), "{") || strings.HasPrefix(strings.TrimSpace(args[0]), "[")):
		return []byte(args[0]), nil
	case len(args) == 1:
		return s.document(args[0], f)
	case f.evidence == "" && f.view == "":
		return []byte("{}"), nil // the door says what is missing
	case f.evidence == "":
		return nil, badView("--view needs --evidence")
	case f.view == "":
		return nil, badView("--evidence needs --view, such as " + exampleView)
	case !app.IsJSON([]byte(f.view)):
		return nil, badView("--view must be one JSON document, such as " + exampleView)
	}
	evidence, err := s.document(f.evidence, f)
	if err != nil {
		return nil, err
	}
	if f.output.labels["input_reason"] != nil {
		return evidence, nil
	}
	evidence = bytes.TrimPrefix(evidence, []byte("\ufeff"))
	doc := make([]byte, 0, len(evidence)+len(f.view)+64)
	doc = append(append(doc, `{"source":{"kind":"inline","evidence":`...), evidence...)
	doc = append(append(doc, `},"view":`...), f.view...)
	return append(doc, '}'), nil
}

// document reads a file of JSON.
func (s *session) document(name string, f *viewFlags) ([]byte, error) {
	b, err := s.readWhole(name)
	if err != nil {
		f.output.labels["input_path"], f.output.labels["input_reason"] = name, "read-failed"
		what := "the input file"
		if f.evidence != "" {
			what = "the file of --evidence"
		}
		return nil, badView(what + " can't be read: " + cause(err))
	}
	if !app.IsJSON(b) {
		f.output.labels["input_path"], f.output.labels["input_reason"] = name, "invalid-json"
	}
	return b, nil
}

// readWhole reads up to what the door takes, and a little more, so that the door
// says that it is too much.
func (s *session) readWhole(name string) ([]byte, error) {
	in := s.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if info, err := file.Stat(); err != nil || info.IsDir() {
			return nil, errors.New("not a file")
		}
		in = file
	}
	return io.ReadAll(io.LimitReader(in, app.MaxViewArguments+1))
}

func badView(message string) error {
	return &failure.Failure{
		Code:    failure.InvalidRequest,
		Message: message,
		Action:  "Correct the command, and call again.",
		Issues:  []failure.Issue{{Path: []any{}, Reason: failure.InvalidValue, Message: message}},
		Details: map[string]any{"operation": app.ViewOperation},
	}
}
