package lanes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/captures"
)

// both is what states.py says of one file.
type both struct {
	File       string  `json:"file"`
	Kind       string  `json:"kind"` // states, damaged, special, repeated, spelled, given
	Upstream   reading `json:"upstream"`
	Embedded   reading `json:"embedded"`
	Records    int     `json:"records"`
	Differs    string  `json:"differs"`    // where the records of the two do
	Extra      int     `json:"extra"`      // limitations that only embedded has
	Projection string  `json:"projection"` // where the records are not the expected ones
}

type reading struct {
	OK       bool   `json:"ok"`
	Provider string `json:"provider"`
	Code     string `json:"code"`
	Reason   string `json:"reason"`
	Path     []any  `json:"path"`
}

// checkStates generates states in the container, and lets both decoders read them
// and the files of the corpus.
func checkStates(ctx context.Context, b *bench.Bench, room *flowRoom, files []captures.File) error {
	b.Say("%d generated states", flowStates)
	cmd := []string{"env", "REA_MITMDUMP_COMMAND=" + mitmdump, "python", "states.py", containers.Work + "/rea", strconv.Itoa(flowStates), strconv.Itoa(seed)}
	for i := range files {
		cmd = append(cmd, given(i))
	}
	result, err := room.Exec(ctx, cmd...)
	if err != nil {
		return err
	}
	lines, err := readBoth(result)
	if err != nil {
		return err
	}
	b.Check(fmt.Sprintf("%d generated states: the same records by both, and by the second projection", flowStates), func() error {
		return errors.Join(each(lines, "states", sameBoth), counted(lines, flowStates))
	})
	b.Check("files with one fault: the same records or the same failure", func() error { return each(lines, "damaged", sameBoth) })
	b.Check("keys that repeat: the same records, and embedded says so", func() error {
		return each(lines, "repeated", func(l both) error {
			if l.Extra != 1 {
				return fmt.Errorf("%d limitations more by the embedded reader, expected 1", l.Extra)
			}
			l.Extra = 0
			return sameBoth(l)
		})
	})
	b.Check("spellings that mitmproxy takes and never writes: refused by the embedded reader alone", func() error {
		return each(lines, "spelled", onlyUpstream)
	})
	for _, l := range lines {
		switch l.Kind {
		case "special":
			b.Check(strings.TrimSuffix(l.File, ".mitm")+": as expected by both", func() error { return errors.Join(sameBoth(l), asExpected(l)) })
		case "given":
			i, err := strconv.Atoi(strings.TrimSuffix(l.File, ".mitm"))
			if err != nil || i >= len(files) {
				return fmt.Errorf("states.py read %q", l.File)
			}
			b.Check(files[i].Name+": the same by both", func() error {
				return errors.Join(sameBoth(l), sameNote(files[i], l.Embedded.OK, l.Records))
			})
		}
	}
	return nil
}

func readBoth(r containers.Result) ([]both, error) {
	if r.ExitCode != 0 {
		return nil, fmt.Errorf("states.py ended with %d: %s", r.ExitCode, lastLine(r.Stderr))
	}
	var lines []both
	for line := range bytes.Lines(r.Stdout) {
		var l both
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("states.py: %w", err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// each makes a check on every file of a kind, and wants one at least.
func each(lines []both, kind string, check func(both) error) error {
	var errs []error
	seen := 0
	for _, l := range lines {
		if l.Kind != kind {
			continue
		}
		seen++
		if err := check(l); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", l.File, err))
		}
	}
	if seen == 0 {
		return fmt.Errorf("no file of kind %s was read", kind)
	}
	return errors.Join(errs[:min(len(errs), 5)]...)
}

// sameBoth wants equal records, or failures of one class.
func sameBoth(l both) error {
	switch {
	case l.Upstream.OK != l.Embedded.OK:
		return fmt.Errorf("accepted by mitmproxy's reader: %t, by the embedded one: %t", l.Upstream.OK, l.Embedded.OK)
	case !l.Upstream.OK:
		if l.Upstream.Code != l.Embedded.Code || l.Upstream.Reason != l.Embedded.Reason {
			return fmt.Errorf("%s %s by mitmproxy's reader, %s %s by the embedded one",
				l.Upstream.Code, l.Upstream.Reason, l.Embedded.Code, l.Embedded.Reason)
		}
		return nil
	case l.Upstream.Provider == l.Embedded.Provider:
		return errors.New("both were read by the same decoder")
	case l.Differs != "":
		return fmt.Errorf("the records differ: %s", l.Differs)
	case l.Extra != 0:
		return fmt.Errorf("%d limitations more by the embedded reader", l.Extra)
	case l.Projection != "":
		return fmt.Errorf("not as projected: %s", l.Projection)
	}
	return nil
}

func onlyUpstream(l both) error {
	if !l.Upstream.OK {
		return errors.New("mitmproxy's reader refuses it, too")
	}
	if l.Embedded.OK || l.Embedded.Code != "invalid_request" || l.Embedded.Reason != "invalid_format" {
		return fmt.Errorf("the embedded reader says %s %s", l.Embedded.Code, l.Embedded.Reason)
	}
	return nil
}

// counted wants all the states to have been read.
func counted(lines []both, want int) error {
	got := 0
	for _, l := range lines {
		if l.Kind == "states" {
			got += l.Records
		}
	}
	if got != want {
		return fmt.Errorf("%d states were read of %d", got, want)
	}
	return nil
}

// accepted are the special files that are readable, with their records, and
// tooDeep those that a limit refuses; the others are malformed.
var (
	accepted = map[string]int{
		"special-empty": 0, "special-deepest": 1, "special-userinfo": 1, "special-userinfo-not-utf8": 1, "special-long-integer": 1,
		"special-length-of-12-digits": 1, "special-proxyauth": 1, "special-names-alike": 1,
	}
	tooDeep = []string{"special-too-deep", "special-far-too-deep", "special-deep-credential"}
)

func asExpected(l both) error {
	name := strings.TrimSuffix(l.File, ".mitm")
	if n, ok := accepted[name]; ok {
		if !l.Embedded.OK || l.Records != n {
			return fmt.Errorf("accepted: %t, with %d records; expected %d", l.Embedded.OK, l.Records, n)
		}
		return nil
	}
	want := "invalid_format"
	if slices.Contains(tooDeep, name) {
		want = "out_of_range"
	}
	if l.Embedded.OK || l.Embedded.Code != "invalid_request" || l.Embedded.Reason != want {
		return fmt.Errorf("%s %s, expected %s", l.Embedded.Code, l.Embedded.Reason, want)
	}
	return nil
}
