package verify_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rea.example/verify/workspace"
)

// fakeBench writes its arguments down, makes the files that they ask for, and ends
// a lane with the status that the file "status" holds. Where there is a file
// "signals", a lane runs kill with each line of it, waits until it has heard of that,
// and at last tells everything that it heard. The last thing that it does is to make
// its report final; whoever asks for views writes down whether it was.
const fakeBench = `#!/usr/bin/env bash
here=$(dirname "$0")
echo "$*" >>"$here/calls"
for flag in "$@"; do
  case $flag in
  -report=*) report=${flag#*=} ;;
  -html=*|-junit=*|-markdown=*) echo "made for $flag" >"${flag#*=}" ;;
  /*.json) [[ $1 == verify:report ]] || report=$flag ;;
  esac
done
if [[ $1 == verify:report ]]; then
  [[ ! -f $2 ]] || cat "$2" >>"$here/calls"
  exit 0
fi
echo "running" >"$report"
echo "a word on stdout"
echo "a word on stderr" >&2
if [[ -e $here/signals ]]; then
  heard=
  for each in TERM INT HUP; do trap "heard+=' $each'" "$each"; done
  while read -r line; do
    before=$heard
    kill ${line/SCRIPT/$PPID}
    for ((i = 0; i < 600; i++)); do
      [[ $heard == "$before" ]] || break
      sleep 0.05
    done
  done <"$here/signals"
  echo "heard$heard"
fi
echo "final" >"$report"
exit "$(cat "$here/status")"
`

// scripts gives bash and the folder of the scripts.
func scripts(t *testing.T) (bash, folder string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("unavailable: no bash on this machine")
	}
	root, err := workspace.Root()
	if err != nil {
		t.Fatal(err)
	}
	return bash, filepath.Join(root, ".ci")
}

// fake makes the fake bench and the files beside it, and gives its path.
func fake(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("bench", fakeBench)
	for name, text := range files {
		write(name, text)
	}
	return filepath.Join(dir, "bench")
}

// status runs a command, and gives what it ended with and what it said.
func status(t *testing.T, cmd *exec.Cmd) (ended, said string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return strings.TrimPrefix(cmd.ProcessState.String(), "exit status "), string(out)
}

