package lanes

import (
	"encoding/json"
	"strings"
	"testing"

	"rea.example/verify/product"
	"rea.example/verify/qlogfile"
)

const aTrace = `{"traces":[{"events":[
{"name":"transport:packet_sent","time":1.50,"data":{"frames":[{"frame_type":"stream","stream_id":0,"offset":0,"length":3,"fin":false}]}},
{"name":"transport:packet_sent","time":2,"data":{"frames":[{"frame_type":"stream","stream_id":0,"offset":1,"length":4,"fin":true}]}},
{"name":"recovery:packet_lost","time":3,"data":{"type":"1RTT","packet_number":7}}]}]}`

const traceFacts = `{"profile":"aioquic-1.5.0-json-0.3","scope":"all-recorded-events-before-selection","body_bytes":"not-reported",
"clock":{"unit":"milliseconds","epoch":"unix","basis":"profile-assumption-aioquic-1.5.0"},
"traces":[{"trace_index":0,"events":3,"incomplete_records":[],"loss_declarations":[{"ordinal":2,"packet_number":"7","packet_type":"1RTT"}],
"streams":[{"stream_id":"0","direction":"sent","unique_bytes":"5","frame_length_sum":"7","repeated_bytes":"2","ranges":[{"start":"0","end":"5"}],
"final_sizes":[{"size":"5","ordinals":[1]}],"contributions":[{"ordinal":0,"frame_index":0,"offset":"0","length":"3","fin":false},{"ordinal":1,"frame_index":0,"offset":"1","length":"4","fin":true}]}]}]}`

