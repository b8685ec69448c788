package canary

import "strings"

// qlogEvent is an event of a name and data.
func qlogEvent(name, data string) string {
	return `{"name":"` + name + `","time":1700000000000.25,"data":` + data + `}`
}

func qlogCapture(records []string) []byte {
	return []byte(`{"qlog_format":"JSON","qlog_version":"0.3","traces":[{"common_fields":{"ODCID":"c0ffee"},"events":[` +
		strings.Join(records, ",") + `],"vantage_point":{"name":"endpoint","type":"server"}}]}`)
}

// Where a qlog event holds things.
func qlogFrame(frame string) string {
	return qlogEvent("transport:packet_sent", `{"frames":[`+frame+`],"header":{"packet_number":1}}`)
}
func qlogStream(id, offset, length string) string {
	return qlogFrame(`{"frame_type":"stream","stream_id":` + id + `,"offset":` + offset + `,"length":` + length + `,"fin":true}`)
}
func qlogHTTP(frame string) string { return qlogEvent("http:frame_parsed", `{"frame":`+frame+`}`) }
func qlogHeader(name, value string) string {
	return qlogHTTP(`{"frame_type":"headers","headers":[{"name":"accept","value":"*"},{"name":"` + name + `","value":"` + value + `"}]}`)
}

var qlog = format{
	name:      "qlog",
	assemble:  qlogCapture,
	plain:     qlogEvent("transport:datagrams_sent", `{"count":1}`),
	broken:    "{}",
	transport: qlogTransport(),
	declared:  qlogDeclared(),
	wrong:     qlogWrong(),
	around:    qlogAround(),
	damage:    harDamage(),
}

// qlogTransport are the places where a trace holds transport authentication.
func qlogTransport() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	for _, name := range []string{"authorization", "Proxy-Authorization", "cookie", `\tSET-COOKIE `, `\u0063ookie`} {
		add(name, qlogHeader(name, "SECRET"))
	}
	add("a header that is escaped", qlogHeader("cookie", "ESCAPED"))
	add("a header that was sent", strings.Replace(qlogHeader("cookie", "SECRET"), "frame_parsed", "frame_created", 1))
	add("a header of a promise", strings.Replace(qlogHeader("cookie", "SECRET"), `"frame_type":"headers"`, `"frame_type":"push_promise","push_id":1`, 1))
	for _, name := range []string{"location", "Referer", "origin", ":path"} {
		add("the userinfo of "+name, qlogHeader(name, "https://u:SECRET@h.example/x"))
		add("the userinfo of a relative "+name, qlogHeader(name, "//SECRET@h.example/x"))
		add("no safe userinfo of "+name, qlogHeader(name, "https:u:SECRET@h.example/x"))
	}
	add("the userinfo of :authority", qlogHeader(":authority", "u:SECRET@h.example:443"))
	add("the userinfo of a URL as :authority", qlogHeader(":Authority", "https://u:SECRET@h.example"))

	// Headers in another shape.
	add("a header's octets", qlogHTTP(`{"frame_type":"headers","headers":[{"name":"cookie","value_bytes":"SECRET"}]}`))
	add("a header's other form", qlogHTTP(`{"frame_type":"headers","headers":[{"name":"cookie","value":["SECRET"]}]}`))
	add("a header as a pair", qlogHTTP(`{"frame_type":"headers","headers":[["cookie","SECRET"]]}`))
	add("a header as a line", qlogHTTP(`{"frame_type":"headers","headers":["cookie: SECRET"]}`))
	add("headers as members", qlogHTTP(`{"frame_type":"headers","headers":{"Cookie":"SECRET"}}`))
	add("headers as members, in lists", qlogHTTP(`{"frame_type":"headers","headers":{"cookie":["SECRET"]}}`))
	add("headers as text", qlogHTTP(`{"frame_type":"headers","headers":"cookie: SECRET"}`))
	add("a URL in a list", qlogHTTP(`{"frame_type":"headers","headers":[{"name":"referer","value":["//u:SECRET@h"]}]}`))

	// Tokens, in both spellings and places.
	for _, name := range []string{"reset_token", "stateless_reset_token", `reset\u005ftoken`} {
		add(name+" of a connection id", qlogFrame(`{"frame_type":"new_connection_id","sequence_number":1,"`+name+`":"SECRET"}`))
		add(name+" of a parameter", qlogEvent("transport:parameters_set", `{"owner":"local","`+name+`":"SECRET"}`))
		add(name+" of a preferred address", qlogEvent("transport:parameters_set", `{"preferred_address":{"`+name+`":"SECRET"}}`))
		add(name+" of a restored parameter", qlogEvent("transport:parameters_restored", `{"`+name+`":"SECRET"}`))
	}
	// A frame is what its type says, whichever event tells of it.
	for _, event := range []string{"transport:frames_processed", "transport:packet_buffered", "recovery:packet_lost", "extension:x"} {
		add("a reset token in "+event, qlogEvent(event, `{"frames":[{"frame_type":"ping"},{"frame_type":"new_connection_id","reset_token":"SECRET"}]}`))
		add("a token in "+event, qlogEvent(event, `{"frames":[{"frame_type":"new_token","token":"SECRET"}]}`))
		add("a token of the one frame of "+event, qlogEvent(event, `{"frame":{"frame_type":"NEW_TOKEN","token":"SECRET"}}`))
		add("a reset token of frames that are one, in "+event, qlogEvent(event, `{"frames":{"frame_type":"new_connection_id","stateless_reset_token":{"data":"SECRET"}}}`))
	}
	add("a reset token as an object", qlogFrame(`{"frame_type":"new_connection_id","reset_token":{"data":"SECRET"}}`))
	add("a token", qlogFrame(`{"frame_type":"new_token","length":5,"token":"SECRET"}`))
	add("a token as an object", qlogFrame(`{"frame_type":"new_token","token":{"raw":{"data":"SECRET"}}}`))
	add("a token that was received", strings.Replace(qlogFrame(`{"frame_type":"new_token","token":"SECRET"}`), "packet_sent", "packet_received", 1))
	return rows
}

