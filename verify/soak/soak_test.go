package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"rea.example/verify/report"
)

// as is a part that ends so, and notes the time it was given.
func as(name string, err error, given *[]time.Duration) part {
	return part{name, func(_ context.Context, _ Options, d time.Duration) error {
		*given = append(*given, d)
		return err
	}}
}

func TestPartsShareTheTimeAndRunPastAFailure(t *testing.T) {
	var given []time.Duration
	broken := errors.New("found something")
	var log strings.Builder
	o := Options{For: 30 * time.Second, Seed: 7, Log: &log}
	err := run(t.Context(), o, []part{as("a", broken, &given), as("b", fmt.Errorf("%w: nobody", errAbsent), &given), as("c", nil, &given)})
	if !errors.Is(err, broken) || errors.Is(err, errAbsent) {
		t.Errorf("error %v", err)
	}
	if len(given) != 3 || given[0] != 10*time.Second || given[2] != 10*time.Second {
		t.Errorf("times %v", given)
	}
	for _, want := range []string{"seed 7", "a: failed", "b: unavailable: nobody", "c: nothing found"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not said:\n%s", want, log.String())
		}
	}
}

func TestComparingNothingIsNoSuccess(t *testing.T) {
	var given []time.Duration
	o := Options{For: time.Second, Log: io.Discard}
	if err := run(t.Context(), o, []part{as("a", errAbsent, &given), as("b", errAbsent, &given)}); err == nil {
		t.Error("two missing judges are a success")
	}
	if err := run(t.Context(), o, []part{as("a", errAbsent, &given), as("b", nil, &given)}); err != nil {
		t.Error(err)
	}
}

func TestPartsAreChosenByName(t *testing.T) {
	if got, err := choose(parts, []string{"fuzz", "har"}); err != nil || len(got) != 2 || got[0].name != "fuzz" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := choose(parts, nil); err != nil || len(got) != len(parts) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := choose(parts, []string{"saz"}); err == nil {
		t.Error("a part that is not there is chosen")
	}
}

func TestOnlyAPassedReportIsASuccess(t *testing.T) {
	if err := verdict(report.Report{Verdict: report.Passed}, "x"); err != nil {
		t.Error(err)
	}
	if err := verdict(report.Report{Verdict: report.Unavailable, Reasons: []string{"no engine"}}, "x"); !errors.Is(err, errAbsent) || !strings.Contains(err.Error(), "no engine") {
		t.Errorf("%v", err)
	}
	if err := verdict(report.Report{Verdict: report.Failed}, "there"); err == nil || errors.Is(err, errAbsent) || !strings.Contains(err.Error(), "there") {
		t.Errorf("%v", err)
	}
}
