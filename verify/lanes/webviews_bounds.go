package lanes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"unicode/utf16"
)

// leastChars and mostChars bound what may be asked for as max_chars.
const (
	leastChars = 4_000
	mostChars  = 5_000_000
)

// defaults are the limits of pages of which none is asked for.
var defaults = map[string]int{"capture": 20, "api-surface": 50, "qlog": 64}

// boundViews are the views of which pages are held to their bounds.
func boundViews(format string) []map[string]any {
	list := []map[string]any{{"kind": "capture", "detail": "preview"}, {"kind": "capture", "detail": "complete"}}
	switch format {
	case "har":
		list = append(list, map[string]any{"kind": "api-surface"})
	case "qlog":
		list = append(list, map[string]any{"kind": "qlog", "facet": "streams", "trace_index": 0})
	}
	return list
}

// viewName tells a view from the others of boundViews.
func viewName(view map[string]any) string {
	for _, name := range []string{"detail", "facet"} {
		if view[name] != nil {
			return fmt.Sprint(view[name])
		}
	}
	return fmt.Sprint(view["kind"])
}

// measured is a page with the length of its document, which says what it was asked
// for.
type measured struct {
	*viewPage
	chars int
	said  int // how often the document repeats what was asked for as max_chars
	rows  []json.RawMessage
	asked map[string]any
}

func measure(document []byte) (*measured, error) {
	page, err := viewOf(document)
	if err != nil {
		return nil, err
	}
	var e struct {
		Result struct {
			View map[string]any `json:"view"`
		} `json:"normalized_result"`
	}
	if err := json.Unmarshal(document, &e); err != nil {
		return nil, errors.New("the view is not JSON")
	}
	m := &measured{viewPage: page, chars: units(document), said: bytes.Count(document, []byte(`"max_chars":`)), rows: page.Items, asked: e.Result.View}
	if page.Kind == "api-surface" {
		m.rows = page.Groups
	}
	return m, nil
}

// page takes a view of the retained Evidence; the document of a failure comes with
// it, and no page.
func (v *viewer) page(ctx context.Context, p *parent, view map[string]any) (*measured, []byte, error) {
	text, err := json.Marshal(view)
	if err != nil {
		return nil, nil, err
	}
	r, err := v.session.Call(ctx, viewTool, retained(p.evidence.ID, string(text)))
	if err != nil {
		return nil, nil, err
	}
	document, err := r.Document()
	if err != nil || r.IsError {
		return nil, document, err
	}
	m, err := measure(document)
	return m, nil, err
}

// pageBounds asks for pages of as many rows and characters as there are, and of one
// more and one less.
func (v *viewer) pageBounds(ctx context.Context, p *parent, view map[string]any) error {
	whole, _, err := v.page(ctx, p, with(view, "limit", 1_000_000, "max_chars", mostChars))
	if err != nil {
		return err
	}
	if whole == nil || whole.Coverage.Total != len(whole.rows) {
		return errors.New("not all rows come on one page")
	}
	if err := v.unasked(ctx, p, view, whole.rows); err != nil {
		return err
	}
	for _, limit := range []int{1, len(whole.rows) - 1, len(whole.rows), len(whole.rows) + 1} {
		if limit < 1 {
			continue
		}
		page, _, err := v.page(ctx, p, with(view, "limit", limit))
		if err != nil {
			return err
		}
		if err := page.holds(limit, whole.rows); err != nil {
			return fmt.Errorf("limit %d: %w", limit, err)
		}
	}
	for _, part := range []int{2, 3} {
		if err := v.fullest(ctx, p, view, whole.chars/part, whole.rows); err != nil {
			return fmt.Errorf("a limit of 1/%d of all characters: %w", part, err)
		}
	}
	for _, rows := range []int{len(whole.rows), (len(whole.rows) + 1) / 2, 1} {
		if err := v.exactChars(ctx, p, view, rows, whole.rows); err != nil {
			return fmt.Errorf("%d rows: %w", rows, err)
		}
	}
	return nil
}

// with is a view with more in it.
func with(view map[string]any, more ...any) map[string]any {
	out := maps.Clone(view)
	for i := 0; i < len(more); i += 2 {
		out[more[i].(string)] = more[i+1]
	}
	return out
}

// holds wants the page to have the first rows.
func (m *measured) holds(limit int, all []json.RawMessage) error {
	if m == nil {
		return errors.New("the view fails")
	}
	if err := m.Coverage.right(0, limit, len(m.rows), len(all)); err != nil {
		return err
	}
	for i, row := range m.rows {
		if !bytes.Equal(row, all[i]) {
			return fmt.Errorf("row %d is another one", i)
		}
	}
	return nil
}

