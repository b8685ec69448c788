package saz

import (
	"fmt"
	"strings"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/redact"
	"rea.example/rea/internal/tree"
)

// batch is some records that were read one after the other.
type batch struct {
	readers [32]reader
	used    int
	err     error // why the record after them could not be read
}

func newBatch(a *archive, declared *redact.Declarations) *batch {
	b := &batch{}
	for i := range b.readers {
		b.readers[i] = reader{archive: a, declared: declared}
	}
	return b
}

// batchBytes is how much a batch may inflate to before it takes no further record.
const batchBytes = 256 << 10

// fill reads sessions until the batch is full, and says how many.
func (b *batch) fill(sessions []session) int {
	b.used, b.err = 0, nil
	content := &b.readers[0].archive.content
	for enough := content.left - batchBytes; b.used < min(len(b.readers), len(sessions)) && content.left > enough; b.used++ {
		if b.err = b.readers[b.used].record(&sessions[b.used]); b.err != nil {
			break
		}
	}
	return b.used
}

// deliver hands on the records, and then the error if there is one.
func (b *batch) deliver(out format.Sink) error {
	for i := range b.readers[:b.used] {
		if err := out.Record(&b.readers[i].entry); err != nil {
			return err
		}
	}
	return b.err
}

// reader makes a record of one session after the other. All of a record's
// memory is used again for its next.
type reader struct {
	archive  *archive
	declared *redact.Declarations

	buffers [roles][]byte
	nodes   nodes
	xml     document
	headers []header
	entry   format.Entry
}

// record reads the members of a session into the reader's entry.
func (r *reader) record(s *session) error {
	r.nodes.reset()
	r.entry = format.Entry{Representation: representation, At: r.archive.location(s), Limits: r.entry.Limits[:0]}
	var parts [roles]tree.Value
	for role := request; role < roles; role++ {
		parts[role] = null(roleNames[role])
		if s.members[role] == 0 {
			continue
		}
		m := &r.archive.members[s.members[role]-1]
		content, err := r.archive.content.read(m, r.buffers[role])
		if err != nil {
			return err
		}
		r.buffers[role] = content
		if parts[role], err = r.part(m, content); err != nil {
			return err
		}
	}
	v := r.nodes.object("", parts[grpc], r.names(s), parts[metadata], parts[request], parts[response],
		text("session", s.stem), parts[websocket])
	r.entry.Reported = &v
	return nil
}

// names are the session's members as the record lists them.
func (r *reader) names(s *session) tree.Value {
	var list [roles]tree.Value
	for role := request; role < roles; role++ {
		list[role] = null(roleNames[role])
		if i := s.members[role]; i > 0 {
			list[role] = text(roleNames[role], r.archive.members[i-1].Name)
		}
	}
	return r.nodes.object("members", list[grpc], list[metadata], list[request], list[response], list[websocket])
}

func (r *reader) limit(format string, args ...any) {
	r.entry.Limits = append(r.entry.Limits, fmt.Sprintf(format, args...))
}

func (r *reader) part(m *member, content []byte) (tree.Value, error) {
	switch m.role {
	case request:
		return r.request(content), nil
	case response:
		return r.response(content), nil
	case metadata:
		if len(content) == 0 {
			r.limit("The metadata member is empty, and so is no XML document.")
			return null("metadata"), nil
		}
		return r.xml.read(m.Name, content, &r.nodes)
	}
	return octets(roleNames[m.role], content), nil
}

func (r *reader) request(content []byte) tree.Value {
	h := readHead(content, requestLine, r.headers)
	r.headers = h.headers
	method, target, version := null("method"), null("target"), null("http_version")
	secret := h.secret()
	if h.started {
		method, target, version = text("method", h.start[0]), text("target", h.start[1]), text("http_version", h.start[2])
		target.Mark = tree.RecordedURL
		if h.connects() {
			target.Mark = tree.RecordedAuthority
		}
		secret = secret || h.secretTarget()
	}
	r.limits(&h, "request")
	return r.nodes.object("request", octets("body", content[h.size:]), r.head(&h, content, secret), r.headerList(&h),
		version, method, target)
}

func (r *reader) response(content []byte) tree.Value {
	h := readHead(content, statusLine, r.headers)
	r.headers = h.headers
	version, status, reason := null("http_version"), null("status"), null("reason")
	if h.started {
		version, status, reason = text("http_version", h.start[0]), count("status", number(h.start[1])), text("reason", h.start[2])
	}
	r.limits(&h, "response")
	body := octets("body", content[h.size:])
	if h.interim() {
		r.limit("The first response head is an interim one (1xx); what follows it stands as body bytes.")
		if secretBehind(content[h.size:]) {
			body.Mark = tree.Credential
		}
	}
	return r.nodes.object("response", body, r.head(&h, content, h.secret()), r.headerList(&h), version, reason, status)
}

// number is three digits as JSON writes them.
func number(digits string) string {
	if n := strings.TrimLeft(digits, "0"); n != "" {
		return n
	}
	return "0"
}

// head are the exact octets of a head, which stand beside the record. Their text
// is searched for declared values as it was decoded: in octets that aren't UTF-8
// the projection would not find them.
func (r *reader) head(h *head, content []byte, secret bool) tree.Value {
	v := octets("head", content[:h.size])
	v.Mark = tree.Aside
	switch {
	case secret:
		v.Mark |= tree.Credential
	case r.declared.InText(h.text):
		v.Mark |= tree.Sensitive
	}
	return v
}

func (r *reader) headerList(h *head) tree.Value {
	items := r.nodes.take(len(h.headers))
	for i, f := range h.headers {
		value := text("value", f.value)
		switch {
		case redact.CredentialHeader(f.name):
			value.Mark = tree.Credential
		case redact.URLHeader(f.name):
			value.Mark = tree.RecordedURL
		}
		items[i] = r.nodes.object("", text("name", f.name), value)
	}
	return tree.Value{Kind: tree.Array, Name: "headers", Items: items}
}

// limits says what of a head could not be read as it should be.
func (r *reader) limits(h *head, side string) {
	if h.odd > 0 {
		more := ""
		if h.odds > 1 {
			more = fmt.Sprintf(" and %d more", h.odds-1)
		}
		r.limit("The %s head does not parse at line %d%s; such lines, and its exact bytes, are not shown.", side, h.odd, more)
	}
	if h.open {
		r.limit("No empty line ends the %s head; no byte is taken for a body.", side)
	}
	if h.latin {
		r.limit("The %s head is not UTF-8 and is read as ISO-8859-1.", side)
	}
}
