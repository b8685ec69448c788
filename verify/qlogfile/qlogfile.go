package qlogfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"rea.example/verify/harfile"
)

// most bounds the bytes of a stream that get a counter.
const most = 64 << 20

// File is a qlog as this package sees it.
type File struct {
	Traces []Trace
	// Secrets are the values of credential headers, and the tokens, that the
	// trace holds.
	Secrets []string
}

// Trace is one trace with its facts.
type Trace struct {
	Events  []Event
	Streams map[Key]*Stream
	Losses  []Loss
}

// Event is one event as it was recorded.
type Event struct {
	Ordinal int // over all traces
	Pointer string
	Value   any // json.Number, string, bool, nil, []any, map[string]any
}

// Key names one direction of one stream.
type Key struct {
	Stream    string // decimal
	Direction string // "sent" or "received"
}

// Stream is what the frames of one direction say.
type Stream struct {
	Contributions []Contribution
	FinalSizes    map[int64][]int // size to ordinals, each once
	count         []uint8         // how many frames cover each byte
}

// Contribution is one frame.
type Contribution struct {
	Ordinal, Frame int
	Offset, Length int64
	Fin            bool
}

// Loss is one declaration of a lost packet.
type Loss struct {
	Ordinal             int
	PacketNumber, Space string
}

// Unique, Sum and Repeated are the byte totals.
func (s *Stream) Unique() (n int64) {
	for _, c := range s.count {
		if c > 0 {
			n++
		}
	}
	return n
}

// Sum counts a byte as often as frames cover it.
func (s *Stream) Sum() (n int64) {
	for _, c := range s.Contributions {
		n += c.Length
	}
	return n
}

// Range is a half-open run of bytes.
type Range struct{ Start, End int64 }

// Ranges are the runs of bytes that at least so many frames cover.
func (s *Stream) Ranges(least uint8) (list []Range) {
	for i, c := range s.count {
		at := int64(i)
		switch {
		case c < least:
		case len(list) > 0 && list[len(list)-1].End == at:
			list[len(list)-1].End++
		default:
			list = append(list, Range{at, at + 1})
		}
	}
	return list
}

// Read reads a whole trace file.
func Read(data []byte) (*File, error) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	dec.UseNumber()
	var document any
	if err := dec.Decode(&document); err != nil {
		return nil, errors.New("qlogfile: not JSON")
	}
	list, ok := harfile.At(document, "traces").([]any)
	if !ok {
		return nil, errors.New("qlogfile: no traces")
	}
	f := &File{}
	ordinal := 0
	for t, trace := range list {
		events, _ := harfile.At(trace, "events").([]any)
		read := Trace{Streams: map[Key]*Stream{}}
		for i, v := range events {
			e := Event{Ordinal: ordinal, Pointer: fmt.Sprintf("/traces/%d/events/%d", t, i), Value: v}
			ordinal++
			read.Events = append(read.Events, e)
			if err := read.take(e); err != nil {
				return nil, err
			}
			f.secrets(v)
		}
		f.Traces = append(f.Traces, read)
	}
	return f, nil
}

func (t *Trace) take(e Event) error {
	data := harfile.At(e.Value, "data")
	name, _ := harfile.At(e.Value, "name").(string)
	direction := map[string]string{"transport:packet_sent": "sent", "transport:packet_received": "received"}[name]
	if name == "recovery:packet_lost" {
		t.Losses = append(t.Losses, Loss{e.Ordinal, fmt.Sprint(harfile.At(data, "packet_number")), fmt.Sprint(harfile.At(data, "type"))})
	}
	if direction == "" {
		return nil
	}
	frames, _ := harfile.At(data, "frames").([]any)
	for i, frame := range frames {
		if harfile.At(frame, "frame_type") != "stream" {
			continue
		}
		id, errID := integer(frame, "stream_id")
		offset, errOffset := integer(frame, "offset")
		length, errLength := integer(frame, "length")
		if err := errors.Join(errID, errOffset, errLength); err != nil {
			return err
		}
		if offset+length > most {
			return errors.New("qlogfile: a stream is too long to be counted")
		}
		fin, _ := harfile.At(frame, "fin").(bool)
		key := Key{strconv.FormatInt(id, 10), direction}
		s := t.Streams[key]
		if s == nil {
			s = &Stream{FinalSizes: map[int64][]int{}}
			t.Streams[key] = s
		}
		s.add(Contribution{e.Ordinal, i, offset, length, fin})
	}
	return nil
}

func (s *Stream) add(c Contribution) {
	s.Contributions = append(s.Contributions, c)
	if missing := c.Offset + c.Length - int64(len(s.count)); missing > 0 {
		s.count = append(s.count, make([]uint8, missing)...)
	}
	for at := c.Offset; at < c.Offset+c.Length; at++ {
		s.count[at]++
	}
	if c.Fin {
		size := c.Offset + c.Length
		if list := s.FinalSizes[size]; len(list) == 0 || list[len(list)-1] != c.Ordinal { // an event may say it twice
			s.FinalSizes[size] = append(list, c.Ordinal)
		}
	}
}

func integer(v any, name string) (int64, error) {
	n, _ := harfile.At(v, name).(json.Number)
	i, err := n.Int64()
	if err != nil || i < 0 {
		return 0, fmt.Errorf("qlogfile: %s of a stream frame is no count", name)
	}
	return i, nil
}

// credential are the headers whose values nobody may show.
var credential = map[string]bool{"authorization": true, "proxy-authorization": true, "cookie": true, "set-cookie": true}

// secrets gathers what must be left out, by where it stands.
func (f *File) secrets(event any) {
	harfile.Walk(event, "", func(_ string, v any) {
		object, ok := v.(map[string]any)
		if !ok {
			return
		}
		for _, name := range []string{"reset_token", "stateless_reset_token"} {
			if token, ok := object[name].(string); ok {
				f.Secrets = append(f.Secrets, token)
			}
		}
		if token, ok := object["token"].(string); ok && object["frame_type"] == "new_token" {
			f.Secrets = append(f.Secrets, token)
		}
		name, _ := object["name"].(string)
		if text, ok := object["value"].(string); ok && credential[name] {
			f.Secrets = append(f.Secrets, text)
		}
	})
}
