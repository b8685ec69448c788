package lanes

import (
	"encoding/json"
	"errors"
	"fmt"

	"rea.example/verify/mcpclient"
)

// viewPage is the part of a view's result that lanes compare.
type viewPage struct {
	Kind      string            `json:"kind"`
	Facet     string            `json:"facet"`
	Items     []json.RawMessage `json:"items"`
	Groups    []json.RawMessage `json:"groups"`
	Parent    string            `json:"parent_evidence_id"`
	Templated int               `json:"templated_groups"`
	Records   struct {
		Examined int `json:"examined"`
		Total    int `json:"total"`
		Excluded []struct {
			Ordinal int    `json:"ordinal"`
			Reason  string `json:"reason"`
		} `json:"excluded"`
	} `json:"records"`
	Total    int      `json:"total_records"`
	Retained int      `json:"retained_records"`
	Summary  any      `json:"summary"`
	Coverage coverage `json:"coverage"`
}

type coverage struct {
	Status    string `json:"status"`
	Examined  int    `json:"examined"`
	Total     int    `json:"total"`
	Next      *int   `json:"next_offset"`
	Exhausted bool   `json:"exhausted"`
}

// readView reads the result of a view that the tool answered with.
func readView(r *mcpclient.Result) (*viewPage, error) {
	text, err := r.Document()
	if err != nil {
		return nil, err
	}
	if r.IsError {
		return nil, fmt.Errorf("the view fails: %.200s", text)
	}
	return viewOf(text)
}

func viewOf(document []byte) (*viewPage, error) {
	var e struct {
		Result viewPage `json:"normalized_result"`
	}
	if err := json.Unmarshal(document, &e); err != nil {
		return nil, errors.New("the view is not JSON")
	}
	return &e.Result, nil
}

// right says whether a page covers what it has to.
func (c coverage) right(offset, limit, rows, total int) error {
	left := max(0, total-offset)
	want := min(left, limit)
	exhausted := offset+want >= total
	status := "page"
	if want == 0 {
		status = "empty"
	}
	switch {
	case rows != want || c.Examined != want || c.Total != total:
		return fmt.Errorf("%d rows, %d examined of %d; expected %d of %d", rows, c.Examined, c.Total, want, total)
	case c.Status != status || c.Exhausted != exhausted:
		return fmt.Errorf("coverage %s, exhausted: %t", c.Status, c.Exhausted)
	case exhausted != (c.Next == nil) || c.Next != nil && *c.Next != offset+want:
		return errors.New("the next offset is another")
	}
	return nil
}
