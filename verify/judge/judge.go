package judge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"rea.example/verify/child"
	"rea.example/verify/report"
	"rea.example/verify/workspace"
)

// Variable names the environment variable that moves the prepared folder.
const Variable = "REA_NPM_HAR"

// Judge is a prepared set of packages.
type Judge struct {
	Dir        string // scripts beside node_modules
	Executable string // of node
	// Version is what node says of itself, and Packages the versions that the
	// installed packages say of themselves.
	Version  string
	Packages []Package
}

// Pins is the judge as a report names it.
func (j *Judge) Pins() []report.Pin {
	pins := []report.Pin{{Name: "node", Value: j.Version}}
	for _, p := range j.Packages {
		pins = append(pins, report.Pin{Name: PinName(p.Name), Value: p.Version})
	}
	return pins
}

// Package is one of the packages that the judge is made of.
type Package struct{ Name, Version string }

// Source is the committed folder.
func Source(root string) string { return filepath.Join(root, "containers", "npm-har") }

// Home is the prepared folder.
func Home() (string, error) {
	if dir := os.Getenv(Variable); dir != "" {
		return filepath.Abs(dir)
	}
	return workspace.Cache("npm-har")
}

// scripts are the committed files that the prepared folder must hold unchanged.
func scripts(source string) (names []string, err error) {
	entries, err := os.ReadDir(source)
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); e.Type().IsRegular() && (ext == ".mjs" || ext == ".json") {
			names = append(names, e.Name())
		}
	}
	if err == nil && len(names) == 0 {
		err = errors.New("no scripts")
	}
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return names, nil
}

// Prepare copies the committed scripts to home and lets npm install what the
// lock names: once, unless something is missing or differs.
func Prepare(ctx context.Context, root string) error {
	home, err := Home()
	if err != nil {
		return err
	}
	if _, err := open(ctx, Source(root), home); err == nil {
		return nil
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	names, err := scripts(Source(root))
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(Source(root), name))
		if err != nil {
			return fmt.Errorf("judge: %w", err)
		}
		if err := os.WriteFile(filepath.Join(home, name), data, 0o644); err != nil {
			return fmt.Errorf("judge: %w", err)
		}
	}
	npm := child.Command(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	npm.Dir = home
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("judge: npm ci: %w\n%s", err, out)
	}
	_, err = open(ctx, Source(root), home)
	return err
}

// Open finds the prepared judge. Its error is the reason why there is none.
func Open(ctx context.Context, root string) (*Judge, error) {
	home, err := Home()
	if err != nil {
		return nil, err
	}
	return open(ctx, Source(root), home)
}

func open(ctx context.Context, source, home string) (*Judge, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errors.New("judge: no node on this machine")
	}
	names, err := scripts(source)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		committed, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return nil, fmt.Errorf("judge: %w", err)
		}
		prepared, err := os.ReadFile(filepath.Join(home, name))
		if err != nil || !bytes.Equal(committed, prepared) {
			return nil, fmt.Errorf("judge: %s is not prepared in the cache: run `go tool mage verify:judge`", name)
		}
	}
	j := &Judge{Dir: home, Executable: node}
	if j.Packages, err = installed(home); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, node, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("judge: node --version: %w", err)
	}
	j.Version = strings.TrimSpace(string(out))
	return j, nil
}

// installed reads which versions the packages have that package.json pins, and
// refuses any other.
func installed(home string) ([]Package, error) {
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := readJSON(filepath.Join(home, "package.json"), &manifest); err != nil {
		return nil, err
	}
	var packages []Package
	for _, name := range slices.Sorted(maps.Keys(manifest.Dependencies)) {
		var p Package
		err := readJSON(filepath.Join(home, "node_modules", filepath.FromSlash(name), "package.json"), &p)
		if err != nil {
			return nil, fmt.Errorf("judge: npm package %s is not installed: run `go tool mage verify:judge`", name)
		}
		if want := manifest.Dependencies[name]; p.Version != want {
			return nil, fmt.Errorf("judge: npm package %s is %s, pinned %s", name, p.Version, want)
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// Verdict is the judge's word on one capture.
type Verdict struct {
	File    string `json:"file"`
	Verdict string `json:"verdict"` // accept, reject, or none where the judge itself failed
	Stage   string `json:"stage"`   // utf8, json, duplicate, schema, version
	Pointer string `json:"pointer"`
	Keyword string `json:"keyword"`
	Error   string `json:"error"`
	All     []struct {
		Pointer string `json:"pointer"`
		Keyword string `json:"keyword"`
	} `json:"all"`
}

// Verdicts judges the files, in one process, in their order.
func (j *Judge) Verdicts(ctx context.Context, paths []string) ([]Verdict, error) {
	out, err := j.run(ctx, nil, append([]string{filepath.Join(j.Dir, "verdict.mjs")}, paths...)...)
	if err != nil {
		return nil, err
	}
	return readVerdicts(out, paths)
}

// Ask puts each input to an operation of serve.mjs, in one process.
func (j *Judge) Ask(ctx context.Context, op string, inputs []string) ([]json.RawMessage, error) {
	requests, err := requests(op, inputs)
	if err != nil {
		return nil, err
	}
	out, err := j.run(ctx, requests, filepath.Join(j.Dir, "serve.mjs"))
	if err != nil {
		return nil, err
	}
	return readAnswers(out, len(inputs))
}

// Node runs a script with the path of a file that holds the input.
func (j *Judge) Node(ctx context.Context, script string, input []byte) ([]byte, error) {
	dir, err := os.MkdirTemp("", "rea-judge-")
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	defer os.RemoveAll(dir)
	path, data := filepath.Join(dir, "script.mjs"), filepath.Join(dir, "input")
	if err := errors.Join(os.WriteFile(path, []byte(script), 0o600), os.WriteFile(data, input, 0o600)); err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return j.run(ctx, nil, path, data)
}

func (j *Judge) run(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	cmd := child.Command(ctx, j.Executable, args...)
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("judge: %s: %w\n%s", filepath.Base(args[0]), err, stderr.Bytes())
	}
	return out, nil
}

func readVerdicts(out []byte, paths []string) ([]Verdict, error) {
	var verdicts []Verdict
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v Verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("judge: %w", err)
		}
		if i := len(verdicts); i >= len(paths) || v.File != paths[i] {
			return nil, errors.New("judge: a verdict on a file that was not asked about")
		}
		verdicts = append(verdicts, v)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	if len(verdicts) != len(paths) {
		return nil, fmt.Errorf("judge: %d verdicts on %d files", len(verdicts), len(paths))
	}
	return verdicts, nil
}

// requests are the lines that serve.mjs takes.
func requests(op string, inputs []string) ([]byte, error) {
	var b bytes.Buffer
	for _, input := range inputs {
		line, err := json.Marshal(map[string]string{"op": op, "input": input})
		if err != nil {
			return nil, fmt.Errorf("judge: %w", err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes(), nil
}

func readAnswers(out []byte, asked int) ([]json.RawMessage, error) {
	var results []json.RawMessage
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var a struct {
			OK     bool            `json:"ok"`
			Result json.RawMessage `json:"result"`
			Error  string          `json:"error"`
		}
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return nil, fmt.Errorf("judge: %w", err)
		}
		if !a.OK {
			return nil, fmt.Errorf("judge: question %d: %s", len(results), a.Error)
		}
		results = append(results, a.Result)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	if len(results) != asked {
		return nil, fmt.Errorf("judge: %d answers to %d questions", len(results), asked)
	}
	return results, nil
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("judge: %w", err)
	}
	return nil
}
