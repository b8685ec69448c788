package judge

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"rea.example/rea/internal/tree"
)

// Judge is a running judge, or one that isn't available. It may be used by several
// goroutines.
type Judge struct {
	name string
	dir  string

	mu  sync.Mutex
	in  io.WriteCloser
	out *bufio.Reader
}

// Verdict is what the judge says of a file.
type Verdict struct {
	// Verdict is "accept", "reject", or "none" where the judge itself gave up.
	Verdict string `json:"verdict"`
	// Stage is utf8, json, duplicate, schema or version, of a rejection.
	Stage   string       `json:"stage,omitempty"`
	Pointer tree.Pointer `json:"pointer,omitempty"` // of the first error
	Keyword string       `json:"keyword,omitempty"` // of the first error
	// All is ajv's list in its allErrors mode, of a rejection at stage schema.
	All []Row `json:"all,omitempty"`
}

// Row is one error of ajv.
type Row struct {
	Pointer       tree.Pointer   `json:"pointer"`
	Keyword       string         `json:"keyword"`
	SchemaPointer string         `json:"schema_pointer"`
	Params        map[string]any `json:"params"`
}

// URL is what node's URL makes of a text; OK is false where it doesn't parse.
type URL struct {
	OK       bool   `json:"ok"`
	Href     string `json:"href"`
	Origin   string `json:"origin"`
	Protocol string `json:"protocol"`
	Username string `json:"username"`
	Password string `json:"password"`
	Host     string `json:"host"`
	Hostname string `json:"hostname"`
	Port     string `json:"port"`
	Pathname string `json:"pathname"`
	Search   string `json:"search"`
	Hash     string `json:"hash"`
}

// CI says whether the tests run where the judge must be there.
func CI() bool { return os.Getenv("CI") == "true" }

// Dir is the directory in which the judge has to be installed.
func Dir() (string, error) {
	if dir := os.Getenv("REA_NPM_HAR"); dir != "" {
		return filepath.Abs(dir)
	}
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "rea-workbench", "npm-har"), err
}

// Start starts the judge, which ends with t. It logs which judge the test has; only
// where CI says so is it a failure that there's none.
func Start(t testing.TB) *Judge {
	t.Helper()
	j, err := start(t)
	switch {
	case err == nil:
	case CI():
		t.Fatalf("judge: node and the packages of containers/npm-har are needed here: %v", err)
	default:
		j = &Judge{name: "recorded"}
	}
	t.Logf("judge: %s", j.name)
	return j
}

func start(t testing.TB) (*Judge, error) {
	dir, err := Dir()
	if err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, err
	}
	for _, need := range []string{"serve.mjs", "node_modules"} {
		if _, err := os.Stat(filepath.Join(dir, need)); err != nil {
			return nil, err
		}
	}
	// The input's end is the process's end, so it goes even if this process is killed.
	cmd := exec.Command(node, "serve.mjs")
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := func() error { return errors.Join(in.Close(), cmd.Wait()) }
	j := &Judge{dir: dir, in: in, out: bufio.NewReaderSize(out, 1<<16)}
	var versions map[string]string
	if err := j.ask("versions", "", &versions); err != nil {
		return nil, errors.Join(err, stop())
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("judge: %v", err)
		}
	})
	j.name = "node " + versions["node"]
	return j, nil
}

// Available says whether questions can be asked.
func (j *Judge) Available() bool { return j.in != nil }

// Name is "node" with its version, or "recorded".
func (j *Judge) Name() string { return j.name }

// Package is the path of a file of an installed package.
func (j *Judge) Package(elem ...string) string {
	return filepath.Join(append([]string{j.dir, "node_modules"}, elem...)...)
}

// Verdict judges the bytes of a file.
func (j *Judge) Verdict(t testing.TB, file []byte) Verdict {
	t.Helper()
	var v Verdict
	err := j.ask("verdict", base64.StdEncoding.EncodeToString(file), &v)
	var refused refusal
	if errors.As(err, &refused) {
		return Verdict{Verdict: "none"}
	}
	fatal(t, err)
	return v
}

// Safe says whether lossless-json calls a number safe.
func (j *Judge) Safe(t testing.TB, lexeme string) bool {
	t.Helper()
	var safe bool
	fatal(t, j.ask("safe", lexeme, &safe))
	return safe
}

// Canonical gives JSON text in the form of RFC 8785, as JavaScript makes it.
func (j *Judge) Canonical(t testing.TB, text string) string {
	t.Helper()
	var canonical string
	fatal(t, j.ask("canonical", text, &canonical))
	return canonical
}

// URL parses a decoded text, which may hold lone surrogates, with node's URL.
func (j *Judge) URL(t testing.TB, text string) URL {
	t.Helper()
	var u URL
	fatal(t, j.ask("url", text, &u))
	return u
}

// SHA256 is the digest of bytes, in hex, as node computes it.
func (j *Judge) SHA256(t testing.TB, data []byte) string {
	t.Helper()
	var digest string
	fatal(t, j.ask("sha256", base64.StdEncoding.EncodeToString(data), &digest))
	return digest
}

func fatal(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("judge: %v", err)
	}
}

// refusal is an answer that says that the question could not be answered.
type refusal string

func (r refusal) Error() string { return string(r) }

func (j *Judge) ask(op, input string, result any) error {
	if !j.Available() {
		return errors.New("not available: ask Available first")
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	request := append([]byte(`{"op":"`+op+`","input":`), quote(input)...)
	if _, err := j.in.Write(append(request, '}', '\n')); err != nil {
		return err
	}
	line, err := j.out.ReadBytes('\n')
	if err != nil {
		return err
	}
	var answer struct {
		OK     bool            `json:"ok"`
		Result json.RawMessage `json:"result"`
		Error  string          `json:"error"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return err
	}
	if !answer.OK {
		return refusal(answer.Error)
	}
	return json.Unmarshal(answer.Result, result)
}

// quote writes text as a JSON string in ASCII. A lone surrogate, which decoded text
// may hold as three bytes, becomes its escape.
func quote(s string) []byte {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for s != "" {
		if r, ok := tree.SurrogateAt(s); ok {
			b = append(b, '\\', 'u', 'd', hex[r>>8&15], hex[r>>4&15], hex[r&15])
			s = s[3:]
			continue
		}
		n := 1
		for n < len(s) && s[n] != 0xed {
			n++
		}
		part, _ := json.Marshal(s[:n]) // a string can always be marshalled
		b = append(b, part[1:len(part)-1]...)
		s = s[n:]
	}
	return append(b, '"')
}
