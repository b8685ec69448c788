package app

import (
	"context"
	"errors"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/view"
	"rea.example/rea/internal/view/apisurface"
	"rea.example/rea/internal/view/capturepage"
	"rea.example/rea/internal/view/qlogfacet"
	"rea.example/rea/internal/view/summary"
)

// doView is the one route of a view: find the parent, open it, look, seal.
func (a *App) doView(ctx context.Context, c Call) Outcome {
	req, declared, f := readView(c.Arguments, a.Inline)
	if f != nil {
		out := failed(declared.CoverFailure(f))
		out.declared = declared
		return out
	}
	c.Progress(Opening)
	p, done, f := a.parent(ctx, req)
	if f != nil {
		return failed(f)
	}
	defer done()
	c.Progress(Viewing)
	id, d, err := makeView(ctx, p, req)
	if err != nil {
		return failed(asFailure(view.Operation, err))
	}
	out, f := a.deliver(ctx, view.Operation, id, d, "")
	if f != nil {
		return failed(f)
	}
	return out
}

// parent opens the Evidence that a view is asked of.
func (a *App) parent(ctx context.Context, req viewRequest) (p *view.Parent, done func(), f *failure.Failure) {
	if req.inline == nil {
		lease, f := a.lease(req.retained)
		if f != nil {
			return nil, nil, f
		}
		p, err := lease.Parent(ctx)
		if err != nil {
			lease.Release()
			return nil, nil, asFailure(view.Operation, err)
		}
		return p, lease.Release, nil
	}
	_, d, err := evidence.Open(req.inline)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, nil, asFault(err)
	}
	if p, err = view.OpenForeign(ctx, d); err != nil {
		return nil, nil, asFailure(view.Operation, err)
	}
	return p, func() {}, nil // it is in memory
}

func makeView(ctx context.Context, p *view.Parent, req viewRequest) (id string, d *evidence.Document, err error) {
	switch req.kind {
	case kindCapture:
		return capturepage.Seal(ctx, p, capturepage.Request{Complete: req.complete, Window: req.window, View: req.view})
	case kindSurface:
		return apisurface.Seal(ctx, p, apisurface.Request{Window: req.window, View: req.view})
	case kindQlog:
		return factsOf(ctx, p, req)
	}
	return summarize(ctx, p)
}

// summarize makes the summary, with the counts of a facet where there is one.
func summarize(ctx context.Context, p *view.Parent) (id string, d *evidence.Document, err error) {
	facet, err := p.Text(ctx, kindQlog)
	if err != nil {
		return "", nil, err
	}
	var counts map[string]any
	if facet != nil {
		if counts, err = qlogfacet.Counts(ctx, facet); err != nil {
			return "", nil, err
		}
	}
	return summary.Seal(ctx, p, counts)
}

// factsOf makes a page of a list of a facet.
func factsOf(ctx context.Context, p *view.Parent, req viewRequest) (id string, d *evidence.Document, err error) {
	const choose = "Choose a view that this Evidence has."
	facet, err := p.Text(ctx, kindQlog)
	if err != nil {
		return "", nil, err
	}
	if facet == nil {
		return "", nil, view.Invalid(choose, failure.Issue{
			Path: []any{argView}, Reason: failure.InvalidValue, Message: "only a qlog capture has this view",
		})
	}
	rows, issue, err := req.facet.Rows(ctx, facet)
	if err != nil {
		return "", nil, err
	}
	if issue != nil {
		issue.Path = append([]any{argView}, issue.Path...)
		return "", nil, view.Invalid(choose, *issue)
	}
	r := view.Result{
		Kind:        kindQlog,
		View:        req.view,
		Payload:     map[string][]byte{argFacet: strictjson.AppendString(nil, req.facet.Facet)},
		Limitations: []string{qlogfacet.Limitation},
		Unknowns:    []string{view.Unattributed},
	}
	return p.SealPage(ctx, r, rows, req.window)
}

// asFault turns what is wrong with a document that came inline into a failure.
func asFault(err error) *failure.Failure {
	const action = "Give the Evidence as it was given out, whole and unchanged."
	var fault *evidence.Fault
	if !errors.As(err, &fault) {
		return asFailure(view.Operation, err)
	}
	path := []any{argSource, argEvidence}
	if fault.Member != "" {
		path = append(path, fault.Member)
	}
	switch fault.Kind {
	case evidence.Mismatched:
		f := view.Mismatch(fault.ID, "identity_mismatch", "the digest of the document")
		f.Action = action
		return f
	case evidence.Missing:
		return view.Invalid(action, failure.Issue{Path: path, Reason: failure.MissingArgument})
	case evidence.Crowded:
		return view.Invalid("Refer to retained Evidence by its evidence_id, or select fewer records.", failure.Issue{Path: path, Reason: failure.OutOfRange,
			Message: "a record, or what is around the records, has too many values", Expected: map[string]any{"maximum_evidence_values": limits.EvidenceValues}})
	case evidence.Unknown:
		return view.Invalid(action, failure.Issue{Path: path, Reason: failure.UnknownArgument})
	}
	return view.Invalid(action, failure.Issue{Path: path, Reason: failure.InvalidFormat, Message: "this is not what Evidence has there"})
}

// asFailure is what an error of reading Evidence means to the caller of an
// operation.
func asFailure(operation string, err error) *failure.Failure {
	if f := failure.As(err); f != nil {
		return f
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Cancelled(operation)
	}
	return &failure.Failure{
		Code:    failure.ExecutionFailure,
		Message: "the Evidence could not be read",
		Action:  "Inspect the capture again; if it stays, report it.",
		Details: map[string]any{"operation": operation, "reason": "the retained document can't be read back"},
	}
}

// Cancelled is the failure of a call that its caller cancelled before anything
// was begun, or when nothing was left to be cleaned up.
func Cancelled(operation string) *failure.Failure {
	return &failure.Failure{
		Code:    failure.Cancelled,
		Message: "the caller cancelled",
		Action:  "Call again when the result is wanted.",
		Details: map[string]any{"operation": operation, "cleanup": "complete"},
	}
}