// qlogDeclared are places where a caller may declare what stands there.
func qlogDeclared() (rows []row) {
	add := func(name, record string) { rows = append(rows, row{name: name, record: record}) }
	// Texts.
	for _, r := range []struct{ name, record string }{
		{"the name of an event", qlogEvent("SECRET:x", `{}`)},
		{"an escaped name", qlogEvent("ESCAPED", `{}`)},
		{"a text", qlogEvent("a:b", `{"reason":"a SECRET b"}`)},
		{"an escaped text", qlogEvent("a:b", `{"reason":"a\\ESCAPED\/b"}`)},
		{"a text deep inside", qlogEvent("a:b", `{"x":[[{"y":["SECRET"]}]]}`)},
		{"a member of the event", strings.Replace(qlogEvent("a:b", `{}`), `"time"`, `"group_id":"SECRET","time"`, 1)},
		{"a connection id", qlogFrame(`{"frame_type":"new_connection_id","connection_id":"SECRET"}`)},
		{"the type of a frame", qlogFrame(`{"frame_type":"SECRET"}`)},
		{"the name of a header", qlogHeader("SECRET", "1")},
		{"the value of a header", qlogHeader("accept", "SECRET")},
		{"a path", qlogHeader(":path", "/a?x=SECRET")},
		{"an authority", qlogHeader(":authority", "u:p@SECRET.example")},
		{"a URL", qlogHeader("referer", "https://u:p@h.example/SECRET")},
		{"the type of a lost packet", qlogEvent("recovery:packet_lost", `{"type":"SECRET","packet_number":1}`)},
		// Names.
		{"a name", qlogEvent("a:b", `{"SECRET":{"x":1,"y":"z"}}`)},
		{"a name, escaped", qlogEvent("a:b", `{"x":{"ESCAPED":[1,2]}}`)},
		{"a name in a frame", qlogFrame(`{"frame_type":"ping","_SECRET_":"SECRET"}`)},
		{"a name of the event", strings.Replace(qlogEvent("a:b", `{}`), `"time"`, `"SECRET":1,"time"`, 1)},
		{"a name as a text", qlogFrame(`{"frame_type":"stream","stream_id":0,"offset":0,"length":0,"fin":false,"SECRET":"x"}`)},
		// Numbers, of which most are facts too.
		{"a time", strings.Replace(qlogEvent("a:b", `{}`), "1700000000000.25", "DIGITS.5", 1)},
		{"a number", qlogEvent("a:b", `{"x":[90DIGITS0DIGITS,1e-DIGITS,0.DIGITS]}`)},
		{"a number as text", qlogEvent("a:b", `{"x":"DIGITS"}`)},
		{"a stream", qlogStream("DIGITS", "0", "1")},
		{"an offset", qlogStream("4", "DIGITS", "1")},
		{"a length", qlogStream("8", "0", "DIGITS")},
		{"an offset's spelling", qlogStream("12", "DIGITSe2", "1")},
		{"an offset's value", qlogStream("16", "DIGITS.0e0", "1")},
		{"a large offset", qlogStream("20", "1DIGITS00000000", "1")},
		{"a lost packet", qlogEvent("recovery:packet_lost", `{"packet_number":DIGITS}`)},
	} {
		add(r.name, r.record)
	}
	return append(rows,
		// What only follows from what was recorded.
		row{name: "a final size, and the end of a range", record: qlogStream("100", "731000000", "5917"), literal: is("731005917")},
		row{name: "a sum", record: qlogEvent("transport:packet_sent", `{"frames":[`+
			`{"frame_type":"stream","stream_id":104,"offset":0,"length":700000000,"fin":false},{"frame_type":"stream","stream_id":104,"offset":0,"length":31006917,"fin":false}]}`), literal: is("731006917")},
		row{name: "unique bytes", record: qlogEvent("transport:packet_sent", `{"frames":[`+
			`{"frame_type":"stream","stream_id":108,"offset":5,"length":700000000,"fin":false},{"frame_type":"stream","stream_id":108,"offset":800000000,"length":31007917,"fin":false}]}`), literal: is("731007917")},
		row{name: "repeated bytes", record: qlogEvent("transport:packet_received", `{"frames":[`+
			`{"frame_type":"stream","stream_id":112,"offset":0,"length":999999999,"fin":false},{"frame_type":"stream","stream_id":112,"offset":0,"length":731008000,"fin":false},{"frame_type":"stream","stream_id":112,"offset":0,"length":917,"fin":false}]}`), literal: is("731008917")},
		row{name: "a number in another spelling", record: qlogStream("116", "7.31009917e8", "1"), literal: is("731009917")},
		row{name: "a number that no double holds", record: qlogStream("120", "9.007731010917993e15", "1"), literal: is("9007731010917993")},
		row{name: "a URL without its userinfo", record: qlogHeader("location", "https://u:p@cut.example/path"), literal: is("https://cut.example/path")},
		row{name: "a pointer over two names", record: qlogEvent("a:b", `{"_deep":{"leaf":5}}`), literal: is("_deep/leaf")},
		row{name: "a location", record: qlogEvent("a:b", `{}`), literal: is("/events/1"), coarse: true},
		row{name: "the pointer of a trace", record: qlogEvent("a:b", `{}`), literal: is("/traces/0"), coarse: true},
		row{name: "words of a limitation", record: qlogEvent("a:b", `{}`), literal: is("endpoint's report"), coarse: true},
	)
}

