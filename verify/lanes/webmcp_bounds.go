package lanes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"rea.example/verify/mcpclient"
	"rea.example/verify/product"
)

// Bounds of arguments, of what is kept, and of calls at once.
const (
	argumentIssues = 32        // mistakes that are listed
	argumentBytes  = 16 << 20  // of the arguments of an inspection
	argumentDepth  = 80        // levels of theirs, the arguments themselves being 0
	viewDepth      = 144       // levels of those of a view
	viewValues     = 16 << 20  // in one tree of theirs
	keptBytes      = 512 << 20 // of Evidence
	callsAtOnce    = 4
)

// argumentBounds sends arguments at both sides of each of their bounds.
func (t *talk) argumentBounds(ctx context.Context) error {
	call := func(tool string, args []byte) (*product.Failure, error) {
		r, err := t.session.Call(ctx, tool, args)
		if err != nil {
			return nil, err
		}
		if !r.IsError {
			return nil, errors.New("the arguments are taken")
		}
		document, err := r.Document()
		if err != nil {
			return nil, err
		}
		return product.Output{Exit: 1, Stdout: document}.Failure()
	}
	for _, n := range []int{argumentIssues, argumentIssues + 8} {
		t.bench.Check(fmt.Sprintf("of %d mistakes in arguments %d are listed", n, argumentIssues), func() error {
			f, err := call(inspectTool, mistaken(t.samples[0], n))
			if err != nil {
				return err
			}
			if got := len(f.Details.Issues); got != argumentIssues {
				return fmt.Errorf("%d are listed", got)
			}
			return nil
		})
	}
	for _, tool := range []struct {
		name  string
		depth int
	}{{inspectTool, argumentDepth}, {viewTool, viewDepth}} {
		for _, over := range []int{0, 1} {
			t.bench.Check(fmt.Sprintf("%s, arguments %d levels deep", tool.name, tool.depth+over), func() error {
				f, err := call(tool.name, deepArguments(tool.depth+over))
				return errors.Join(err, overBound(f, over > 0))
			})
		}
	}
	// One less would be read, and take a gibibyte.
	t.bench.Check(fmt.Sprintf("%s, arguments of %d values", viewTool, viewValues+1), func() error {
		f, err := call(viewTool, []byte(`{"view":[0`+strings.Repeat(",0", viewValues-1)+`]}`))
		return errors.Join(err, overBound(f, true))
	})
	t.bench.Check("arguments of 16 MiB", func() error {
		r, err := t.session.Call(ctx, inspectTool, padded(t.samples[0], argumentBytes))
		if err == nil && r.IsError {
			err = errors.New("they are refused")
		}
		return err
	})
	t.bench.Check("arguments of 16 MiB and a byte", func() error {
		f, err := call(inspectTool, padded(t.samples[0], argumentBytes+1))
		return errors.Join(err, overBound(f, true))
	})
	return nil
}

// mistaken are arguments with so many that nobody knows.
func mistaken(c sample, n int) []byte {
	more := map[string]any{}
	for i := range n {
		more[fmt.Sprintf("unknown_%02d", i)] = i
	}
	return arguments(c.path, c.format, more)
}

// deepArguments are arguments of which the deepest value stands at a level.
func deepArguments(level int) []byte {
	return []byte(`{"view":` + strings.Repeat("[", level) + strings.Repeat("]", level) + `}`)
}

// padded are right arguments of so many bytes: a text that is declared, and in no
// capture, makes them as long.
func padded(c sample, size int) []byte {
	short := arguments(c.path, c.format, map[string]any{"sensitive_values": []string{""}, "detail": "summary"})
	text := strings.Repeat("~", size-len(short))
	return []byte(strings.Replace(string(short), `[""]`, `["`+text+`"]`, 1))
}

// overBound says whether a failure is about the arguments as a whole, which are too
// many or too deep; any other is about what stands in them.
func overBound(f *product.Failure, over bool) error {
	if f == nil {
		return nil
	}
	if f.Code != "invalid_request" || len(f.Details.Issues) == 0 {
		return fmt.Errorf("code %s, %d issues", f.Code, len(f.Details.Issues))
	}
	first := f.Details.Issues[0]
	if got := len(first.Path) == 0 && first.Reason == "out_of_range"; got != over {
		return fmt.Errorf("refused for %s at %v", first.Reason, first.Path)
	}
	return nil
}

// filled is a HAR of whose Evidence the size can be chosen: by a text in it.
func filled(bytes int) []byte {
	return []byte(`{"log":{"version":"1.2","creator":{"name":"filled","version":"1"},"entries":[],"_n":"` + strings.Repeat("n", bytes) + `"}}`)
}

