package chores

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// fuzzTarget is one target of one package.
type fuzzTarget struct {
	module        func(...string) command
	pkg, function string
}

// run fuzzes for a time ("10s") or a number of runs ("500x").
func (f fuzzTarget) run(ctx context.Context, amount string) error {
	var said bytes.Buffer
	err := f.module("go", "test", "-run=^$", "-fuzz=^"+f.function+"$", "-fuzztime="+amount, f.pkg).tee(ctx, &said)
	if err != nil && ctx.Err() == nil && onlyLate(said.String()) {
		fmt.Println("its time was over in the middle of a run; nothing was found")
		return nil
	}
	return err
}

// onlyLate says whether go test failed for nothing but its own clock: up to Go
// 1.26 a worker that is at work when -fuzztime ends may be reported as a failure of
// the target (go.dev/issue/75804). What finds something says more than that.
func onlyLate(said string) bool {
	late := false
	failed := false
	for line := range strings.Lines(said) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "--- FAIL:"):
			failed = true
		case !failed, line == "FAIL", line == "exit status 1", strings.HasPrefix(line, "FAIL\t"):
		case line == "context deadline exceeded":
			late = true
		default:
			return false
		}
	}
	return late
}

// fuzzTargets lists those of both modules.
func (h House) fuzzTargets(ctx context.Context) ([]fuzzTarget, error) {
	var targets []fuzzTarget
	for _, module := range []func(...string) command{h.workbench, h.product} {
		packages, err := module("go", "list", "./...").output(ctx)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			lines, err := module("go", "test", "-list=^Fuzz", p).output(ctx)
			if err != nil {
				return nil, err
			}
			for _, line := range lines {
				if strings.HasPrefix(line, "Fuzz") {
					targets = append(targets, fuzzTarget{module, p, line})
				}
			}
		}
	}
	return targets, nil
}

// Fuzz runs every fuzz target of both modules for the given time each, one after
// the other: a target has the machine to itself.
func (h House) Fuzz(ctx context.Context, each time.Duration) error {
	targets, err := h.fuzzTargets(ctx)
	if err != nil {
		return err
	}
	return fuzz(ctx, targets, each.String())
}

// FuzzTimes gives every target so many runs. Where a failure decides, it is the
// better bound: a target that is at work when its time is over may be reported
// as failed by the go command.
func (h House) FuzzTimes(ctx context.Context, runs int) error {
	targets, err := h.fuzzTargets(ctx)
	if err != nil {
		return err
	}
	return fuzz(ctx, targets, strconv.Itoa(runs)+"x")
}

// FuzzFor divides a time among the targets.
func (h House) FuzzFor(ctx context.Context, total time.Duration) error {
	targets, err := h.fuzzTargets(ctx)
	if err != nil || len(targets) == 0 {
		return err
	}
	each := share(total, len(targets))
	fmt.Printf("%d targets, %s for each\n", len(targets), each)
	return fuzz(ctx, targets, each.String())
}

// share is a part of the time in whole seconds, one at least.
func share(total time.Duration, parts int) time.Duration {
	return max(time.Second, (total / time.Duration(parts)).Truncate(time.Second))
}

// fuzz goes on behind a target that found something.
func fuzz(ctx context.Context, targets []fuzzTarget, amount string) error {
	var errs []error
	for _, t := range targets {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
		if err := t.run(ctx, amount); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
