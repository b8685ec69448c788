package owned

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
)

// program is the built testdata/child.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "owned-test-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "child")
	build := exec.Command("go", "build", "-o", program, "./testdata/child")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	code := 1
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// command is one run of the test's child with a reply that can be read back.
func command(t testing.TB, args ...string) Command {
	t.Helper()
	dir := t.TempDir()
	reply, err := os.Create(filepath.Join(dir, "reply"))
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := os.Create(filepath.Join(dir, "snapshot"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reply.Close(); snapshot.Close() })
	return Command{Args: args, Path: program, Dir: dir, Reply: reply, Snapshot: snapshot}
}

// listening makes the reply a pipe: the test reads what a child announces, and
// the end of the pipe is the end of everyone who was given the reply.
func listening(t *testing.T, c *Command) *bufio.Reader {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	c.Reply = w
	started := c.Started
	c.Started = func() {
		w.Close()
		if started != nil {
			started()
		}
	}
	return bufio.NewReader(r)
}

// gone reads r to its end.
func gone(t *testing.T, r io.Reader) {
	t.Helper()
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Errorf("a process that held the reply is still there: %v", err)
	}
}

func TestChildGetsWhatItWasGivenAndNothingElse(t *testing.T) {
	for name, value := range map[string]string{
		"GOGC": "off", "GOMEMLIMIT": "1GiB", "GOTRACEBACK": "crash", "PYTHONPATH": "/x", "SECRET": "hunter2",
		"LANG": "C.UTF-8", "TZ": "UTC", "PATH": "/usr/bin:/bin", "HOME": "/root", "TMPDIR": os.TempDir(),
	} {
		t.Setenv(name, value)
	}
	os.Unsetenv("SystemRoot")
	content := bytes.Repeat([]byte("capture"), 1000)
	c := command(t, "echo", "one argument")
	c.Request = bytes.Repeat([]byte("r"), 300_000) // more than a pipe holds
	if _, err := c.Snapshot.Write(content); err != nil {
		t.Fatal(err)
	}
	var before []string
	c.Started = func() { before, _ = filepath.Glob(c.Dir + "/*"); os.RemoveAll(c.Dir) }
	out := Run(t.Context(), c)
	if out.Ending != Finished || out.Failure(about) != nil {
		t.Fatalf("outcome %+v", out)
	}
	if len(before) != 2 {
		t.Errorf("Started saw %v", before)
	}
	var seen struct {
		Request, Snapshot          string
		Enforced, StdinErr, Leader bool
		Env, Args                  []string
		Stdin                      int
		Limits                     map[string]uint64
	}
	c.Reply.Seek(0, io.SeekStart)
	if err := json.NewDecoder(c.Reply).Decode(&seen); err != nil {
		t.Fatal(err)
	}
	if seen.Request != string(c.Request) || seen.Snapshot != fmt.Sprintf("%x", sha256.Sum256(content)) {
		t.Error("the request or the snapshot arrived changed")
	}
	wantEnv := []string{
		"REA_PROCESS_RUN_ID=" + out.RunID, "HOME=" + c.Dir, "TMPDIR=" + c.Dir,
		"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC",
	}
	if !slices.Equal(seen.Env, wantEnv) {
		t.Errorf("the environment is %q, want %q", seen.Env, wantEnv)
	}
	if !slices.Equal(seen.Args, []string{"rea", "echo", "one argument"}) {
		t.Errorf("the arguments are %q", seen.Args)
	}
	if seen.Stdin != 0 || seen.StdinErr {
		t.Error("standard input is not empty")
	}
	if !seen.Leader {
		t.Error("the child is not the leader of a group of its own")
	}
	if !seen.Enforced || seen.Limits["core"] != 0 ||
		seen.Limits["soft"] > limits.DecoderCeiling>>20 || seen.Limits["hard"] > limits.DecoderCeiling>>20 {
		t.Errorf("the limits are %v, enforced %v", seen.Limits, seen.Enforced)
	}
}

func TestRunID(t *testing.T) {
	a, b := newRunID(), newRunID()
	if a == b {
		t.Error("two runs have one id")
	}
	var parts [5]string
	if _, err := fmt.Sscanf(strings.ReplaceAll(strings.TrimPrefix(a, "rea-web-capture-"), "-", " "), "%s %s %s %s %s",
		&parts[0], &parts[1], &parts[2], &parts[3], &parts[4]); err != nil || len(a) != len("rea-web-capture-")+36 || parts[2][0] != '4' {
		t.Errorf("%q is no run id", a)
	}
}

func TestEmptySnapshot(t *testing.T) {
	if out := Run(t.Context(), command(t, "nothing")); out.Failure(about) != nil {
		t.Errorf("outcome %+v", out)
	}
}

// The mapping cannot be written to, and such a fault is not called memory.
func TestSnapshotIsReadOnly(t *testing.T) {
	c := command(t, "write-snapshot")
	c.Snapshot.WriteString("capture")
	if out := Run(t.Context(), c); out.Ending != Crashed {
		t.Errorf("outcome %+v", out)
	}
}

func TestDiagnosticsLimit(t *testing.T) {
	const most = limits.DiagnosticBytes
	for _, c := range []struct {
		out, err int
		ending   Ending
	}{
		{most, 0, Finished},
		{0, most, Finished},
		{most - 5, 5, Finished},
		{most + 1, 0, DiagnosticsOverflow},
		{0, most + 1, DiagnosticsOverflow},
		{most - 5, 6, DiagnosticsOverflow},
	} {
		t.Run(fmt.Sprint(c.out, c.err), func(t *testing.T) {
			got := Run(t.Context(), command(t, "say", strconv.Itoa(c.out), strconv.Itoa(c.err)))
			if got.Ending != c.ending || got.Truncated != (c.ending != Finished) {
				t.Fatalf("ending %v, truncated %v", got.Ending, got.Truncated)
			}
			if len(got.Stdout)+len(got.Stderr) != most {
				t.Errorf("%d bytes are kept, want %d", len(got.Stdout)+len(got.Stderr), most)
			}
		})
	}
	t.Run("without end", func(t *testing.T) {
		out := Run(t.Context(), command(t, "chatter"))
		f := out.Failure(about)
		if out.Ending != DiagnosticsOverflow || out.Signal != "SIGKILL" || f.Code != failure.UnreadableOutput {
			t.Errorf("outcome %v, %q, %v", out.Ending, out.Signal, f)
		}
	})
}

