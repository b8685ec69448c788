package lanes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/lane"
	"rea.example/verify/mcpclient"
	"rea.example/verify/product"
)

// WebViews takes every view of captures of every format after the captures were
// deleted, by both faces, and computes each view once more from the complete
// Evidence.
var WebViews = lane.Lane{
	Name:  "web:views",
	Doc:   "Every view, by both faces and after the capture was deleted, against the same view computed from the complete Evidence.",
	Needs: lane.Needs{Judge: true},
	Run:   runWebViews,
}

func runWebViews(ctx context.Context, b *bench.Bench) error {
	run, err := newRunner(b, "tmp")
	if err != nil {
		return err
	}
	dir := filepath.Join(b.Temp, "captures")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	list, err := viewCaptures(ctx, b, run, dir)
	if err != nil {
		return err
	}
	s, err := mcpclient.Open(ctx, b.Product)
	if err != nil {
		return err
	}
	v := &viewer{bench: b, run: run, session: s}
	for i, c := range list {
		if err := v.capture(ctx, i, c); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	if err := v.refusals(ctx, dir); err != nil {
		return errors.Join(err, s.Close())
	}
	b.Check("the server ends in order", s.Close)
	return nil
}

// viewed is a capture that views are taken of.
type viewed struct {
	name, path, format string
	report             bool  // read with conformance report
	records            []int // selected; nil for all
}

// corpusViews bounds the captures of the corpus: how many, and how large.
const (
	corpusViews     = 10
	corpusViewBytes = 400 << 10
)

// viewCaptures are the product's samples, captures of the corpus, and one with
// URLs of every kind.
func viewCaptures(ctx context.Context, b *bench.Bench, run *runner, dir string) ([]viewed, error) {
	samples, err := writeSamples(ctx, run, dir)
	if err != nil {
		return nil, err
	}
	var list []viewed
	for _, s := range samples {
		list = append(list, viewed{name: "sample " + s.format, path: s.path, format: s.format})
	}
	some := list[0]
	some.name, some.path, some.records = "two records of sample "+some.format, filepath.Join(dir, "some"), []int{2, 0}
	data, err := os.ReadFile(list[0].path)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(some.path, data, 0o600); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "urls.har")
	if err := os.WriteFile(path, []byte(urlCapture()), 0o600); err != nil {
		return nil, err
	}
	list = append(list, some, viewed{name: "URLs of every kind", path: path, format: "har", report: true})
	files, verdicts, err := judgedCorpus(ctx, b)
	if err != nil {
		return nil, err
	}
	taken := 0
	for i, f := range files {
		if verdicts[i].Verdict != "accept" || f.Bytes > corpusViewBytes || taken == corpusViews {
			continue
		}
		taken++
		path := filepath.Join(dir, fmt.Sprintf("corpus-%02d.har", i))
		data, err := os.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return nil, err
		}
		list = append(list, viewed{name: f.Name, path: path, format: "har"})
	}
	return list, nil
}

// listFormats asks the program which formats it has: the first word of each line
// below "Formats:".
func listFormats(ctx context.Context, run *runner) ([]string, error) {
	out, err := run.run(ctx, "help")
	if err != nil {
		return nil, err
	}
	_, rest, found := strings.Cut(string(out.Stdout), "\nFormats:\n")
	block, _, closed := strings.Cut(rest, "\n\n")
	if !found || !closed {
		return nil, errors.New("the program's help lists no formats")
	}
	var formats []string
	for line := range strings.Lines(block) {
		formats = append(formats, strings.Fields(line)[0])
	}
	return formats, nil
}

// viewer takes views.
type viewer struct {
	bench   *bench.Bench
	run     *runner
	session *mcpclient.Session
}

// parent is Evidence that views are taken of.
type parent struct {
	viewed
	file     string // with the document
	document []byte
	evidence *product.Evidence
}

