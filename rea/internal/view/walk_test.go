package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

func surveyOf(t testing.TB, canonical string, least int) *Text {
	t.Helper()
	s, err := survey(t.Context(), strings.NewReader(canonical), len(canonical), least)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func same(t *testing.T, w *Walker, want *tree.Value) {
	t.Helper()
	spelt := strictjson.AppendCanonical(nil, want)
	if raw := w.Raw(); !bytes.Equal(raw, spelt) {
		t.Fatalf("%q, want %q", raw, spelt)
	}
}

// compare walks over a value and holds it against its tree.
func compare(t *testing.T, w *Walker, want *tree.Value) {
	t.Helper()
	spelt := strictjson.AppendCanonical(nil, want)
	at := w.At()
	same(t, w, want)
	end := w.At()
	w.Go(at)
	if n := len(want.Items); want.Kind == tree.Array && w.Count() != n || want.Kind != tree.Array && w.Count() != 0 || w.At() != end {
		t.Fatalf("%s: not %d items, or %d is not the end %d", spelt, n, w.At(), end)
	}
	w.Go(at)
	switch want.Kind {
	case tree.Array:
		l := w.List()
		for i := len(want.Items) - 1; i >= 0; i-- { // backwards: none follows the one before
			l.Go(i)
			compare(t, w, &want.Items[i])
		}
		for i := range want.Items {
			l.Go(i)
			same(t, w, &want.Items[i])
		}
		w.Go(at)
		for i := range w.Items() {
			if i%2 == 0 { // the others are left
				same(t, w, &want.Items[i])
			}
		}
	case tree.Object:
		i := 0
		for name := range w.Members() {
			if quoted := string(strictjson.AppendString(nil, want.Items[i].Name)); `"`+string(name)+`"` != quoted {
				t.Fatalf("%s: %s, want %s", spelt, name, quoted)
			}
			if i%2 == 0 {
				compare(t, w, &want.Items[i])
			}
			i++
		}
		if i != len(want.Items) {
			t.Fatalf("%s: %d members", spelt, i)
		}
	default:
		w.Go(end)
	}
	if w.At() != end {
		t.Fatalf("%s: at %d, want %d", spelt, w.At(), end)
	}
}

// FuzzWalk states the law: whoever walks over a text finds what its tree has,
// however little of it is surveyed or read at a time.
func FuzzWalk(f *testing.F) {
	f.Add(`{"a":[1,[2,"]",{}],[]],"b\"\\":"\\\"","c":null}`, 4, 3)
	f.Add(`[[[[1,2,3],[4,5,6]],[7]],"x,y",true,-1.5e300]`, 1, 1)
	f.Add(`"\ud800"`, 9, 2)
	f.Add(`[`+strings.Repeat(`{"streams":["",{"k":[0,0,0]}]},`, 50)+`0]`, 64, 40)
	f.Fuzz(func(t *testing.T, text string, least, block int) {
		v, err := strictjson.Parse([]byte(text), limits.EvidenceDepth)
		if err != nil || least < 1 || block < 1 || len(text) > 4096 {
			return
		}
		canonical := strictjson.AppendCanonical(nil, &v)
		if v, err = strictjson.Parse(canonical, limits.EvidenceDepth); err != nil {
			t.Fatal(err)
		}
		w := surveyOf(t, string(canonical), least).Walk(t.Context())
		w.block = make([]byte, 0, min(block, 1<<16))
		compare(t, w, &v)
		if w.Err() != nil || w.At() != len(canonical) {
			t.Fatalf("%v at %d", w.Err(), w.At())
		}
	})
}

// TestSurveyIsSmall: whatever the text, what is kept of it is a small part.
func TestSurveyIsSmall(t *testing.T) {
	for _, text := range []string{
		`[` + strings.Repeat(`[],`, 1<<20) + `[]]`,
		`[` + strings.Repeat(`[`+strings.Repeat(`1,`, 200)+`1],`, 1<<12) + `[]]`,
		strings.Repeat(`[`, 60) + strings.Repeat(`1,`, 1<<20) + `1` + strings.Repeat(`]`, 60),
	} {
		marks := 0
		for _, l := range surveyOf(t, text, longArray).long {
			marks += 1 + len(l.marks)
		}
		if most := 64 + len(text)/longArray; marks > most {
			t.Errorf("%.9s: %d marks, want at most %d", text, marks, most)
		}
	}
}

// TestGoingOn: a page far into a list is found without reading the list.
func TestGoingOn(t *testing.T) {
	text := `[` + strings.Repeat(`{"a":[1,2]},`, 1<<18) + `7]`
	r := &reads{ReaderAt: strings.NewReader(text)}
	s, err := Survey(t.Context(), r, len(text))
	if err != nil {
		t.Fatal(err)
	}
	r.bytes = 0
	w := s.Walk(t.Context())
	l := w.List()
	l.Go(l.Len - 1)
	if raw := string(w.Raw()); raw != "7" || r.bytes > 4*walkBlock {
		t.Errorf("%s, and %d bytes were read", raw, r.bytes)
	}
}

type reads struct {
	io.ReaderAt
	bytes int
}

func (r *reads) ReadAt(p []byte, off int64) (int, error) {
	r.bytes += len(p)
	return r.ReaderAt.ReadAt(p, off)
}

func TestWalkStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text := `[1,{"a":2}]`
	if _, err := Survey(ctx, strings.NewReader(text), len(text)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s := surveyOf(t, text, 1)
	w := s.Walk(ctx)
	if n := w.List().Len; w.Kind() != 0 || len(w.Raw()) != 0 || !errors.Is(w.Err(), context.Canceled) {
		t.Errorf("%d items, %v", n, w.Err())
	}
	short := bytes.NewReader([]byte(text)[:5])
	if _, err := Survey(t.Context(), short, len(text)); err == nil {
		t.Error("a text that ends too early")
	}
}

func TestOnce(t *testing.T) {
	var o Once[int]
	bad := errors.New("bad")
	calls := 0
	give := func(n int, err error) func() (int, error) {
		return func() (int, error) { calls++; return n, err }
	}
	if _, err := o.Get(t.Context(), give(0, bad)); !errors.Is(err, bad) {
		t.Error(err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = o.Get(t.Context(), func() (int, error) { panic("bad") })
	}()
	ctx, cancel := context.WithCancel(t.Context())
	begun, end, done := make(chan struct{}), make(chan struct{}), make(chan string, 3)
	ask := func(ctx context.Context, create func() (int, error)) {
		go func() { n, err := o.Get(ctx, create); done <- fmt.Sprint(n, err) }()
	}
	ask(t.Context(), func() (int, error) { close(begun); <-end; return 7, nil })
	<-begun
	ask(ctx, give(8, nil))
	cancel()
	if got := <-done; got != "0 context canceled" {
		t.Error(got)
	}
	ask(t.Context(), give(8, nil))
	close(end)
	for range 2 {
		if got := <-done; got != "7 <nil>" {
			t.Error(got)
		}
	}
	if calls != 1 {
		t.Errorf("made %d times beside", calls)
	}
}

// patience is a context that ends when it was asked so often.
type patience struct {
	context.Context
	left int
}

func (p *patience) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestAWalkMayEndAnywhere stops the check of a facet's shape at each of its looks
// at the context: what was read of a value by then is nothing.
func TestAWalkMayEndAnywhere(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"body_bytes":"not-reported","traces":[{"events":1,"incomplete_records":[],"loss_declarations":[],"odcid":null,"pointer":"/traces/0","streams":[{"contributions":[`)
	for i := range 9000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"fin":false,"frame_index":0,"length":"1","offset":"%d","ordinal":%d}`, i, i)
	}
	b.WriteString(`]}]}]}`)
	text, err := Survey(context.Background(), strings.NewReader(b.String()), b.Len())
	if err != nil {
		t.Fatal(err)
	}
	for left := range 100 {
		w := text.Walk(&patience{context.Background(), left})
		facetShape()(w)
		if w.Err() == nil {
			if left < 10 {
				t.Errorf("it is asked %d times only", left)
			}
			return
		}
	}
	t.Error("it never ends")
}
