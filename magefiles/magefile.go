//go:build mage

// The workbench of rea: `go tool mage -l` lists what it does.
package main

import (
	"context"
	"os"
	"strings"
	"time"

	//mage:import containers
	_ "rea.example/containers/targets"
	//mage:import corpora
	_ "rea.example/corpora/targets"
	//mage:import verify
	_ "rea.example/verify/targets"

	"rea.example/verify/chores"
	"rea.example/verify/lane"
	"rea.example/verify/lanes"
	"rea.example/verify/round"
	"rea.example/verify/soak"
	"rea.example/verify/speed"
	"rea.example/verify/workspace"
)

// Build compiles both modules, with and without go.work, and the program into the cache folder.
func Build(ctx context.Context) error { return in(ctx, chores.House.Build) }

// Test builds and tests both modules.
func Test(ctx context.Context) error { return in(ctx, chores.House.Test) }

// Lint checks format, vet for every system, and the linters of .golangci.yml.
func Lint(ctx context.Context) error { return in(ctx, chores.House.Lint) }

// Floors checks who imports whom.
func Floors(ctx context.Context) error { return in(ctx, chores.House.Floors) }

// Fuzz runs every fuzz target of both modules.
func Fuzz(
	ctx context.Context,
	each *time.Duration, // time for each target; else 10s
	runs *int, // a number of runs for each target, in place of a time
) error {
	return in(ctx, func(h chores.House, ctx context.Context) error {
		if runs != nil {
			return h.FuzzTimes(ctx, *runs)
		}
		return h.Fuzz(ctx, or(each, 10*time.Second))
	})
}

// Bench times the product and others at the same jobs, and prints a table in Markdown.
func Bench(
	ctx context.Context,
	rounds *int, // how often each command is run; else 3
	only *string, // parts, with commas between: har, mitmproxy, saz, qlog, views; else all
) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	return speed.Run(ctx, root, speed.Options{Rounds: or(rounds, 3), Only: list(only)})
}

// Soak goes on for a time with comparisons and fuzz targets that are otherwise short.
func Soak(
	ctx context.Context,
	during *time.Duration, // for all parts together; else 30m
	only *string, // parts, with commas between: har, mitmproxy, fuzz; else all
	seed *int, // of the first comparison, as an earlier run printed it; else the clock's
) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	return soak.Run(ctx, soak.Options{Root: root, For: or(during, 30*time.Minute), Only: list(only), Seed: uint64(or(seed, 0)), Log: os.Stdout})
}

// Verify runs every lane that needs nothing of the caller's, side by side.
func Verify(
	ctx context.Context,
	allowUnavailable *string, // names of lanes that may be unavailable, with commas between
	attest *string, // private key in PEM that signs what each report says
	jobs *int, // lanes at a time; else one for each processor
	reports *string, // folder for the reports, named after their lanes; else fresh names in the cache folder
) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	return round.Round{
		Lanes: lanes.All, Jobs: or(jobs, 0), Dir: or(reports, ""),
		Options: lane.Options{Root: root, Log: os.Stdout, Attest: or(attest, "")},
	}.Verify(ctx, list(allowUnavailable))
}

func in(ctx context.Context, chore func(chores.House, context.Context) error) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	return chore(chores.House{Root: root}, ctx)
}

// list splits a text at its commas.
func list(given *string) []string {
	if given == nil {
		return nil
	}
	return strings.Split(*given, ",")
}

func or[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}
