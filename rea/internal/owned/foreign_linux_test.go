package owned

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
)

// foreign is one run of a shell script as a foreign program.
func foreign(t *testing.T, script string, args ...string) Command {
	t.Helper()
	path := filepath.Join(t.TempDir(), "foreign program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	c := command(t)
	c.Foreign = &Foreign{Path: path, Args: args, Environment: []string{"MALLOC_ARENA_MAX=2"}}
	return c
}

func TestForeignProgramIsBounded(t *testing.T) {
	t.Setenv("PYTHONPATH", "/x")
	t.Setenv("SECRET", "hunter2")
	c := foreign(t, `{ printf '%s|' "$0" "$@"; echo; ulimit -v; ulimit -t; ulimit -H -t; ulimit -f; ulimit -c; cat <&5; env | cut -d= -f1 | sort | tr '\n' ' '; pwd; } >&4`,
		"--one", "two words", "")
	fmt.Fprintln(c.Snapshot, "the capture")
	c.Snapshot.Seek(0, io.SeekStart)
	out := Run(t.Context(), c)
	if f := out.Failure(about); f != nil {
		t.Fatalf("%+v: %v", out, f)
	}
	c.Reply.Seek(0, io.SeekStart)
	got, err := io.ReadAll(c.Reply)
	if err != nil {
		t.Fatal(err)
	}
	blocks := limits.ReplyBytes / 512
	want := []string{
		c.Foreign.Path + "|--one|two words||",
		fmt.Sprint(limits.ForeignMemory >> 10), "30", "31", fmt.Sprint(blocks), "0",
		"the capture",
	}
	lines := strings.Split(string(got), "\n")
	if len(lines) < len(want) || strings.Join(lines[:len(want)], "\n") != strings.Join(want, "\n") {
		t.Fatalf("the program saw\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	rest := strings.Join(lines[len(want):], " ")
	for _, name := range []string{"PYTHONPATH", "SECRET"} {
		if strings.Contains(rest, name) {
			t.Errorf("%s reached the program: %s", name, rest)
		}
	}
	for _, name := range []string{"MALLOC_ARENA_MAX", "REA_PROCESS_RUN_ID", "HOME", "TMPDIR"} {
		if !strings.Contains(rest, name) {
			t.Errorf("%s did not reach the program: %s", name, rest)
		}
	}
	if !strings.Contains(rest, c.Dir) {
		t.Errorf("the program does not work in its directory: %s", rest)
	}
}

func TestForeignEndings(t *testing.T) {
	for name, c := range map[string]struct {
		script   string
		ending   Ending
		code     failure.Code
		resource any
	}{
		"success":                {"exit 0", Finished, "", nil},
		"failure":                {"exit 1", Finished, failure.ExecutionFailure, nil},
		"a bad command line":     {"exit 2", Finished, failure.ExecutionFailure, nil},
		"a defect":               {"exit 72", Finished, failure.ExecutionFailure, nil},
		"our guard's status":     {"exit 86", Finished, failure.ExecutionFailure, nil},
		"words of our runtime":   {"echo 'fatal error: out of memory' >&2; exit 2", Finished, failure.ExecutionFailure, nil},
		"no memory":              {"exit 70", MemoryExhausted, failure.ResourceConstraint, "memory"},
		"a reply that is large":  {"exit 71", ReplyExhausted, failure.UnreadableOutput, nil},
		"no processor time left": {"kill -XCPU $$", ProcessorExhausted, failure.ResourceConstraint, "cpu"},
		"a crash":                {"kill -SEGV $$", Crashed, failure.ExecutionFailure, nil},
		"killed":                 {"kill -KILL $$", Crashed, failure.ExecutionFailure, nil},
		"a file that is large":   {"exec dd if=/dev/zero of=large bs=1M count=200", Crashed, failure.ExecutionFailure, nil},
		"talk":                   {"yes", DiagnosticsOverflow, failure.UnreadableOutput, nil},
		"what it leaves running": {"sleep 1000 & exit 0", Finished, "", nil},
		"no interpreter":         {"#", Finished, "", nil},
	} {
		out := Run(t.Context(), foreign(t, c.script))
		f := out.Failure(about)
		if out.Ending != c.ending || len(out.Residue) > 0 || (f == nil) != (c.code == "") {
			t.Errorf("%s: %+v, %v", name, out, f)
			continue
		}
		if f == nil {
			continue
		}
		if f.Code != c.code || f.Details["resource"] != c.resource {
			t.Errorf("%s: %s with %v", name, f.Code, f.Details)
		}
		if c.resource != nil {
			reported := f.Details["reported_limits"].(map[string]any)
			if reported["address_space_mib"] != int64(768) || reported["processor_seconds"] != int64(30) || reported["decoder_memory_mib"] != nil {
				t.Errorf("%s: %v", name, reported)
			}
		}
	}
}

func TestForeignProgramThatCannotStart(t *testing.T) {
	c := foreign(t, "")
	if err := os.WriteFile(c.Foreign.Path, []byte("no program"), 0o755); err != nil {
		t.Fatal(err)
	}
	out := Run(t.Context(), c)
	if f := out.Failure(about); f == nil || f.Code != failure.ExecutionFailure || *out.ExitCode != 127 || !strings.Contains(out.Stderr, "ENOEXEC") {
		t.Errorf("%+v", out)
	}
}

func TestRunnable(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"mitmdump":                    "is not an absolute path",
		"./mitmdump":                  "is not an absolute path",
		"":                            "is not an absolute path",
		filepath.Join(dir, "missing"): "names no file that can be executed (ENOENT)",
		dir:                           "names no file that can be executed (EISDIR)",
		plain:                         "names no file that can be executed (EACCES)",
		"/bin/sh":                     "",
	} {
		if got := Runnable(path); got != want {
			t.Errorf("%q %s, want %q", path, got, want)
		}
	}
}

func TestLimitedCommandLine(t *testing.T) {
	for line, want := range map[string]bool{"rea __limited /x": true, "rea __limited /x a b": true, "rea __limited": false, "rea x __limited /y": false, "rea": false} {
		if got := IsLimited(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