func TestDeadline(t *testing.T) {
	c := command(t, "up")
	c.Deadline = 50 * time.Millisecond
	r := listening(t, &c)
	out := Run(t.Context(), c)
	gone(t, r)
	f := out.Failure(about)
	want := map[string]any{"operation": "inspect_web_network_capture", "timeout_ms": int64(50)}
	if out.Ending != TimedOut || f.Code != failure.ProviderTimeout || !f.Retryable() || !reflect.DeepEqual(f.Details, want) {
		t.Errorf("ending %v, failure %v, details %v", out.Ending, f, f.Details)
	}
}

func TestCancellation(t *testing.T) {
	check := func(t *testing.T, out Outcome) {
		t.Helper()
		f := out.Failure(about)
		want := map[string]any{"operation": "inspect_web_network_capture", "cleanup": "complete"}
		if out.Ending != CancelledByCaller || f.Code != failure.Cancelled || !reflect.DeepEqual(f.Details, want) {
			t.Errorf("ending %v, failure %v, residue %v", out.Ending, f, out.Residue)
		}
	}
	t.Run("before the start", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		check(t, run(ctx, command(t, "up"), func(*exec.Cmd, []*os.File, string) (process, error) {
			t.Error("a child was started")
			return nil, errors.New("no")
		}))
	})
	t.Run("during the start", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := command(t, "up")
		r := listening(t, &c)
		check(t, run(ctx, c, func(cmd *exec.Cmd, files []*os.File, id string) (process, error) {
			cancel()
			return launch(cmd, files, id)
		}))
		gone(t, r)
	})
	t.Run("after the start", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := command(t, "up")
		r := listening(t, &c)
		go func() {
			r.ReadString('\n')
			cancel()
		}()
		check(t, Run(ctx, c))
		gone(t, r)
	})
}

func TestNotStarted(t *testing.T) {
	c := command(t)
	c.Path = filepath.Join(c.Dir, "no-such-program")
	c.Started = func() { t.Error("Started was called") }
	out := Run(t.Context(), c)
	if out.Ending != NotStarted || !errors.Is(out.Err, fs.ErrNotExist) {
		t.Fatalf("outcome %+v", out)
	}
	f := out.Failure(about)
	want := map[string]any{
		"provider_id": "har", "operation": "inspect_web_network_capture",
		"diagnostics": map[string]any{
			"phase": "decoder", "capture_path": "/captures/a.har", "failure_kind": "not-started",
			"reason": "the decoder could not be started", "system_code": "ENOENT",
		},
	}
	if f.Code != failure.ExecutionFailure || !reflect.DeepEqual(f.Details, want) {
		t.Errorf("failure %v, details %v", f, f.Details)
	}
}

func TestNothingOfTheChildOutlivesIt(t *testing.T) {
	for _, how := range [][]string{{}, {"forgets-token"}, {"leaves-group"}, {"holds-output"}, {"leaves-group", "holds-output"}} {
		t.Run(strings.Join(how, " and "), func(t *testing.T) {
			c := command(t, append([]string{"start-orphan"}, how...)...)
			r := listening(t, &c)
			out := Run(t.Context(), c)
			if out.Failure(about) != nil {
				t.Errorf("ending %v, residue %v", out.Ending, out.Residue)
			}
			gone(t, r)
		})
	}
}

// One that left the group and dropped the token cannot be found; while it holds
// the output it is at least known of.
func TestUnfindableResidueIsReported(t *testing.T) {
	c := command(t, "start-orphan", "leaves-group", "forgets-token", "holds-output")
	r := listening(t, &c)
	out := Run(t.Context(), c)
	line, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	orphan, _ := strconv.Atoi(strings.TrimSpace(line))
	if err := syscall.Kill(orphan, syscall.SIGKILL); err != nil {
		t.Errorf("the orphan was not there any more: %v", err)
	}
	gone(t, r)
	f := out.Failure(about)
	if !slices.Equal(out.Residue, []string{out.RunID}) || f.Code != failure.CleanupIncomplete {
		t.Errorf("residue %v, failure %v", out.Residue, f)
	}
}

// A parent that is killed has no time to do anything.
func TestChildDiesWithItsParent(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	parent := exec.Command(program, "parent")
	parent.Stderr = os.Stderr
	parent.ExtraFiles = []*os.File{w}
	empty, err := os.Open(filepath.Join(command(t).Dir, "snapshot"))
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	parent.Stdin = empty // which the parent hands on as its child's snapshot
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	lines := bufio.NewReader(r)
	if line, err := lines.ReadString('\n'); line != "up\n" {
		t.Fatalf("the child said %q (%v)", line, err)
	}
	parent.Process.Kill()
	parent.Wait()
	gone(t, lines)
}

func BenchmarkRun(b *testing.B) {
	for _, mode := range []string{"start", "nothing"} {
		b.Run(mode, func(b *testing.B) {
			c := command(b, mode)
			for b.Loop() {
				if out := Run(b.Context(), c); out.Ending != Finished {
					b.Fatal(out.Ending)
				}
			}
		})
	}
}
