package view

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"sync"

	"rea.example/rea/internal/evidence"
	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/strictjson"
	"rea.example/rea/internal/tree"
)

// Operation is the name of what views are asked of, as it stands in Evidence and
// failures.
const Operation = "inspect_analysis_view"

// Parent is the Evidence of a capture, opened. It may be used by several
// goroutines at once, for as long as its document is open.
type Parent struct {
	ID        string
	Authority string
	Format    string
	Decoder   evidence.Identity
	Artifact  evidence.Artifact
	Subject   *evidence.Subject // nil stays nil in what is derived
	Total     int               // records of the whole capture
	// Declared is how many values were declared; negative where the Evidence
	// doesn't say.
	Declared int
	// Report says that the capture was read under conformance "report".
	Report bool
	// Parameters are those of the inspection.
	Parameters tree.Value
	// Limitations are those of the result, Notes those of the envelope.
	Limitations, Notes []string

	document *evidence.Document
	index    *index

	mu    sync.Mutex
	texts map[string]*Once[*Text] // of members of the result
}

// Open opens a document that this program sealed. The error is a
// *failure.Failure, that of reading the document, or the context's.
func Open(ctx context.Context, d *evidence.Document) (*Parent, error) { return open(ctx, d, false) }

// OpenForeign opens a document that came from outside, which evidence.Open
// authenticated. An identifier proves that a document wasn't changed, not that
// it is right: its shape is checked too, record by record.
func OpenForeign(ctx context.Context, d *evidence.Document) (*Parent, error) {
	return open(ctx, d, true)
}

func open(ctx context.Context, d *evidence.Document, foreign bool) (*Parent, error) {
	x, err := newIndex(ctx, d)
	if err != nil {
		return nil, err
	}
	p := &Parent{document: d, index: x}
	if p.ID, err = p.text(x.envelope["evidence_id"]); err != nil {
		return nil, err
	}
	operation, err := p.text(x.envelope["operation"])
	if err != nil {
		return nil, err
	}
	if operation != evidence.InspectCapture {
		artifact, err := p.value(x.result["artifact"])
		if err != nil {
			return nil, err
		}
		path, _ := artifact.Get("path").Str()
		return nil, Unsupported(path, "views are made of the Evidence of "+evidence.InspectCapture+" alone")
	}
	if foreign {
		if err := p.checkShape(ctx); err != nil {
			return nil, err
		}
	}
	return p, p.read()
}

// read takes the small members out of the document.
func (p *Parent) read() error {
	var authority, subject, notes, artifact, decoder, format, limitations, total tree.Value
	for _, m := range []struct {
		to   *tree.Value
		span tree.Span
	}{
		{&authority, p.index.envelope["authority"]},
		{&subject, p.index.envelope["subject"]},
		{&notes, p.index.envelope["limitations"]},
		{&p.Parameters, p.index.envelope["parameters"]},
		{&artifact, p.index.result["artifact"]},
		{&decoder, p.index.result["decoder"]},
		{&format, p.index.result["format"]},
		{&limitations, p.index.result["limitations"]},
		{&total, p.index.result["total_records"]},
	} {
		v, err := p.value(m.span)
		if err != nil {
			return err
		}
		*m.to = v
	}
	p.Authority, _ = authority.Str()
	p.Format, _ = format.Str()
	p.Decoder.ID, _ = decoder.Get("id").Str()
	p.Decoder.Name, _ = decoder.Get("name").Str()
	p.Decoder.Version, _ = decoder.Get("version").Str()
	p.Artifact.Path, _ = artifact.Get("path").Str()
	p.Artifact.SHA256, _ = artifact.Get("sha256").Str()
	p.Artifact.Bytes, _ = Integer(artifact.Get("bytes"))
	if subject.Kind == tree.Object {
		p.Subject = new(evidence.Subject)
		p.Subject.Name, _ = subject.Get("name").Str()
		p.Subject.LocalPath, _ = subject.Get("local_path").Str()
		p.Subject.SHA256, _ = subject.At("digest", "sha256").Str()
	}
	n, _ := Integer(&total)
	p.Total = int(n)
	p.Declared = -1
	if n, ok := Integer(p.Parameters.Get("sensitive_value_count")); ok {
		p.Declared = int(n)
	}
	conformance, _ := p.Parameters.Get("conformance").Str()
	p.Report = conformance == "report"
	p.Limitations, p.Notes = Strings(&limitations), Strings(&notes)
	// A subject's name and path take no part in the identifier: only the artifact,
	// which does, says what they are.
	if want := evidence.SubjectOf(p.Artifact); p.Subject != nil && (want == nil || *p.Subject != *want) {
		return Mismatch(p.ID, "identity_mismatch", "a subject that is the artifact: its digest, its path, and the last segment of that as its name")
	}
	return nil
}