func (v *viewer) capture(ctx context.Context, i int, c viewed) error {
	args, flags := map[string]any{"detail": "summary"}, []string{"--json"}
	if c.report {
		args["conformance"], flags = "report", append(flags, "--conformance", "report")
	}
	if c.records != nil {
		args["record_ordinals"] = c.records
		for _, n := range c.records {
			flags = append(flags, "--record", fmt.Sprint(n))
		}
	}
	out, err := v.run.inspect(ctx, c.path, c.format, flags...)
	if err != nil {
		return err
	}
	e, err := out.Evidence()
	if !v.bench.Check(c.name+": read", func() error { return explain(err, out) }) {
		return nil
	}
	p := &parent{viewed: c, file: filepath.Join(v.bench.Temp, fmt.Sprintf("evidence-%02d.json", i)), document: out.Stdout, evidence: e}
	if err := os.WriteFile(p.file, out.Stdout, 0o600); err != nil {
		return err
	}
	r, err := v.session.Call(ctx, inspectTool, arguments(c.path, c.format, args))
	if err != nil {
		return err
	}
	v.bench.Check(c.name+": a summary is the view of the same parent", func() error { return v.summaryReply(ctx, p, r) })
	if err := os.Remove(c.path); err != nil {
		return err
	}
	v.bench.Check(c.name+": summary", func() error { return v.summary(ctx, p) })
	v.bench.Check(c.name+": previews", func() error { return v.pages(ctx, p, "preview") })
	v.bench.Check(c.name+": complete records", func() error { return v.pages(ctx, p, "complete") })
	v.bench.Check(c.name+": API surface", func() error { return v.surface(ctx, p) })
	for _, view := range boundViews(c.format) {
		v.bench.Check(fmt.Sprintf("%s: bounds of pages, %s", c.name, viewName(view)), func() error { return v.pageBounds(ctx, p, view) })
	}
	if c.format == "qlog" {
		v.bench.Check(c.name+": facets", func() error { return v.facets(ctx, p) })
	}
	return nil
}

// take gives one view, which both faces must give alike: the command line of the
// Evidence in a file, the tool of what it retains. The document's identifier and
// digest must be right.
func (v *viewer) take(ctx context.Context, p *parent, view map[string]any) (*viewPage, error) {
	text, err := json.Marshal(view)
	if err != nil {
		return nil, err
	}
	out, err := v.run.look(ctx, p.file, string(text))
	if err != nil {
		return nil, err
	}
	if out.Exit != 0 {
		return nil, fmt.Errorf("view %s: exit status %d", text, out.Exit)
	}
	r, err := v.session.Call(ctx, viewTool, retained(p.evidence.ID, string(text)))
	if err != nil {
		return nil, err
	}
	said, err := r.Document()
	if err != nil {
		return nil, err
	}
	printed, err := compact(out.Stdout)
	if err != nil {
		return nil, err
	}
	if r.IsError || !bytes.Equal(printed, said) {
		return nil, fmt.Errorf("view %s: the tool and the command line say different things", text)
	}
	if err := errors.Join(sameViewEnvelope(printed, p, view), sameValue(r.Structured, said)); err != nil {
		return nil, fmt.Errorf("view %s: %w", text, err)
	}
	return viewOf(printed)
}

// sameViewEnvelope checks what surrounds a view: identifiers, digests, links.
func sameViewEnvelope(document []byte, p *parent, view map[string]any) error {
	var e struct {
		ID          string            `json:"evidence_id"`
		Operation   string            `json:"operation"`
		Predicate   string            `json:"predicate_type"`
		Links       []string          `json:"evidence_links"`
		Provider    product.Decoder   `json:"provider"`
		Confidence  string            `json:"confidence"`
		Locations   []json.RawMessage `json:"locations"`
		Limitations []string          `json:"limitations"`
		Result      struct {
			Kind         string         `json:"kind"`
			View         map[string]any `json:"view"`
			Parent       string         `json:"parent_evidence_id"`
			ParentDigest string         `json:"parent_digest"`
			ViewDigest   string         `json:"view_digest"`
			Artifact     struct {
				Path   string  `json:"path"`
				SHA256 *string `json:"sha256"`
			} `json:"artifact"`
			Templated   int      `json:"templated_groups"`
			Limitations []string `json:"limitations"`
		} `json:"normalized_result"`
	}
	if err := json.Unmarshal(document, &e); err != nil {
		return errors.New("the view is not JSON")
	}
	r := e.Result
	switch a := p.evidence.Result.Artifact; {
	case e.Operation != viewTool || e.Predicate != "rea.analysis-view" || e.Provider.ID != "rea-analysis-view":
		return errors.New("another operation, predicate or provider")
	case r.Parent != p.evidence.ID || len(e.Links) != 1 || e.Links[0] != r.Parent || "ev_"+r.ParentDigest != r.Parent:
		return errors.New("another parent")
	case r.Kind != view["kind"] || r.View["kind"] != view["kind"]:
		return errors.New("another kind of view")
	case r.Artifact.Path != a.Path || a.SHA256 == nil || r.Artifact.SHA256 == nil || *r.Artifact.SHA256 != *a.SHA256 || len(e.Locations) != 1:
		return errors.New("another artifact")
	case e.Confidence != map[bool]string{true: "inferred", false: "derived"}[r.Templated > 0]:
		return fmt.Errorf("it is called %s", e.Confidence)
	case !slices.IsSorted(r.Limitations) || len(slices.Compact(slices.Clone(r.Limitations))) != len(r.Limitations):
		return errors.New("the limitations are not sorted, or one is there twice")
	case !slices.Equal(r.Limitations, e.Limitations):
		return errors.New("the limitations of the Evidence are not the view's")
	}
	envelope, err := members(document)
	if err != nil {
		return err
	}
	result, err := members(envelope["normalized_result"])
	if err != nil {
		return err
	}
	delete(result, "view_digest")
	if captures.Digest(object(result)) != r.ViewDigest {
		return errors.New("view_digest is not the digest of the view")
	}
	return sameID(document, e.ID)
}