func facts(t *testing.T, text string) *product.Facts {
	t.Helper()
	f := new(product.Facts)
	if err := json.Unmarshal([]byte(text), f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFactsAreHeldToTheCount(t *testing.T) {
	second, err := qlogfile.Read([]byte(aTrace))
	if err != nil {
		t.Fatal(err)
	}
	right := known{covered: 5, repeated: 2, at: qlogfile.Range{Start: 1, End: 3}, frames: 2}
	if err := sameFacts(facts(t, traceFacts), second); err != nil {
		t.Error(err)
	}
	if err := right.holds(facts(t, traceFacts), second); err != nil {
		t.Error(err)
	}
	if err := sameFacts(nil, second); err == nil {
		t.Error("no facts go unseen")
	}
	for name, change := range map[string][2]string{
		"a profile":           {"aioquic-1.5.0-json-0.3", "x"},
		"a scope":             {"all-recorded", "some"},
		"a clock":             {"milliseconds", "seconds"},
		"events":              {`"events":3`, `"events":4`},
		"an incomplete one":   {`"incomplete_records":[]`, `"incomplete_records":[1]`},
		"a loss":              {`"packet_number":"7"`, `"packet_number":"8"`},
		"a loss forgotten":    {`{"ordinal":2,"packet_number":"7","packet_type":"1RTT"}`, ``},
		"a direction":         {`"direction":"sent"`, `"direction":"received"`},
		"unique bytes":        {`"unique_bytes":"5"`, `"unique_bytes":"7"`},
		"a sum":               {`"frame_length_sum":"7"`, `"frame_length_sum":"5"`},
		"repeated bytes":      {`"repeated_bytes":"2"`, `"repeated_bytes":"0"`},
		"a range":             {`"end":"5"`, `"end":"6"`},
		"a final size":        {`"size":"5"`, `"size":"6"`},
		"a final size's":      {`"ordinals":[1]`, `"ordinals":[0]`},
		"a contribution":      {`"offset":"1"`, `"offset":"2"`},
		"a fin":               {`"fin":true`, `"fin":null`},
		"a frame's index":     {`"frame_index":0`, `"frame_index":1`},
		"a contribution lost": {`{"ordinal":0,"frame_index":0,"offset":"0","length":"3","fin":false},`, ``},
	} {
		changed := strings.Replace(traceFacts, change[0], change[1], 1)
		if changed == traceFacts {
			t.Fatalf("%s: no such place", name)
		}
		if err := sameFacts(facts(t, changed), second); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
	for _, k := range []known{
		{covered: 6, repeated: 2}, {covered: 5}, {covered: 5, repeated: 2, at: qlogfile.Range{Start: 0, End: 2}}, {covered: 5, repeated: 2, frames: 3},
	} {
		if err := k.holds(facts(t, traceFacts), second); err == nil {
			t.Errorf("%+v holds", k)
		}
	}
}

func TestEventsAreHeldToTheFile(t *testing.T) {
	second, err := qlogfile.Read([]byte(aTrace))
	if err != nil {
		t.Fatal(err)
	}
	document := func(records string) *product.Evidence {
		e, err := product.Output{Stdout: []byte(`{"evidence_id":"ev_1","normalized_result":{"total_records":1,"records":[` + records + `]}}`)}.Evidence()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	second.Traces[0].Events = second.Traces[0].Events[2:]
	second.Traces[0].Events[0].Pointer = "/traces/0/events/0"
	const record = `{"ordinal":0,"location":{"kind":"json-pointer","pointer":"/traces/0/events/0"},
"reported":{"name":"recovery:packet_lost","time":3,"data":{"type":"1RTT","packet_number":7}},
"numeric_literals":[{"pointer":"/time","literal":"3"},{"pointer":"/data/packet_number","literal":"7"}],"redactions":[]}`
	if err := sameEvents(document(record), second); err != nil {
		t.Error(err)
	}
	for name, change := range map[string][2]string{
		"a place":        {"events/0", "events/1"},
		"an ordinal":     {`"ordinal":0`, `"ordinal":1`},
		"a value":        {`"1RTT"`, `"0RTT"`},
		"a literal":      {`"literal":"3"`, `"literal":"3.0"`},
		"a silent null":  {`"time":3`, `"time":null`},
		"another reason": {`"redactions":[]`, `"redactions":[{"pointer":"/time","reason":"explicit-sensitive-value"}]`},
	} {
		if err := sameEvents(document(strings.Replace(record, change[0], change[1], 1)), second); err == nil {
			t.Errorf("%s: unseen", name)
		}
	}
}

func TestRowsOfFacetsAreTheFacts(t *testing.T) {
	f := facts(t, traceFacts)
	rows := func(texts ...string) (list []json.RawMessage) {
		for _, text := range texts {
			list = append(list, json.RawMessage(text))
		}
		return list
	}
	for facet, list := range map[string][]json.RawMessage{
		"traces":             rows(`{}`),
		"streams":            rows(`{"stream_id":"0","direction":"sent","unique_bytes":"5","frame_length_sum":"7","repeated_bytes":"2"}`),
		"contributions":      rows(`{"ordinal":0,"frame_index":0,"offset":"0","length":"3","fin":false}`, `{"ordinal":1,"frame_index":0,"offset":"1","length":"4","fin":true}`),
		"ranges":             rows(`{"start":"0","end":"5"}`),
		"final-sizes":        rows(`{"size":"5","ordinals":[1]}`),
		"loss-declarations":  rows(`{"ordinal":2,"packet_number":"7","packet_type":"1RTT"}`),
		"incomplete-records": rows(),
	} {
		if err := sameRows(list, facet, f); err != nil {
			t.Errorf("%s: %v", facet, err)
		}
		if err := sameRows(append(list, json.RawMessage(`{}`)), facet, f); err == nil {
			t.Errorf("%s: a row more goes unseen", facet)
		}
		if len(list) > 0 && facet != "traces" {
			if err := sameRows(append(rows(`{"ordinal":9}`), list[1:]...), facet, f); err == nil {
				t.Errorf("%s: another row goes unseen", facet)
			}
		}
	}
}

func TestOnlyTheRightRunWillDo(t *testing.T) {
	control := counts{BodyBytes: responseBody, UniqueBytes: responseBytes, FinalSizes: []int64{responseBytes}}
	loss := control
	loss.Dropped, loss.RepeatedBytes, loss.RepeatedRanges = 1, lostBytes, [][2]int64{{0, lostBytes}}
	if err := control.right("control"); err != nil {
		t.Error(err)
	}
	if err := loss.right("loss"); err != nil {
		t.Error(err)
	}
	if control.right("loss") == nil || loss.right("control") == nil {
		t.Error("one run passes for the other")
	}
	for name, change := range map[string]func(*counts){
		"a body":   func(c *counts) { c.BodyBytes-- },
		"a stream": func(c *counts) { c.UniqueBytes++ },
		"an end":   func(c *counts) { c.FinalSizes = nil },
		"a repeat": func(c *counts) { c.RepeatedBytes++ },
		"a range":  func(c *counts) { c.RepeatedRanges = append(c.RepeatedRanges, [2]int64{5, 6}) },
	} {
		c := loss
		change(&c)
		if c.right("loss") == nil {
			t.Errorf("%s goes unseen", name)
		}
	}
}

func TestStepsOfTheSDKAreHeldToTheirKind(t *testing.T) {
	yes, no := true, false
	good := sdkStep{OK: true, Valid: &yes, Accepts: &yes}
	if err := good.success(); err != nil {
		t.Error(err)
	}
	for _, s := range []sdkStep{{}, {OK: true, IsError: true}, {OK: true, Accepts: &yes}, {OK: true, Valid: &no, Accepts: &yes}, {OK: true, Valid: &yes, Accepts: &no}} {
		if s.success() == nil {
			t.Errorf("%+v is a success", s)
		}
	}
	failed := sdkStep{OK: true, IsError: true, Accepts: &no, Text: `{"error":{"code":"c"}}`}
	if err := failed.failure("c"); err != nil {
		t.Error(err)
	}
	if failed.failure("d") == nil || good.failure("c") == nil {
		t.Error("another failure, or none, goes unseen")
	}
	var s sdkSaid
	if err := json.Unmarshal([]byte(`{"tools":[{"name":"a"},{"name":"b","output":"strict mode"}]}`), &s); err != nil {
		t.Fatal(err)
	}
	if s.usable() == nil {
		t.Error("a schema that can't be used goes unseen")
	}
	s.Tools[1].Output = ""
	if err := s.usable(); err != nil {
		t.Error(err)
	}
}
