package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/format"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/owned"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/source"
)

// inspect is the one route of a capture: stable read, owned decode, seal.
func (a *App) inspect(ctx context.Context, req inspectRequest, declared *redact.Declarations, progress func(Step)) (id string, d *evidence.Document, f *failure.Failure) {
	if f := req.chooseDecoder(); f != nil {
		return "", nil, f
	}
	about := owned.About{Operation: evidence.InspectCapture, ProviderID: req.format.Profile().Name, CapturePath: req.path, Format: req.format.Profile().Name}
	call := source.Call{Operation: about.Operation, ProviderID: about.ProviderID, Path: req.path, Place: req.place}
	room, err := source.NewRoom()
	if err != nil {
		return "", nil, call.Unwritable(err)
	}
	var kept source.Kept
	defer func() {
		// Whatever happened, nothing of it stays behind; and if something may
		// have, that is said, with what happened before.
		if err := room.Close(); err != nil {
			f = owned.Uncleaned(about, f, left(err, room))
		}
		if f != nil && kept != nil {
			kept.Close()
			d = nil
		}
	}()

	progress(Reading)
	snapshot, err := source.Read(ctx, call, room)
	if err != nil {
		return "", nil, failure.As(err)
	}
	defer snapshot.File.Close()
	decoded := snapshot.File
	if req.upstream != nil {
		progress(Decoding)
		if decoded, f = a.read(ctx, req.upstream, call, about, room, snapshot.File); f != nil {
			return "", nil, f
		}
		defer decoded.Close()
	}
	reply, err := room.Create("reply")
	if err != nil {
		return "", nil, call.Unwritable(err)
	}

	progress(Decoding)
	ask := decode.Request{Format: req.format.Profile().Name, Foreign: req.upstream != nil, Capture: snapshot.Bytes, Report: req.report, All: req.all, Ordinals: req.ordinals, Declared: req.declared}
	outcome := owned.Run(ctx, owned.Command{
		Path:     a.Program,
		Args:     []string{owned.DecodeArgument},
		Dir:      room.Path(),
		Request:  ask.Encode(),
		Reply:    reply,
		Snapshot: decoded,
		Deadline: limits.Deadline,
		Started:  func() { _ = room.Unlink() }, // Close confirms
	})
	if f := outcome.Failure(about); f != nil {
		return "", nil, f
	}
	size, err := reply.Seek(0, io.SeekEnd)
	if err != nil {
		return "", nil, unreadable("the decoder's reply could not be measured")
	}
	if kept, err = room.Keep(reply); err != nil {
		return "", nil, unreadable("the decoder's reply could not be read back")
	}
	header, err := decode.ReadHeader(kept, size)
	if err != nil {
		return "", nil, unreadable(err.Error())
	}
	if f := refused(req, header); f != nil {
		return "", nil, f
	}
	text := &awaited{ReaderAt: kept, by: ctx}
	ordinals, records, err := splice(req, header, text)
	if err != nil {
		return "", nil, unreadable(err.Error())
	}

	progress(Sealing)
	e := assemble(req, declared, header, snapshot, ordinals, records, text)
	id, d, err = evidence.Seal(e, kept)
	text.by = nil // the document outlives the call
	switch {
	case ctx.Err() != nil:
		return "", nil, Cancelled(evidence.InspectCapture)
	case err != nil:
		return "", nil, unreadable("the decoder's reply could not be read back")
	}
	return id, d, nil
}

// awaited is read for as long as somebody waits for what is made of it; by nobody
// is for good.
type awaited struct {
	io.ReaderAt
	by context.Context
}

// ReadAt reads, or gives the context's error.
func (a *awaited) ReadAt(p []byte, off int64) (int, error) {
	if a.by != nil && a.by.Err() != nil {
		return 0, a.by.Err()
	}
	return a.ReaderAt.ReadAt(p, off)
}

