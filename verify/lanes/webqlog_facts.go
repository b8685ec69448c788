package lanes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rea.example/verify/harfile"
	"rea.example/verify/mcpclient"
	"rea.example/verify/product"
	"rea.example/verify/qlogfile"
)

// sameEvents compares every record with the event it stands for.
func sameEvents(e *product.Evidence, f *qlogfile.File) error {
	var events []qlogfile.Event
	for _, t := range f.Traces {
		events = append(events, t.Events...)
	}
	if len(events) != e.Result.TotalRecords || len(e.Result.Records) != len(events) {
		return fmt.Errorf("%d records of %d, the file has %d events", len(e.Result.Records), e.Result.TotalRecords, len(events))
	}
	for i, r := range e.Result.Records {
		if r.Location.Kind != "json-pointer" || r.Location.Pointer != events[i].Pointer || r.Ordinal != i {
			return fmt.Errorf("record %d says ordinal %d at %q", i, r.Ordinal, r.Location.Pointer)
		}
		part := harfile.Part{Value: events[i].Value, Numbers: map[string]string{}}
		harfile.Walk(part.Value, "", func(pointer string, v any) {
			if n, ok := v.(json.Number); ok {
				part.Numbers[pointer] = n.String()
			}
		})
		if err := errors.Join(sameReported(part, r.Reported, r.Redactions), sameLiterals(r.NumericLiterals, part.Numbers)); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
		for pointer, reason := range redacted(r.Redactions) {
			if reason != credential {
				return fmt.Errorf("record %d: %q is left out for %q", i, pointer, reason)
			}
		}
	}
	return nil
}

// sameFacts compares the facts of every stream.
func sameFacts(got *product.Facts, f *qlogfile.File) error {
	if got == nil {
		return errors.New("no facts")
	}
	if got.Profile != "aioquic-1.5.0-json-0.3" || got.Scope != "all-recorded-events-before-selection" || got.BodyBytes != "not-reported" ||
		got.Clock.Unit != "milliseconds" || got.Clock.Epoch != "unix" || got.Clock.Basis != "profile-assumption-aioquic-1.5.0" {
		return errors.New("another profile, scope or clock")
	}
	if len(got.Traces) != len(f.Traces) {
		return fmt.Errorf("%d traces, the file has %d", len(got.Traces), len(f.Traces))
	}
	for i, t := range got.Traces {
		want := f.Traces[i]
		if t.Index != i || t.Events != len(want.Events) || len(t.Streams) != len(want.Streams) || len(t.IncompleteRecords) != 0 {
			return fmt.Errorf("trace %d: %d events, %d streams, %d incomplete records; the file has %d and %d",
				t.Index, t.Events, len(t.Streams), len(t.IncompleteRecords), len(want.Events), len(want.Streams))
		}
		if err := sameLosses(t.LossDeclarations, want.Losses); err != nil {
			return fmt.Errorf("trace %d: %w", i, err)
		}
		seen := map[qlogfile.Key]bool{}
		if !slices.IsSortedFunc(t.Streams, func(a, b product.Stream) int { return byNumber(a.ID, b.ID) }) {
			return fmt.Errorf("trace %d: the streams are not in the order of their numbers", i)
		}
		for _, s := range t.Streams {
			key := qlogfile.Key{Stream: s.ID, Direction: s.Direction}
			if want.Streams[key] == nil || seen[key] {
				return fmt.Errorf("trace %d: stream %s %s is not in the file, or there twice", i, s.ID, s.Direction)
			}
			seen[key] = true
			if err := sameStream(s, want.Streams[key]); err != nil {
				return fmt.Errorf("trace %d, stream %s %s: %w", i, s.ID, s.Direction, err)
			}
		}
	}
	return nil
}

func sameLosses(got []product.Loss, want []qlogfile.Loss) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d declarations of loss, the file has %d", len(got), len(want))
	}
	for i, l := range got {
		if l.Ordinal != want[i].Ordinal || l.PacketNumber == nil || *l.PacketNumber != want[i].PacketNumber || l.PacketType == nil || *l.PacketType != want[i].Space {
			return fmt.Errorf("declaration %d of a loss is another", i)
		}
	}
	return nil
}

