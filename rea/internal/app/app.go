package app

import (
	"context"
	"runtime/debug"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/all"
	"rea.example/rea/internal/strictjson"
)

// App serves calls. The zero value is ready.
type App struct {
	// Program is the executable that is started as the owned process; empty
	// means this one.
	Program string
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
)

// Outcome is the answer to a call: one document in canonical JSON, which is the
// Evidence, or the projection of the failure. Close it after use.
type Outcome struct {
	Document *evidence.Document
	Failure  *failure.Failure // nil where the call succeeded
	// EvidenceID is the identifier of the Evidence, where the call succeeded.
	EvidenceID string
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
	if c.Operation != evidence.InspectCapture {
		return failed(&failure.Failure{
			Code:    failure.InvalidRequest,
			Message: "there is no such operation",
			Action:  "Use " + evidence.InspectCapture + ".",
		})
	}
	req, declared, f := readInspect(c.Arguments)
	if f != nil {
		return failed(declared.CoverFailure(f))
	}
	id, d, f := a.inspect(ctx, req, declared, c.Progress)
	if f != nil {
		return failed(declared.CoverFailure(f))
	}
	return Outcome{Document: d, EvidenceID: id}
}

func failed(f *failure.Failure) Outcome {
	return Outcome{Document: evidence.NewDocument(strictjson.AppendValue(nil, f.Projection())), Failure: f}
}

// Close lets go of the document.
func (o Outcome) Close() error { return o.Document.Close() }
