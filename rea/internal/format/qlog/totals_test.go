package qlog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rea.example/rea/internal/format/qlog"
)

// TestExperiment compares with what the experiment counted where it took the
// bytes out of the send buffer.
func TestExperiment(t *testing.T) {
	for _, run := range []string{"control", "loss"} {
		var want struct {
			Frames   int
			Sum      int   `json:"frame_length_sum"`
			Unique   int   `json:"unique_bytes"`
			Repeated int   `json:"repeated_bytes"`
			Sizes    []int `json:"final_sizes"`
		}
		if err := json.Unmarshal(capture(t, "testdata/aioquic-"+run+".json"), &want); err != nil {
			t.Fatal(err)
		}
		k, p := read(string(capture(t, "testdata/aioquic-"+run+".qlog")))
		if p != nil {
			t.Fatal(p)
		}
		f := parseFacet(t, k.facet)
		if len(f.Traces) != 1 || len(f.Traces[0].Incomplete) != 0 {
			t.Fatalf("%s: traces %v", run, f.Traces)
		}
		found := false
		for _, s := range f.Traces[0].Streams {
			if s.ID != "0" || s.Direction != "sent" {
				continue
			}
			found = true
			is := func(what, got string, want int) {
				if got != strconv.Itoa(want) {
					t.Errorf("%s: %s %s, the experiment counted %d", run, what, got, want)
				}
			}
			is("unique bytes", or(s.Unique), want.Unique)
			is("sum", or(s.Sum), want.Sum)
			is("repeated bytes", or(s.Repeated), want.Repeated)
			is("frames", strconv.Itoa(len(s.Contributions)), want.Frames)
			if len(s.Finals) != 1 || len(want.Sizes) != 1 {
				t.Fatalf("%s: final sizes %v and %v", run, s.Finals, want.Sizes)
			}
			is("final size", s.Finals[0].Size, want.Sizes[0])
		}
		if !found || want.Unique != 32803 || want.Repeated != map[string]int{"control": 0, "loss": 1169}[run] {
			t.Errorf("%s: the experiment is another: %+v", run, want)
		}
		if lost := len(f.Traces[0].Losses); (lost > 0) != (run == "loss") {
			t.Errorf("%s: %d losses", run, lost)
		}
	}
}

// TestTotals counts again with Python.
func TestTotals(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("python3 must be there")
		}
		t.Skip("no python3: nothing to compare with")
	}
	captures := map[string]string{
		"sample":  string(qlog.Format{}.Profile().Sample),
		"control": string(capture(t, "testdata/aioquic-control.qlog")),
		"loss":    string(capture(t, "testdata/aioquic-loss.qlog")),
	}
	for _, r := range readings {
		captures[r.name] = r.capture
	}
	random := rand.New(rand.NewPCG(3, 5))
	for i := range 20 {
		captures[fmt.Sprint("random ", i)] = randomTrace(random)
	}
	names := slices.Sorted(maps.Keys(captures))
	dir := t.TempDir()
	args := []string{"testdata/totals.py"}
	for i, name := range names {
		args = append(args, filepath.Join(dir, strconv.Itoa(i)))
		if err := os.WriteFile(args[i+1], []byte(captures[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(python, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rest := string(out)
	for i, name := range names {
		k, p := read(captures[name])
		if p != nil {
			t.Fatalf("%s: %v", name, p)
		}
		rest = strings.TrimPrefix(rest, fmt.Sprintln("file", i))
		want, after, _ := strings.Cut(rest, fmt.Sprintln("file", i+1))
		rest = fmt.Sprintln("file", i+1) + after
		if got := asTotals(parseFacet(t, k.facet)); got != want {
			t.Errorf("%s:\n%s\nPython says\n%s", name, got, want)
		}
	}
}

// asTotals spells a facet as totals.py spells a trace.
func asTotals(f facet) string {
	var b strings.Builder
	none := func(s string) string {
		if s == "" {
			return "-"
		}
		return s[1:]
	}
	for _, t := range f.Traces {
		for _, s := range t.Streams {
			var ranges, ends string
			for _, r := range s.Ranges {
				ranges += "," + r.Start + "-" + r.End
			}
			for _, e := range s.Finals {
				ends += "," + e.Size + "@" + strings.ReplaceAll(strings.Trim(fmt.Sprint(e.Ordinals), "[]"), " ", "+")
			}
			fmt.Fprintln(&b, t.Index, s.ID, s.Direction, or(s.Unique), or(s.Sum), or(s.Repeated), none(ranges), none(ends))
		}
		for _, l := range t.Losses {
			fmt.Fprintln(&b, t.Index, "lost", l.Ordinal, strings.Replace(or(l.Number), "?", "None", 1), strings.Replace(or(l.Type), "?", "None", 1))
		}
		line := fmt.Sprint(t.Index, " incomplete")
		for _, o := range t.Incomplete {
			line += fmt.Sprint(" ", o)
		}
		fmt.Fprintln(&b, line)
	}
	return b.String()
}

// randomTrace has small numbers, large ones, and some missing.
func randomTrace(r *rand.Rand) string {
	number := func() string {
		switch r.IntN(8) {
		case 0:
			return ""
		case 1:
			return strconv.FormatUint(r.Uint64N(1<<61), 10)
		case 2:
			return strconv.Itoa(r.IntN(9)) + "e" + strconv.Itoa(r.IntN(17))
		}
		return strconv.Itoa(r.IntN(60))
	}
	var traces []string
	for range 1 + r.IntN(2) {
		var events []string
		for range r.IntN(60) {
			var frames []string
			for range r.IntN(4) {
				frames = append(frames, stream(strconv.Itoa(r.IntN(4)), number(), number(), []string{"", "true", "false", "false"}[r.IntN(4)]))
			}
			side := sent
			if r.IntN(2) == 0 {
				side = received
			}
			events = append(events, side(frames...))
		}
		traces = append(traces, strings.Join(events, ","))
	}
	return document(traces...)
}