// unasked leaves offset and limit out, which the answer has to fill in.
func (v *viewer) unasked(ctx context.Context, p *parent, view map[string]any, all []json.RawMessage) error {
	page, _, err := v.page(ctx, p, view)
	if err != nil {
		return err
	}
	limit := defaults[fmt.Sprint(view["kind"])]
	if err := page.holds(limit, all); err != nil {
		return fmt.Errorf("no limit: %w", err)
	}
	if fmt.Sprint(page.asked["offset"], page.asked["limit"]) != fmt.Sprint(0, limit) {
		return fmt.Errorf("without a limit, %v is filled in from %v", page.asked["limit"], page.asked["offset"])
	}
	return nil
}

// exactChars takes so many rows at the bound of as many characters as they need,
// and at one less: then one row has to go, or the page fails if it was the only one.
func (v *viewer) exactChars(ctx context.Context, p *parent, view map[string]any, rows int, all []json.RawMessage) error {
	if rows == 0 {
		return nil
	}
	view = with(view, "limit", rows)
	wide, _, err := v.page(ctx, p, with(view, "max_chars", mostChars))
	if err != nil {
		return err
	}
	if err := wide.holds(rows, all); err != nil {
		return err
	}
	need := wide.exactly(mostChars)
	if need-1 < leastChars {
		return nil
	}
	exact, _, err := v.page(ctx, p, with(view, "max_chars", need))
	if err != nil {
		return err
	}
	if err := exact.holds(rows, all); err != nil {
		return fmt.Errorf("%d characters: %w", need, err)
	}
	if exact.chars != need {
		return fmt.Errorf("%d characters, expected %d", exact.chars, need)
	}
	short, failure, err := v.page(ctx, p, with(view, "max_chars", need-1))
	switch {
	case err != nil:
		return err
	case rows == 1 && short != nil:
		return errors.New("a character less: the page is taken")
	case rows == 1:
		return sameCode(failure, "resource_constraint", "")
	}
	if err := short.holds(rows-1, all); err != nil {
		return fmt.Errorf("a character less: %w", err)
	}
	return nil
}

// exactly is the least bound under which the same page comes that came under this
// one: the document repeats what was asked for.
func (m *measured) exactly(bound int) int {
	need := m.chars - m.said*len(strconv.Itoa(bound))
	return need + m.said*len(strconv.Itoa(need))
}

// fullest asks for all rows under a bound for some of them: as many as fit have to
// come, and the same under the least bound for those, and one less under one less.
func (v *viewer) fullest(ctx context.Context, p *parent, view map[string]any, bound int, all []json.RawMessage) error {
	if bound < 2*leastChars {
		return nil
	}
	view = with(view, "limit", len(all))
	page, _, err := v.page(ctx, p, with(view, "max_chars", bound))
	if err != nil {
		return err
	}
	if page == nil {
		return nil // the first row is too large, which exactChars sees
	}
	rows := len(page.rows)
	if err := page.holds(rows, all); err != nil {
		return err
	}
	// Eight characters are what the numbers in the coverage may grow by.
	if rows < len(all) && page.chars+1+units(all[rows])+8 <= bound {
		return fmt.Errorf("%d rows in %d characters, and the next would have fit", rows, page.chars)
	}
	if page.chars > bound {
		return fmt.Errorf("%d characters", page.chars)
	}
	for less, want := range []int{rows, rows - 1} {
		if want == 0 {
			continue
		}
		page, _, err := v.page(ctx, p, with(view, "max_chars", page.exactly(bound)-less))
		if err != nil {
			return err
		}
		if err := page.holds(want, all); err != nil {
			return fmt.Errorf("%d less than what %d rows need: %w", less, rows, err)
		}
	}
	return nil
}

func units(text []byte) int { return len(utf16.Encode([]rune(string(text)))) }

// charBounds asks for the least and the most characters that may be asked for, and
// for one less and one more.
func (v *viewer) charBounds(ctx context.Context, id string) error {
	var errs []error
	for _, c := range []struct {
		chars int
		taken bool
	}{{leastChars - 1, false}, {leastChars, true}, {mostChars, true}, {mostChars + 1, false}} {
		r, err := v.session.Call(ctx, viewTool, retained(id, fmt.Sprintf(`{"kind":"capture","limit":1,"max_chars":%d}`, c.chars)))
		if err != nil {
			return err
		}
		document, err := r.Document()
		switch {
		case err != nil:
			return err
		case r.IsError == c.taken:
			errs = append(errs, fmt.Errorf("max_chars %d is taken: %t", c.chars, !r.IsError))
		case r.IsError:
			errs = append(errs, sameCode(document, "invalid_request", ""))
		}
	}
	return errors.Join(errs...)
}
