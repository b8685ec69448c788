package summary

import (
	"context"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view"
)

const identityOnly = "A summary gives identity and counts; it shows no record and proves nothing about what they hold."

// Seal makes Evidence of the summary. facts are what a qlog's facet counts, as
// JSON values; nil for every other format.
func Seal(ctx context.Context, p *view.Parent, facts map[string]any) (id string, d *evidence.Document, err error) {
	summary := map[string]any{
		"format": p.Format,
		"decoder": map[string]any{
			"id": p.Decoder.ID, "name": p.Decoder.Name, "version": p.Decoder.Version,
		},
		"total_records":    p.Total,
		"retained_records": p.Retained(),
		"limitation_count": len(p.Limitations),
	}
	if facts != nil {
		summary["qlog"] = facts
	}
	if p.Report {
		n, err := deviations(ctx, p)
		if err != nil {
			return "", nil, err
		}
		summary["deviation_count"] = n
	}
	return p.Seal(view.Result{
		Kind:        "summary",
		View:        map[string]any{"kind": "summary"},
		Payload:     map[string][]byte{"summary": strictjson.AppendValue(nil, summary)},
		Coverage:    view.Single(),
		Limitations: []string{identityOnly},
		Unknowns:    []string{view.Unattributed},
	})
}

// deviations counts those of the container and of the records that the parent
// holds.
func deviations(ctx context.Context, p *view.Parent) (int64, error) {
	container, err := p.Member("container")
	if err != nil {
		return 0, err
	}
	sum, err := total(container)
	for i := 0; i < p.Retained() && err == nil; i++ {
		if err = ctx.Err(); err != nil {
			break
		}
		var b []byte
		if b, err = p.Record(i); err == nil {
			var n int64
			n, err = total(b)
			sum += n
		}
	}
	return sum, err
}

// total finds the count without building a tree of what is around it.
func total(canonical []byte) (n int64, err error) {
	err = strictjson.Check(canonical, limits.EvidenceDepth, []strictjson.Path{{"deviation_total"}}, func(_ int, s tree.Span) {
		v := strictjson.Build(canonical, s, new(strictjson.Arena))
		n, _ = view.Integer(&v)
	})
	return n, err
}
