package qlogfacet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
	"rea.example/rea/internal/view"
)

// facet has two traces: one with a stream in both directions, and an empty one.
const facet = `{"body_bytes":"not-reported","profile":"p","scope":"s","traces":[` +
	`{"events":9,"incomplete_records":[3,5],"loss_declarations":[{"ordinal":4,"packet_number":null,"packet_type":"1RTT"}],"odcid":"c0","pointer":"/traces/0","streams":[` +
	`{"contributions":[{"fin":true,"frame_index":0,"length":"7","offset":"0","ordinal":1}],"direction":"received","final_sizes":[],"frame_length_sum":"7","ranges":[{"end":"7","start":"0"}],"repeated_bytes":"0","stream_id":"0","unique_bytes":"7"},` +
	`{"contributions":[{"fin":false,"frame_index":0,"length":"8","offset":"0","ordinal":2},{"fin":true,"frame_index":1,"length":"0","offset":"8","ordinal":2}],"direction":"sent","final_sizes":[{"ordinals":[2],"size":"8"}],"frame_length_sum":"18446744073709551616","ranges":[{"end":"8","start":"0"}],"repeated_bytes":null,"stream_id":"0","unique_bytes":"8"},` +
	`{"contributions":[],"direction":"sent","final_sizes":[],"frame_length_sum":"0","ranges":[],"repeated_bytes":"0","stream_id":"4611686018427387903","unique_bytes":"0"}],` +
	`"trace_index":0,"vantage_point":{"name":null,"type":"server"}},` +
	`{"events":0,"incomplete_records":[],"loss_declarations":[],"odcid":null,"pointer":null,"streams":[],"trace_index":1,"vantage_point":null}]}`

func parsed(t *testing.T, text string) *tree.Value {
	t.Helper()
	v, err := strictjson.Parse([]byte(text), 80)
	if err != nil {
		t.Fatal(err)
	}
	return &v
}

func surveyed(t *testing.T, canonical string) *view.Text {
	t.Helper()
	s, err := view.Survey(t.Context(), strings.NewReader(canonical), len(canonical))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// all gives the rows of a request, from the last to the first and put in order
// again: none depends on the one before it.
func all(t *testing.T, r Request, facet string) ([]string, *failure.Issue) {
	t.Helper()
	rows, issue, err := r.Rows(t.Context(), surveyed(t, facet))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]string, rows.Total)
	for i := range slices.Backward(got) {
		row, at, err := rows.Row(i)
		if err != nil || at != i {
			t.Fatalf("row %d: %d, %v", i, at, err)
		}
		got[i] = string(row)
	}
	return got, issue
}

const second = `"trace_index":0,"stream_id":"0","direction":"sent"`

