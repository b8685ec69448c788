package verify_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/verify/workspace"
)

// fakeBench writes its arguments down, makes the files that they ask for, and ends
// a lane with the status that the file "status" holds. Where there is a file
// "signal", it first sends that to whoever started it, and waits for SIGTERM.
const fakeBench = `#!/usr/bin/env bash
echo "$*" >>"$(dirname "$0")/calls"
for flag in "$@"; do
  case $flag in
  -report=*|-html=*|-junit=*|-markdown=*) echo "made for $flag" >"${flag#*=}" ;;
  /*.json) [[ $1 == verify:report ]] || echo made >"$flag" ;;
  esac
done
[[ $1 != verify:report ]] || exit 0
echo "a word on stdout"
echo "a word on stderr" >&2
if [[ -e $(dirname "$0")/signal ]]; then
  heard=
  trap 'heard=yes' TERM
  kill $(sed "s/SCRIPT/$PPID/" "$(dirname "$0")/signal")
  for ((i = 0; i < 600; i++)); do
    [[ -z $heard ]] || break
    sleep 0.05
  done
  echo "heard SIGTERM: ${heard:-no}"
  [[ -n $heard ]] || exit 99
fi
exit "$(cat "$(dirname "$0")/status")"
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

func TestALaneHearsThatItsJobIsToEnd(t *testing.T) {
	bash, folder := scripts(t)
	for name, kill := range map[string]string{
		"SIGTERM": "-TERM SCRIPT", "SIGINT": "-INT SCRIPT", "SIGTERM to the whole job": "-TERM -- -SCRIPT",
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(kill, "-INT") && signal.Ignored(os.Interrupt) {
				t.Skip("unavailable: these tests run where SIGINT is ignored, and no script can change that")
			}
			bench, out := fake(t, map[string]string{"status": "7", "signal": kill}), filepath.Join(t.TempDir(), "reports")
			// With job control the script is the first of a group.
			cmd := exec.Command(bash, "-c", `set -m; "$@" & wait $!`, "job", filepath.Join(folder, "lane"), bench, "web:har", out)
			if got, said := status(t, cmd); got != "7" || !strings.Contains(said, "heard SIGTERM: yes") {
				t.Errorf("ended with %s:\n%s", got, said)
			}
			if log, err := os.ReadFile(filepath.Join(out, "web-har.log")); !strings.HasSuffix(string(log), "heard SIGTERM: yes\n") {
				t.Errorf("log %q, %v", log, err)
			}
			if _, err := os.Stat(filepath.Join(out, "web-har.html")); err != nil {
				t.Errorf("no view of what was stopped: %v", err)
			}
		})
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
