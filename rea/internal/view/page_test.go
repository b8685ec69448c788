package view_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/view"
	"rea.example/rea/internal/view/viewtest"
)

// rows is a collection of texts of growing length.
func rows(n, step int) view.Rows {
	return view.Rows{Member: "items", Total: n, Row: func(i int) ([]byte, int, error) {
		return []byte(fmt.Sprintf(`{"i":%d,"t":"%s"}`, i, strings.Repeat("\U0001f600", i*step))), 100 + i, nil
	}}
}

func page(t *testing.T, p *view.Parent, r view.Rows, w view.Window) (items []string, coverage string, units int, err error) {
	t.Helper()
	_, d, err := p.SealPage(t.Context(), view.Result{Kind: "capture", View: map[string]any{"offset": w.Offset}, Payload: map[string][]byte{}}, r, w)
	if err != nil {
		return nil, "", 0, err
	}
	b, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	v, err := strictjson.Parse([]byte(viewtest.Result(t, d, nil)), 80)
	if err != nil {
		t.Fatal(err)
	}
	for i := range v.Get("items").Items {
		items = append(items, string(strictjson.AppendCanonical(nil, &v.Get("items").Items[i])))
	}
	return items, string(strictjson.AppendCanonical(nil, v.Get("coverage"))), view.Units(b), nil
}

func TestCoverage(t *testing.T) {
	p := one.Open(t)
	for _, c := range []struct {
		total, offset, limit int
		want                 string
	}{
		{33, 0, 20, `{"examined":20,"exhausted":false,"next_offset":20,"status":"page","total":33}`},
		{33, 20, 20, `{"examined":13,"exhausted":true,"next_offset":null,"status":"page","total":33}`},
		{33, 33, 20, `{"examined":0,"exhausted":true,"next_offset":null,"status":"empty","total":33}`},
		{33, 1 << 53, 1 << 53, `{"examined":0,"exhausted":true,"next_offset":null,"status":"empty","total":33}`},
		{0, 0, 20, `{"examined":0,"exhausted":true,"next_offset":null,"status":"empty","total":0}`},
		{1, 0, 1 << 53, `{"examined":1,"exhausted":true,"next_offset":null,"status":"page","total":1}`},
	} {
		_, got, _, err := page(t, p, rows(c.total, 1), view.Window{Offset: c.offset, Limit: c.limit})
		if err != nil || got != c.want {
			t.Errorf("%+v: %s, %v", c, got, err)
		}
	}
}

// TestPagesConcatenate: however a collection is cut, by rows or by characters,
// its pages put together are the whole.
func TestPagesConcatenate(t *testing.T) {
	p := one.Open(t)
	all := rows(60, 13)
	whole, _, _, err := page(t, p, all, view.Window{Limit: 60})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []view.Window{{Limit: 1}, {Limit: 7}, {Limit: 60}, {Limit: 60, MaxChars: 4000}, {Limit: 9, MaxChars: 6000}, {Limit: 60, MaxChars: 50000}} {
		var got []string
		most := 0
		for {
			items, coverage, units, err := page(t, p, all, w)
			if err != nil {
				t.Fatalf("%+v: %v", w, err)
			}
			if w.MaxChars > 0 && units > w.MaxChars {
				t.Fatalf("%+v: %d units", w, units)
			}
			most = max(most, units)
			got = append(got, items...)
			if strings.Contains(coverage, `"exhausted":true`) {
				break
			}
			w.Offset += len(items)
			if want := fmt.Sprintf(`"next_offset":%d,`, w.Offset); len(items) == 0 || !strings.Contains(coverage, want) {
				t.Fatalf("%+v: %s", w, coverage)
			}
		}
		if strings.Join(got, ",") != strings.Join(whole, ",") {
			t.Errorf("%+v: the pages are not the whole", w)
		}
		if w.MaxChars == 4000 && most < 3000 {
			t.Errorf("pages are smaller than they have to be: %d of %d units", most, w.MaxChars)
		}
	}
}

func TestFirstRowTooLarge(t *testing.T) {
	p := one.Open(t)
	_, _, _, err := page(t, p, rows(60, 100), view.Window{Offset: 40, Limit: 20, MaxChars: 4000})
	f := failure.As(err)
	if f == nil || f.Code != failure.ResourceConstraint {
		t.Fatal(err)
	}
	limits := f.Details["reported_limits"].(map[string]any)
	if limits["ordinal"] != 140 || limits["max_chars"] != 4000 || limits["required_chars"].(int) < 8000 {
		t.Errorf("%v", limits)
	}
	// What was named is enough.
	_, _, units, err := page(t, p, rows(60, 100), view.Window{Offset: 40, Limit: 1, MaxChars: limits["required_chars"].(int)})
	if err != nil || units != limits["required_chars"] {
		t.Errorf("%d, %v", units, err)
	}
}

func TestUnique(t *testing.T) {
	// U+E000 sorts behind a surrogate pair by units, before it by code points.
	got := view.Unique([]string{"b", "\ue000", "a", "\U0001f600", "b"})
	if strings.Join(got, ",") != "a,b,\U0001f600,\ue000" {
		t.Errorf("%q", got)
	}
}

// TestCancelledPage: nobody makes rows, nor seals them, for a caller who is gone.
func TestCancelledPage(t *testing.T) {
	p := one.Open(t)
	for _, last := range []int{0, 2, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		made := 0
		_, _, err := p.SealPage(ctx, view.Result{Payload: map[string][]byte{}}, view.Rows{Member: "items", Total: 5, Row: func(i int) ([]byte, int, error) {
			if made++; i == last {
				cancel()
			}
			return []byte("1"), i, nil
		}}, view.Window{Limit: 5})
		if !errors.Is(err, context.Canceled) || made != last+1 {
			t.Errorf("cancelled at row %d: %d rows, %v", last, made, err)
		}
	}
}
