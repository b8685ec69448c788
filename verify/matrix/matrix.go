package matrix

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"rea.example/verify/report"
	"rea.example/verify/results"
)

//go:embed page.html
var page string

//go:embed page.css
var style string

// detail is how much of a check's detail is shown, in characters. The report has
// all of it.
const detail = 4000

// Write makes the page of a run. The difference may be nil. Links lead from the
// folder in which the page will be.
func Write(w io.Writer, now results.Results, since *results.Difference, folder string) error {
	v := view{Results: now, Since: since, CSS: template.CSS(style)}
	digest := sha256.Sum256([]byte(style))
	v.Policy = "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'; base-uri 'none'; form-action 'none'"
	v.Product, v.Where = products(now), machines(now)
	v.Pins = pins(now)
	for i, l := range now.Lanes {
		v.Sections = append(v.Sections, section(fmt.Sprintf("lane-%d", i+1), l, since, folder))
	}
	if err := document.Execute(w, v); err != nil {
		return fmt.Errorf("matrix: %w", err)
	}
	return nil
}

var document = template.Must(template.New("page").Funcs(template.FuncMap{
	"line":    results.Line,
	"count":   results.Count,
	"counted": results.Counted,
	"span":    results.Span,
	"date":    results.Date,
	"short":   func(text string) string { return results.Visible(results.Short(text, detail)) },
	"kinds":   func() []results.Kind { return results.Kinds },
	"squares": squares,
	"word":    results.Word,
}).Parse(page))

// view is what the page is made of.
type view struct {
	results.Results
	Since    *results.Difference
	CSS      template.CSS
	Policy   string
	Product  []report.Product
	Where    []string
	Pins     []pin
	Sections []laneView
}

// Looks are the lanes in which something needs a look.
func (v view) Looks() (list []laneView) {
	for _, s := range v.Sections {
		if s.Verdict != report.Passed {
			list = append(list, s)
		}
	}
	return list
}

// laneView is one lane on the page.
type laneView struct {
	results.Lane
	ID      string // of its section
	Verdict report.Verdict
	Tally   results.Tally
	Shift   *results.Shift
	Files   []file
	Grids   []grid
	List    []check // what is in no grid
	Failed  []check
	NotRun  []check
}

type file struct{ Name, URL string }

func section(id string, l results.Lane, since *results.Difference, folder string) laneView {
	v := laneView{
		Lane: l, ID: id, Verdict: l.Verdict(), Tally: l.Checks(), Shift: since.Shift(l.Name()),
	}
	var all []check
	for i, c := range l.Report.Checks {
		if l.Cut(c) { // counted in a sentence
			continue
		}
		each := check{Check: c, ID: fmt.Sprintf("%s-%d", id, i+1)}
		all = append(all, each)
		switch c.Verdict {
		case report.Failed:
			v.Failed = append(v.Failed, each)
		case report.Unavailable:
			v.NotRun = append(v.NotRun, each)
		}
	}
	v.Grids, v.List = grids(all)
	for _, f := range []file{{"report", l.Path}, {"log", l.Log}, {"attestation", l.Attestation}} {
		if address := link(folder, f.URL); address != "" {
			v.Files = append(v.Files, file{f.Name, address})
		}
	}
	return v
}

// link is the address of a file as seen from a folder; it is empty for no file and
// for one on another drive.
func link(folder, path string) string {
	if path == "" {
		return ""
	}
	if filepath.IsAbs(path) || filepath.IsAbs(folder) {
		var err error
		if folder, err = filepath.Abs(folder); err != nil {
			return ""
		}
		if path, err = filepath.Abs(path); err != nil {
			return ""
		}
	}
	rel, err := filepath.Rel(folder, path)
	if err != nil {
		return ""
	}
	return (&url.URL{Path: filepath.ToSlash(rel)}).String()
}

// pin is one value that lanes stood on.
type pin struct {
	Name, Value string
	Lanes       []string // empty where all of them that name anything
}

// pins gathers what the lanes stood on: each value once.
func pins(r results.Results) (list []pin) {
	at := map[[2]string]int{}
	naming := 0
	for _, l := range r.Lanes {
		if len(l.Pins) > 0 {
			naming++
		}
		for _, p := range l.Pins {
			key := [2]string{p.Name, p.Value}
			i, ok := at[key]
			if !ok {
				i = len(list)
				at[key] = i
				list = append(list, pin{Name: p.Name, Value: p.Value})
			}
			if n := len(list[i].Lanes); n == 0 || list[i].Lanes[n-1] != l.Name() {
				list[i].Lanes = append(list[i].Lanes, l.Name())
			}
		}
	}
	for i := range list {
		if len(list[i].Lanes) == naming {
			list[i].Lanes = nil
		}
	}
	return list
}

// products and machines give what the lanes ran and where, each once: usually one.
func products(r results.Results) (list []report.Product) {
	seen := map[report.Product]bool{}
	for _, l := range r.Lanes {
		if l.Product != nil && !seen[*l.Product] {
			seen[*l.Product] = true
			list = append(list, *l.Product)
		}
	}
	return list
}

func machines(r results.Results) (list []string) {
	seen := map[report.Environment]bool{}
	for _, l := range r.Lanes {
		if e := l.Environment; !seen[e] {
			seen[e] = true
			list = append(list, fmt.Sprintf("%s/%s, %s, %s", e.OS, e.Arch, results.Counted(e.CPUs, "core"), e.Go))
		}
	}
	return list
}

// field draws a lane's checks in their order as squares, in lines of sixty, each
// verdict as one path.
type field struct {
	Height int
	Paths  []path
}

type path struct {
	Verdict report.Verdict
	D       string
}

// The measures of a field, in its own units: a square with its gap, a square, and
// how many stand in a line and at most.
const (
	pitch, square = 8, 6
	perLine       = 60
	atMost        = 40 * perLine
)

// squares is nil for a lane without checks. Of one with very many the most urgent
// are drawn: what is left out passed, unless there are thousands of faults.
func squares(checks []report.Check) *field {
	if len(checks) == 0 {
		return nil
	}
	if len(checks) > atMost {
		checks = slices.SortedStableFunc(slices.Values(checks), func(a, b report.Check) int {
			return slices.Index(results.Verdicts, a.Verdict) - slices.Index(results.Verdicts, b.Verdict)
		})[:atMost]
	}
	lines := (len(checks) + perLine - 1) / perLine
	f := field{Height: lines*pitch - (pitch - square)}
	for _, v := range results.Verdicts {
		var d strings.Builder
		for i, c := range checks {
			if c.Verdict == v {
				fmt.Fprintf(&d, "M%d %dh%dv%dh-%dz", i%perLine*pitch, i/perLine*pitch, square, square, square)
			}
		}
		if d.Len() > 0 {
			f.Paths = append(f.Paths, path{v, d.String()})
		}
	}
	return &f
}
