package report

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-json"
)

// ErrNoLane is the error of Read for JSON that says of no lane that it is its
// report: another document.
var ErrNoLane = errors.New("it names no lane")

// MemberError is the error of Read for a report with a member that no lane writes.
// It says where, and never what was found there.
type MemberError struct {
	Pointer string // such as "/checks/3/verdict"
	Want    string // what would be right, as the end of a sentence: "1", "a time"
}

func (e *MemberError) Error() string { return e.Pointer + " is not " + e.Want }

// verdicts are those that a lane can have, by the status of its report.
var verdicts = map[string][]Verdict{
	running:     {""},
	finished:    {Passed, Failed, Unavailable},
	Interrupted: {"", Failed},
}

// longest is more than a lane can take; its deadline is minutes.
const longest = 7 * 24 * time.Hour

// Read gives the report at path. Its errors are those of the file and of Parse.
func Read(path string) (Report, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Report{}, fmt.Errorf("report: %w", err)
	}
	return Parse(data)
}

// Parse reads a report. Its errors are a word on where it is no JSON, ErrNoLane, and
// a MemberError.
func Parse(data []byte) (Report, error) {
	r, err := decode(data)
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return Report{}, fmt.Errorf("report: %w", err)
	}
	return r, nil
}

func decode(data []byte) (Report, error) {
	var document any
	if err := json.Unmarshal(data, &document); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return Report{}, fmt.Errorf("it is no JSON from byte %d on", syntax.Offset)
		}
		return Report{}, errors.New("it is no JSON")
	}
	members, _ := document.(map[string]any)
	if lane, ok := members["lane"]; !ok || lane == "" {
		return Report{}, ErrNoLane
	}
	var r Report
	err := json.Unmarshal(data, &r)
	var of *json.UnmarshalTypeError
	var at *time.ParseError
	switch {
	case errors.As(err, &of):
		return r, &MemberError{"/" + strings.ReplaceAll(of.Field, ".", "/"), "of its type"}
	case errors.As(err, &at):
		return r, &MemberError{"/started or /finished", "a time"}
	case err != nil:
		return r, errors.New("a member is not of its type")
	}
	return r, nil
}

// check looks at what decides how a report is shown.
func (r Report) check() error {
	fits, ok := verdicts[r.Status]
	switch {
	case r.Schema != version:
		return &MemberError{"/schema", fmt.Sprintf("%d: another version of the bench made it", version)}
	case strings.TrimSpace(strings.TrimPrefix(r.Lane, Prefix)) == "":
		return &MemberError{"/lane", "the name of a lane"}
	case !ok:
		return &MemberError{"/status", "running, finished or interrupted"}
	case !slices.Contains(fits, r.Verdict):
		return &MemberError{"/verdict", "one of a lane that is " + r.Status}
	case (r.Finished == nil) != (r.Status == running):
		return &MemberError{"/finished", "as /status says"}
	case r.Started.IsZero():
		return &MemberError{"/started", "a time"}
	case r.Finished != nil && (r.Finished.Before(r.Started) || r.Finished.Sub(r.Started) > longest):
		return &MemberError{"/finished", "within a week after /started"}
	}
	for i, c := range r.Checks {
		if member, want := c.wrong(); member != "" {
			return &MemberError{fmt.Sprintf("/checks/%d/%s", i, member), want}
		}
	}
	if (r.Verdict == Failed) != slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Verdict == Failed }) {
		return &MemberError{"/verdict", "what /checks say"}
	}
	return nil
}

// wrong names the first member that no lane writes, and what would be right.
func (c Check) wrong() (member, want string) {
	switch {
	case strings.TrimSpace(c.Name) == "":
		return "name", "the name of a check"
	case !slices.Contains(verdicts[finished], c.Verdict):
		return "verdict", "passed, failed or unavailable"
	case c.Seconds < 0 || c.Seconds > longest.Seconds():
		return "seconds", "from 0 to those of a week"
	}
	return "", ""
}
