package mcpserver

import "io"

const (
	// envelopeBytes are kept for what the protocol puts around a result.
	envelopeBytes = 1024
	// maxUnits is the longest string of the JavaScript engine that most clients
	// run on.
	maxUnits = 0x1fffffe8
)

// cost is what a document costs on the wire.
type cost struct {
	text int64 // bytes of it as a JSON string
	raw  int64 // bytes of it as JSON
	size int64 // its own bytes
	// units are the UTF-16 code units of text and raw together, textUnits those
	// of text alone.
	units, textUnits int64
}

func (c cost) bytes() int64 { return c.text + c.raw }

// measure reads canonical JSON. The library's encoder spells <, > and & and the
// two line separators as escapes of six characters, in both copies.
func measure(r io.Reader) (c cost, err error) {
	block := make([]byte, 64<<10)
	var two [2]byte // the bytes before
	for {
		n, err := r.Read(block)
		for _, b := range block[:n] {
			c.size++
			text, raw, units := int64(1), int64(1), int64(1)
			switch {
			case b == '"' || b == '\\':
				text = 2
			case b == '<' || b == '>' || b == '&':
				text, raw = 6, 6
			case (b == 0xa8 || b == 0xa9) && two == [2]byte{0xe2, 0x80}:
				text, raw, units = 4, 4, 5 // two bytes and one unit are counted already
			case b >= 0xf0:
				units = 2
			case b >= 0x80 && b < 0xc0:
				units = 0
			}
			c.text += text
			c.raw += raw
			if b < 0x80 {
				c.textUnits += text
				c.units += text + raw
			} else {
				c.textUnits += units
				c.units += 2 * units
			}
			two = [2]byte{two[1], b}
		}
		if err == io.EOF {
			c.text += 2 // its quotes
			c.textUnits += 2
			c.units += 2
			return c, nil
		}
		if err != nil {
			return cost{}, err
		}
	}
}