// qlogWrong are events that are wrong where the secret is.
func qlogWrong() (rows []row) {
	for _, r := range []struct{ name, record string }{
		{"an offset as text", qlogStream("0", `"SECRET"`, "1")},
		{"a length out of range", qlogStream("0", "0", "9999999999DIGITS")},
		{"a length below zero", qlogStream("0", "0", "-DIGITS")},
		{"a stream's fraction", qlogStream("0.DIGITS", "0", "1")},
		{"an end out of range", qlogStream("0", "4611686018427387903", "DIGITS")},
		{"FIN as text", qlogFrame(`{"frame_type":"stream","stream_id":0,"fin":"SECRET"}`)},
		{"frames as text", qlogEvent("transport:packet_sent", `{"frames":"SECRET"}`)},
		{"a frame as text", qlogFrame(`"SECRET"`)},
		{"a type as an object", qlogFrame(`{"frame_type":{"x":"SECRET"}}`)},
		{"a lost packet as text", qlogEvent("recovery:packet_lost", `{"packet_number":"SECRET"}`)},
		{"a time as text", strings.Replace(qlogEvent("a:b", `{}`), "1700000000000.25", `"SECRET"`, 1)},
		{"a time out of range", strings.Replace(qlogEvent("a:b", `{}`), "1700000000000.25", "1eDIGITS", 1)},
		{"a name as a list", strings.Replace(qlogEvent("x", `{}`), `"x"`, `["SECRET"]`, 1)},
		{"data as text", qlogEvent("a:b", `"SECRET"`)},
		{"no data", `{"name":"SECRET","time":1}`},
		{"an event as text", `"SECRET"`},
		{"an event as a list", `["SECRET",1,{}]`},
	} {
		rows = append(rows, row{name: r.name, record: r.record})
	}
	return rows
}

// qlogAround are the places of a trace outside of its events.
func qlogAround() (rows []row) {
	whole := string(qlogCapture([]string{qlogEvent("a:b", `{}`)}))
	for _, p := range [][2]string{
		{`"c0ffee"`, `"SECRET"`},
		{`"c0ffee"`, `"ESCAPED"`},
		{`"c0ffee"`, `"","group_id":"SECRET"`},
		{`"endpoint"`, `"SECRET"`},
		{`"server"`, `"SECRET"`},
		{`"type":"server"`, `"type":"server","flow":"SECRET"`},
		{`"traces"`, `"title":"SECRET","traces"`},
		{`"traces"`, `"SECRET":{"x":1},"traces"`},
		{`"traces"`, `"summary":{"max":DIGITS,"SECRET":DIGITS},"traces"`},
		{`"common_fields"`, `"configuration":{"time_offset":DIGITS},"common_fields"`},
		{`"common_fields"`, `"ESCAPED":[1],"common_fields"`},
	} {
		rows = append(rows, row{name: p[1], record: strings.Replace(whole, p[0], p[1], 1)})
	}
	return append(rows, row{name: "a pointer over two names", record: strings.Replace(whole, `"traces"`, `"_deep":{"leaf":5},"traces"`, 1), literal: is("_deep/leaf")})
}
