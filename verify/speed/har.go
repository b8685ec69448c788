package speed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"rea.example/verify/judge"
)

// manyRuns is how often a command is run that is so short as to be at the mercy
// of chance.
const manyRuns = 15

// har compares the product with the npm packages that define the strict profile,
// wired for the same job, and weighs a capture of everyday size.
func har(ctx context.Context, b *bench) ([]row, error) {
	peer, err := judge.Open(ctx, b.root)
	if err != nil {
		b.missing("the npm packages", err)
	}
	var rows []row
	for _, s := range shapes {
		fmt.Fprintln(b.say, "  "+s.name)
		capture := b.file("capture.har")
		entries, err := s.create(capture)
		if err != nil {
			return nil, err
		}
		var theirs func() *exec.Cmd
		if peer != nil {
			theirs = func() *exec.Cmd {
				// Room for everything: what it needs is part of the result.
				return exec.CommandContext(ctx, peer.Executable, "--max-old-space-size=4096", filepath.Join(peer.Dir, "complete.mjs"), capture)
			}
		}
		product, others, err := b.duel(func() *exec.Cmd { return b.inspect(ctx, capture, "har") }, theirs)
		if err != nil {
			return nil, err
		}
		floor, err := b.floor(capture)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row{
			job: fmt.Sprintf("HAR of 32 MiB, %d entries, %s, complete", entries, s.name), peer: "the npm packages",
			ours: medians(product), theirs: medians(others), goal: "10×, 256 MiB", floor: floor,
		})
	}
	everyday, err := b.everyday(ctx)
	return append(rows, everyday), err
}

// everyday is what a small capture costs, all processes together.
func (b *bench) everyday(ctx context.Context) (row, error) {
	capture := b.file("small.har")
	entries, err := small.create(capture)
	if err != nil {
		return row{}, err
	}
	samples, err := b.repeat(manyRuns, func() *exec.Cmd { return b.inspect(ctx, capture, "har") })
	return row{job: fmt.Sprintf("HAR of 100 KB, %d entries, complete", entries), ours: medians(samples), goal: "60 ms CPU"}, err
}

// repeat measures one command so many times.
func (b *bench) repeat(times int, command func() *exec.Cmd) ([]sample, error) {
	var samples []sample
	for range times {
		s, err := measure(command(), b.file("output"))
		if err != nil {
			return nil, err
		}
		samples = append(samples, s)
	}
	return samples, nil
}

// floor is what no program that gives the last output of the product can go
// below: the digest of the capture, and that output written once. It is the
// least of the rounds.
func (b *bench) floor(capture string) (least time.Duration, err error) {
	for range b.rounds {
		d, err := floor(capture, b.file("output"), b.file("copy"))
		if err != nil {
			return 0, err
		}
		if least == 0 || d < least {
			least = d
		}
	}
	return least, nil
}

func floor(capture, output, copied string) (time.Duration, error) {
	document, err := os.ReadFile(output)
	if err != nil {
		return 0, fmt.Errorf("speed: %w", err)
	}
	defer os.Remove(copied)
	began := time.Now()
	f, err := os.Open(capture)
	if err != nil {
		return 0, fmt.Errorf("speed: %w", err)
	}
	defer f.Close()
	if _, err := io.Copy(sha256.New(), f); err != nil {
		return 0, fmt.Errorf("speed: %w", err)
	}
	if err := os.WriteFile(copied, document, 0o644); err != nil {
		return 0, fmt.Errorf("speed: %w", err)
	}
	return time.Since(began), nil
}
