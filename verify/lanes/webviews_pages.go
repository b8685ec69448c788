package lanes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"rea.example/verify/harfile"
	"rea.example/verify/product"
	"rea.example/verify/surface"
)

// turn takes a view page by page, until one says that it is the last, and gives
// all rows. Each page must say what it covers.
func (v *viewer) turn(ctx context.Context, p *parent, view map[string]any, total int, rows func(*viewPage) []json.RawMessage) (all []json.RawMessage, err error) {
	limit := max(1, (total+2)/3)
	for offset := 0; ; {
		asked := maps.Clone(view)
		asked["offset"], asked["limit"] = offset, limit
		page, err := v.take(ctx, p, asked)
		if err != nil {
			return nil, err
		}
		list := rows(page)
		if err := page.Coverage.right(offset, limit, len(list), total); err != nil {
			return nil, err
		}
		all = append(all, list...)
		if page.Coverage.Exhausted {
			break
		}
		offset += len(list)
	}
	if len(all) != total {
		return nil, fmt.Errorf("the pages have %d rows of %d", len(all), total)
	}
	beyond := maps.Clone(view)
	beyond["offset"], beyond["limit"] = total+5, limit
	page, err := v.take(ctx, p, beyond)
	if err != nil {
		return nil, err
	}
	return all, page.Coverage.right(total+5, limit, len(rows(page)), total)
}

func items(p *viewPage) []json.RawMessage { return p.Items }

// pages concatenates the pages of records, which must be the whole.
func (v *viewer) pages(ctx context.Context, p *parent, detail string) error {
	records := p.evidence.Result.Records
	view := map[string]any{"kind": "capture", "detail": detail}
	rows, err := v.turn(ctx, p, view, len(records), items)
	if err != nil {
		return err
	}
	if detail == "preview" {
		for i, row := range rows {
			if err := samePreview(row, records[i], p.format); err != nil {
				return fmt.Errorf("preview %d: %w", i, err)
			}
		}
		return nil
	}
	whole, err := resultMember(p.document, "records")
	if err != nil {
		return err
	}
	if joined := append(append([]byte("["), bytes.Join(raws(rows), []byte(","))...), ']'); !bytes.Equal(joined, whole) {
		return errors.New("the pages of complete records are not the records")
	}
	return nil
}

func raws(rows []json.RawMessage) [][]byte {
	out := make([][]byte, len(rows))
	for i, r := range rows {
		out[i] = r
	}
	return out
}

// samePreview computes the outline of a record.
func samePreview(row json.RawMessage, record product.Record, format string) error {
	got, err := value(row)
	if err != nil {
		return err
	}
	reported, err := value(record.Reported)
	if err != nil {
		return err
	}
	if n := number(got, "ordinal"); n != int64(record.Ordinal) {
		return fmt.Errorf("ordinal %d", n)
	}
	if harfile.At(got, "location", "kind") != record.Location.Kind {
		return errors.New("another location")
	}
	want := headline(reported, format)
	line, _ := harfile.At(got, "headline").(map[string]any)
	if !reflect.DeepEqual(line, want) {
		return errors.New("another headline")
	}
	fields, _ := harfile.At(got, "binary_fields").([]any)
	if len(fields) != len(record.BinaryFields) {
		return fmt.Errorf("%d binary fields of %d", len(fields), len(record.BinaryFields))
	}
	for i, f := range record.BinaryFields {
		same := harfile.At(fields[i], "pointer") == f.Pointer && harfile.At(fields[i], "state") == f.State &&
			harfile.At(fields[i], "representation") == f.Representation
		if sum, ok := harfile.At(fields[i], "sha256").(string); !same || ok != (f.SHA256 != nil) || ok && sum != *f.SHA256 {
			return fmt.Errorf("binary field %d is another", i)
		}
		if fields[i].(map[string]any)["content_base64"] != nil {
			return fmt.Errorf("binary field %d has its content", i)
		}
	}
	return nil
}