// refused turns what the decoder said of the capture into a failure, or nil.
func refused(req inspectRequest, h decode.Header) *failure.Failure {
	p := req.format.Profile()
	switch {
	case h.Problem != nil && h.Problem.Kind == format.Unreadable:
		return unreadable(h.Problem.Message)
	case h.Problem != nil && h.Problem.Kind == format.Unsupported && req.upstream != nil:
		return req.upstream.unavailable(p.Name, h.Problem.Message)
	case h.Problem != nil:
		return captureFailure(p, h.Problem)
	case h.Decoder != p.Decoder:
		return unreadable("the reply is of another decoder")
	case h.ReplyOverflow:
		f := unreadable(fmt.Sprintf("what was selected needs a reply of more than %d bytes", limits.ReplyBytes))
		f.Action = "Select fewer records, or use a smaller capture exported by its producer; keep the original."
		return f
	case h.UnknownOrdinals:
		i := slices.IndexFunc(req.ordinals, func(o int) bool { return o >= h.Total })
		return invalid(failure.Issue{Path: []any{argOrdinals}, Reason: failure.InvalidFormat,
			Message: fmt.Sprintf("record %d was asked for, but the capture has %d records", req.ordinals[max(i, 0)], h.Total)})
	}
	return nil
}

func captureFailure(p format.Profile, problem *format.Problem) *failure.Failure {
	f := &failure.Failure{
		Code:    failure.InvalidRequest,
		Message: fmt.Sprintf("not readable as %s: %s", p.Name, problem.Message),
		Action:  "Check that the format is the capture's, and export the capture again from its producer; nothing is repaired here.",
		Details: map[string]any{},
	}
	issue := failure.Issue{Path: []any{argPath, string(problem.Pointer)}, Reason: failure.InvalidFormat, Message: problem.Message}
	switch problem.Kind {
	case format.TooMuch:
		issue.Reason = failure.OutOfRange
		issue.Expected = map[string]any{problem.Maximum.Name: problem.Maximum.Value}
	case format.Unsupported:
		f.Code = failure.CapabilityUnavailable
		f.Action = "Export the capture in a profile that is read here."
		f.Details = map[string]any{
			"provider_id": p.Name, "operation": evidence.InspectCapture,
			"reason": problem.Message, "pointer": string(problem.Pointer),
		}
		if p.Conformance {
			f.Action += " Or inspect it with conformance: report, which lists deviations instead."
		}
		return f
	}
	f.Issues = []failure.Issue{issue}
	if problem.SchemaTotal > 0 {
		rows := make([]any, len(problem.Schema))
		for i, e := range problem.Schema {
			rows[i] = map[string]any{"pointer": string(e.Pointer), "keyword": e.Keyword}
		}
		f.Details["schema_errors"] = rows
		f.Details["schema_error_total"] = problem.SchemaTotal
		f.Action = "Inspect it with conformance: report to read it as it is, with the deviations listed; or export it again from its producer."
	}
	return f
}

// splice checks that the reply holds exactly the records that were asked for,
// and gives their places in the order asked for.
func splice(req inspectRequest, h decode.Header, reply io.ReaderAt) (ordinals []int, parts []evidence.Part, err error) {
	for i, r := range h.Runs {
		for k := range r.Count {
			ordinals = append(ordinals, r.First+k)
		}
		if i > 0 {
			parts = append(parts, evidence.Part{Bytes: []byte{','}})
		}
		parts = append(parts, section(reply, r))
	}
	want := req.ordinals
	if req.all {
		want = make([]int, h.Total)
		for i := range want {
			want[i] = i
		}
	}
	if !slices.Equal(ordinals, want) || len(want) > h.Total {
		return nil, nil, errors.New("the reply holds other records than were asked for")
	}
	return want, parts, nil
}

func unreadable(reason string) *failure.Failure {
	return &failure.Failure{
		Code:    failure.UnreadableOutput,
		Message: "the decoder's output is not usable: " + reason,
		Action:  "Try again; if it stays, report it with the format and the size of the capture.",
		Details: map[string]any{"operation": evidence.InspectCapture, "reason": reason},
	}
}

// left names what could not be confirmed gone.
func left(err error, room *source.Room) []string {
	var residue *source.Residue
	if errors.As(err, &residue) {
		return residue.Paths
	}
	return []string{room.Path()}
}

// hexOf spells a digest.
func hexOf(sum [32]byte) string { return hex.EncodeToString(sum[:]) }
