package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-json"
)

// Verdict is what a lane or one of its checks came to.
type Verdict string

const (
	Passed Verdict = "passed"
	Failed Verdict = "failed"
	// Unavailable is neither: something that the lane needs was not there.
	Unavailable Verdict = "unavailable"
)

const (
	running  = "running"
	finished = "finished"
	// Interrupted is the status of a lane that somebody stopped, and that could
	// still clean up and say so. It has no verdict, unless a check had failed.
	Interrupted = "interrupted"
)

// Prefix is what the name of every lane's target begins with, in the member "lane".
const Prefix = "verify:"

// version is of the format, in the member "schema".
const version = 1

// Cut is the detail of a check that an interruption prevented.
const Cut = "not run: interrupted"

// Report is one run of one lane.
type Report struct {
	Schema      int         `json:"schema"`
	Lane        string      `json:"lane"`    // its target: "verify:web:har"
	Status      string      `json:"status"`  // "running", "finished" or "interrupted"
	Verdict     Verdict     `json:"verdict"` // empty while running, and of a lane that was interrupted
	Reasons     []string    `json:"reasons"` // why it is unavailable, or what interrupted it
	Product     *Product    `json:"product"` // nil before it is built
	Pins        []Pin       `json:"pins"`
	Checks      []Check     `json:"checks"`
	Started     time.Time   `json:"started"`
	Finished    *time.Time  `json:"finished"`
	Environment Environment `json:"environment"`
}

// Product identifies the program that was run.
type Product struct {
	Version string `json:"version"` // as the program itself says
	SHA256  string `json:"sha256"`  // of the executable
}

// Pin is one thing the verdict depends on, as that thing itself reports it.
type Pin struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Digests name the content where that can be done exactly: "sha256:…" of each
	// layer of an image, "gitCommit:…" of a corpus. An attestation repeats them.
	Digests []string `json:"digests,omitempty"`
}

// Check is one comparison.
type Check struct {
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"` // unavailable where it was not run here
	Detail  string  `json:"detail,omitempty"`
	Seconds float64 `json:"seconds"` // that it took
}

// Environment is where it ran.
type Environment struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	Go   string `json:"go"`
	CPUs int    `json:"cpus"`
}

// New is a report of a lane that begins now.
func New(lane string) Report {
	return Report{
		Schema: version, Lane: lane, Status: running,
		Reasons: []string{}, Pins: []Pin{}, Checks: []Check{},
		Started: time.Now().UTC(),
		Environment: Environment{
			OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), CPUs: runtime.NumCPU(),
		},
	}
}

// Err is nil for a lane that passed; else it says in one line what it came to.
func (r Report) Err() error {
	if r.Verdict == Passed {
		return nil
	}
	said := slices.Clone(r.Reasons)
	if r.Verdict != "" {
		said = slices.Insert(said, 0, string(r.Verdict))
	}
	return fmt.Errorf("%s: %s", r.Lane, strings.Join(said, "; "))
}

// File is a report's place on disk.
type File struct{ path string }

// Create makes path, which must not exist, and writes r with status "running".
func Create(path string, r Report) (*File, error) {
	data, err := encode(r)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return &File{path}, nil
}

// Path is where the report is.
func (f *File) Path() string { return f.path }

// Finish replaces the running report by r, which it first settles: status
// "finished" unless it was interrupted, the time, and a withheld list of checks
// when one of the secrets is in the bytes. It gives the report as it was published.
// A clock that was set back meanwhile does not end a lane before it began.
func (f *File) Finish(r Report, secrets []string) (Report, error) {
	end := r.Started.Add(max(0, time.Since(r.Started)))
	if r.Status != Interrupted {
		r.Status = finished
	}
	r.Finished = &end
	data, err := encode(r)
	if err != nil {
		return r, err
	}
	if at := leak(data, secrets); at >= 0 {
		r = withheld(r, at)
		if data, err = encode(r); err != nil {
			return r, err
		}
	}
	return r, f.replace(data)
}

func (f *File) replace(data []byte) error {
	next, err := os.CreateTemp(filepath.Dir(f.path), ".report-*")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer os.Remove(next.Name()) // gone already when the rename succeeded
	_, err = next.Write(data)
	err = errors.Join(err, next.Chmod(0o644), next.Close())
	if err == nil {
		err = os.Rename(next.Name(), f.path)
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

func encode(r Report) ([]byte, error) {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return append(data, '\n'), nil
}