func TestRows(t *testing.T) {
	for _, c := range []struct{ view, rows string }{
		{`"facet":"traces"`, `{"events":9,"incomplete_records":2,"loss_declarations":1,"odcid":"c0","pointer":"/traces/0","streams":3,"trace_index":0,"vantage_point":{"name":null,"type":"server"}} ` +
			`{"events":0,"incomplete_records":0,"loss_declarations":0,"odcid":null,"pointer":null,"streams":0,"trace_index":1,"vantage_point":null}`},
		{`"facet":"streams","trace_index":0`, `{"direction":"received","frame_length_sum":"7","repeated_bytes":"0","stream_id":"0","unique_bytes":"7"} ` +
			`{"direction":"sent","frame_length_sum":"18446744073709551616","repeated_bytes":null,"stream_id":"0","unique_bytes":"8"} ` +
			`{"direction":"sent","frame_length_sum":"0","repeated_bytes":"0","stream_id":"4611686018427387903","unique_bytes":"0"}`},
		{`"facet":"streams","trace_index":1.0`, ``},
		{`"facet":"contributions",` + second, `{"fin":false,"frame_index":0,"length":"8","offset":"0","ordinal":2} {"fin":true,"frame_index":1,"length":"0","offset":"8","ordinal":2}`},
		{`"facet":"ranges",` + second, `{"end":"8","start":"0"}`},
		{`"facet":"final-sizes",` + second, `{"ordinals":[2],"size":"8"}`},
		{`"facet":"final-sizes","trace_index":0,"stream_id":"0","direction":"received"`, ``},
		{`"facet":"ranges","trace_index":0,"stream_id":"4611686018427387903","direction":"sent"`, ``},
		{`"facet":"loss-declarations","trace_index":0`, `{"ordinal":4,"packet_number":null,"packet_type":"1RTT"}`},
		{`"facet":"incomplete-records","trace_index":0`, `3 5`},
		{`"facet":"incomplete-records","trace_index":1`, ``},
	} {
		r, issues := Read(parsed(t, `{"kind":"qlog",`+c.view+`}`))
		if len(issues) > 0 {
			t.Errorf("%s: %v", c.view, issues)
			continue
		}
		got, issue := all(t, r, facet)
		if issue != nil {
			t.Errorf("%s: %v", c.view, issue)
		}
		if strings.Join(got, " ") != c.rows {
			t.Errorf("%s:\n%s\nwant\n%s", c.view, got, c.rows)
		}
		if r.Offset != 0 || r.Limit != 64 {
			t.Errorf("%s: defaults %d, %d", c.view, r.Offset, r.Limit)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ view, issues string }{
		{``, `facet missing_argument`},
		{`"facet":5`, `facet invalid_type`},
		{`"facet":"events"`, `facet invalid_value`},
		{`"facet":"final_sizes",` + second, `facet invalid_value`},
		{`"facet":"traces","trace_index":0`, `trace_index unknown_argument`},
		{`"facet":"streams"`, `trace_index missing_argument`},
		{`"facet":"streams","trace_index":0,"stream_id":"0"`, `stream_id unknown_argument`},
		{`"facet":"ranges"`, `trace_index missing_argument, stream_id missing_argument, direction missing_argument`},
		{`"facet":"ranges","trace_index":0,"stream_id":"0"`, `direction missing_argument`},
		{`"facet":"loss-declarations","trace_index":0,"direction":"sent"`, `direction unknown_argument`},
		{`"facet":"traces","other":1`, `other unknown_argument`},
		{`"facet":"streams","trace_index":"0"`, `trace_index invalid_type`},
		{`"facet":"streams","trace_index":0.5`, `trace_index invalid_type`},
		{`"facet":"streams","trace_index":-1`, `trace_index out_of_range`},
		{`"facet":"streams","trace_index":null`, `trace_index invalid_type`},
		{`"facet":"ranges","trace_index":0,"stream_id":0,"direction":"sent"`, `stream_id invalid_type`},
		{`"facet":"ranges","trace_index":0,"stream_id":"0","direction":"both"`, `direction invalid_value`},
		{`"facet":"traces","offset":-1,"limit":0`, `offset out_of_range, limit out_of_range`},
		{`"facet":"traces","limit":9007199254740992`, `limit out_of_range`},
		{`"facet":"traces","limit":"1"`, `limit invalid_type`},
		// Well formed, but naming nothing.
		{`"facet":"streams","trace_index":2`, `trace_index invalid_value`},
		{`"facet":"ranges","trace_index":1,"stream_id":"0","direction":"sent"`, `stream_id invalid_value`},
		{`"facet":"ranges","trace_index":0,"stream_id":"00","direction":"sent"`, `stream_id invalid_value`},
		{`"facet":"ranges","trace_index":0,"stream_id":"","direction":"sent"`, `stream_id invalid_value`},
		{`"facet":"ranges","trace_index":0,"stream_id":"4611686018427387903","direction":"received"`, `direction invalid_value`},
	} {
		r, issues := Read(parsed(t, strings.Replace(`{"kind":"qlog","max_chars":4000,`+c.view+`}`, ",}", "}", 1)))
		if len(issues) == 0 {
			if _, issue := all(t, r, facet); issue != nil {
				issues = append(issues, *issue)
			}
		}
		var got []string
		for _, is := range issues {
			got = append(got, fmt.Sprint(is.Path[0], " ", is.Reason))
		}
		if strings.Join(got, ", ") != c.issues {
			t.Errorf("%s: %s, want %s", c.view, got, c.issues)
		}
	}
}

func TestView(t *testing.T) {
	for view, want := range map[string]string{
		`{"kind":"qlog","facet":"traces"}`:                              `{"facet":"traces","kind":"qlog","limit":64,"offset":0}`,
		`{"facet":"streams","trace_index":1e0,"limit":2,"offset":3}`:    `{"facet":"streams","kind":"qlog","limit":2,"offset":3,"trace_index":1}`,
		`{"kind":"qlog","facet":"ranges",` + second + `,"offset":20.0}`: `{"direction":"sent","facet":"ranges","kind":"qlog","limit":64,"offset":20,"stream_id":"0","trace_index":0}`,
	} {
		r, issues := Read(parsed(t, view))
		if got := string(strictjson.AppendValue(nil, r.View())); len(issues) > 0 || got != want {
			t.Errorf("%s: %s %v, want %s", view, got, issues, want)
		}
	}
}

func TestCounts(t *testing.T) {
	const want = `{"contributions":3,"final_sizes":1,"incomplete_records":2,"loss_declarations":1,"profile":"p","ranges":2,"scope":"s","streams":3,"traces":2}`
	n, err := Counts(t.Context(), surveyed(t, facet))
	if got := string(strictjson.AppendValue(nil, n)); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// TestLong holds the facet of a long capture against a tree of it.
func TestLong(t *testing.T) {
	var ranges, streams, losses []string
	for i := range 3000 {
		ranges = append(ranges, fmt.Sprintf(`{"end":"%d","start":"%d"}`, 2*i+1, 2*i))
		losses = append(losses, fmt.Sprintf(`{"ordinal":%d,"packet_number":null,"packet_type":"1RTT"}`, i))
		one := `[{"end":"7","start":"0"}]`
		if i == 2000 {
			one = `[` + strings.Join(ranges, ",") + `]`
		}
		streams = append(streams, fmt.Sprintf(`{"contributions":[],"direction":"sent","final_sizes":[],"frame_length_sum":"%d","ranges":%s,"stream_id":"%d"}`, i, one, 4*i))
	}
	long := fmt.Sprintf(`{"profile":"p","scope":"s","traces":[{"events":1,"incomplete_records":[],"loss_declarations":[],"streams":[],"trace_index":0},`+
		`{"events":9,"incomplete_records":[1],"loss_declarations":[%s],"streams":[%s],"trace_index":1}]}`, strings.Join(losses, ","), strings.Join(streams, ","))
	for _, c := range []struct {
		of   string
		path []string
	}{
		{`"facet":"traces"`, nil},
		{`"facet":"streams","trace_index":1`, nil},
		{`"facet":"loss-declarations","trace_index":1`, losses},
		{`"facet":"ranges","trace_index":1,"stream_id":"8000","direction":"sent"`, ranges[:2001]},
		{`"facet":"ranges","trace_index":1,"stream_id":"11996","direction":"sent"`, []string{`{"end":"7","start":"0"}`}},
	} {
		r, issues := Read(parsed(t, `{"kind":"qlog",`+c.of+`}`))
		got, issue := all(t, r, long)
		if len(issues) > 0 || issue != nil {
			t.Fatal(issues, issue)
		}
		if c.path != nil && !slices.Equal(got, c.path) {
			t.Errorf("%s: %d rows, want %d", c.of, len(got), len(c.path))
		}
		if want := rowsOf(t, r, parsed(t, long)); !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, the tree has %d", c.of, len(got), len(want))
		}
	}
	n, err := Counts(t.Context(), surveyed(t, long))
	if err != nil || n["profile"] != "p" || n["scope"] != "s" || n["ranges"] != 2999+2001 || n["loss_declarations"] != 3000 || n["streams"] != 3000 {
		t.Errorf("%v, %v", n, err)
	}
}

// rowsOf takes the rows of a request out of a tree.
func rowsOf(t *testing.T, r Request, facet *tree.Value) (rows []string) {
	t.Helper()
	items := func(v *tree.Value) []tree.Value {
		if v == nil || v.Kind != tree.Array {
			return nil
		}
		return v.Items
	}
	is := func(v *tree.Value, member, text string) bool {
		m := v.Get(member)
		return m != nil && m.Text == text
	}
	at, l := facet, named(r.Facet)
	if l.takes(argTrace) {
		traces := items(at.Get("traces"))
		at = &traces[slices.IndexFunc(traces, func(v tree.Value) bool { return is(&v, argTrace, strconv.Itoa(r.Trace)) })]
	}
	if l.takes(argStream) {
		streams := items(at.Get("streams"))
		at = &streams[slices.IndexFunc(streams, func(v tree.Value) bool { return is(&v, argStream, r.Stream) && is(&v, argDirection, r.Direction) })]
	}
	for _, row := range items(at.Get(l.member)) {
		if r.Facet == "traces" || r.Facet == "streams" {
			var members []tree.Value
			for _, m := range row.Items {
				if m.Kind == tree.Array {
					if r.Facet == "streams" {
						continue
					}
					m = tree.Value{Kind: tree.Number, Name: m.Name, Text: strconv.Itoa(len(m.Items)), Raw: true}
				}
				members = append(members, m)
			}
			row.Items = members
		}
		rows = append(rows, string(strictjson.AppendCanonical(nil, &row)))
	}
	return rows
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, _ := Read(parsed(t, `{"kind":"qlog","facet":"traces"}`))
	rows, _, err := r.Rows(ctx, surveyed(t, facet))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := Counts(ctx, surveyed(t, facet)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, _, err := r.Rows(ctx, surveyed(t, facet)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if rows.Total != 2 {
		t.Error(rows.Total)
	}
}

// FuzzRows states the law: no request and no facet, of whatever shape, breaks
// the view.
func FuzzRows(f *testing.F) {
	f.Add(`{"kind":"qlog","facet":"ranges",`+second+`}`, facet)
	f.Add(`{"facet":"traces"}`, `{"traces":[5,{}]}`)
	f.Add(`{"facet":"streams","trace_index":0}`, `{"traces":[{"trace_index":0,"streams":[[]]}]}`)
	f.Fuzz(func(t *testing.T, view, of string) {
		v, err := strictjson.Parse([]byte(view), 80)
		if err != nil {
			return
		}
		w, err := strictjson.Parse([]byte(of), 80)
		if err != nil {
			return
		}
		canonical := string(strictjson.AppendCanonical(nil, &w))
		if _, err := Counts(t.Context(), surveyed(t, canonical)); err != nil {
			t.Fatal(err)
		}
		if r, issues := Read(&v); len(issues) == 0 {
			rows, issue := all(t, r, canonical)
			if issue != nil && len(rows) > 0 {
				t.Fatal("rows and an issue")
			}
			for _, row := range rows {
				if _, err := strictjson.Parse([]byte(row), 80); err != nil {
					t.Fatalf("%s is no JSON", row)
				}
			}
		}
	})
}
