package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/render"
)

// outputFlags say in which form the document is printed.
type outputFlags struct {
	format string
	json   bool
	name   string // what text output calls the capture, where its path says nothing
	view   bool   // the document is a view
	// labels stand beside the members of a failure.
	labels map[string]any
}

var outputFormats = []string{"text", "json", "jsonl", "yaml"}

func (o *outputFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&o.format, "format", "text", "output `form`: text, json, jsonl or yaml")
	c.Flags().BoolVar(&o.json, "json", false, "the same as --format json")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(outputFormats, cobra.ShellCompDirectiveNoFileComp))
}

// resolve gives the form, or a failure.
func (o outputFlags) resolve() (string, error) {
	switch {
	case !slices.Contains(outputFormats, o.format):
		return "text", badFlag("format", "there is no such form", outputFormats...)
	case o.json && o.format != "text" && o.format != "json":
		return "json", badFlag("json", "two different forms are asked for")
	case o.json:
		return "json", nil
	}
	return o.format, nil
}

// guess reads the form from a command line that the parser gave up on.
func (o *outputFlags) guess(args []string) {
	o.format = "text"
	for i, a := range args {
		v, ok := strings.CutPrefix(a, "--format=")
		if a == "--format" && i+1 < len(args) {
			v, ok = args[i+1], true
		}
		if a == "--json" {
			v, ok = "json", true
		}
		if ok && slices.Contains(outputFormats, v) {
			o.format = v
		}
	}
}

// call takes an operation through the door and prints what comes back.
func (s *session) call(operation string, arguments []byte, o outputFlags) error {
	form, err := o.resolve()
	if err != nil {
		return s.fail(err, outputFlags{format: form, labels: o.labels})
	}
	return s.show(s.do(operation, arguments), form, o)
}

func (s *session) do(operation string, arguments []byte) app.Outcome {
	progress, done := s.progress()
	defer done()
	return s.app.Do(s.ctx, app.Call{Operation: operation, Arguments: arguments, Progress: progress})
}

// show prints what an operation gave. Nothing of the call is left by then, so a
// signal may end the process while it writes to whoever reads slowly.
func (s *session) show(outcome app.Outcome, form string, o outputFlags) error {
	s.calm()
	defer outcome.Close()
	if outcome.Failure != nil {
		return s.fail(outcome.Failure, outputFlags{format: form, labels: o.labels})
	}
	return s.print(outcome, form, o)
}

func (s *session) print(outcome app.Outcome, form string, o outputFlags) error {
	switch form {
	case "json":
		w := newBehind(s.out)
		err := render.JSON(w, outcome.Document.Reader())
		return errors.Join(err, w.Close())
	}
	doc, err := outcome.Document.Bytes()
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(s.out, 64<<10)
	switch form {
	case "jsonl":
		err = render.JSONLines(w, doc)
	case "yaml":
		err = render.YAML(w, doc)
	default:
		page := render.Capture
		if o.view {
			page = render.View
		}
		layout := s.layout(s.out)
		layout.Name = o.name
		err = page(w, doc, layout)
	}
	if err != nil {
		return err
	}
	return w.Flush()
}

// fail prints a failure: as text on standard error, or as the one document on
// standard output.
func (s *session) fail(err error, o outputFlags) error {
	f := failure.As(err)
	if f == nil {
		return err
	}
	form, _ := o.resolve()
	document := f.Projection()
	maps.Copy(document, o.labels)
	switch form {
	case "text":
		err = render.Failure(s.errs, document, s.layout(s.errs))
	case "yaml":
		err = render.YAMLValue(s.out, document)
	default:
		err = render.JSONValue(s.out, document, form == "json")
	}
	if err != nil {
		return err
	}
	return exitError(f.Exit())
}

// layout is how text looks on a stream: as wide as its terminal, if it is one.
func (s *session) layout(w io.Writer) (o render.Options) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return o
	}
	o.Width, o.MaxRows = 80, 50
	if cells, _, err := term.GetSize(int(f.Fd())); err == nil && cells > 0 {
		o.Width = cells
	}
	o.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return o
}

// patience is how long a call may take before progress is shown.
const patience = 500 * time.Millisecond

// progress shows, on a terminal, what a slow call is doing.
func (s *session) progress() (tell func(app.Step), done func()) {
	f, ok := s.errs.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || s.app.Log != nil { // which would run through it
		return nil, func() {}
	}
	steps, ended := make(chan app.Step, 8), make(chan struct{})
	go func() {
		defer close(ended)
		showProgress(f, steps)
	}()
	return func(step app.Step) { steps <- step }, func() { close(steps); <-ended }
}

// showProgress keeps one line up to date until steps ends, then takes it away.
func showProgress(w io.Writer, steps <-chan app.Step) {
	began := time.Now()
	tick := time.NewTicker(patience)
	defer tick.Stop()
	var step app.Step
	shown := false
	for {
		select {
		case next, open := <-steps:
			if !open {
				if shown {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			}
			step = next
		case <-tick.C:
			shown = true
			fmt.Fprintf(w, "\r\x1b[K%s, %.1f s", step, time.Since(began).Seconds())
		}
	}
}
