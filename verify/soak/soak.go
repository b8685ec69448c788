package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"rea.example/verify/chores"
	"rea.example/verify/lane"
	"rea.example/verify/lanes"
	"rea.example/verify/report"
)

// Options say how long and what.
type Options struct {
	Root string
	For  time.Duration // for all parts together
	Seed uint64        // of the first comparison; 0 takes the clock's
	Only []string      // names of parts; none means all
	Log  io.Writer
}

// part runs for a time.
type part struct {
	name string
	run  func(ctx context.Context, o Options, d time.Duration) error
}

var parts = []part{{"har", in(lanes.SoakHAR)}, {"mitmproxy", in(lanes.SoakMitmproxy)}, {"fuzz", fuzz}}

// errAbsent says that there was nobody to ask.
var errAbsent = errors.New("unavailable")

// Run divides the time among the parts, which run one after the other, and tells
// at the end what each of them came to. It goes on behind a part that failed.
func Run(ctx context.Context, o Options) error {
	chosen, err := choose(parts, o.Only)
	if err != nil {
		return err
	}
	if o.Seed == 0 {
		o.Seed = uint64(time.Now().Unix())
	}
	return run(ctx, o, chosen)
}

func run(ctx context.Context, o Options, chosen []part) error {
	each := o.For / time.Duration(len(chosen))
	fmt.Fprintf(o.Log, "seed %d, %s for each of %d parts\n", o.Seed, each.Round(time.Second), len(chosen))
	var errs []error
	absent := 0
	for _, p := range chosen {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
		switch err := p.run(ctx, o, each); {
		case errors.Is(err, errAbsent):
			absent++
			fmt.Fprintf(o.Log, "%s: %s\n", p.name, err)
		case err != nil:
			errs = append(errs, fmt.Errorf("soak: %s: %w", p.name, err))
			fmt.Fprintf(o.Log, "%s: failed\n", p.name)
		default:
			fmt.Fprintf(o.Log, "%s: nothing found\n", p.name)
		}
	}
	if absent == len(chosen) {
		errs = append(errs, errors.New("soak: nothing was compared"))
	}
	return errors.Join(errs...)
}

func choose(all []part, names []string) ([]part, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []part
	for _, name := range names {
		at := slices.IndexFunc(all, func(p part) bool { return p.name == name })
		if at < 0 {
			return nil, fmt.Errorf("soak: there is no part %q", name)
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}

// perReport bounds one run of a lane, which has a deadline of its own.
const perReport = 10 * time.Minute

// seedsPerReport is more than a lane gets through in that time.
const seedsPerReport = 1 << 20

// in runs a lane for as long as the part has, in several reports if need be.
func in(soaking func(end time.Time, seed uint64) lane.Lane) func(context.Context, Options, time.Duration) error {
	return func(ctx context.Context, o Options, d time.Duration) error {
		end := time.Now().Add(d)
		for seed := o.Seed; ; seed += seedsPerReport {
			until := end
			if most := time.Now().Add(perReport); most.Before(until) {
				until = most
			}
			r, path, err := soaking(until, seed).Start(ctx, lane.Options{Root: o.Root, Log: o.Log})
			if err != nil {
				return err
			}
			if err := verdict(r, path); err != nil {
				return err
			}
			if !time.Now().Before(end) {
				return nil
			}
		}
	}
}

func verdict(r report.Report, path string) error {
	switch r.Verdict {
	case report.Passed:
		return nil
	case report.Unavailable:
		return fmt.Errorf("%w: %s", errAbsent, strings.Join(r.Reasons, "; "))
	}
	return fmt.Errorf("%s, see %s", r.Verdict, path)
}

func fuzz(ctx context.Context, o Options, d time.Duration) error {
	return chores.House{Root: o.Root}.FuzzFor(ctx, d)
}
