package qlogfile_test

import (
	"fmt"
	"testing"

	"rea.example/verify/qlogfile"
)

const trace = `{"traces":[{"events":[{"name":"x"}]},{"events":[
{"name":"transport:packet_sent","data":{"frames":[{"frame_type":"ack"},{"frame_type":"stream","stream_id":0,"offset":2,"length":4,"fin":false},{"frame_type":"stream","stream_id":0,"offset":4,"length":4,"fin":true}]}},
{"name":"transport:packet_received","data":{"frames":[{"frame_type":"stream","stream_id":0,"offset":0,"length":1,"fin":false}]}},
{"name":"recovery:packet_lost","data":{"type":"1RTT","packet_number":3}},
{"name":"http:frame_parsed","data":{"frame":{"headers":[{"name":"cookie","value":"secret"},{"name":"x","value":"open"}]}}},
{"name":"transport:parameters_set","data":{"stateless_reset_token":"token"}},
{"name":"transport:packet_sent","data":{"frames":[{"frame_type":"stream","stream_id":0,"offset":20,"length":0,"fin":true}]}}]}]}`

func TestFactsAreCountedByBytes(t *testing.T) {
	f, err := qlogfile.Read([]byte(trace))
	if err != nil {
		t.Fatal(err)
	}
	second := f.Traces[1]
	if len(f.Traces) != 2 || len(second.Events) != 6 || second.Events[0].Ordinal != 1 || second.Events[5].Pointer != "/traces/1/events/5" {
		t.Fatalf("%+v", f)
	}
	s := second.Streams[qlogfile.Key{Stream: "0", Direction: "sent"}]
	if s.Unique() != 6 || s.Sum() != 8 || fmt.Sprint(s.Ranges(1), s.Ranges(2)) != "[{2 8}] [{4 6}]" || len(s.Contributions) != 3 {
		t.Errorf("%d %d %v %v", s.Unique(), s.Sum(), s.Ranges(1), s.Ranges(2))
	}
	if fmt.Sprint(s.FinalSizes) != "map[8:[1] 20:[6]]" {
		t.Errorf("%v", s.FinalSizes)
	}
	if fmt.Sprint(second.Losses, f.Secrets) != "[{3 3 1RTT}] [secret token]" {
		t.Errorf("%v %v", second.Losses, f.Secrets)
	}
	if len(second.Streams) != 2 {
		t.Errorf("%d streams", len(second.Streams))
	}
}

func TestAnEventEndsAStreamOnce(t *testing.T) {
	const fin = `{"frame_type":"stream","stream_id":0,"offset":0,"length":4,"fin":true}`
	const event = `{"name":"transport:packet_sent","data":{"frames":[` + fin + "," + fin + `]}}`
	f, err := qlogfile.Read([]byte(`{"traces":[{"events":[` + event + "," + event + `]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Traces[0].Streams[qlogfile.Key{Stream: "0", Direction: "sent"}]; fmt.Sprint(s.FinalSizes) != "map[4:[0 1]]" || s.Sum() != 16 {
		t.Errorf("%v, %d", s.FinalSizes, s.Sum())
	}
}

func TestWhatCannotBeCountedIsAnError(t *testing.T) {
	for _, text := range []string{
		`{`, `{}`, `[]`,
		`{"traces":[{"events":[{"name":"transport:packet_sent","data":{"frames":[{"frame_type":"stream","stream_id":0,"offset":1.5,"length":1}]}}]}]}`,
		`{"traces":[{"events":[{"name":"transport:packet_sent","data":{"frames":[{"frame_type":"stream","stream_id":0,"offset":999999999,"length":1}]}}]}]}`,
	} {
		if f, err := qlogfile.Read([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, f)
		}
	}
}
