package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/goccy/go-json"

	"rea.example/containers"
	"rea.example/verify/judge"
	"rea.example/verify/product"
	"rea.example/verify/report"
	"rea.example/verify/workspace"
)

// Judge says what the reference packages think of captures, and runs scripts in
// the node that they run in.
type Judge interface {
	Verdicts(ctx context.Context, paths []string) ([]judge.Verdict, error)
	// Ask puts each input to an operation of serve.mjs, and gives the results in
	// their order.
	Ask(ctx context.Context, op string, inputs []string) ([]json.RawMessage, error)
	// Node runs a script on a file and gives what it prints.
	Node(ctx context.Context, script string, input []byte) ([]byte, error)
	Pins() []report.Pin
}

// Bench is given to a lane for one run.
type Bench struct {
	Root    string           // of the workspace
	Temp    string           // private to this run, removed by Close
	Product *product.Product // built
	Judge   Judge            // nil unless the lane says that it needs one
	Dock    *containers.Dock // nil unless the lane says that it needs one
	// Supplied are the paths that the caller gave, by the names of the lane's needs.
	Supplied map[string]string

	folder  *workspace.Folder
	log     io.Writer
	stopped <-chan struct{}   // closed when the lane is interrupted
	absent  map[string]string // why an image that would be useful is not there
	report  *report.Report
	secrets []string
}

// New makes a bench whose checks go into r and whose progress goes to log. Once
// stopped is closed it makes no more checks; nil is never closed.
func New(root string, r *report.Report, log io.Writer, stopped <-chan struct{}) (*Bench, error) {
	folder, err := workspace.Private(os.TempDir(), "rea-bench-")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return &Bench{Root: root, Temp: folder.Path, folder: folder, log: log, stopped: stopped, report: r}, nil
}

// Close removes what the bench made, the containers first.
func (b *Bench) Close() error {
	var err error
	if b.Dock != nil {
		err = b.Dock.Close()
	}
	return errors.Join(err, b.folder.Close())
}

// Within makes Temp a folder of that name below itself while do runs, and removes it.
func (b *Bench) Within(name string, do func() error) error {
	outer := b.Temp
	defer func() { b.Temp = outer }()
	b.Temp = filepath.Join(outer, name)
	if err := os.Mkdir(b.Temp, 0o700); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return errors.Join(do(), os.RemoveAll(filepath.Join(outer, name)))
}

// Lack notes that an image is not there, and why.
func (b *Bench) Lack(i containers.Image, reason string) {
	if b.absent == nil {
		b.absent = map[string]string{}
	}
	b.absent[i.Name] = reason
}

// Lacks says why an image is not there; it is empty for one that is.
func (b *Bench) Lacks(i containers.Image) string { return b.absent[i.Name] }

// Portable is the product's executable for the system in the containers.
func (b *Bench) Portable(ctx context.Context) (string, error) {
	about := b.Dock.Engine.About()
	if about.OS == runtime.GOOS && about.Arch == runtime.GOARCH {
		return b.Product.Path, nil
	}
	return product.BuildFor(ctx, b.Root, b.Temp, about.OS, about.Arch)
}

// Say tells the person at the terminal what goes on, in one line: some readers of
// logs take commands from the beginnings of lines. It is no part of the report, and
// holds no planted secret either: people keep logs, too.
func (b *Bench) Say(format string, args ...any) {
	text, _, more := strings.Cut(fmt.Sprintf(format, args...), "\n")
	if more {
		text += " …"
	}
	for _, secret := range b.secrets {
		if report.Leaks([]byte(text), secret) {
			text = "(a line is withheld: it holds a planted secret)"
		}
	}
	fmt.Fprintf(b.log, "  %s\n", text)
}

// Check runs one comparison and records it under its name. It says whether it
// passed, for lanes whose next check depends on it. One that panics fails. What
// fails under an interruption was not run: it says nothing about the product.
func (b *Bench) Check(name string, compare func() error) bool {
	if b.interrupted() {
		return b.cut(name)
	}
	began := time.Now()
	err := caught(compare)
	if err != nil && b.interrupted() {
		return b.cut(name)
	}
	return b.record(name, err, time.Since(began))
}

// End closes the bench, which is the last check and is made after an interruption,
// too.
func (b *Bench) End() {
	began := time.Now()
	err := b.Close()
	b.record("bench is empty again", err, time.Since(began))
}

// caught makes an error of a panic, whose first line a report can hold.
func caught(compare func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return compare()
}

func (b *Bench) record(name string, found error, took time.Duration) bool {
	c := report.Check{Name: name, Verdict: report.Passed, Seconds: took.Round(time.Millisecond).Seconds()}
	if found != nil {
		c.Verdict, c.Detail = report.Failed, found.Error()
		b.Say("failed  %s: %s", c.Name, c.Detail)
	}
	b.report.Checks = append(b.report.Checks, c)
	return found == nil
}

// cut records a comparison that an interruption prevented. Nothing is printed:
// there may be hundreds.
func (b *Bench) cut(name string) bool {
	b.report.Checks = append(b.report.Checks, report.Check{Name: name, Verdict: report.Unavailable, Detail: report.Cut})
	return false
}

func (b *Bench) interrupted() bool {
	select {
	case <-b.stopped:
		return true
	default:
		return false
	}
}

// NotRun records a comparison that could not be made here, and why. It neither
// passes nor fails the lane.
func (b *Bench) NotRun(name, reason string) {
	if b.interrupted() {
		b.cut(name)
		return
	}
	b.report.Checks = append(b.report.Checks, report.Check{Name: name, Verdict: report.Unavailable, Detail: "not run here: " + reason})
	b.Say("not run  %s: %s", name, reason)
}

// Pin records something the verdict depends on, with digests of its content where
// there are such: "sha256:…", "gitCommit:…".
func (b *Bench) Pin(name, value string, digests ...string) {
	b.report.Pins = append(b.report.Pins, report.Pin{Name: name, Value: value, Digests: digests})
}

// Plant declares a secret that the lane puts into a capture: it may stand
// nowhere in the report.
func (b *Bench) Plant(secret string) { b.secrets = append(b.secrets, secret) }

// Secrets are those planted so far.
func (b *Bench) Secrets() []string { return b.secrets }
