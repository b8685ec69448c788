package speed

import (
	"fmt"
	"io"
	"math/rand/v2"
)

// trace is a qlog of so many bytes, or a few less: events are added while they
// fit.
type trace int

// create writes the trace and gives its number of events.
func (t trace) create(path string) (events int, err error) {
	return create(path, t.write)
}

// write gives what aioquic's QuicLogger writes of an endpoint that sends fifty
// streams: some bytes twice, a loss now and then.
func (t trace) write(w io.Writer) (events int, err error) {
	const (
		head    = `{"qlog_format": "JSON", "qlog_version": "0.3", "traces": [{"common_fields": {"ODCID": "0102030405060708"}, "events": [`
		tail    = `], "vantage_point": {"name": "aioquic", "type": "server"}}]}`
		packet  = `"header": {"packet_number": %d, "packet_type": "1RTT", "scid": "", "dcid": "a1b2c3d4e5f60718"}, "raw": {"length": 1200}}`
		payload = 1169
	)
	random := rand.New(rand.NewPCG(uint64(t), 1))
	var next [50]int
	written := len(head) + len(tail)
	if _, err := io.WriteString(w, head); err != nil {
		return 0, err
	}
	for ; ; events++ {
		var data, name string
		switch {
		case events%8 == 7:
			name = "transport:packet_received"
			data = fmt.Sprintf(`{"frames": [{"ack_delay": 0.0, "acked_ranges": [[0, %d]], "frame_type": "ack"}], `+packet, events, events)
		case events%40 == 38:
			name = "recovery:packet_lost"
			data = fmt.Sprintf(`{"type": "1RTT", "packet_number": %d}`, events-3)
		default:
			s := random.IntN(len(next))
			if next[s] > 0 && random.IntN(50) == 0 {
				next[s] -= payload
			}
			name = "transport:packet_sent"
			data = fmt.Sprintf(`{"frames": [{"fin": false, "frame_type": "stream", "length": %d, "offset": %d, "stream_id": %d}], `+packet, payload, next[s], 4*s, events)
			next[s] += payload
		}
		event := fmt.Sprintf(`{"data": %s, "name": %q, "time": %d.%d}`, data, name, 1_700_000_000_000+events/4, 25*(events%4))
		if events > 0 {
			event = ", " + event
		}
		if written += len(event); written > int(t) {
			break
		}
		if _, err := io.WriteString(w, event); err != nil {
			return events, err
		}
	}
	_, err = io.WriteString(w, tail)
	return events, err
}
