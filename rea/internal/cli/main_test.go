package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/decode"
	"rea.example/rea/internal/owned"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts in testdata/script")

// TestMain lets the test binary be the program, under the name that the program
// and its owned child give themselves, and two filters for scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rea": program, "tidy": tidy, "pick": pick})
}

// endless is a language in which decoding takes longer than anyone waits, and the
// name of the file that says that it has begun.
const endless = "endless"

// program does what main does. The child leaves without the second of patience
// that the race detector would have.
func program() {
	if owned.IsChild(os.Args) {
		if os.Getenv("LANG") == endless {
			// Beside its own directory, to which the test can't look any more.
			if err := os.WriteFile(filepath.Join(filepath.Dir(os.Getenv("HOME")), endless), nil, 0o600); err != nil {
				panic(err)
			}
			time.Sleep(time.Hour)
		}
		syscall.Exit(owned.Serve(func(request, snapshot []byte, bounded bool, reply *os.File) error {
			return decode.Answer(request, snapshot, bounded, reply)
		}))
	}
	os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, nil))
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			e.Setenv("TMPDIR", e.WorkDir+"/tmp")
			return os.Mkdir(e.WorkDir+"/tmp", 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"tidied": tidied},
	})
}

var random = regexp.MustCompile(`ev_[0-9a-f]{64}|rea-web-capture-\d+|(/private)?\$WORK`)

// tidy is a filter: what differs from run to run has one spelling afterwards.
func tidy() {
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	text := strings.ReplaceAll(string(in), os.Getenv("WORK"), "$WORK")
	var names []string
	for _, f := range app.Formats() {
		names = append(names, f.Name)
	}
	text = strings.ReplaceAll(text, strings.Join(names, ", "), "FORMATS")
	text = strings.ReplaceAll(text, `"`+strings.Join(names, `","`)+`"`, "FORMATS")
	fmt.Print(random.ReplaceAllStringFunc(text, func(s string) string {
		switch {
		case strings.HasPrefix(s, "ev_"):
			return "ev_ID"
		case strings.HasPrefix(s, "rea-web-capture-"):
			return "rea-web-capture-N"
		}
		return "$WORK"
	}))
}

// pick is a filter: the members of a JSON document that its arguments name, each
// on a line. Names are separated by dots.
func pick() {
	d := json.NewDecoder(os.Stdin)
	d.UseNumber()
	var doc any
	if err := d.Decode(&doc); err != nil {
		panic(err)
	}
	for _, path := range os.Args[1:] {
		at := doc
		for _, name := range strings.Split(path, ".") {
			switch v := at.(type) {
			case map[string]any:
				at = v[name]
			case []any:
				if i, err := strconv.Atoi(name); err == nil && i < len(v) {
					at = v[i]
				} else {
					at = nil
				}
			default:
				at = nil
			}
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(at); err != nil {
			panic(err)
		}
		fmt.Print(b.String())
	}
}

// tidied checks that a directory is empty: "tidied DIR".
func tidied(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if neg == (len(entries) == 0) {
		ts.Fatalf("%s holds %v", args[0], entries)
	}
}

// command is one run of the program.
func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Args = append([]string{"rea"}, args...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	return cmd
}