// filler gives Evidence out, and knows how much.
type filler struct {
	session *mcpclient.Session
	dir     string
	made    int
	used    int // bytes of all that was given out
}

// give inspects a filled capture and gives the identifier of its Evidence, which
// the server keeps, and the sizes of what it answers: with that Evidence whole, or
// with its summary, which it keeps as well.
func (f *filler) give(ctx context.Context, text int, detail string) (id string, size int, err error) {
	path := filepath.Join(f.dir, fmt.Sprintf("kept-%02d.har", f.made))
	f.made++
	if err := os.WriteFile(path, filled(text), 0o600); err != nil {
		return "", 0, err
	}
	r, err := f.session.Call(ctx, inspectTool, arguments(path, "har", map[string]any{"detail": detail}))
	if err != nil {
		return "", 0, err
	}
	answer, err := r.Document()
	if err != nil {
		return "", 0, err
	}
	if r.IsError {
		return "", 0, fmt.Errorf("it fails: %.200s", answer)
	}
	var e struct {
		ID     string `json:"evidence_id"`
		Result struct {
			Parent string `json:"parent_evidence_id"`
		} `json:"normalized_result"`
	}
	if err := json.Unmarshal(answer, &e); err != nil {
		return "", 0, errors.New("the answer is not JSON")
	}
	f.used += len(answer)
	if e.Result.Parent != "" {
		e.ID = e.Result.Parent
	}
	return e.ID, len(answer), os.Remove(path)
}

// kept fills what is kept to the byte, and then goes one byte over.
func (t *talk) kept(ctx context.Context) error {
	dir := filepath.Join(t.bench.Temp, "kept")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	around, err := t.aroundText(ctx, filepath.Join(dir, "kept-99.har"))
	if err != nil {
		return err
	}
	s, err := mcpclient.Open(ctx, t.run.product)
	if err != nil {
		return err
	}
	t.bench.Check("512 MiB of Evidence are kept, to the byte, and the oldest goes", func() error {
		return (&filler{session: s, dir: dir}).overflow(ctx, around)
	})
	t.bench.Check("the server that was filled ends in order, and leaves nothing", func() error { return errors.Join(s.Close(), t.leftNothing()) })
	return nil
}

// A large text nearly fills a capture. Sizes down to that of the least text have as
// many digits, and more than so much is left when no large one fits any more.
const (
	largeText = 31 << 20
	leastText = 11 << 20
)

// aroundText is how many bytes of the Evidence of a filled capture are not its
// text: as many for all whose sizes have as many digits and paths as many letters.
func (t *talk) aroundText(ctx context.Context, path string) (int, error) {
	if err := os.WriteFile(path, filled(leastText), 0o600); err != nil {
		return 0, err
	}
	out, err := t.run.inspect(ctx, path, "har", "--json")
	if err != nil {
		return 0, err
	}
	if _, err := out.Evidence(); err != nil {
		return 0, explain(err, out)
	}
	document, err := compact(out.Stdout)
	return len(document) - leastText, errors.Join(err, os.Remove(path))
}

// overflow gives out small Evidence first, then large with summaries, up to the
// bound and a byte over it: as many of the oldest have to go as make room, and none
// more. What was looked at is not the oldest any more.
func (f *filler) overflow(ctx context.Context, around int) error {
	const small = 1_000
	var ids []string
	for range 4 {
		id, _, err := f.give(ctx, small, "complete")
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	for summary := 0; f.used < keptBytes; {
		text := min(largeText, keptBytes-f.used-around-summary)
		if text < leastText {
			return fmt.Errorf("%d bytes can't be filled", keptBytes-f.used)
		}
		_, size, err := f.give(ctx, text, "summary")
		if err != nil {
			return err
		}
		f.used += around + text
		summary = size
	}
	if f.used != keptBytes {
		return fmt.Errorf("%d bytes were given out, and not %d", f.used, keptBytes)
	}
	if err := f.still(ctx, ids[0], true); err != nil {
		return fmt.Errorf("at the bound: %w", err)
	}
	if _, _, err := f.give(ctx, small+1, "complete"); err != nil {
		return err
	}
	for i, there := range []bool{true, false, false, true} {
		if err := f.still(ctx, ids[i], there); err != nil {
			return fmt.Errorf("over the bound, number %d: %w", i, err)
		}
	}
	return nil
}

// still wants Evidence to be there, or to have been evicted.
func (f *filler) still(ctx context.Context, id string, there bool) error {
	_, err := f.session.Resource(ctx, "rea://evidence/"+id)
	switch {
	case there:
		return err
	case err == nil:
		return errors.New("it is kept")
	}
	var e *mcpclient.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "make room") {
		return fmt.Errorf("it did not make room: %w", err)
	}
	return nil
}