// byNumber compares numbers in decimal digits.
func byNumber(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

func sameStream(got product.Stream, want *qlogfile.Stream) error {
	unique, sum := want.Unique(), want.Sum()
	if got.UniqueBytes != decimal(unique) || got.FrameSum != decimal(sum) || got.RepeatedBytes != decimal(sum-unique) {
		return fmt.Errorf("%s, %s and %s bytes; counted %d, %d and %d", got.UniqueBytes, got.FrameSum, got.RepeatedBytes, unique, sum, sum-unique)
	}
	ranges := want.Ranges(1)
	same := slices.EqualFunc(got.Ranges, ranges, func(a product.Range, b qlogfile.Range) bool {
		return a.Start == decimal(b.Start) && a.End == decimal(b.End)
	})
	if !same {
		return errors.New("other ranges")
	}
	same = slices.EqualFunc(got.Contributions, want.Contributions, func(a product.Contribution, b qlogfile.Contribution) bool {
		return a.Ordinal == b.Ordinal && a.FrameIndex == b.Frame && a.Offset == decimal(b.Offset) && a.Length == decimal(b.Length) && a.Fin != nil && *a.Fin == b.Fin
	})
	if !same {
		return errors.New("other contributions")
	}
	if len(got.FinalSizes) != len(want.FinalSizes) {
		return fmt.Errorf("%d final sizes of %d", len(got.FinalSizes), len(want.FinalSizes))
	}
	for _, s := range got.FinalSizes {
		size, err := strconv.ParseInt(s.Size, 10, 64)
		if err != nil || !slices.Equal(s.Ordinals, want.FinalSizes[size]) {
			return errors.New("another final size")
		}
	}
	return nil
}

// holds looks for the stream that the response came on, and holds it to what is
// known.
func (k known) holds(got *product.Facts, f *qlogfile.File) error {
	if len(got.Traces) != 1 {
		return fmt.Errorf("%d traces, expected the origin's one", len(got.Traces))
	}
	covered, repeated := int64(0), int64(0)
	for _, s := range got.Traces[0].Streams {
		n, err := strconv.ParseInt(s.RepeatedBytes, 10, 64)
		if err != nil {
			return err
		}
		repeated += n
		if s.ID != "0" || s.Direction != "sent" {
			continue
		}
		if covered, err = strconv.ParseInt(s.UniqueBytes, 10, 64); err != nil {
			return err
		}
		if len(s.FinalSizes) != 1 || s.FinalSizes[0].Size != decimal(k.covered) || len(s.Ranges) != 1 || s.Ranges[0].Start != "0" {
			return errors.New("the stream does not end where it should, or has gaps")
		}
		if k.frames != 0 && len(s.Contributions) != k.frames {
			return fmt.Errorf("%d frames, the experiment sent %d", len(s.Contributions), k.frames)
		}
	}
	if covered != k.covered || repeated != k.repeated {
		return fmt.Errorf("%d bytes covered and %d repeated, known are %d and %d", covered, repeated, k.covered, k.repeated)
	}
	var want []qlogfile.Range
	if k.repeated > 0 {
		want = []qlogfile.Range{k.at}
	}
	if twice := f.Traces[0].Streams[qlogfile.Key{Stream: "0", Direction: "sent"}].Ranges(2); k.at.End > 0 && !slices.Equal(twice, want) {
		return errors.New("another range was repeated")
	}
	if losses := len(got.Traces[0].LossDeclarations); (losses > 0) != (k.repeated > 0) {
		return fmt.Errorf("%d declarations of loss", losses)
	}
	return nil
}

// sameScope selects two records, and wants the same facts and the records asked
// for.
func sameScope(ctx context.Context, run *runner, path string, whole product.Output, e *product.Evidence) error {
	last := e.Result.TotalRecords - 1
	out, err := run.inspect(ctx, path, "qlog", "--json", "--record", strconv.Itoa(last), "--record", "0")
	if err != nil {
		return err
	}
	part, err := out.Evidence()
	if err != nil {
		return explain(err, out)
	}
	if part.ID == e.ID || part.Result.TotalRecords != e.Result.TotalRecords || len(part.Result.Records) != 2 ||
		part.Result.Records[0].Ordinal != last || part.Result.Records[1].Ordinal != 0 {
		return errors.New("not the records that were asked for, in that order")
	}
	a, err := resultMember(whole.Stdout, "qlog")
	if err != nil {
		return err
	}
	b, err := resultMember(out.Stdout, "qlog")
	if err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return errors.New("the facts depend on the selection")
	}
	return nil
}

