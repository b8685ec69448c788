package cli

import (
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-json"
	"github.com/spf13/cobra"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/failure"
)

const inspectOperation = "inspect_web_network_capture"

// inspectFlags are the flags of inspect-web-network-capture, as they were given.
type inspectFlags struct {
	records     []string
	sensitive   []string
	valuesFrom  string
	conformance string
	decoder     string
	output      outputFlags
}

func (s *session) inspect() *cobra.Command {
	var f inspectFlags
	c := &cobra.Command{
		Use:   "inspect-web-network-capture PATH FORMAT",
		Short: "Inspect a capture file and print its Evidence",
		Long: "Inspect a capture file, given by its absolute path, and print its Evidence.\n" +
			"Every record is checked before any is selected; a capture that fails anywhere\n" +
			"gives no records.\n\n" + formatList() + "\n" + exitList(),
		Example: "  rea inspect-web-network-capture /absolute/session.har har\n" +
			"  rea inspect-web-network-capture /absolute/session.har har --record 2 --record 0 --json",
		Args:              cobra.ArbitraryArgs, // the door names what is missing or too much
		ValidArgsFunction: completeInspect,
		RunE: func(c *cobra.Command, args []string) error {
			doc, err := s.inspectArguments(args, f, c.Flags().Changed)
			if err != nil {
				return s.fail(err, f.output)
			}
			return s.call(inspectOperation, doc, f.output)
		},
	}
	c.Flags().StringArrayVar(&f.records, "record", nil, "select a record by its zero-based `ordinal`; repeat to select more, in the order wanted")
	c.Flags().StringArrayVar(&f.sensitive, "sensitive-value", nil, "leave out every field that holds this `text`; repeatable. A command line is public: prefer --sensitive-values-from")
	c.Flags().StringVar(&f.valuesFrom, "sensitive-values-from", "", "read sensitive values from a `file` holding a JSON array of strings; - is standard input")
	c.Flags().StringVar(&f.conformance, "conformance", "", "`mode`: strict refuses a capture that breaks its schema, report lists the deviations (default strict)")
	c.Flags().StringVar(&f.decoder, "decoder", "", "`who` reads a mitmproxy capture: upstream is mitmdump at REA_MITMDUMP_COMMAND, embedded is this program, auto is upstream where that is set (default auto)")
	f.output.register(c)
	_ = c.RegisterFlagCompletionFunc("decoder", cobra.FixedCompletions([]string{"auto", "upstream", "embedded"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("conformance", cobra.FixedCompletions([]string{"strict", "report"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// inspectArguments builds the arguments document. Nothing is judged here: text
// that is no number travels as text, and the door says what is wrong with it.
// given says which flags stood on the command line, be it with empty values.
func (s *session) inspectArguments(args []string, f inspectFlags, given func(flag string) bool) ([]byte, error) {
	doc := map[string]any{}
	for i, a := range args {
		switch i {
		case 0:
			doc["capture_path"] = a
		case 1:
			doc["format"] = a
		default:
			doc["argument "+strconv.Itoa(i+1)] = nil
		}
	}
	if len(f.records) > 0 {
		ordinals := make([]any, len(f.records))
		for i, r := range f.records {
			ordinals[i] = r
			if json.Valid([]byte(r)) && strings.Trim(r, "-+.eE0123456789") == "" {
				ordinals[i] = json.RawMessage(r)
			}
		}
		doc["record_ordinals"] = ordinals
	}
	if given("conformance") {
		doc["conformance"] = f.conformance
	}
	if given("decoder") {
		doc["decoder"] = f.decoder
	}
	values, err := s.sensitiveValues(f.sensitive, f.valuesFrom, given("sensitive-values-from"))
	if err != nil {
		return nil, err
	}
	if values != nil {
		doc["sensitive_values"] = values
	}
	return encode(doc, slices.Concat(args, f.records, f.sensitive, []string{f.conformance, f.decoder}))
}

// sensitiveValues joins what the flags declare with what the file declares. The
// file's text is taken as it is: it may spell what Go text can't hold.
func (s *session) sensitiveValues(flags []string, file string, given bool) (any, error) {
	switch {
	case !given && flags == nil:
		return nil, nil
	case !given:
		return flags, nil
	}
	raw, err := s.readAll(file)
	if err != nil {
		return nil, badFlag("sensitive-values-from", "the file can't be read: "+cause(err))
	}
	text := strings.TrimSpace(strings.TrimPrefix(string(raw), "\ufeff"))
	if !strings.HasPrefix(text, "[") || !json.Valid([]byte(text)) {
		return nil, badFlag("sensitive-values-from", "the file must hold one JSON array of strings")
	}
	inner := strings.TrimSpace(text[1 : len(text)-1])
	if len(flags) == 0 {
		return json.RawMessage("[" + inner + "]"), nil
	}
	own, err := json.Marshal(flags)
	if err != nil {
		return nil, err
	}
	if inner == "" {
		return json.RawMessage(own), nil
	}
	return json.RawMessage(strings.TrimSuffix(string(own), "]") + "," + inner + "]"), nil
}

// maxValuesFile bounds the file of declarations; the door has its own limit.
const maxValuesFile = 16 << 20

func (s *session) readAll(name string) ([]byte, error) {
	in := s.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	b, err := io.ReadAll(io.LimitReader(in, maxValuesFile+1))
	if err == nil && len(b) > maxValuesFile {
		err = errors.New("too large")
	}
	return b, err
}

// encode writes an arguments document. What isn't UTF-8 can't be an argument.
func encode(doc map[string]any, texts []string) ([]byte, error) {
	for _, t := range texts {
		if !utf8.ValidString(t) {
			return nil, &failure.Failure{
				Code:    failure.InvalidRequest,
				Message: "an argument is not valid UTF-8",
				Action:  "Give the capture a name in UTF-8, for example by a hard link.",
				Issues:  []failure.Issue{{Path: []any{}, Reason: failure.InvalidFormat}},
			}
		}
	}
	return json.Marshal(doc)
}

func completeInspect(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return nil, cobra.ShellCompDirectiveDefault
	case 1:
		var names []string
		for _, p := range app.Formats() {
			names = append(names, p.Name+"\t"+p.Title)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}
