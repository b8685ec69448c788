package headline

import (
	"strings"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// Fact is one word of a headline.
type Fact struct {
	Value   *tree.Value  // a string or a number, as it is reported; nil: not known
	Pointer tree.Pointer // where in the record it stands, or would stand; "" where that isn't known
}

// Line is a headline.
type Line struct {
	Method, URL, Status, MIMEType, Started, HTTPVersion Fact
	Event, Time                                         Fact // of a log of events
}

// Of finds the headline of a reported record. join says that a URL may be put
// together from its parts.
func Of(format string, reported *tree.Value, join bool) Line {
	switch format {
	case "har":
		return har(reported)
	case "mitmproxy":
		return mitmproxy(reported, join)
	case "saz":
		return saz(reported)
	case "qlog":
		return Line{Event: fact(reported, "/name", tree.String), Time: fact(reported, "/time", tree.Number)}
	}
	return Line{}
}

func har(r *tree.Value) Line {
	return Line{
		Method:      fact(r, "/request/method", tree.String),
		URL:         fact(r, "/request/url", tree.String),
		Status:      fact(r, "/response/status", tree.Number),
		MIMEType:    fact(r, "/response/content/mimeType", tree.String),
		Started:     fact(r, "/startedDateTime", tree.String),
		HTTPVersion: fact(r, "/request/httpVersion", tree.String),
	}
}

func mitmproxy(r *tree.Value, join bool) Line {
	l := Line{
		Method:      fact(r, "/request/method", tree.String),
		URL:         fact(r, "/request/path", tree.String),
		Status:      fact(r, "/response/status_code", tree.Number),
		MIMEType:    contentType(r, pairs, "/1"),
		Started:     fact(r, "/request/timestamp_start", tree.Number),
		HTTPVersion: fact(r, "/request/http_version", tree.String),
	}
	scheme, host := fact(r, "/request/scheme", tree.String).Value, fact(r, "/request/host", tree.String).Value
	if !join || l.URL.Value == nil || scheme == nil || host == nil {
		return l
	}
	url := scheme.Decode() + "://"
	if h := host.Decode(); strings.Contains(h, ":") {
		url += "[" + h + "]"
	} else {
		url += h
	}
	if port := fact(r, "/request/port", tree.Number).Value; port != nil {
		p := string(strictjson.AppendNumber(nil, port.Text))
		if s := scheme.Decode(); s != "http" || p != "80" {
			if s != "https" || p != "443" {
				url += ":" + p
			}
		}
	}
	l.URL.Value = &tree.Value{Kind: tree.String, Text: url + l.URL.Value.Decode()}
	return l
}

func saz(r *tree.Value) Line {
	return Line{
		Method:      fact(r, "/request/method", tree.String),
		URL:         fact(r, "/request/target", tree.String),
		Status:      fact(r, "/response/status", tree.Number),
		MIMEType:    contentType(r, named, "/value"),
		Started:     Fact{Value: timer(r.Get("metadata"), "ClientBeginRequest")},
		HTTPVersion: fact(r, "/request/http_version", tree.String),
	}
}

// fact is what stands at a pointer whose names need no unescaping, where it is
// of that kind.
func fact(r *tree.Value, at tree.Pointer, k tree.Kind) Fact {
	for rest := string(at[1:]); rest != "" && r != nil; {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		r = r.Get(name)
	}
	return Fact{Value: when(r, k), Pointer: at}
}

func when(v *tree.Value, k tree.Kind) *tree.Value {
	if v == nil || v.Kind != k {
		return nil
	}
	return v
}

// contentType is the value of the first header of that name in the response.
// field takes a header apart, and last leads from it to the value.
func contentType(r *tree.Value, field func(h *tree.Value) (name, value *tree.Value), last string) Fact {
	const at = tree.Pointer("/response/headers")
	headers := fact(r, at, tree.Array).Value
	if headers == nil {
		return Fact{}
	}
	for i := range headers.Items {
		name, value := field(&headers.Items[i])
		if s, ok := name.Str(); ok && len(s) == len("content-type") && strings.EqualFold(s, "content-type") {
			return Fact{Value: when(value, tree.String), Pointer: at.Item(i) + tree.Pointer(last)}
		}
	}
	return Fact{}
}

func named(h *tree.Value) (name, value *tree.Value) { return h.Get("name"), h.Get("value") }

func pairs(h *tree.Value) (name, value *tree.Value) {
	if h.Kind != tree.Array || len(h.Items) != 2 {
		return nil, nil
	}
	return &h.Items[0], &h.Items[1]
}

// timer is an attribute of the element SessionTimers, which stands below the
// document element of a session's metadata.
func timer(document *tree.Value, attribute string) *tree.Value {
	children := document.Get("children")
	if children == nil {
		return nil
	}
	for i := range children.Items {
		e := &children.Items[i]
		if name, _ := e.Get("name").Str(); name != "SessionTimers" || e.Get("attributes") == nil {
			continue
		}
		for k := range e.Get("attributes").Items {
			name, value := named(&e.Get("attributes").Items[k])
			if s, _ := name.Str(); s == attribute {
				return when(value, tree.String)
			}
		}
	}
	return nil
}

// Append writes a headline as canonical JSON.
func (l Line) Append(dst []byte) []byte {
	for i, m := range [...]struct {
		name string
		fact Fact
	}{
		{"event", l.Event}, {"http_version", l.HTTPVersion}, {"method", l.Method}, {"mime_type", l.MIMEType},
		{"started", l.Started}, {"status", l.Status}, {"time", l.Time}, {"url", l.URL},
	} {
		dst = append(dst, "{,"[min(i, 1)], '"')
		dst = append(append(dst, m.name...), `":`...)
		dst = strictjson.AppendValue(dst, m.fact.Value)
	}
	return append(dst, '}')
}
