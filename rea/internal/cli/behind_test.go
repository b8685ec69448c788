package cli

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

// TestBehindWritesTheSame: whatever the sizes of the pieces, the same bytes
// arrive in the same order.
func TestBehindWritesTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, behindBlock - 1, behindBlock, behindBlock + 1, 5*behindBlock + 7} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(r.Uint32())
		}
		var got bytes.Buffer
		w := newBehind(&got)
		for rest := want; len(rest) > 0; {
			n := min(len(rest), 1+r.IntN(behindBlock/2))
			if m, err := w.Write(rest[:n]); m != n || err != nil {
				t.Fatalf("%d bytes: wrote %d, %v", n, m, err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%d bytes: %d arrived, %v", size, got.Len(), err)
		}
	}
}

type fullDisk struct{ room int }

var errFull = errors.New("full")

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestBehindTellsTheError: an error of the real writer reaches whoever writes on
// or closes, and nobody waits for ever.
func TestBehindTellsTheError(t *testing.T) {
	for _, room := range []int{0, behindBlock, 3 * behindBlock} {
		w := newBehind(&fullDisk{room})
		var err error
		for range 20 {
			if _, err = w.Write(make([]byte, behindBlock/2)); err != nil {
				break
			}
		}
		if !errors.Is(err, errFull) {
			t.Errorf("room for %d: writing on gives %v", room, err)
		}
		if err := w.Close(); !errors.Is(err, errFull) {
			t.Errorf("room for %d: closing gives %v", room, err)
		}
	}
	w := newBehind(&fullDisk{0})
	if _, err := w.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("a last block: %v", err)
	}
}
