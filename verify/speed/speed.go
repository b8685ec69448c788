package speed

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"

	"rea.example/verify/judge"
	"rea.example/verify/product"
	"rea.example/verify/workspace"
)

// smallRuns is how often the small capture is inspected: its time is short
// enough to be at the mercy of chance.
const smallRuns = 15

// Run makes the captures, times both programs on each and prints a table.
// Without the npm packages it prints the product's figures alone and says so.
func Run(ctx context.Context, root string, rounds int) error {
	if rounds < 1 {
		return errors.New("speed: at least one round")
	}
	p, err := product.Build(ctx, root)
	if err != nil {
		return err
	}
	peer, err := judge.Open(ctx, root)
	if err != nil {
		fmt.Println("no peer to compare with:", err)
	}
	dir, err := workspace.Cache("bench", "captures")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("speed: %w", err)
	}
	fmt.Printf("%s, %d rounds, medians; memory is the peak of every process, added up\n\n", p.Version, rounds)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "capture\tMB\tentries\tfloor s\trea s\tnpm s\tratio\trea CPU s\tnpm CPU s\trea MiB\tnpm MiB\t")
	for _, s := range shapes {
		c, err := compare(ctx, s, dir, p, peer, rounds)
		if err != nil {
			return err
		}
		c.print(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return runSmall(ctx, dir, p)
}

// comparison is what one capture showed.
type comparison struct {
	shape         shape
	bytes         int64
	entries       int
	floor         time.Duration
	product, peer []sample
}

func compare(ctx context.Context, s shape, dir string, p *product.Product, peer *judge.Judge, rounds int) (*comparison, error) {
	capture, output := filepath.Join(dir, "capture.har"), filepath.Join(dir, "output.json")
	defer os.Remove(capture)
	defer os.Remove(output)
	c := &comparison{shape: s}
	var err error
	if c.entries, err = s.create(capture); err != nil {
		return nil, err
	}
	info, err := os.Stat(capture)
	if err != nil {
		return nil, fmt.Errorf("speed: %w", err)
	}
	c.bytes = info.Size()
	for range rounds {
		m, err := measure(inspect(ctx, p, capture), output)
		if err != nil {
			return nil, err
		}
		c.product = append(c.product, m)
		f, err := floor(capture, output, filepath.Join(dir, "copy"))
		if err != nil {
			return nil, err
		}
		if c.floor == 0 || f < c.floor {
			c.floor = f
		}
		if peer == nil {
			continue
		}
		m, err = measure(complete(ctx, peer, capture), output)
		if err != nil {
			return nil, err
		}
		c.peer = append(c.peer, m)
	}
	return c, nil
}

func inspect(ctx context.Context, p *product.Product, capture string) *exec.Cmd {
	return exec.CommandContext(ctx, p.Path, "inspect-web-network-capture", capture, "har", "--json")
}

// complete is the peer, with room for everything: what it needs is part of the
// result.
func complete(ctx context.Context, peer *judge.Judge, capture string) *exec.Cmd {
	return exec.CommandContext(ctx, peer.Executable, "--max-old-space-size=4096", filepath.Join(peer.Dir, "complete.mjs"), capture)
}

// floor is what no program that gives this output can go below: the digest of
// the capture, and the output written once.
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

func (c *comparison) print(w io.Writer) {
	fmt.Fprintf(w, "%s\t%.1f\t%d\t%.3f\t%.3f\t", c.shape.name, float64(c.bytes)/1e6, c.entries,
		c.floor.Seconds(), median(c.product, wall).Seconds())
	if len(c.peer) == 0 {
		fmt.Fprintf(w, "-\t-\t%.2f\t-\t%s\t-\t\n", median(c.product, cpu).Seconds(), mebibytes(median(c.product, peak)))
		return
	}
	ratio := float64(median(c.peer, wall)) / float64(median(c.product, wall))
	fmt.Fprintf(w, "%.3f\t%.1f\t%.2f\t%.2f\t%s\t%s\t\n", median(c.peer, wall).Seconds(), ratio,
		median(c.product, cpu).Seconds(), median(c.peer, cpu).Seconds(),
		mebibytes(median(c.product, peak)), mebibytes(median(c.peer, peak)))
}

func mebibytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(n)/(1<<20))
}

// runSmall prints what a small capture costs, all processes together.
func runSmall(ctx context.Context, dir string, p *product.Product) error {
	capture, output := filepath.Join(dir, "small.har"), filepath.Join(dir, "small.json")
	defer os.Remove(capture)
	defer os.Remove(output)
	if _, err := small.create(capture); err != nil {
		return err
	}
	var samples []sample
	for range smallRuns {
		m, err := measure(inspect(ctx, p, capture), output)
		if err != nil {
			return err
		}
		samples = append(samples, m)
	}
	fmt.Printf("\n%s capture, %d runs: %.1f ms CPU, %.1f ms wall, %s MiB\n", small.name, smallRuns,
		median(samples, cpu).Seconds()*1e3, median(samples, wall).Seconds()*1e3, mebibytes(median(samples, peak)))
	return nil
}
