package facts

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rea.example/rea/internal/redact"
)

// written gives the facet as text, and as the pieces it came in.
func written(f *Facts) (text string, pieces int) {
	var b strings.Builder
	for p := range f.JSON() {
		b.Write(p)
		pieces++
	}
	return b.String(), pieces
}

// model is a stream as a simple program counts it: a counter for each byte.
type model struct {
	times  [512]int
	finals map[int][]int
}

func (m *model) rows() (ranges [][2]string, unique, sum, repeated int) {
	for i := 0; i < len(m.times); i++ {
		start := i
		for i < len(m.times) && m.times[i] > 0 {
			unique++
			sum += m.times[i]
			repeated += m.times[i] - 1
			i++
		}
		if i > start {
			ranges = append(ranges, [2]string{strconv.Itoa(start), strconv.Itoa(i)})
		}
	}
	return ranges, unique, sum, repeated
}

// FuzzFacts states the law: whatever frames there are, in whatever order, the
// facts are those of the simple program.
func FuzzFacts(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 5, 0, 0, 5, 5, 1, 1, 3, 3, 2, 0, 5, 5, 1})
	f.Add([]byte{0, 255, 255, 1, 0, 255, 255, 1, 2, 0, 0, 1, 2, 0, 255, 7, 2, 0, 0, 5})
	f.Fuzz(func(t *testing.T, b []byte) {
		fs := New(nil)
		fs.BeginTrace()
		models := map[string]*model{}
		for ordinal := 0; len(b) >= 4; ordinal++ {
			stream, offset, length, kind := b[0]%4, int(b[1]), int(b[2]), b[3]
			b = b[4:]
			fr := Frame{Stream: uint64(stream), Direction: Direction(stream % 2), Offset: Quantity(offset), Length: Quantity(length),
				Ordinal: uint32(ordinal / 2), Index: uint32(ordinal % 2), Fin: Fin(kind % 3)}
			counts := true
			switch kind / 3 % 8 {
			case 6:
				fr.Offset, counts = Unknown, false
			case 7:
				fr.Length, counts = Unknown, false
			}
			fs.Frame(fr)
			key := fmt.Sprint(fr.Stream, fr.Direction)
			m := models[key]
			if m == nil {
				m = &model{finals: map[int][]int{}}
				models[key] = m
			}
			if !counts {
				continue
			}
			for i := offset; i < offset+length; i++ {
				m.times[i]++
			}
			if o := int(fr.Ordinal); fr.Fin == FinTrue && !slices.Contains(m.finals[offset+length], o) {
				m.finals[offset+length] = append(m.finals[offset+length], o)
			}
		}
		text, _ := written(fs)
		var facet struct {
			Traces []struct {
				Streams []struct {
					ID        string `json:"stream_id"`
					Direction string
					Unique    string `json:"unique_bytes"`
					Sum       string `json:"frame_length_sum"`
					Repeated  string `json:"repeated_bytes"`
					Ranges    []struct{ Start, End string }
					Finals    []struct {
						Size     string
						Ordinals []int
					} `json:"final_sizes"`
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &facet); err != nil {
			t.Fatal(err)
		}
		if n := len(facet.Traces[0].Streams); n != len(models) {
			t.Fatalf("%d streams, want %d", n, len(models))
		}
		for _, s := range facet.Traces[0].Streams {
			m := models[s.ID+" "+s.Direction]
			ranges, unique, sum, repeated := m.rows()
			var got [][2]string
			for _, r := range s.Ranges {
				got = append(got, [2]string{r.Start, r.End})
			}
			if !slices.Equal(got, ranges) {
				t.Errorf("ranges %v, want %v", got, ranges)
			}
			if s.Unique != strconv.Itoa(unique) || s.Sum != strconv.Itoa(sum) || s.Repeated != strconv.Itoa(repeated) {
				t.Errorf("%s of %s, %s again; want %d of %d, %d", s.Unique, s.Sum, s.Repeated, unique, sum, repeated)
			}
			last := -1
			for _, e := range s.Finals {
				size, _ := strconv.Atoi(e.Size)
				if size <= last || !slices.Equal(e.Ordinals, m.finals[size]) {
					t.Errorf("ends %v, want %v", s.Finals, m.finals)
				}
				last = size
			}
			if len(s.Finals) != len(m.finals) {
				t.Errorf("ends %v, want %v", s.Finals, m.finals)
			}
		}
	})
}

// TestPieces: a large facet comes in pieces of bounded size, and whoever has
// enough is not given more.
func TestPieces(t *testing.T) {
	fs := New(redact.NewDeclarations(nil))
	fs.BeginTrace()
	const frames = 20000
	for i := range frames {
		fs.Frame(Frame{Stream: uint64(i % 7), Offset: Quantity(i), Length: 1, Ordinal: uint32(i)})
	}
	for p := range fs.JSON() {
		if len(p) > pieceBytes+1024 {
			t.Fatalf("a piece of %d bytes", len(p))
		}
	}
	text, pieces := written(fs)
	if !json.Valid([]byte(text)) || pieces < 10 || strings.Count(text, `"frame_index"`) != frames {
		t.Errorf("%d pieces", pieces)
	}
	n := 0
	for range fs.JSON() {
		if n++; n == 2 {
			break
		}
	}
}

// TestDense: the work is not quadratic in the frames, however they lie and
// whatever is declared. (It would take hours, not a second.)
func TestDense(t *testing.T) {
	const frames = 400_000
	r := rand.New(rand.NewPCG(1, 2))
	fs := New(redact.NewDeclarations([]string{"1"}))
	fs.BeginTrace()
	for i := range frames {
		fs.Frame(Frame{Offset: Quantity(2 * (frames - i)), Length: 1, Fin: FinTrue, Ordinal: uint32(r.IntN(frames))})
	}
	if text, _ := written(fs); strings.Contains(text, `"end":"1`) || !strings.Contains(text, `"end":"223"`) {
		t.Error("what is hidden is shown, or the other way round")
	}
}
