package headline

import (
	"strings"

	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// Line is a headline. A nil value is not known. The values are a string or a
// number, as they are reported.
type Line struct {
	Method, URL, Status, MIMEType, Started, HTTPVersion *tree.Value
	Event, Time                                         *tree.Value // of a log of events
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
		return Line{Event: text(reported.Get("name")), Time: number(reported.Get("time"))}
	}
	return Line{}
}

func har(r *tree.Value) Line {
	return Line{
		Method:      text(r.At("request", "method")),
		URL:         text(r.At("request", "url")),
		Status:      number(r.At("response", "status")),
		MIMEType:    text(r.At("response", "content", "mimeType")),
		Started:     text(r.Get("startedDateTime")),
		HTTPVersion: text(r.At("request", "httpVersion")),
	}
}

func mitmproxy(r *tree.Value, join bool) Line {
	request, response := r.Get("request"), r.Get("response")
	l := Line{
		Method:      text(request.Get("method")),
		URL:         text(request.Get("path")),
		Status:      number(response.Get("status_code")),
		MIMEType:    contentType(response.Get("headers"), pairs),
		Started:     number(request.Get("timestamp_start")),
		HTTPVersion: text(request.Get("http_version")),
	}
	scheme, host := text(request.Get("scheme")), text(request.Get("host"))
	if !join || l.URL == nil || scheme == nil || host == nil {
		return l
	}
	url := scheme.Text.Decode() + "://"
	if h := host.Text.Decode(); strings.Contains(h, ":") {
		url += "[" + h + "]"
	} else {
		url += h
	}
	if port := number(request.Get("port")); port != nil {
		p := string(strictjson.AppendNumber(nil, port.Text.S))
		if s := scheme.Text.Decode(); s != "http" || p != "80" {
			if s != "https" || p != "443" {
				url += ":" + p
			}
		}
	}
	l.URL = &tree.Value{Kind: tree.String, Text: tree.Plain(url + l.URL.Text.Decode())}
	return l
}

func saz(r *tree.Value) Line {
	request, response := r.Get("request"), r.Get("response")
	return Line{
		Method:      text(request.Get("method")),
		URL:         text(request.Get("target")),
		Status:      number(response.Get("status")),
		MIMEType:    contentType(response.Get("headers"), named),
		Started:     timer(r.Get("metadata"), "ClientBeginRequest"),
		HTTPVersion: text(request.Get("http_version")),
	}
}

func text(v *tree.Value) *tree.Value   { return when(v, tree.String) }
func number(v *tree.Value) *tree.Value { return when(v, tree.Number) }

func when(v *tree.Value, k tree.Kind) *tree.Value {
	if v == nil || v.Kind != k {
		return nil
	}
	return v
}

// contentType is the value of the first header of that name. field takes a
// header apart.
func contentType(headers *tree.Value, field func(h *tree.Value) (name, value *tree.Value)) *tree.Value {
	if headers == nil || headers.Kind != tree.Array {
		return nil
	}
	for i := range headers.Items {
		name, value := field(&headers.Items[i])
		if s, ok := name.Str(); ok && len(s) == len("content-type") && strings.EqualFold(s, "content-type") {
			return text(value)
		}
	}
	return nil
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
				return text(value)
			}
		}
	}
	return nil
}

// Append writes a headline as canonical JSON.
func (l Line) Append(dst []byte) []byte {
	for i, m := range [...]struct {
		name string
		v    *tree.Value
	}{
		{"event", l.Event}, {"http_version", l.HTTPVersion}, {"method", l.Method}, {"mime_type", l.MIMEType},
		{"started", l.Started}, {"status", l.Status}, {"time", l.Time}, {"url", l.URL},
	} {
		dst = append(dst, "{,"[min(i, 1)], '"')
		dst = append(append(dst, m.name...), `":`...)
		dst = strictjson.AppendValue(dst, m.v)
	}
	return append(dst, '}')
}
