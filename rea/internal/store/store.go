package store

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"io"
	"sync"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/view"
)

// Why there is nothing under an identifier, or nothing could be retained.
var (
	ErrMissing  = errors.New("store: nothing was retained under this identifier")
	ErrEvicted  = errors.New("store: what was retained under this identifier was evicted")
	ErrConflict = errors.New("store: another document is retained under this identifier")
	ErrTooLarge = errors.New("store: the document is larger than the store")
)

const (
	// inMemory is the largest document that is moved into memory, so that the
	// number of open files is bounded by the size of the store.
	inMemory = 4 << 20
	// remembered is how many evicted identifiers are told from unknown ones.
	remembered = 1 << 14
)

// Store is the retained Evidence of one process.
type Store struct {
	most int64

	mu      sync.Mutex
	used    int64
	entries map[string]*entry
	young   list.List // of *entry, the youngest in front
	evicted map[string]bool
	gone    []string // evicted identifiers, the oldest first; a ring once it is full
	oldest  int
}

type entry struct {
	id       string
	document *evidence.Document
	size     int64
	place    *list.Element
	leases   int // and one for the store itself

	parent view.Once[*view.Parent]
}

// New makes a store for so many canonical bytes.
func New(most int64) *Store {
	return &Store{most: most, entries: map[string]*entry{}, evicted: map[string]bool{}}
}

// Lease is the right to read a retained document. It may be used by several
// goroutines; its release ends it.
type Lease struct {
	store *Store
	entry *entry
}

// Document is the retained document.
func (l *Lease) Document() *evidence.Document { return l.entry.document }

// Parent opens the document for views, once for all leases. The error may be the
// context's.
func (l *Lease) Parent(ctx context.Context) (*view.Parent, error) {
	return l.entry.parent.Get(ctx, func() (*view.Parent, error) { return view.Open(ctx, l.entry.document) })
}

// Release gives the document back. What closing a file says that was only read,
// and has no name, is of no use to anybody.
func (l *Lease) Release() {
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	_ = l.entry.release()
}

func (e *entry) release() error {
	if e.leases--; e.leases > 0 {
		return nil
	}
	return e.document.Close()
}

// Put retains a sealed document under its identifier, and takes it over, also
// where it gives an error.
func (s *Store) Put(id string, d *evidence.Document) (*Lease, error) {
	size := d.Size()
	if size > s.most {
		return nil, errors.Join(ErrTooLarge, d.Close())
	}
	if old, err := s.Get(id); err == nil {
		return s.again(old, d)
	}
	if size <= inMemory {
		b, err := d.Bytes()
		if err := errors.Join(err, d.Close()); err != nil {
			return nil, err
		}
		d = evidence.NewDocument(b)
	}
	s.mu.Lock()
	if e := s.entries[id]; e != nil { // somebody was faster
		e.leases++
		s.mu.Unlock()
		return s.again(&Lease{s, e}, d)
	}
	defer s.mu.Unlock()
	for s.used+size > s.most {
		// What it couldn't close is a file without a name: nobody can do more.
		_ = s.evict(s.young.Back().Value.(*entry))
	}
	e := &entry{id: id, document: d, size: size, leases: 2}
	e.place = s.young.PushFront(e)
	s.entries[id] = e
	s.used += size
	delete(s.evicted, id) // it keeps its place in the ring
	return &Lease{s, e}, nil
}

// again is Put of an identifier that is there already: what was retained first
// stays, and another document under it is an error.
func (s *Store) again(old *Lease, d *evidence.Document) (*Lease, error) {
	same, err := equal(old.entry.document, d)
	err = errors.Join(err, d.Close())
	if err == nil && !same {
		err = ErrConflict
	}
	if err != nil {
		old.Release()
		return nil, err
	}
	return old, nil
}

// Get gives a lease on what is retained, or says why there is nothing.
func (s *Store) Get(id string) (*Lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[id]
	switch {
	case e != nil:
		s.young.MoveToFront(e.place)
		e.leases++
		return &Lease{s, e}, nil
	case s.evicted[id]:
		return nil, ErrEvicted
	}
	return nil, ErrMissing
}

// Used is the number of canonical bytes retained.
func (s *Store) Used() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

// Close gives up everything that is retained.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for s.young.Len() > 0 {
		errs = append(errs, s.evict(s.young.Back().Value.(*entry)))
	}
	return errors.Join(errs...)
}

// evict takes an entry out of the store. Its document closes with the last
// lease, which may be the store's own.
func (s *Store) evict(e *entry) error {
	s.young.Remove(e.place)
	delete(s.entries, e.id)
	s.used -= e.size
	s.rememberEviction(e.id)
	return e.release()
}

func (s *Store) rememberEviction(id string) {
	if len(s.gone) < remembered {
		s.gone = append(s.gone, id)
	} else {
		delete(s.evicted, s.gone[s.oldest])
		s.gone[s.oldest] = id
		s.oldest = (s.oldest + 1) % remembered
	}
	s.evicted[id] = true
}

func equal(a, b *evidence.Document) (bool, error) {
	if a.Size() != b.Size() {
		return false, nil
	}
	ra, rb := a.Reader(), b.Reader()
	p, q := make([]byte, 256<<10), make([]byte, 256<<10)
	for left := a.Size(); left > 0; {
		n := min(left, int64(len(p)))
		if _, err := io.ReadFull(ra, p[:n]); err != nil {
			return false, err
		}
		if _, err := io.ReadFull(rb, q[:n]); err != nil {
			return false, err
		}
		if !bytes.Equal(p[:n], q[:n]) {
			return false, nil
		}
		left -= n
	}
	return true, nil
}
