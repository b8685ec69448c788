package app

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/store"
	"rea.example/rea/internal/view"
)

// deliver makes an outcome of sealed Evidence. Where Evidence is retained it is
// so before anybody sees it, and a result that can't be retained is none. Nothing
// is retained for a caller who cancelled.
func (a *App) deliver(ctx context.Context, operation, id string, d *evidence.Document, command string) (Outcome, *failure.Failure) {
	if ctx.Err() != nil {
		_ = d.Close() // it was only read, and has no name
		return Outcome{}, Cancelled(operation)
	}
	if a.Store == nil {
		return Outcome{Document: d, EvidenceID: id, Command: command}, nil
	}
	lease, err := a.Store.Put(id, d)
	switch {
	case errors.Is(err, store.ErrConflict):
		return Outcome{}, view.Mismatch(id, "identity_mismatch", "the document that is retained under this identifier")
	case err != nil:
		return Outcome{}, &failure.Failure{
			Code:    failure.ExecutionFailure,
			Message: "the Evidence could not be retained",
			Action:  "Check the temporary directory's free space, and try again.",
			Details: map[string]any{"reason": "retention failed"},
		}
	}
	return Outcome{Document: lease.Document(), EvidenceID: id, Retained: true, Command: command, lease: lease}, nil
}

// Retained gives the document that is retained under an identifier. Close it
// after use.
func (a *App) Retained(id string) (Outcome, *failure.Failure) {
	lease, f := a.lease(id)
	if f != nil {
		return Outcome{}, f
	}
	return Outcome{Document: lease.Document(), EvidenceID: id, Retained: true, lease: lease}, nil
}

// RetainNote retains a small document of this program's own making, such as an
// error that is too large to be sent, and gives its identifier.
func (a *App) RetainNote(operation, provider, version string, result []byte) (id string, err error) {
	if a.Store == nil {
		return "", store.ErrMissing
	}
	id, d, err := evidence.Seal(evidence.Evidence{
		Provider: evidence.Identity{ID: provider, Name: provider, Version: version}, PredicateType: "rea.analysis", Operation: operation,
		Parameters: map[string]any{}, Result: []evidence.Part{{Bytes: result}},
		Confidence: "observed", Authority: "historical-reference",
		Limitations: []string{}, Locations: []any{}, Links: []string{},
	}, nil)
	if err != nil {
		return "", err
	}
	lease, err := a.Store.Put(id, d)
	if err != nil {
		return "", err
	}
	lease.Release()
	return id, nil
}

func (a *App) lease(id string) (*store.Lease, *failure.Failure) {
	if a.Store == nil {
		f := view.Mismatch(id, "missing", "Evidence that this process retains")
		f.Message = "this process retains no Evidence"
		f.Action = "Give the Evidence itself, as an inline source."
		return nil, f
	}
	lease, err := a.Store.Get(id)
	switch {
	case errors.Is(err, store.ErrEvicted):
		f := view.Mismatch(id, "evicted", "Evidence that this process retains")
		f.Message = "the Evidence was retained, and had to make room for younger Evidence"
		f.Action = "Inspect again: the same capture and arguments give the same identifier."
		return nil, f
	case err != nil:
		f := view.Mismatch(id, "missing", "Evidence that this process retains")
		f.Message = "this process retains no Evidence under this identifier"
		f.Action = "Inspect the capture first, or give the Evidence itself as an inline source."
		return nil, f
	}
	return lease, nil
}

// summarize gives the summary of what was just delivered in its place.
func (a *App) summarize(ctx context.Context, of Outcome, progress func(Step)) (Outcome, *failure.Failure) {
	defer of.Close()
	progress(Viewing)
	p, err := of.lease.Parent(ctx)
	if err != nil {
		return Outcome{}, asFailure(evidence.InspectCapture, err)
	}
	id, d, err := summarize(ctx, p)
	if err != nil {
		return Outcome{}, asFailure(evidence.InspectCapture, err)
	}
	return a.deliver(ctx, evidence.InspectCapture, id, d, "")
}

func notRetaining() *failure.Failure {
	const reason = "a summary refers to Evidence that has to be retained, and this process retains none"
	return &failure.Failure{
		Code:    failure.CapabilityUnavailable,
		Message: reason,
		Action:  "Use detail: complete; the whole Evidence can then be given to " + view.Operation + " as an inline source.",
		Details: map[string]any{"provider_id": view.Provider.ID, "operation": evidence.InspectCapture, "reason": reason},
	}
}

// commandOf spells the command line that gives the same Evidence.
func commandOf(req inspectRequest, declared *redact.Declarations) string {
	if declared.Count() > 0 {
		return ""
	}
	words := []string{"rea", "inspect-web-network-capture", shellWord(req.path), req.format.Profile().Name}
	for _, o := range req.ordinals {
		words = append(words, "--record", strconv.Itoa(o))
	}
	if req.report {
		words = append(words, "--conformance", "report")
	}
	if req.decoder != "" && req.decoder != decoderAuto {
		words = append(words, "--decoder", req.decoder)
	}
	return strings.Join(append(words, "--json"), " ")
}

// shellWord quotes a path for a POSIX shell.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,=@%:") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
