package canary

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	return cmd.ProcessState.ExitCode(), out.Bytes(), unmeasured(errs.Bytes())
}

// A line of the log, up to its time, and the numbers that the program took itself.
var (
	logged   = regexp.MustCompile(`(?m)^{"time":"[0-9T:.Z+-]+","level":"[A-Z]+",.*$`)
	measured = regexp.MustCompile(`"time":"[0-9T:.Z+-]+"|"(?:milliseconds|argument_bytes|document_bytes)":[0-9]+`)
)

// unmeasured is what stands on standard error without the numbers of the log: they
// are no text of a capture, and now and then hold the digits that are declared.
func unmeasured(stderr []byte) []byte {
	return logged.ReplaceAllFunc(stderr, func(line []byte) []byte { return measured.ReplaceAll(line, nil) })
}

func TestOnlyNumbersOfTheLogAreNotLookedAt(t *testing.T) {
	const log = `{"time":"2031-05-06T07:08:09.347Z","level":"INFO","msg":"done 347","operation":"x","document_bytes":347,"retained":false,"milliseconds":347,"more":347}`
	const want = `{,"level":"INFO","msg":"done 347","operation":"x",,"retained":false,,"more":347}`
	for text, want := range map[string]string{
		log: want, log + "\nx\n" + log: want + "\nx\n" + want, "x" + log: "x" + log, `{"milliseconds":347}`: `{"milliseconds":347}`,
	} {
		if got := string(unmeasured([]byte(text))); got != want {
			t.Errorf("of %s is left %s", text, got)
		}
	}
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
