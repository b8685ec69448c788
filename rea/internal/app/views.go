package app

import (
	"context"
	"errors"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
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
	p, done, f := a.parent(req)
	if f != nil {
		return failed(f)
	}
	defer done()
	if ctx.Err() != nil {
		return failed(Cancelled(view.Operation))
	}
	c.Progress(Viewing)
	id, d, err := makeView(p, req)
	switch {
	case err != nil:
		return failed(asViewFailure(err))
	case ctx.Err() != nil:
		return failed(Cancelled(view.Operation))
	}
	out, f := a.deliver(id, d, "")
	if f != nil {
		return failed(f)
	}
	return out
}

// parent opens the Evidence that a view is asked of.
func (a *App) parent(req viewRequest) (p *view.Parent, done func(), f *failure.Failure) {
	if req.inline == nil {
		lease, f := a.lease(req.retained)
		if f != nil {
			return nil, nil, f
		}
		p, err := lease.Parent()
		if err != nil {
			lease.Release()
			return nil, nil, asViewFailure(err)
		}
		return p, lease.Release, nil
	}
	_, d, err := evidence.Open(req.inline)
	if err != nil {
		return nil, nil, asFault(err)
	}
	if p, err = view.OpenForeign(d); err != nil {
		return nil, nil, asViewFailure(err)
	}
	return p, func() {}, nil // it is in memory
}

func makeView(p *view.Parent, req viewRequest) (id string, d *evidence.Document, err error) {
	switch req.kind {
	case kindCapture:
		return capturepage.Seal(p, capturepage.Request{Complete: req.complete, Window: req.window, View: req.view})
	case kindSurface:
		return apisurface.Seal(p, apisurface.Request{Window: req.window, View: req.view})
	case kindQlog:
		return factsOf(p, req)
	}
	return summarize(p)
}

// summarize makes the summary, with the counts of a facet where there is one.
func summarize(p *view.Parent) (id string, d *evidence.Document, err error) {
	facet, err := facetOf(p)
	if err != nil {
		return "", nil, err
	}
	var counts map[string]any
	if facet != nil {
		counts = qlogfacet.Counts(facet)
	}
	return summary.Seal(p, counts)
}

// factsOf makes a page of a list of a facet.
func factsOf(p *view.Parent, req viewRequest) (id string, d *evidence.Document, err error) {
	const choose = "Choose a view that this Evidence has."
	facet, err := facetOf(p)
	if err != nil {
		return "", nil, err
	}
	if facet == nil {
		return "", nil, view.Invalid(choose, failure.Issue{
			Path: []any{argView}, Reason: failure.InvalidValue, Message: "only a qlog capture has this view",
		})
	}
	rows, issue := req.facet.Rows(facet)
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
	return p.SealPage(r, view.Rows{
		Member: "items",
		Total:  len(rows),
		Row:    func(i int) ([]byte, int, error) { return strictjson.AppendCanonical(nil, &rows[i]), i, nil },
	}, req.window)
}

// facetOf reads the facet of a qlog, or gives nil.
func facetOf(p *view.Parent) (*tree.Value, error) {
	b, err := p.Member(kindQlog)
	if err != nil || b == nil {
		return nil, err
	}
	v, err := strictjson.Parse(b, limits.EvidenceDepth)
	return &v, err
}

// asFault turns what is wrong with a document that came inline into a failure.
func asFault(err error) *failure.Failure {
	const action = "Give the Evidence as it was given out, whole and unchanged."
	var fault *evidence.Fault
	if !errors.As(err, &fault) {
		return asViewFailure(err)
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
	case evidence.Unknown:
		return view.Invalid(action, failure.Issue{Path: path, Reason: failure.UnknownArgument})
	}
	return view.Invalid(action, failure.Issue{Path: path, Reason: failure.InvalidFormat, Message: "this is not what Evidence has there"})
}

func asViewFailure(err error) *failure.Failure {
	if f := failure.As(err); f != nil {
		return f
	}
	return &failure.Failure{
		Code:    failure.ExecutionFailure,
		Message: "the Evidence could not be read",
		Action:  "Inspect the capture again; if it stays, report it.",
		Details: map[string]any{"operation": view.Operation, "reason": "the retained document can't be read back"},
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
