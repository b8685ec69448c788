package capturepage

import (
	"context"
	"strconv"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view"
	"rea.example/rea/internal/view/headline"
)

// Request says which records are wanted, and how.
type Request struct {
	Complete bool
	view.Window
	View map[string]any // the request as the result repeats it
}

const exhausted = "A page that exhausts the records of its parent proves nothing about records that the parent does not hold."

// Seal makes Evidence of a page of records.
func Seal(ctx context.Context, p *view.Parent, req Request) (id string, d *evidence.Document, err error) {
	r := view.Result{
		Kind: "capture",
		View: req.View,
		Payload: map[string][]byte{
			"total_records":    strconv.AppendInt(nil, int64(p.Total), 10),
			"retained_records": strconv.AppendInt(nil, int64(p.Retained()), 10),
		},
		Limitations: []string{exhausted},
		Unknowns:    []string{view.Unattributed},
	}
	row := preview
	if req.Complete {
		row = complete
	}
	var arena strictjson.Arena
	return p.SealPage(ctx, r, view.Rows{
		Member: "items",
		Total:  p.Retained(),
		Row: func(i int) ([]byte, int, error) {
			b, err := p.Record(i)
			if err != nil {
				return nil, 0, err
			}
			v := strictjson.Build(b, tree.Span{End: len(b)}, &arena)
			defer arena.Reset()
			ordinal, _ := view.Integer(v.Get("ordinal"))
			return row(p, b, &v), int(ordinal), nil
		},
	}, req.Window)
}

func complete(_ *view.Parent, record []byte, _ *tree.Value) []byte { return record }

// preview is the outline of a record. Its text is copied: nothing of the record
// is kept.
func preview(p *view.Parent, _ []byte, record *tree.Value) []byte {
	b := []byte(`{"binary_fields":[`)
	if fields := record.Get("binary_fields"); fields != nil {
		for i := range fields.Items {
			f := &fields.Items[i]
			for k, name := range [...]string{"bytes", "pointer", "representation", "sha256", "state"} {
				switch {
				case k > 0:
					b = append(b, ',')
				case i > 0:
					b = append(b, `,{`...)
				default:
					b = append(b, '{')
				}
				b = append(append(b, '"'), name...)
				b = append(b, `":`...)
				b = strictjson.AppendValue(b, f.Get(name))
			}
			b = append(b, '}')
		}
	}
	b = append(b, `],"headline":`...)
	b = headline.Of(p.Format, record.Get("reported"), p.Declared == 0).Append(b)
	b = append(b, `,"location":`...)
	b = strictjson.AppendValue(b, record.Get("location"))
	b = append(b, `,"ordinal":`...)
	b = strictjson.AppendValue(b, record.Get("ordinal"))
	return append(b, '}')
}
