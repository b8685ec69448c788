package speed

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// flatten reads one tnetstring by the rule alone, and adds up its tokens by kind.
func flatten(src []byte, kinds map[byte]int) (rest []byte, err error) {
	digits, after, ok := bytes.Cut(src, []byte(":"))
	n, nerr := strconv.Atoi(string(digits))
	if !ok || nerr != nil || n >= len(after) {
		return nil, fmt.Errorf("no token at %.20q", src)
	}
	content, kind := after[:n], after[n]
	kinds[kind]++
	for parts := content; (kind == '}' || kind == ']') && len(parts) > 0; {
		if parts, err = flatten(parts, kinds); err != nil {
			return nil, err
		}
	}
	return after[n+1:], nil
}

func TestFlowFilesAreWellFormedAndTheSameEveryTime(t *testing.T) {
	s := flowFile{limit: 20_000, body: 64}
	dir := t.TempDir()
	once, twice := filepath.Join(dir, "once"), filepath.Join(dir, "twice")
	flows, err := s.create(once)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.create(twice); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(once)
	if err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(twice)
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("two writings differ, %v", err)
	}
	if len(data) > s.limit || len(data) < s.limit-3000 {
		t.Errorf("%d bytes with a limit of %d", len(data), s.limit)
	}
	kinds, seen := map[byte]int{}, 0
	for rest := data; len(rest) > 0; seen++ {
		if rest, err = flatten(rest, kinds); err != nil {
			t.Fatal(err)
		}
	}
	if seen != flows || kinds['}'] != 6*flows || kinds[','] < 10*flows || kinds['^'] < 5*flows {
		t.Errorf("%d flows, said %d, with tokens %v", seen, flows, kinds)
	}
}

func TestArchivesInflateToWhatTheySay(t *testing.T) {
	a := archive{sessions: 20, inflated: 20 * 3300}
	var b bytes.Buffer
	if err := a.write(&b); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	inflated, members := 0, 0
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(f.Name, "raw/") {
			members, inflated = members+1, inflated+len(content)
		}
	}
	if members != 3*a.sessions || inflated > a.inflated || inflated < a.inflated-2*a.sessions {
		t.Errorf("%d members of %d bytes, expected %d of %d", members, inflated, 3*a.sessions, a.inflated)
	}
}

func TestTracesAreJSONWithTheEventsTheySay(t *testing.T) {
	var b bytes.Buffer
	const size = 50_000
	events, err := trace(size).write(&b)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Traces []struct{ Events []struct{ Name string } }
	}
	if err := json.Unmarshal(b.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if got := len(document.Traces[0].Events); got != events || b.Len() > size || b.Len() < size-400 {
		t.Errorf("%d events in %d bytes, said %d", got, b.Len(), events)
	}
}

// script runs a peer's script, where there is a Python.
func script(t *testing.T, name string, args ...string) string {
	t.Helper()
	interpreter, err := python(context.Background())
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("the peers are not tried: ", err)
	}
	b := &bench{dir: t.TempDir()}
	path, err := b.script(name)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(interpreter, append([]string{"-I", path}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestPeersDoTheJob(t *testing.T) {
	dir := t.TempDir()
	capture := filepath.Join(dir, "a.saz")
	if err := (archive{sessions: 2, inflated: 2 * 3300}).create(capture); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(script(t, "members.py", capture)), "\n"); len(lines) != 7 || !strings.HasSuffix(lines[6], " raw/00002_s.txt") {
		t.Errorf("members:\n%s", strings.Join(lines, "\n"))
	}
	frame := func(offset, length int) string {
		return fmt.Sprintf(`{"name":"transport:packet_sent","data":{"frames":[{"frame_type":"stream","stream_id":4,"offset":%d,"length":%d},{"frame_type":"ack"}]}}`, offset, length)
	}
	path := filepath.Join(dir, "a.qlog")
	text := `{"traces":[{"events":[` + frame(0, 10) + `,` + frame(5, 10) + `,` + frame(20, 1) + `,{"name":"recovery:packet_lost","data":{}},{"name":"x","data":{}}]}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := script(t, "totals.py", path), "0 4 sent 16 21 5\n0 lost 1\n"; got != want {
		t.Errorf("totals %q, expected %q", got, want)
	}
}

func TestTimesOfPythonAreRead(t *testing.T) {
	var got flowTimes
	text := `{"reader":[{"wall":1.5,"cpu":0.25}],"small":[],"empty":[],"files":[{"embedded":[{"wall":0.02,"cpu":0}],"upstream":[]}]}`
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if got.Reader[0].wall != 1500*time.Millisecond || got.Reader[0].cpu != 250*time.Millisecond || got.file(0).Embedded[0].wall != 20*time.Millisecond {
		t.Errorf("%+v", got)
	}
	if f := got.file(1); f.Embedded != nil || f.Upstream != nil {
		t.Error("a file that was not measured has times")
	}
}
