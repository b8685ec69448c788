package redact

// gram is the most bytes that a filter looks at.
const gram = 4

// A filter knows the first bytes of all literals, and spares a search
// nearly all of most texts.
type filter struct {
	width int // how many bytes it looks at: 1 to gram
	known []uint64
}

const filterBits = 19 // 64 KiB, small enough to stay in a cache

func newFilter(literals []string) filter {
	f := filter{width: gram, known: make([]uint64, 1<<filterBits/64)}
	for _, l := range literals {
		f.width = min(f.width, len(l))
	}
	for _, l := range literals {
		h := f.hash(l)
		f.known[h/64] |= 1 << (h % 64)
	}
	return f
}

// hash spreads the first bytes of s, which has at least width of them.
func (f *filter) hash(s string) uint32 {
	var h uint32
	if f.width == gram {
		h = uint32(s[3]) | uint32(s[2])<<8 | uint32(s[1])<<16 | uint32(s[0])<<24 // one load
	} else {
		for i := 0; i < f.width; i++ {
			h = h<<8 | uint32(s[i])
		}
	}
	return h * 0x9e3779b1 >> (32 - filterBits)
}

// next is the first place from i on where a literal may begin, or less than 0.
func (f *filter) next(text string, i int) int {
	for ; i+f.width <= len(text); i++ {
		if h := f.hash(text[i:]); f.known[h/64]&(1<<(h%64)) != 0 {
			return i
		}
	}
	return -1
}
