package verify_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/verify/workspace"
)

// fakeBench writes its arguments down, makes the files that they ask for, and ends
// a lane with the status that the file "status" holds.
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
exit "$(cat "$(dirname "$0")/status")"
`

func TestOneLaneAsCIRunsIt(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("unavailable: no bash on this machine")
	}
	root, err := workspace.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lane, status, call string
	}{
		{"web:har", "0", "verify:web:har -report=OUT/web-har.json -attest=KEY"},
		{"web:saz", "7", "verify:web:saz -report=OUT/web-saz.json -attest=KEY"},
		{"web:aioquic", "0", "verify:web:aioquic OUT/web-aioquic.json -attest=KEY"},
	} {
		t.Run(c.lane, func(t *testing.T) {
			dir, out := t.TempDir(), filepath.Join(t.TempDir(), "reports")
			bench, summary := filepath.Join(dir, "bench"), filepath.Join(dir, "summary")
			for path, text := range map[string]string{bench: fakeBench, filepath.Join(dir, "status"): c.status, summary: "before\n"} {
				if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			run := func(script string, args ...string) string {
				cmd := exec.Command(bash, append([]string{filepath.Join(root, ".ci", script)}, args...)...)
				cmd.Env = append(os.Environ(), "GITHUB_STEP_SUMMARY="+summary)
				err := cmd.Run()
				var exit *exec.ExitError
				if err != nil && !errors.As(err, &exit) {
					t.Fatal(err)
				}
				return strings.TrimPrefix(cmd.ProcessState.String(), "exit status ")
			}
			if got := run("lane", bench, c.lane, out, "-attest=KEY"); got != c.status {
				t.Errorf("ended with %s", got)
			}
			name := filepath.Join(out, strings.ReplaceAll(c.lane, ":", "-"))
			calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
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