// sidecars wants the bytes of every field to be as many as are said, with the digest
// that stands beside them.
func sidecars(e *product.Evidence) error {
	for i, record := range e.Result.Records {
		for _, field := range record.BinaryFields {
			if field.State != "retained" {
				continue
			}
			if _, err := retainedBytes(&field); err != nil {
				return fmt.Errorf("record %d, %s: %w", i, field.Pointer, err)
			}
		}
	}
	return nil
}

// onCommandLine gives arguments to the command line, which has to fail as the tool
// does, and to say so with its status.
func (t *talk) onCommandLine(ctx context.Context, tool, args, code string) error {
	out, err := t.run.run(ctx, strings.ReplaceAll(tool, "_", "-"), args, "--json")
	if err != nil {
		return err
	}
	f, err := out.Failure()
	if err == nil && f.Code != code {
		err = fmt.Errorf("on the command line code %s, expected %s", f.Code, code)
	}
	return err
}

// atOnce asks for twice as much as runs at once, and counts the decoders.
func (t *talk) atOnce(ctx context.Context) error {
	name := fmt.Sprintf("of %d calls, %d run at once", 2*callsAtOnce, callsAtOnce)
	if runtime.GOOS != "linux" {
		t.bench.NotRun(name, "processes are looked for in /proc")
		return nil
	}
	path := filepath.Join(t.bench.Temp, "slow.har")
	if err := os.WriteFile(path, slowCapture(), 0o600); err != nil {
		return err
	}
	s, err := mcpclient.Open(ctx, t.run.product)
	if err != nil {
		return err
	}
	t.bench.Check(name, func() error {
		// On a busy machine a decoder may have ended before the fourth begins.
		for range 5 {
			most, err := t.busiest(ctx, s, path)
			if err != nil || most > callsAtOnce {
				return errors.Join(err, fmt.Errorf("%d decoders at once", most))
			}
			if most == callsAtOnce {
				return nil
			}
		}
		return fmt.Errorf("never %d decoders at once", callsAtOnce)
	})
	t.bench.Check("the server that was kept busy ends in order, and leaves nothing", func() error { return errors.Join(s.Close(), t.leftNothing()) })
	return nil
}

// busiest makes the calls, and gives the greatest number of decoders that was seen.
func (t *talk) busiest(ctx context.Context, s *mcpclient.Session, path string) (most int, err error) {
	answers := make(chan error)
	args := arguments(path, "har", map[string]any{"record_ordinals": []int{0}})
	for range 2 * callsAtOnce {
		go func() {
			r, err := s.Call(ctx, inspectTool, args)
			if err == nil && r.IsError {
				err = errors.New("a call fails")
			}
			answers <- err
		}()
	}
	for left := 2 * callsAtOnce; left > 0; {
		n, looked := decoders(t.run.temp)
		most = max(most, n)
		select {
		case answer := <-answers:
			left--
			err = errors.Join(err, answer, looked)
		case <-time.After(time.Millisecond):
		}
	}
	return most, err
}

// slowCapture is a HAR that takes long to read, of which one record takes long to
// show.
func slowCapture() []byte {
	var numbers []byte
	for i := range 3_000 {
		numbers = fmt.Appendf(numbers, `,"n%d":1.5`, i)
	}
	const entry = `{"startedDateTime":"2024-01-01T00:00:00Z","time":1,"request":{"method":"GET","url":"https://h.example/","httpVersion":"","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},` +
		`"response":{"status":200,"statusText":"","httpVersion":"","cookies":[],"headers":[],"content":{"size":0,"mimeType":""},"redirectURL":"","headersSize":-1,"bodySize":0},"cache":{},"timings":{"send":0,"wait":1,"receive":0}`
	text := []byte(`{"log":{"version":"1.2","creator":{"name":"slow","version":"1"},"entries":[` + entry + "}")
	for len(text) < 31<<20 {
		text = append(append(append(text, ","+entry...), numbers...), '}')
	}
	return append(text, "]}}"...)
}

// decoders counts the processes that have a folder of their own in a server's.
func decoders(temp string) (n int, err error) {
	entries, err := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range entries {
		// One that has ended meanwhile has none.
		if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte("TMPDIR="+temp+"/")) {
			n++
		}
	}
	return n, err
}
