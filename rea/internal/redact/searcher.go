package redact

// A Searcher looks for declared literals in bytes that arrive in pieces, such
// as a body while it is being decoded, and finds those that lie across the
// seams. It keeps a window of the bytes, never all of them.
type Searcher struct {
	d      *Declarations
	window []byte
	found  bool
}

// windowBytes is the least window: small writes are gathered to this size
// before they are searched.
const windowBytes = 32 << 10

// NewSearcher begins a search.
func (d *Declarations) NewSearcher() *Searcher {
	s := &Searcher{d: d}
	if !d.Empty() && d.longest > 0 {
		s.window = make([]byte, 0, max(windowBytes, 2*d.longest))
	}
	return s
}

// Write takes the next bytes. It never fails.
func (s *Searcher) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 && !s.found && cap(s.window) > 0 {
		k := copy(s.window[len(s.window):cap(s.window)], b)
		s.window, b = s.window[:len(s.window)+k], b[k:]
		if len(s.window) == cap(s.window) {
			s.search()
		}
	}
	return n, nil
}

// Found says whether what was written so far holds a literal.
func (s *Searcher) Found() bool {
	s.search()
	return s.found
}

// search looks through the window and keeps of it what may be the beginning
// of a literal.
func (s *Searcher) search() {
	if s.found || len(s.window) == 0 {
		return
	}
	s.found = s.d.InBytes(s.window)
	if keep := s.d.longest - 1; len(s.window) > keep {
		n := copy(s.window, s.window[len(s.window)-keep:])
		s.window = s.window[:n]
	}
}