// summaryReply wants the summary as the answer to an inspection, and complete
// Evidence behind it.
func (v *viewer) summaryReply(ctx context.Context, p *parent, r *mcpclient.Result) error {
	page, err := readView(r)
	if err != nil {
		return err
	}
	if page.Kind != "summary" || page.Parent != p.evidence.ID {
		return errors.New("the parent is not what the command line prints")
	}
	text, err := v.session.Resource(ctx, "rea://evidence/"+page.Parent)
	if err != nil {
		return err
	}
	printed, err := compact(p.document)
	if err != nil {
		return err
	}
	if text != string(printed) {
		return errors.New("the resource is not what the command line prints")
	}
	return nil
}

func (v *viewer) summary(ctx context.Context, p *parent) error {
	page, err := v.take(ctx, p, map[string]any{"kind": "summary"})
	if err != nil {
		return err
	}
	if c := page.Coverage; c.Status != "complete-within-view" || c.Next != nil || !c.Exhausted {
		return fmt.Errorf("coverage %+v", c)
	}
	return sameSummary(page.Summary, p.evidence)
}

// sameSummary counts once more.
func sameSummary(summary any, e *product.Evidence) error {
	want := map[string]int{
		"total_records": e.Result.TotalRecords, "retained_records": len(e.Result.Records),
		"limitation_count": len(e.Result.Limitations),
	}
	got, _ := summary.(map[string]any)
	for name, n := range want {
		if fmt.Sprint(got[name]) != fmt.Sprint(n) {
			return fmt.Errorf("%s is %v, counted %d", name, got[name], n)
		}
	}
	decoder, _ := got["decoder"].(map[string]any)
	if got["format"] != e.Result.Format || decoder["id"] != e.Result.Decoder.ID {
		return errors.New("another format or decoder")
	}
	facts, _ := got["qlog"].(map[string]any)
	if (facts != nil) != (e.Result.Qlog != nil) {
		return errors.New("facts where there are none, or the reverse")
	}
	if facts == nil {
		return nil
	}
	want = map[string]int{"traces": len(e.Result.Qlog.Traces), "streams": 0, "contributions": 0, "ranges": 0, "final_sizes": 0, "loss_declarations": 0, "incomplete_records": 0}
	for _, t := range e.Result.Qlog.Traces {
		want["streams"] += len(t.Streams)
		want["loss_declarations"] += len(t.LossDeclarations)
		want["incomplete_records"] += len(t.IncompleteRecords)
		for _, s := range t.Streams {
			want["contributions"] += len(s.Contributions)
			want["ranges"] += len(s.Ranges)
			want["final_sizes"] += len(s.FinalSizes)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if fmt.Sprint(facts[name]) != fmt.Sprint(want[name]) {
			return fmt.Errorf("%s is %v, counted %d", name, facts[name], want[name])
		}
	}
	return nil
}
