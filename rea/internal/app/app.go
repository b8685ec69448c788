package app

import (
	"context"
	"log/slog"
	"runtime/debug"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/all"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/store"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/view"
)

// Operations of the door.
const (
	InspectOperation = evidence.InspectCapture
	ViewOperation    = view.Operation
)

// OperationNamed gives the name of an operation, or "" where there is none.
func OperationNamed(name string) string {
	if name == InspectOperation || name == ViewOperation {
		return name
	}
	return ""
}

// MaxInlineMessage is how many bytes of Evidence a call may carry where it
// arrives as a message.
const MaxInlineMessage = limits.InlineMessage

// LeastResponse is how many bytes every client of a server is expected to take
// in one message.
const LeastResponse = 10 << 20

// Serving gives an App for a server: it retains what it gives out, and reads
// captures only below the roots, where there are any.
func Serving(roots []string) (*App, error) {
	a := &App{Store: store.New(limits.StoreBytes), Inline: MaxInlineMessage}
	if len(roots) == 0 {
		return a, nil
	}
	var err error
	a.Roots, err = NewRoots(roots)
	return a, err
}

// Close gives up what is retained.
func (a *App) Close() error {
	if a.Store == nil {
		return nil
	}
	return a.Store.Close()
}

// App serves calls, any number at once. The zero value is ready.
type App struct {
	// Program is the executable that is started as the owned process; empty
	// means this one.
	Program string
	// Store retains the Evidence that is given out; nil retains nothing.
	Store *store.Store
	// Roots are where captures may lie; nil is anywhere.
	Roots *Roots
	// Inline is how many bytes of Evidence arguments may carry; 0 means
	// limits.InlineFile.
	Inline int
	// Log is told of calls, their steps and their ends, and of no captured text;
	// nil is nobody.
	Log *slog.Logger
}

// Call is one request.
type Call struct {
	Operation string
	Arguments []byte // JSON, as the caller spelt it; nil where there were none
	// Progress is told what is being done, from the calling goroutine; nil is
	// nobody.
	Progress func(Step)
}

// Step is a stage of a call.
type Step string

const (
	Reading  Step = "reading the capture"
	Decoding Step = "decoding"
	Sealing  Step = "computing the Evidence identifier"
	Opening  Step = "opening the Evidence"
	Viewing  Step = "making the view"
)

// Outcome is the answer to a call: one document in canonical JSON, which is the
// Evidence, or the projection of the failure. Close it after use.
type Outcome struct {
	Document *evidence.Document
	Failure  *failure.Failure // nil where the call succeeded
	// EvidenceID is the identifier of the Evidence, where the call succeeded.
	EvidenceID string
	// Retained says that the Evidence can be asked for again by its identifier.
	Retained bool
	// Command is the command line that prints the same Evidence; "" where there
	// is none, or where values were declared, which no command line should hold.
	Command string

	lease    *store.Lease         // on the document, where it is retained
	declared *redact.Declarations // by the call
}

// Formats describes the formats that can be read.
func Formats() []format.Profile {
	out := make([]format.Profile, len(all.Formats))
	for i, f := range all.Formats {
		out[i] = f.Profile()
	}
	return out
}

// Do serves one call.
func (a *App) Do(ctx context.Context, c Call) (out Outcome) {
	c, ended := a.logged(c)
	defer func() { ended(out) }()
	defer func() {
		if p := recover(); p != nil {
			// The panic's text may quote what was being worked on.
			out = failed(&failure.Failure{
				Code:    failure.ExecutionFailure,
				Message: "the program met a defect of its own",
				Action:  "Report this with the stack of the failure's details.",
				Details: map[string]any{"operation": c.Operation, "stack": placesOnly(string(debug.Stack()))},
			})
		}
	}()
	if c.Progress == nil {
		c.Progress = func(Step) {}
	}
	if c.Arguments == nil {
		c.Arguments = []byte("{}") // the contract says what is missing
	}
	switch c.Operation {
	case evidence.InspectCapture:
		return a.doInspect(ctx, c)
	case view.Operation:
		return a.doView(ctx, c)
	}
	return failed(&failure.Failure{
		Code:    failure.InvalidRequest,
		Message: "there is no such operation",
		Action:  "Use " + evidence.InspectCapture + " or " + view.Operation + ".",
	})
}

func (a *App) doInspect(ctx context.Context, c Call) (out Outcome) {
	req, declared, f := readInspect(c.Arguments)
	defer func() { out.declared = declared }()
	switch {
	case f != nil:
	case req.summary && a.Store == nil:
		f = notRetaining()
	default:
		req.place, f = a.Roots.admit(req.path)
	}
	if f != nil {
		return failed(declared.CoverFailure(f))
	}
	id, d, f := a.inspect(ctx, req, declared, c.Progress)
	if f != nil {
		return failed(declared.CoverFailure(f))
	}
	out, f = a.deliver(ctx, evidence.InspectCapture, id, d, commandOf(req, declared))
	if f == nil && req.summary {
		out, f = a.summarize(ctx, out, c.Progress)
	}
	if f != nil {
		return failed(declared.CoverFailure(f))
	}
	return out
}

// Instead gives a failure in the place of an outcome that can't be given, and
// covers in it what the call declared. What reported_limits hold must be the
// program's own, words, numbers and identifiers: it stays.
func (o Outcome) Instead(f *failure.Failure) Outcome {
	covered := o.declared.CoverFailure(f)
	if limits, ok := f.Details["reported_limits"]; ok {
		covered.Details["reported_limits"] = limits
	}
	out := failed(covered)
	out.declared = o.declared
	return out
}

// Fail gives a failure as an outcome.
func Fail(f *failure.Failure) Outcome { return failed(f) }

func failed(f *failure.Failure) Outcome {
	return Outcome{Document: evidence.NewDocument(strictjson.AppendValue(nil, f.Projection())), Failure: f}
}

// Close lets go of the document.
func (o Outcome) Close() error {
	if o.lease != nil {
		o.lease.Release()
		return nil
	}
	return o.Document.Close()
}
