package chores

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func self(t *testing.T, behave string) command {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return command{t.TempDir(), []string{behaviour + "=" + behave}, []string{path}}
}

// behaviour makes this test binary a tool: it prints two lines, leaves a mark in
// its folder, and ends with status 0, or with 3 when told to fail.
const behaviour = "REA_TEST_TOOL"

func TestMain(m *testing.M) {
	switch os.Getenv(behaviour) {
	case "":
		os.Exit(m.Run())
	case "fail":
		os.Stderr.WriteString("what went wrong\n")
		os.Exit(3)
	}
	if err := os.WriteFile("mark", nil, 0o600); err != nil {
		panic(err)
	}
	os.Stdout.WriteString("one\r\n\ntwo\n")
	os.Exit(0)
}

func TestAllRunsPastAFailureAndTellsOfIt(t *testing.T) {
	last := self(t, "succeed")
	err := all(context.Background(), self(t, "fail"), last)
	if err == nil || !strings.Contains(err.Error(), behaviour+"=fail") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(last.dir, "mark")); err != nil {
		t.Error("the command behind the failure did not run in its folder")
	}
}

func TestOutputIsLinesOrWhatTheToolComplainedOf(t *testing.T) {
	if lines, err := self(t, "succeed").output(context.Background()); err != nil || strings.Join(lines, "|") != "one|two" {
		t.Errorf("%q, %v", lines, err)
	}
	if _, err := self(t, "fail").output(context.Background()); err == nil || !strings.Contains(err.Error(), "what went wrong") {
		t.Errorf("error %v", err)
	}
}

// house is a workspace whose modules hold nothing.
func house(t *testing.T) House {
	t.Helper()
	h := House{t.TempDir()}
	for _, dir := range []string{"magefiles", "verify", "rea"} {
		if err := os.Mkdir(filepath.Join(h.Root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(h.rea(), "go.mod"), []byte("module x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestWithoutACompilerTheRaceDetectorIsLeftOutButNotInCI(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin, name := t.TempDir(), "go"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.Symlink(goTool, filepath.Join(bin, name)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv("CI", "")
	if c, err := house(t).race(context.Background()); err != nil || c != nil {
		t.Errorf("%v, %v", c, err)
	}
	t.Setenv("CI", "true")
	if c, err := house(t).race(context.Background()); err == nil {
		t.Errorf("CI goes without: %v", c)
	}
}

func TestFormatOfEveryFolderIsChecked(t *testing.T) {
	h := house(t)
	if err := h.formatted(context.Background()); err != nil {
		t.Error(err)
	}
	for _, dir := range []string{"magefiles", "verify", "rea"} {
		path := filepath.Join(h.Root, dir, "a.go")
		if err := os.WriteFile(path, []byte("package a\nvar  X int\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := h.formatted(context.Background()); err == nil || !strings.Contains(err.Error(), "a.go") {
			t.Errorf("%s: %v", dir, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFuzzingSharesATime(t *testing.T) {
	for _, c := range []struct {
		total time.Duration
		parts int
		want  time.Duration
	}{{time.Minute, 4, 15 * time.Second}, {10 * time.Second, 3, 3 * time.Second}, {time.Second, 40, time.Second}} {
		if got := share(c.total, c.parts); got != c.want {
			t.Errorf("%s among %d: %s", c.total, c.parts, got)
		}
	}
}

func TestFuzzingTellsAFindingFromTheClock(t *testing.T) {
	const late = "fuzz: elapsed: 2s, execs: 58570 (28720/sec), new interesting: 8 (total: 190)\n--- FAIL: FuzzXML (2.05s)\n    context deadline exceeded\nFAIL\nexit status 1\nFAIL\tx/y\t2.058s\n"
	for said, want := range map[string]bool{
		late: true,
		"":   false, "FAIL\tx/y [build failed]\n": false, "FAIL\n": false,
		strings.Replace(late, "    context deadline exceeded\n", "    --- FAIL: FuzzXML (0.00s)\n        x_test.go:1: wrong\n", 1): false,
		strings.Replace(late, "exceeded\n", "exceeded\n    Failing input written to testdata/fuzz/FuzzXML/0123\n", 1):              false,
		strings.Replace(late, "exceeded\n", "exceeded\n    fuzzing process hung or terminated unexpectedly: exit status 2\n", 1):   false,
		strings.Replace(late, "--- FAIL", "panic: x\n--- FAIL", 1) + "panic: y\n":                                                  false,
	} {
		if got := onlyLate(said); got != want {
			t.Errorf("%t for\n%s", got, said)
		}
	}
}
