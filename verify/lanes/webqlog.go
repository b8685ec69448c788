package lanes

import (
	"context"
	"errors"
	"fmt"
	"os"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/lane"
	"rea.example/verify/mcpclient"
	"rea.example/verify/qlogfile"
)

// WebQlog reads two origin traces of the aioquic experiment that the caller
// supplies: one of an undisturbed run, one of a run that lost a packet.
var WebQlog = lane.Lane{
	Name:  "web:qlog",
	Doc:   "Two traces of aioquic that the caller supplies: both faces, schemas, digests, scope, parents, credentials, and the known facts.",
	Needs: lane.Needs{Supplied: []string{"control", "loss"}, Useful: []containers.Image{containers.NPMHar}},
	Run: func(ctx context.Context, b *bench.Bench) error {
		return checkTraces(ctx, b, []trace{
			{name: "control", path: b.Supplied["control"], known: known{covered: 32803}},
			{name: "loss", path: b.Supplied["loss"], known: known{covered: 32803, repeated: 1169, at: qlogfile.Range{Start: 0, End: 1169}}},
		})
	},
}

// trace is a trace with what is known of it from elsewhere.
type trace struct {
	name, path string
	known      known
	secrets    []string
}

// known is what the origin's response stream must come to.
type known struct {
	covered, repeated int64
	at                qlogfile.Range // what was repeated; empty for nothing, and for unknown
	frames            int            // 0 for unknown
}

// longEnough is the length from which a secret is searched for: a shorter text may
// stand anywhere by chance.
const longEnough = 8

func checkTraces(ctx context.Context, b *bench.Bench, traces []trace) error {
	run, err := newRunner(b, "tmp")
	if err != nil {
		return err
	}
	if err := checkTable(ctx, b, run, "qlog"); err != nil {
		return err
	}
	s, err := mcpclient.Open(ctx, b.Product)
	if err != nil {
		return err
	}
	for _, t := range traces {
		if err := checkTrace(ctx, b, run, s, t); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	if err := checkMadeTraces(ctx, b, run, s); err != nil {
		return errors.Join(err, s.Close())
	}
	b.Check("the server ends in order", s.Close)
	return checkTraceSchemas(ctx, b, traces)
}

func checkTrace(ctx context.Context, b *bench.Bench, run *runner, s *mcpclient.Session, t trace) error {
	data, err := os.ReadFile(t.path)
	if err != nil {
		return err
	}
	second, err := qlogfile.Read(data)
	if err != nil {
		return err
	}
	c := &canary{plant: b.Plant}
	for _, secret := range append(second.Secrets, t.secrets...) {
		if len(secret) >= longEnough {
			c.secrets = append(c.secrets, secret)
			b.Plant(secret)
		}
	}
	b.Pin(t.name+" trace", fmt.Sprintf("%d bytes, sha256 %s", len(data), captures.Digest(data)))
	out, err := run.inspect(ctx, t.path, "qlog", "--json")
	if err != nil {
		return err
	}
	e, err := out.Evidence()
	if !b.Check(t.name+": read", func() error { return explain(err, out) }) {
		return nil
	}
	f := captures.File{Path: t.path, SHA256: captures.Digest(data), Bytes: int64(len(data))}
	b.Check(t.name+": digest, size, identifier", func() error { return errors.Join(sameFile(e, f), sameID(out.Stdout, e.ID)) })
	b.Check(t.name+": events, their places and values", func() error { return sameEvents(e, second) })
	b.Check(t.name+": facts as counted byte by byte", func() error { return sameFacts(e.Result.Qlog, second) })
	b.Check(t.name+": the response's stream is what is known of it", func() error { return t.known.holds(e.Result.Qlog, second) })
	b.Check(t.name+": facts cover the whole file whatever is selected", func() error { return sameScope(ctx, run, t.path, out, e) })
	for _, form := range []string{"json", "text", "yaml"} {
		b.Check(t.name+": credentials are left out, "+form, func() error {
			out, err := run.inspect(ctx, t.path, "qlog", "--format", form)
			if err != nil {
				return err
			}
			return errors.Join(c.absent(out), c.present(data))
		})
	}
	b.Check(t.name+": both faces say the same", func() error { return sameFaces(ctx, s, arguments(t.path, "qlog", nil), out) })
	b.Check(t.name+": a summary leads to the retained parent, and views to its facts", func() error {
		return sameRetained(ctx, s, t.path, e)
	})
	return nil
}

// checkTraceSchemas lets an official SDK read both traces and the views of their
// facts, with the schemas as it converts them.
func checkTraceSchemas(ctx context.Context, b *bench.Bench, traces []trace) error {
	const name = "schemas as the TypeScript SDK converts them take every result"
	if reason := b.Lacks(containers.NPMHar); reason != "" {
		b.NotRun(name, reason)
		return nil
	}
	var files []containers.File
	var plan []step
	for _, t := range traces {
		files = append(files, containers.File{Name: t.name + ".qlog", Path: t.path})
		args := func(detail string) map[string]any {
			return map[string]any{"capture_path": containers.Work + "/" + t.name + ".qlog", "format": "qlog", "detail": detail}
		}
		plan = append(plan, step{Tool: inspectTool, Arguments: args("complete")}, step{Tool: inspectTool, Arguments: args("summary")})
		for _, view := range facetViews() {
			plan = append(plan, step{Tool: viewTool, Arguments: map[string]any{
				"source": map[string]any{"kind": "retained-evidence", "evidence_id": "$parent"}, "view": view,
			}})
		}
	}
	said, err := runSDK(ctx, b, files, plan)
	if err != nil {
		return err
	}
	b.Check(name, func() error {
		errs := []error{said.usable()}
		for i, s := range said.Steps {
			if err := s.success(); err != nil {
				errs = append(errs, fmt.Errorf("step %d: %w", i, err))
			}
		}
		return errors.Join(errs...)
	})
	return nil
}
