package view

import (
	"context"
	"fmt"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
)

// Bounds of max_chars.
const (
	LeastChars = 4000
	MostChars  = 5000000
)

// Window is the part of a collection that was asked for.
type Window struct {
	Offset, Limit int
	// MaxChars bounds the document in UTF-16 code units; 0 is no bound.
	MaxChars int
}

// Rows is a collection that a page is cut from.
type Rows struct {
	Member string // of the result, which holds them
	Total  int
	// Row gives the canonical JSON of a row, and its ordinal where it has one
	// (else the row's own number). It is asked for rows in order.
	Row func(i int) (row []byte, ordinal int, err error)
}

// SealPage makes Evidence of a page of rows: as many as the window asks for and
// as fit into its bound. The result's Coverage and its member of rows are set
// here. Where not even the first row fits, the error is a *failure.Failure; it is
// the context's where that ends before.
func (p *Parent) SealPage(ctx context.Context, r Result, rows Rows, w Window) (id string, d *evidence.Document, err error) {
	first := min(w.Offset, rows.Total)
	want := min(w.Limit, rows.Total-first)
	var list [][]byte
	units, ordinal := 0, 0
	for i := 0; i < want; i++ {
		if err := ctx.Err(); err != nil {
			return "", nil, err
		}
		row, at, err := rows.Row(first + i)
		if err != nil {
			return "", nil, err
		}
		if i == 0 {
			ordinal = at
		}
		list = append(list, row)
		if w.MaxChars > 0 {
			if units += Units(row) + 1; units > w.MaxChars {
				break
			}
		}
	}
	for n := len(list); ; n-- {
		if err := ctx.Err(); err != nil {
			return "", nil, err
		}
		r.Coverage = paged(w.Offset, n, rows.Total)
		r.Payload[rows.Member] = joined(list[:n])
		if id, d, err = p.Seal(r); err != nil || w.MaxChars == 0 {
			return id, d, err
		}
		size, err := units16(d)
		if err != nil || size <= w.MaxChars {
			return id, d, err
		}
		switch {
		case n > 1 && size-w.MaxChars > Units(list[n-1]):
			// Far too much: take away what surely must go before sealing again.
			for over := size - w.MaxChars; n > 1 && over > Units(list[n-1]); n-- {
				over -= Units(list[n-1]) + 1
			}
			n++
		case n <= 1:
			return "", nil, tooLarge(p, w, n, ordinal, size)
		}
	}
}

func joined(rows [][]byte) []byte {
	size := 2
	for _, r := range rows {
		size += len(r) + 1
	}
	b := append(make([]byte, 0, size), '[')
	for i, r := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, r...)
	}
	return append(b, ']')
}

func tooLarge(p *Parent, w Window, rows, ordinal, size int) error {
	limits := map[string]any{"boundary": "view-max-chars", "max_chars": w.MaxChars, "required_chars": size, "parent_evidence_id": p.ID}
	what := "the frame of this view"
	if rows > 0 {
		what = fmt.Sprintf("a page with item %d alone", ordinal)
		limits["ordinal"] = ordinal
	}
	f := &failure.Failure{
		Code:    failure.ResourceConstraint,
		Message: fmt.Sprintf("%s needs %d UTF-16 code units, and max_chars allows %d", what, size, w.MaxChars),
		Action:  "Raise max_chars to what is needed, or leave it out; or go on behind this item.",
		Details: map[string]any{"operation": Operation, "resource": "text", "reason": "the first item doesn't fit", "reported_limits": limits},
	}
	return f
}

// Units is the number of UTF-16 code units of canonical JSON.
func Units(canonical []byte) int {
	n := 0
	for _, c := range canonical {
		switch {
		case c >= 0xf0:
			n += 2
		case c < 0x80 || c >= 0xc0:
			n++
		}
	}
	return n
}

func units16(d *evidence.Document) (int, error) {
	b, err := d.Bytes()
	return Units(b), err
}
