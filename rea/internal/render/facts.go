package render

import (
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// row is where the headline of one record stands in the document. The zero
// Span says that it isn't there.
type row struct {
	ordinal, reported, method, url, status, kind, size tree.Span

	hidden     hidable
	deviations int
}

// hidable are the values of a headline that may have been left out.
type hidable uint8

const (
	hiddenRecord hidable = 1 << iota
	hiddenMethod
	hiddenURL
	hiddenStatus
	hiddenKind
	hiddenSize
)

// hidables are the pointers of these, as a document spells them.
var hidables = map[string]hidable{
	`""`:                           hiddenRecord,
	`"/request/method"`:            hiddenMethod,
	`"/request/url"`:               hiddenURL,
	`"/response/status"`:           hiddenStatus,
	`"/response/content/mimeType"`: hiddenKind,
	`"/response/content/size"`:     hiddenSize,
}

// facts are what a page of a capture says. Spans lie in doc.
type facts struct {
	doc []byte

	id, path, sha256, bytes, format, total tree.Span
	profile                                tree.Span // the version of the container's format
	maker, makerVersion                    tree.Span
	browser, browserVersion                tree.Span
	conformance, sensitive                 tree.Span // parameters

	rows        []row
	credentials int // values left out, or cut, as transport credentials
	declared    int // values left out as declared
	names       int // members left out for their declared name
	notes       int // limitations of the capture
	recordNotes int // limitations of records
	deviations  int
}

// gather reads the document once, and keeps nothing of it but places.
func gather(doc []byte) (*facts, error) {
	f := &facts{doc: doc}
	var r row
	var paths []strictjson.Path
	var takes []func(tree.Span)
	on := func(take func(tree.Span), path ...string) {
		paths = append(paths, path)
		takes = append(takes, take)
	}
	keep := func(to *tree.Span, path ...string) {
		on(func(s tree.Span) { *to = s }, path...)
	}
	count := func(n *int, path ...string) {
		on(func(tree.Span) { *n++ }, path...)
	}

	const result, container, records, reported = "normalized_result", "container", "records", "reported"
	keep(&f.id, "evidence_id")
	keep(&f.conformance, "parameters", "conformance")
	keep(&f.sensitive, "parameters", "sensitive_value_count")
	keep(&f.path, result, "artifact", "path")
	keep(&f.sha256, result, "artifact", "sha256")
	keep(&f.bytes, result, "artifact", "bytes")
	keep(&f.format, result, "format")
	keep(&f.total, result, "total_records")
	keep(&f.profile, result, container, reported, "log", "version")
	keep(&f.maker, result, container, reported, "log", "creator", "name")
	keep(&f.makerVersion, result, container, reported, "log", "creator", "version")
	keep(&f.browser, result, container, reported, "log", "browser", "name")
	keep(&f.browserVersion, result, container, reported, "log", "browser", "version")
	count(&f.notes, result, "limitations", "*")
	count(&f.recordNotes, result, records, "*", "limitations", "*")

	for _, at := range [][]string{{result, container}, {result, records, "*"}} {
		on(f.redaction, append(at[:len(at):len(at)], "redactions", "*", "reason")...)
		count(&f.names, append(at[:len(at):len(at)], "redactions", "*", "scope")...)
	}
	on(func(s tree.Span) { r.hidden |= hidables[string(doc[s.Start:s.End])] }, result, records, "*", "redactions", "*", "pointer")
	on(func(s tree.Span) { f.deviations += f.integer(s) }, result, container, "deviation_total")
	on(func(s tree.Span) { r.deviations = f.integer(s) }, result, records, "*", "deviation_total")

	keep(&r.ordinal, result, records, "*", "ordinal")
	keep(&r.reported, result, records, "*", reported)
	keep(&r.method, result, records, "*", reported, "request", "method")
	keep(&r.url, result, records, "*", reported, "request", "url")
	keep(&r.status, result, records, "*", reported, "response", "status")
	keep(&r.kind, result, records, "*", reported, "response", "content", "mimeType")
	keep(&r.size, result, records, "*", reported, "response", "content", "size")
	on(func(tree.Span) {
		f.deviations += r.deviations
		f.rows = append(f.rows, r)
		r = row{}
	}, result, records, "*")

	err := strictjson.Check(doc, limits.ArgumentDepth, paths, func(which int, s tree.Span) { takes[which](s) })
	f.declared -= f.names
	return f, err
}

func (f *facts) redaction(s tree.Span) {
	if f.text(s) == "transport-credential" {
		f.credentials++
	} else {
		f.declared++
	}
}

// text gives a string decoded, a number as it is spelt, and nothing for any
// other value. It is not escaped.
func (f *facts) text(s tree.Span) string {
	raw := f.doc[s.Start:s.End]
	switch {
	case len(raw) == 0:
	case raw[0] == '"':
		return tree.Text{S: string(raw[1 : len(raw)-1]), Raw: true}.Decode()
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return string(raw)
	}
	return ""
}

// shown is text, escaped.
func (f *facts) shown(s tree.Span) string { return Escape(f.text(s)) }

// integer gives a count, or 0.
func (f *facts) integer(s tree.Span) int {
	n := 0
	for _, c := range f.doc[s.Start:s.End] {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}