// resultMember is the text of one member of normalized_result.
func resultMember(document []byte, name string) ([]byte, error) {
	envelope, err := members(document)
	if err != nil {
		return nil, err
	}
	result, err := members(envelope["normalized_result"])
	return result[name], err
}

// facetViews are one view of each facet, for the origin's response.
func facetViews() []map[string]any {
	var list []map[string]any
	for _, facet := range []string{"traces", "streams", "contributions", "ranges", "final-sizes", "loss-declarations", "incomplete-records"} {
		view := map[string]any{"kind": "qlog", "facet": facet, "limit": 1000}
		if facet != "traces" {
			view["trace_index"] = 0
		}
		if strings.HasPrefix(facet, "contributions") || facet == "ranges" || facet == "final-sizes" {
			view["stream_id"], view["direction"] = "0", "sent"
		}
		list = append(list, view)
	}
	return list
}

// sameRetained asks for a summary, and looks at each facet of the Evidence that it
// names.
func sameRetained(ctx context.Context, s *mcpclient.Session, path string, e *product.Evidence) error {
	r, err := s.Call(ctx, inspectTool, arguments(path, "qlog", map[string]any{"detail": "summary"}))
	if err != nil {
		return err
	}
	summary, err := readView(r)
	if err != nil {
		return err
	}
	if summary.Kind != "summary" || summary.Parent != e.ID {
		return errors.New("the summary names another parent")
	}
	for _, view := range facetViews() {
		text, err := json.Marshal(view)
		if err != nil {
			return err
		}
		r, err := s.Call(ctx, viewTool, retained(summary.Parent, string(text)))
		if err != nil {
			return err
		}
		page, err := readView(r)
		if err != nil {
			return err
		}
		if page.Parent != e.ID || page.Facet != view["facet"] {
			return errors.New("a view of another parent or facet")
		}
		if err := sameRows(page.Items, view["facet"].(string), e.Result.Qlog); err != nil {
			return fmt.Errorf("facet %s: %w", view["facet"], err)
		}
	}
	return nil
}

// sameRows compares the rows of a facet's view with the facts.
func sameRows(rows []json.RawMessage, facet string, f *product.Facts) error {
	t := f.Traces[0]
	var response product.Stream
	for _, s := range t.Streams {
		if s.ID == "0" && s.Direction == "sent" {
			response = s
		}
	}
	var want []any
	switch facet {
	case "traces":
		if len(rows) != len(f.Traces) {
			return fmt.Errorf("%d rows of %d", len(rows), len(f.Traces))
		}
		return nil
	case "streams":
		for _, s := range t.Streams {
			s.Contributions, s.Ranges, s.FinalSizes = nil, nil, nil
			want = append(want, s)
		}
	case "contributions":
		want = anyList(response.Contributions)
	case "ranges":
		want = anyList(response.Ranges)
	case "final-sizes":
		want = anyList(response.FinalSizes)
	case "loss-declarations":
		want = anyList(t.LossDeclarations)
	case "incomplete-records":
		want = anyList(t.IncompleteRecords)
	}
	if len(rows) != len(want) {
		return fmt.Errorf("%d rows of %d", len(rows), len(want))
	}
	for i, row := range rows {
		if err := sameRow(row, want[i]); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	return nil
}

func anyList[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// sameRow wants every member of the fact that is not null to be the row's.
func sameRow(row json.RawMessage, want any) error {
	text, err := json.Marshal(want)
	if err != nil {
		return err
	}
	expected, err := value(text)
	if err != nil {
		return err
	}
	got, err := value(row)
	if err != nil {
		return err
	}
	object, ok := expected.(map[string]any)
	if !ok {
		if fmt.Sprint(got) != fmt.Sprint(expected) {
			return errors.New("another value")
		}
		return nil
	}
	for name, v := range object {
		if v != nil && fmt.Sprint(harfile.At(got, name)) != fmt.Sprint(v) {
			return fmt.Errorf("another %s", name)
		}
	}
	return nil
}