// headline is a record's outline, written down once more.
func headline(r any, format string) map[string]any {
	out := map[string]any{"method": nil, "url": nil, "status": nil, "mime_type": nil, "started": nil, "http_version": nil, "event": nil, "time": nil}
	text := func(name string, path ...string) {
		if s, ok := harfile.At(r, path...).(string); ok {
			out[name] = s
		}
	}
	amount := func(name string, path ...string) {
		if n, ok := harfile.At(r, path...).(json.Number); ok {
			out[name] = n
		}
	}
	switch format {
	case "har":
		text("method", "request", "method")
		text("url", "request", "url")
		amount("status", "response", "status")
		text("mime_type", "response", "content", "mimeType")
		text("started", "startedDateTime")
		text("http_version", "request", "httpVersion")
	case "qlog":
		text("event", "name")
		amount("time", "time")
	case "saz":
		text("method", "request", "method")
		text("url", "request", "target")
		amount("status", "response", "status")
		text("http_version", "request", "http_version")
		out["mime_type"] = contentType(harfile.At(r, "response", "headers"), func(h any) (any, any) { return harfile.At(h, "name"), harfile.At(h, "value") })
		out["started"] = began(harfile.At(r, "metadata"))
	case "mitmproxy":
		text("method", "request", "method")
		text("url", "request", "path")
		amount("status", "response", "status_code")
		amount("started", "request", "timestamp_start")
		text("http_version", "request", "http_version")
		out["mime_type"] = contentType(harfile.At(r, "response", "headers"), func(h any) (any, any) {
			pair, _ := h.([]any)
			if len(pair) != 2 {
				return nil, nil
			}
			return pair[0], pair[1]
		})
		out["url"] = joined(r, out["url"])
	}
	return out
}

func contentType(headers any, field func(any) (name, value any)) any {
	list, _ := headers.([]any)
	for _, h := range list {
		name, text := field(h)
		if s, ok := name.(string); ok && strings.EqualFold(s, "content-type") {
			if s, ok := text.(string); ok {
				return s
			}
			return nil
		}
	}
	return nil
}

// began is when a session's timers say that its request began.
func began(metadata any) any {
	children, _ := harfile.At(metadata, "children").([]any)
	for _, c := range children {
		if harfile.At(c, "name") != "SessionTimers" {
			continue
		}
		attributes, _ := harfile.At(c, "attributes").([]any)
		for _, a := range attributes {
			if harfile.At(a, "name") == "ClientBeginRequest" {
				return harfile.At(a, "value")
			}
		}
	}
	return nil
}