// Retained is the number of records that the parent holds.
func (p *Parent) Retained() int { return len(p.index.records) }

// Record gives the canonical bytes of the i-th record that the parent holds.
func (p *Parent) Record(i int) ([]byte, error) { return p.bytes(p.index.records[i]) }

// Member gives the canonical bytes of a member of the result, or nil.
func (p *Parent) Member(name string) ([]byte, error) {
	s, ok := p.index.result[name]
	if !ok {
		return nil, nil
	}
	return p.bytes(s)
}

// Text gives a member of the result to be walked over, or nil. It is surveyed
// once, for all who ask.
func (p *Parent) Text(ctx context.Context, name string) (*Text, error) {
	s, ok := p.index.result[name]
	if !ok {
		return nil, nil
	}
	p.mu.Lock()
	if p.texts == nil {
		p.texts = map[string]*Once[*Text]{}
	}
	o := p.texts[name]
	if o == nil {
		o = new(Once[*Text])
		p.texts[name] = o
	}
	p.mu.Unlock()
	return o.Get(ctx, func() (*Text, error) {
		return Survey(ctx, io.NewSectionReader(p.document, int64(s.Start), int64(s.Len())), s.Len())
	})
}

func (p *Parent) bytes(s tree.Span) ([]byte, error) {
	b := make([]byte, s.Len())
	if _, err := p.document.ReadAt(b, int64(s.Start)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b, nil
}

func (p *Parent) value(s tree.Span) (tree.Value, error) {
	if s.Len() == 0 {
		return tree.Value{}, nil
	}
	b, err := p.bytes(s)
	if err != nil {
		return tree.Value{}, err
	}
	return strictjson.Parse(b, limits.EvidenceDepth)
}

func (p *Parent) text(s tree.Span) (string, error) {
	v, err := p.value(s)
	text, _ := v.Str()
	return text, err
}

// Integer gives the value of a canonical number that is an integer.
func Integer(v *tree.Value) (int64, bool) {
	if v == nil || v.Kind != tree.Number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	return n, err == nil
}

// Strings gives the strings of an array.
func Strings(v *tree.Value) []string {
	if v == nil || v.Kind != tree.Array {
		return nil
	}
	var out []string
	for i := range v.Items {
		if s, ok := v.Items[i].Str(); ok {
			out = append(out, s)
		}
	}
	return out
}

// Unsupported is the failure of a view that this parent can't have. The path is
// that of the capture.
func Unsupported(path, reason string) *failure.Failure {
	return &failure.Failure{
		Code:    failure.UnsupportedTarget,
		Message: "this Evidence can't be looked at in this way: " + reason,
		Action:  "Choose a view that this Evidence has.",
		Details: map[string]any{"operation": Operation, "path": path, "reason": reason},
	}
}

// Mismatch is the failure of Evidence that is not what it says it is.
func Mismatch(id, reason, expected string) *failure.Failure {
	return &failure.Failure{
		Code:    failure.EvidenceIntegrity,
		Message: "the Evidence is not what its identifier names",
		Action:  "Inspect the capture again, and use the Evidence as it was given out.",
		Details: map[string]any{"operation": Operation, "evidence_id": id, "reason": reason, "expected": expected, "actual": nil},
	}
}

// Invalid is the failure of arguments that are wrong for this parent.
func Invalid(action string, issues ...failure.Issue) *failure.Failure {
	message := "the arguments are not valid"
	if i := slices.IndexFunc(issues, func(is failure.Issue) bool { return is.Message != "" }); i >= 0 {
		message = issues[i].Message
	}
	return &failure.Failure{Code: failure.InvalidRequest, Message: message, Action: action, Issues: issues,
		Details: map[string]any{"operation": Operation}}
}