func TestOneLaneAsCIRunsIt(t *testing.T) {
	bash, folder := scripts(t)
	for _, c := range []struct {
		lane, status, call string
	}{
		{"web:har", "0", "verify:web:har -report=OUT/web-har.json -attest=KEY"},
		{"web:saz", "7", "verify:web:saz -report=OUT/web-saz.json -attest=KEY"},
		{"web:aioquic", "0", "verify:web:aioquic OUT/web-aioquic.json -attest=KEY"},
	} {
		t.Run(c.lane, func(t *testing.T) {
			bench, out := fake(t, map[string]string{"status": c.status, "summary": "before\n"}), filepath.Join(t.TempDir(), "reports")
			summary := filepath.Join(filepath.Dir(bench), "summary")
			run := func(script string, args ...string) string {
				cmd := exec.Command(bash, append([]string{filepath.Join(folder, script)}, args...)...)
				cmd.Env = append(os.Environ(), "GITHUB_STEP_SUMMARY="+summary)
				got, _ := status(t, cmd)
				return got
			}
			if got := run("lane", bench, c.lane, out, "-attest=KEY"); got != c.status {
				t.Errorf("ended with %s", got)
			}
			name := filepath.Join(out, strings.ReplaceAll(c.lane, ":", "-"))
			calls, _ := os.ReadFile(filepath.Join(filepath.Dir(bench), "calls"))
			got, _, _ := strings.Cut(strings.ReplaceAll(string(calls), out, "OUT"), "\n")
			if got != c.call {
				t.Errorf("called %q", got)
			}
			if log, err := os.ReadFile(name + ".log"); err != nil || !strings.Contains(string(log), "on stdout") || !strings.Contains(string(log), "on stderr") {
				t.Errorf("log %q, %v", log, err)
			}
			for _, ext := range []string{".json", ".html", ".xml", ".md"} {
				if _, err := os.Stat(name + ext); err != nil {
					t.Error(err)
				}
			}
			if text, _ := os.ReadFile(summary); !strings.HasPrefix(string(text), "before\nmade for -markdown=") {
				t.Errorf("summary %q", text)
			}
			if got := run("views", bench, out, "-before=OLD"); got != "0" {
				t.Errorf("views ended with %s", got)
			}
			for _, file := range []string{"index.html", "junit.xml", "summary.md"} {
				if _, err := os.Stat(filepath.Join(out, file)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestALaneHearsThatItsJobIsToEnd sends what a CI system sends, and what a terminal
// sends to the group that runs in it. The bench hears each once and as SIGTERM.
func TestALaneHearsThatItsJobIsToEnd(t *testing.T) {
	bash, folder := scripts(t)
	// What is listened for here is not ignored in what is started from here, even
	// where these tests run in the background.
	listened := make(chan os.Signal, 1)
	signal.Notify(listened, os.Interrupt, syscall.SIGHUP)
	defer signal.Stop(listened)
	for name, c := range map[string]struct{ kill, heard string }{
		"SIGTERM":                  {"-TERM SCRIPT", "heard TERM"},
		"SIGINT":                   {"-INT SCRIPT", "heard TERM"},
		"SIGTERM to the whole job": {"-TERM -- -SCRIPT", "heard TERM"},
		"Ctrl-C":                   {"-INT -- -SCRIPT", "heard TERM"},
		"Ctrl-C, twice":            {"-INT -- -SCRIPT\n-INT -- -SCRIPT", "heard TERM TERM"},
		"the terminal is closed":   {"-HUP -- -SCRIPT", "heard TERM"},
	} {
		t.Run(name, func(t *testing.T) {
			bench, out := fake(t, map[string]string{"status": "7", "signals": c.kill + "\n"}), filepath.Join(t.TempDir(), "reports")
			// With job control the script is the first of a group.
			cmd := exec.Command(bash, "-c", `set -m; "$@" & wait $!`, "job", filepath.Join(folder, "lane"), bench, "web:har", out)
			if got, said := status(t, cmd); got != "7" || !strings.Contains(said, c.heard+"\n") {
				t.Errorf("ended with %s:\n%s", got, said)
			}
			ended(t, bench, filepath.Join(out, "web-har"), c.heard+"\n")
		})
	}
}

func TestALaneOutlivesWhoReadsWhatItPrints(t *testing.T) {
	bash, folder := scripts(t)
	bench, out := fake(t, map[string]string{"status": "7"}), filepath.Join(t.TempDir(), "reports")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	if err := read.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, filepath.Join(folder, "lane"), bench, "web:har", out)
	cmd.Stdout = write
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("ended with %v", err)
	}
	ended(t, bench, filepath.Join(out, "web-har"), "a word on stderr\n")
}

// ended looks at what a lane left that could end by itself: its log to the last
// word, and views of a report that was final when they were made.
func ended(t *testing.T, bench, name, last string) {
	t.Helper()
	if log, err := os.ReadFile(name + ".log"); !strings.HasSuffix(string(log), last) {
		t.Errorf("log %q, %v", log, err)
	}
	if _, err := os.Stat(name + ".html"); err != nil {
		t.Errorf("no view: %v", err)
	}
	if calls, err := os.ReadFile(filepath.Join(filepath.Dir(bench), "calls")); !strings.HasSuffix(string(calls), "\nfinal\n") {
		t.Errorf("the views are of another report: %q, %v", calls, err)
	}
}

func TestAFolderIsNoFlag(t *testing.T) {
	bash, folder := scripts(t)
	bench, dir := fake(t, map[string]string{"status": "0"}), t.TempDir()
	for _, args := range [][]string{{"lane", bench, "web:har", "-x"}, {"views", bench, "-x"}} {
		cmd := exec.Command(bash, append([]string{filepath.Join(folder, args[0])}, args[1:]...)...)
		cmd.Dir = dir
		if got, said := status(t, cmd); got != "0" {
			t.Errorf("%s ended with %s: %s", args[0], got, said)
		}
	}
	for _, file := range []string{"web-har.json", "web-har.log", "web-har.html", "index.html"} {
		if _, err := os.Stat(filepath.Join(dir, "-x", file)); err != nil {
			t.Error(err)
		}
	}
	if calls, err := os.ReadFile(filepath.Join(filepath.Dir(bench), "calls")); strings.Contains(string(calls), " -x") {
		t.Errorf("%s, %v", calls, err)
	}
}

func TestALaneWritesOverNothing(t *testing.T) {
	bash, folder := scripts(t)
	for _, there := range []string{"web-har.json", "web-har.log"} {
		t.Run(there, func(t *testing.T) {
			bench, out := fake(t, map[string]string{"status": "0"}), t.TempDir()
			if err := os.WriteFile(filepath.Join(out, there), []byte("of yesterday"), 0o600); err != nil {
				t.Fatal(err)
			}
			got, said := status(t, exec.Command(bash, filepath.Join(folder, "lane"), bench, "web:har", out))
			if got != "1" || !strings.Contains(said, there+" is there already") {
				t.Errorf("ended with %s: %s", got, said)
			}
			if data, err := os.ReadFile(filepath.Join(out, there)); string(data) != "of yesterday" {
				t.Errorf("it is %q now, %v", data, err)
			}
			if files, err := os.ReadDir(out); len(files) != 1 {
				t.Errorf("in the folder: %v, %v", files, err)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(bench), "calls")); err == nil {
				t.Error("the bench was called")
			}
		})
	}
}