// joined is a flow's URL, put together from what the proxy keeps apart.
func joined(r, path any) any {
	scheme, _ := harfile.At(r, "request", "scheme").(string)
	host, hasHost := harfile.At(r, "request", "host").(string)
	port, hasPort := harfile.At(r, "request", "port").(json.Number)
	text, hasPath := path.(string)
	if !hasHost || !hasPath {
		return path
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if usual := map[string]string{"http": "80", "https": "443"}; hasPort && usual[scheme] != port.String() {
		host += ":" + port.String()
	}
	return scheme + "://" + host + text
}

// surface groups the requests once more, or wants a refusal.
func (v *viewer) surface(ctx context.Context, p *parent) error {
	if p.format != "har" {
		return v.refused(ctx, p, map[string]any{"kind": "api-surface"}, "unsupported_target", "")
	}
	var records []surface.Record
	for _, r := range p.evidence.Result.Records {
		reported, err := value(r.Reported)
		if err != nil {
			return err
		}
		_, hidden := redacted(r.Redactions)["/request/url"]
		records = append(records, surface.Record{Ordinal: r.Ordinal, Reported: reported, Redacted: hidden})
	}
	origins, err := v.origins(ctx, surface.URLs(records))
	if err != nil {
		return err
	}
	groups, excluded := surface.Compute(records, func(u string) string { return origins[u] })
	rows, err := v.turn(ctx, p, map[string]any{"kind": "api-surface"}, len(groups), func(p *viewPage) []json.RawMessage { return p.Groups })
	if err != nil {
		return err
	}
	page, err := v.take(ctx, p, map[string]any{"kind": "api-surface"})
	if err != nil {
		return err
	}
	templated := 0
	for i, g := range groups {
		if len(g.Segments) > 0 {
			templated++
		}
		if err := sameGroup(rows[i], g); err != nil {
			return fmt.Errorf("group %d: %w", i, err)
		}
	}
	if page.Templated != templated || page.Records.Total != p.evidence.Result.TotalRecords || page.Records.Examined != len(records) {
		return fmt.Errorf("%d templated groups of %d; %d records examined of %d", page.Templated, templated, page.Records.Examined, page.Records.Total)
	}
	got := map[int]string{}
	for _, x := range page.Records.Excluded {
		got[x.Ordinal] = x.Reason
	}
	if !maps.Equal(got, excluded) {
		for ordinal, reason := range excluded {
			if got[ordinal] != reason {
				return fmt.Errorf("record %d is excluded for %q, expected %q", ordinal, got[ordinal], reason)
			}
		}
		return fmt.Errorf("%d records excluded, expected %d", len(got), len(excluded))
	}
	return nil
}

// origins asks node's URL parser.
func (v *viewer) origins(ctx context.Context, urls []string) (map[string]string, error) {
	answers, err := v.bench.Judge.Ask(ctx, "url", urls)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for i, a := range answers {
		var u struct {
			OK     bool   `json:"ok"`
			Origin string `json:"origin"`
		}
		if err := json.Unmarshal(a, &u); err != nil {
			return nil, err
		}
		if u.OK && u.Origin != "null" {
			out[urls[i]] = u.Origin
		}
	}
	return out, nil
}

func sameGroup(row json.RawMessage, want surface.Group) error {
	var g struct {
		Method   string        `json:"method"`
		Origin   string        `json:"origin"`
		Template string        `json:"path_template"`
		Ordinals []int         `json:"ordinals"`
		Statuses []json.Number `json:"statuses"`
		MIME     []string      `json:"mime_types"`
		NoStatus int           `json:"unknown_statuses"`
		NoMIME   int           `json:"unknown_mime_types"`
		Flags    []string      `json:"flags"`
		Segments []struct {
			Index       int      `json:"index"`
			Rule        string   `json:"rule"`
			Placeholder string   `json:"placeholder"`
			Literals    []string `json:"literals"`
			Basis       string   `json:"basis"`
		} `json:"segments"`
	}
	if err := json.Unmarshal(row, &g); err != nil {
		return errors.New("it is not a group")
	}
	if g.Method != want.Method || g.Origin != want.Origin || g.Template != want.Template {
		return errors.New("another method, origin or template")
	}
	statuses := make([]string, len(g.Statuses))
	for i, s := range g.Statuses {
		statuses[i] = s.String()
	}
	slices.Sort(g.Ordinals)
	for _, list := range [][]string{statuses, g.MIME, g.Flags} {
		slices.Sort(list)
	}
	slices.Sort(want.Flags)
	switch {
	case !slices.Equal(g.Ordinals, want.Ordinals):
		return errors.New("other ordinals")
	case !slices.Equal(statuses, want.Statuses) || g.NoStatus != want.UnknownStatuses:
		return errors.New("other statuses")
	case !slices.Equal(g.MIME, want.MIMETypes) || g.NoMIME != want.UnknownMIMETypes:
		return errors.New("other MIME types")
	case !slices.Equal(g.Flags, want.Flags):
		return fmt.Errorf("flags %v, expected %v", g.Flags, want.Flags)
	case len(g.Segments) != len(want.Segments):
		return fmt.Errorf("%d matched segments, expected %d", len(g.Segments), len(want.Segments))
	}
	for i, s := range g.Segments {
		slices.Sort(s.Literals)
		w := want.Segments[i]
		if s.Index != w.Index || s.Rule != w.Rule || s.Placeholder != "{"+w.Rule+"}" || s.Basis != "inferred" || !slices.Equal(s.Literals, w.Literals) {
			return fmt.Errorf("matched segment %d is another", i)
		}
	}
	return nil
}

// facets concatenates the pages of every facet of every stream.
func (v *viewer) facets(ctx context.Context, p *parent) error {
	f := p.evidence.Result.Qlog
	check := func(facet string, selectors map[string]any, want []any) error {
		view := map[string]any{"kind": "qlog", "facet": facet}
		maps.Copy(view, selectors)
		rows, err := v.turn(ctx, p, view, len(want), items)
		for i := range rows {
			err = errors.Join(err, sameRow(rows[i], want[i]))
		}
		if err != nil {
			return fmt.Errorf("facet %s %v: %w", facet, selectors, err)
		}
		return nil
	}
	var traces []any
	for i, t := range f.Traces {
		traces = append(traces, map[string]any{"trace_index": i, "events": t.Events})
	}
	errs := []error{check("traces", nil, traces)}
	for i, t := range f.Traces {
		trace := map[string]any{"trace_index": i}
		var streams []any
		for _, s := range t.Streams {
			outline := s
			outline.Contributions, outline.Ranges, outline.FinalSizes = nil, nil, nil
			streams = append(streams, outline)
			one := map[string]any{"trace_index": i, "stream_id": s.ID, "direction": s.Direction}
			errs = append(errs, check("contributions", one, anyList(s.Contributions)), check("ranges", one, anyList(s.Ranges)),
				check("final-sizes", one, anyList(s.FinalSizes)))
		}
		errs = append(errs, check("streams", trace, streams), check("loss-declarations", trace, anyList(t.LossDeclarations)),
			check("incomplete-records", trace, anyList(t.IncompleteRecords)))
	}
	for _, wrong := range []map[string]any{
		{"facet": "streams"}, {"facet": "ranges", "trace_index": 0}, {"facet": "streams", "trace_index": 99},
		{"facet": "ranges", "trace_index": 0, "stream_id": "999", "direction": "sent"}, {"facet": "traces", "trace_index": 0}, {"facet": "nothing"},
	} {
		wrong["kind"] = "qlog"
		errs = append(errs, v.refused(ctx, p, wrong, "invalid_request", ""))
	}
	return errors.Join(errs...)
}
