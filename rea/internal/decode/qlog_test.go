package decode_test

import (
	"strings"
	"testing"

	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/format/formattest"
	"rea.example/rea/internal/tree"
)

// trace asks for a capture of one trace with these events.
func trace(t *testing.T, declared []string, events ...string) formattest.Reply {
	t.Helper()
	capture := `{"qlog_format":"JSON","qlog_version":"0.3","traces":[{"common_fields":{"ODCID":"c0"},"events":[` + strings.Join(events, ",") + `]}]}`
	r := formattest.Ask(t, []byte(capture), decode.Request{Format: "qlog", All: true, Declared: declared})
	if r.Problem != nil {
		t.Fatal(r.Problem)
	}
	return r
}

// TestTraceCredentials says of each event what is left of its data, and which
// pointers were left out.
func TestTraceCredentials(t *testing.T) {
	for _, c := range []struct{ name, data, left, out string }{
		{"http:frame_parsed", `{"frame":{"frame_type":"headers","headers":[{"name":"Cookie","value":"s"},{"name":"x-cookie","value":"s"}]}}`,
			`{"frame":{"frame_type":"headers","headers":[{"name":"Cookie","value":null},{"name":"x-cookie","value":"s"}]}}`, "/data/frame/headers/0/value"},
		{"http:frame_created", `{"frame":{"headers":[{"name":"set-cookie","value":"s","value_bytes":"73","x":null}]}}`,
			`{"frame":{"headers":[{"name":"set-cookie","value":null,"value_bytes":null,"x":null}]}}`, "/data/frame/headers/0/value /data/frame/headers/0/value_bytes"},
		{"http:frame_created", `{"frame":{"headers":[{"name":":authority","value":"u:p@h:1"},{"name":":path","value":"/x?u:p@h"},{"name":"referer","value":" https://u:p@h/#f"},{"name":"x","value":"https://u:p@h"}]}}`,
			`{"frame":{"headers":[{"name":":authority","value":"h:1"},{"name":":path","value":"/x?u:p@h"},{"name":"referer","value":" https://h/#f"},{"name":"x","value":"https://u:p@h"}]}}`,
			"/data/frame/headers/0/value /data/frame/headers/2/value"},
		{"http:frame_parsed", `{"frame":{"headers":[{"name":"location","value":5},["cookie","s"],{"value":"s"},{"name":"ok"}]}}`,
			`{"frame":{"headers":[{"name":"location","value":null},null,null,{"name":"ok"}]}}`, "/data/frame/headers/0/value /data/frame/headers/1 /data/frame/headers/2"},
		{"transport:packet_sent", `{"frames":[{"frame_type":"new_token","token":"s"},{"frame_type":"new_connection_id","reset_token":"s","stateless_reset_token":{"x":1},"token":"kept"},{"frame_type":"other","token":"kept","reset_token":"kept"}]}`,
			`{"frames":[{"frame_type":"new_token","token":null},{"frame_type":"new_connection_id","reset_token":null,"stateless_reset_token":null,"token":"kept"},{"frame_type":"other","reset_token":"kept","token":"kept"}]}`,
			"/data/frames/0/token /data/frames/1/reset_token /data/frames/1/stateless_reset_token"},
		{"transport:packet_received", `{"frames":[{"frame_type":"new_token","token":null}]}`, `{"frames":[{"frame_type":"new_token","token":null}]}`, ""},
		{"transport:parameters_set", `{"reset_token":"s","stateless_reset_token":"s","token":"kept","preferred_address":{"stateless_reset_token":"s","port":1}}`,
			`{"preferred_address":{"port":1,"stateless_reset_token":null},"reset_token":null,"stateless_reset_token":null,"token":"kept"}`,
			"/data/reset_token /data/stateless_reset_token /data/preferred_address/stateless_reset_token"},
		// A frame of QUIC is one in whichever event stands.
		{"recovery:packet_lost", `{"frames":[{"frame_type":"new_token","token":"s"}]}`, `{"frames":[{"frame_type":"new_token","token":null}]}`, "/data/frames/0/token"},
		// Nothing else is taken for a credential.
		{"x:frame_parsed", `{"frame":{"headers":[{"name":"cookie","value":"kept"}]},"reset_token":"kept","frames":[{"frame_type":"x","token":"kept"}]}`,
			`{"frame":{"headers":[{"name":"cookie","value":"kept"}]},"frames":[{"frame_type":"x","token":"kept"}],"reset_token":"kept"}`, ""},
		{"http:frame_parsed", `{"frame":{"frame_type":"data","cookie":"kept"},"headers":[{"name":"cookie","value":"kept"}]}`,
			`{"frame":{"cookie":"kept","frame_type":"data"},"headers":[{"name":"cookie","value":"kept"}]}`, ""},
	} {
		r := trace(t, nil, `{"name":"`+c.name+`","time":1,"data":`+c.data+`}`)
		want(t, r.Records[0], "/reported/data", c.left)
		var out []string
		for _, x := range r.Records[0].Get("redactions").Items {
			p, _ := x.Get("pointer").Str()
			if reason, _ := x.Get("reason").Str(); reason != "transport-credential" {
				t.Errorf("%s: %s for the reason %s", c.name, p, reason)
			}
			out = append(out, p)
		}
		if strings.Join(out, " ") != c.out {
			t.Errorf("%s: left out %s, want %s", c.name, out, c.out)
		}
	}
}

func TestTraceRecords(t *testing.T) {
	r := trace(t, nil, `{"extra":[1.50],"data":{"x":9007199254740993},"time":1700000000000.1234567,"name":"a:b"}`)
	want(t, r.Records[0], "", `{"binary_fields":[],"limitations":[],"location":{"kind":"json-pointer","pointer":"/traces/0/events/0"},`+
		`"numeric_literals":[{"literal":"1.50","pointer":"/extra/0","producer_type":"json-number"},{"literal":"9007199254740993","pointer":"/data/x","producer_type":"json-number"},`+
		`{"literal":"1700000000000.1234567","pointer":"/time","producer_type":"json-number"}],"ordinal":0,"redactions":[],`+
		`"reported":{"data":{"x":null},"extra":[1.5],"name":"a:b","time":null}}`)
	want(t, r.Container, "", `{"numeric_literals":[],"records_pointer":null,"redactions":[],"reported":{"qlog_format":"JSON","qlog_version":"0.3","traces":[{"common_fields":{"ODCID":"c0"},"events":null}]}}`)
	if r.FacetName != "qlog" || r.Facet.Bytes == 0 {
		t.Error("there is no facet")
	}
}

// TestTraceAncestors: a declared value on the way to the events hides them all.
func TestTraceAncestors(t *testing.T) {
	for _, declared := range []string{"traces", "vent"} {
		r := trace(t, []string{declared}, `{"name":"a:b","time":1,"data":{}}`)
		for p, text := range map[tree.Pointer]string{
			"/reported": "null", "/location/kind": `"unknown"`, "/numeric_literals": "[]",
			"/redactions": `[{"pointer":"","reason":"explicit-sensitive-value"}]`,
		} {
			want(t, r.Records[0], p, text)
		}
	}
}
