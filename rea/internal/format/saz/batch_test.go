package saz

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"rea.example/rea/internal/format"
)

// stopping is a sink that has enough after some records.
type stopping struct {
	left int
	seen []string
}

var errEnough = errors.New("enough")

func (s *stopping) Record(e *format.Entry) error {
	if s.left--; s.left < 0 {
		return errEnough
	}
	s.seen = append(s.seen, e.At.Members[0])
	return nil
}

func (s *stopping) Container(*format.Container) error { return nil }

// many is an archive of sessions whose bodies have all sizes up to 40 KB, so that
// batches end for either reason. The one at broken, if it is there, is damaged.
func many(sessions, broken int) []byte {
	var f archiveFile
	for i := range sessions {
		e := entry{name: fmt.Sprintf("raw/%03d_s.txt", i), data: "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", i*997%40_000)}
		if i == broken {
			e.raw = []byte{0xff}
		}
		f.entries = append(f.entries, e)
	}
	return f.bytes()
}

// Records come in order and to the last, whatever the batches, and what ends the
// reading leaves no goroutine behind.
func TestBatches(t *testing.T) {
	const sessions = 300
	before := runtime.NumGoroutine()
	for _, c := range []struct{ broken, enough, want int }{
		{-1, sessions, sessions}, {-1, 0, 0}, {-1, 1, 1}, {-1, 150, 150}, {0, sessions, 0}, {1, sessions, 1}, {150, sessions, 150}, {299, sessions, 299}, {150, 150, 150},
	} {
		s := &stopping{left: c.enough}
		err := Format{}.Read(format.Input{Source: many(sessions, c.broken)}, s)
		var p *format.Problem
		switch {
		case c.enough < sessions && c.broken < 0 && !errors.Is(err, errEnough):
			t.Errorf("%+v: a sink that had enough gets %v", c, err)
		case c.broken >= 0 && !errors.As(err, &p):
			t.Errorf("%+v: a damaged member gives %v", c, err)
		case c.broken >= 0 && string(p.Pointer) != fmt.Sprintf("raw/%03d_s.txt", c.broken):
			t.Errorf("%+v: the problem is at %s", c, p.Pointer)
		case c.broken < 0 && c.enough == sessions && err != nil:
			t.Errorf("%+v: %v", c, err)
		}
		if len(s.seen) != c.want {
			t.Errorf("%+v: %d records", c, len(s.seen))
		}
		for i, name := range s.seen {
			if name != fmt.Sprintf("raw/%03d_s.txt", i) {
				t.Fatalf("%+v: record %d is %s", c, i, name)
			}
		}
	}
	// The other goroutine has said its last word, and may still be leaving.
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}
