package canary

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	// Of the program that is built below go test knows nothing: with this, a
	// remembered result is not taken for that of a program that has changed.
	_ "rea.example/rea/internal/cli"
	_ "rea.example/rea/internal/decode"
)

// program is the built product. It is built without the race detector, under
// which its bounds would not be those of the product.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "canary-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "rea")
	build := exec.Command("go", "build", "-o", program, "rea.example/rea")
	code := 1
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// run runs the program and gives its exit status and all it wrote. Whatever it
// leaves in its temporary directory is a failure.
func run(t *testing.T, secrets []secret, args ...string) (code int, stdout, stderr []byte) {
	t.Helper()
	tmp := t.TempDir()
	var out, errs bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "TMP="+tmp, "REA_LOG_LEVEL=debug")
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	mustBeEmpty(t, fmt.Sprint(args[min(2, len(args)):]), tmp, secrets)
	return cmd.ProcessState.ExitCode(), out.Bytes(), errs.Bytes()
}

// forms are the output forms.
var forms = []string{"text", "json", "jsonl", "yaml"}

// ways are what a capture that opens is taken through, in every form.
func ways(conformance bool) [][]string {
	out := [][]string{nil, {"--record", "1"}, {"--record", "2", "--record", "0"}}
	if conformance {
		for _, w := range out[:3:3] {
			out = append(out, append([]string{"--conformance", "report"}, w...))
		}
	}
	return out
}

// inspect takes a capture through the program and looks for the secrets in all
// that comes back. It gives what stood on standard output.
func inspect(t *testing.T, secrets []secret, wantCode int, args ...string) []byte {
	t.Helper()
	code, stdout, stderr := run(t, secrets, append([]string{"inspect-web-network-capture"}, args...)...)
	way := fmt.Sprint(args[min(2, len(args)):])
	if code != wantCode {
		t.Errorf("%s: exit status %d: %.300s%.300s", way, code, stderr, stdout)
	}
	mustHide(t, way, secrets, stdout, stderr)
	return stdout
}

func save(t *testing.T, dir, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
