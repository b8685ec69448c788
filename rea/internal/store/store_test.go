package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/view/viewtest"
)

func id(i int) string { return fmt.Sprintf("ev_%064x", i) }

func doc(size int) *evidence.Document { return evidence.NewDocument(bytes.Repeat([]byte("1"), size)) }

func put(t *testing.T, s *Store, i, size int) {
	t.Helper()
	l, err := s.Put(id(i), doc(size))
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
}

func TestOldestGo(t *testing.T) {
	s := New(100)
	for i := range 4 {
		put(t, s, i, 30)
	}
	if _, err := s.Get(id(0)); !errors.Is(err, ErrEvicted) || s.Used() != 90 {
		t.Errorf("%v, %d bytes", err, s.Used())
	}
	if _, err := s.Get(id(9)); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
	// Being looked at makes young, being retained again too.
	l, err := s.Get(id(1))
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
	put(t, s, 2, 30)
	put(t, s, 4, 30)
	for i, want := range []error{ErrEvicted, nil, nil, ErrEvicted, nil} {
		l, err := s.Get(id(i))
		if !errors.Is(err, want) {
			t.Errorf("%d: %v, want %v", i, err, want)
		}
		if err == nil {
			l.Release()
		}
	}
	// What comes back is no longer evicted, also when it goes by another's weight.
	put(t, s, 0, 100)
	if s.Used() != 100 {
		t.Errorf("%d bytes", s.Used())
	}
	if _, err := s.Put(id(5), doc(101)); !errors.Is(err, ErrTooLarge) || s.Used() != 100 {
		t.Errorf("%v, %d bytes", err, s.Used())
	}
}

func TestRetainedTwiceIsKeptOnce(t *testing.T) {
	s := New(1000)
	put(t, s, 1, 600)
	put(t, s, 1, 600)
	if s.Used() != 600 {
		t.Errorf("%d bytes", s.Used())
	}
	for _, other := range []*evidence.Document{doc(599), evidence.NewDocument(bytes.Repeat([]byte("2"), 600))} {
		if _, err := s.Put(id(1), other); !errors.Is(err, ErrConflict) {
			t.Error(err)
		}
	}
	if l, err := s.Get(id(1)); err != nil {
		t.Error(err)
	} else if b, _ := l.Document().Bytes(); b[0] != '1' {
		t.Error("the other document took its place")
	}
}

// file is content with a close that is noticed.
type file struct {
	*bytes.Reader
	closed int
}

func (f *file) Close() error { f.closed++; return nil }

func large(t *testing.T, size int) (*file, *evidence.Document) {
	t.Helper()
	f := &file{Reader: bytes.NewReader(bytes.Repeat([]byte("7"), size))}
	_, d, err := evidence.Seal(evidence.Evidence{Result: []evidence.Part{{Section: io.NewSectionReader(f, 0, int64(size))}}}, f)
	if err != nil {
		t.Fatal(err)
	}
	return f, d
}

func TestFilesCloseOnce(t *testing.T) {
	s := New(3 * inMemory)
	f, d := large(t, inMemory)
	small, e := large(t, 10)
	l, err := s.Put(id(1), d)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(id(2), e); err != nil {
		t.Fatal(err)
	}
	if small.closed != 1 || f.closed != 0 {
		t.Errorf("a small document stays in its file (%d), or a large one is closed (%d)", small.closed, f.closed)
	}
	again, b := large(t, inMemory)
	if l, err := s.Put(id(1), b); err != nil {
		t.Fatal(err)
	} else {
		l.Release()
	}
	if again.closed != 1 || f.closed != 0 {
		t.Errorf("of the same document %d closed, of the first %d", again.closed, f.closed)
	}
	put(t, s, 3, 3*inMemory) // evicts both
	if _, err := l.Document().Bytes(); err != nil || f.closed != 0 {
		t.Errorf("a leased document is gone: %v", err)
	}
	if l.Release(); f.closed != 1 {
		t.Errorf("closed %d times", f.closed)
	}
	if err := s.Close(); err != nil || s.Used() != 0 {
		t.Errorf("%v, %d bytes", err, s.Used())
	}
}

func TestEvictionsAreRememberedForAWhile(t *testing.T) {
	s := New(1)
	const n = remembered + 5
	for i := range n + 1 {
		put(t, s, i, 1)
	}
	if len(s.evicted) != remembered || len(s.gone) != remembered {
		t.Errorf("%d and %d are remembered", len(s.evicted), len(s.gone))
	}
	if _, err := s.Get(id(4)); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
	if _, err := s.Get(id(5)); !errors.Is(err, ErrEvicted) {
		t.Error(err)
	}
}

func TestParentIsOpenedOnce(t *testing.T) {
	s := New(1 << 20)
	name, d := viewtest.Capture{Reported: []string{`null`}}.Seal(t)
	first, err := s.Put(name, d)
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := first.Parent(t.Context())
	q, err2 := second.Parent(t.Context())
	if err != nil || err2 != nil || p != q || p.ID != name {
		t.Errorf("%p, %v and %p, %v", p, err, q, err2)
	}
}

// TestManyAtOnce is for the race detector: whatever is read is whole, and the
// bound holds all the time.
func TestManyAtOnce(t *testing.T) {
	s := New(20 * 1000)
	var all sync.WaitGroup
	for w := range 16 {
		all.Go(func() {
			for i := range 200 {
				n := (w*7 + i) % 40
				l, err := s.Put(id(n), evidence.NewDocument([]byte(strings.Repeat(string(rune('a'+n%26)), 1000))))
				if err != nil {
					t.Error(err)
					return
				}
				b, err := l.Document().Bytes()
				if err != nil || strings.Trim(string(b), string(b[:1])) != "" || b[0] != byte('a'+n%26) {
					t.Errorf("%.20s, %v", b, err)
				}
				if s.Used() > 20*1000 {
					t.Errorf("%d bytes", s.Used())
				}
				l.Release()
			}
		})
	}
	all.Wait()
}

// TestNobodyIsGivenAnother: however many retain at once, what is given under an
// identifier is what was put under it, or nothing.
func TestNobodyIsGivenAnother(t *testing.T) {
	s := New(1 << 20)
	for round := range 300 {
		var all sync.WaitGroup
		var kept [4]bool
		for i := range kept {
			all.Go(func() {
				mine := []byte(fmt.Sprint(i % 2))
				l, err := s.Put(id(round), evidence.NewDocument(mine))
				if err != nil {
					if !errors.Is(err, ErrConflict) {
						t.Error(err)
					}
					return
				}
				kept[i] = true
				if b, err := l.Document().Bytes(); err != nil || !bytes.Equal(b, mine) {
					t.Errorf("%s was put, and %s given: %v", mine, b, err)
				}
				l.Release()
			})
		}
		all.Wait()
		if kept[0] == kept[1] || kept[0] != kept[2] || kept[1] != kept[3] {
			t.Fatalf("round %d: %v", round, kept)
		}
	}
}
