package speed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"rea.example/verify/product"
	"rea.example/verify/workspace"
)

// Options say what to measure.
type Options struct {
	Rounds int      // how often each command is run
	Only   []string // names of parts; none means all
}

// part measures one thing that the product does, and gives the table's rows.
type part struct {
	name string
	run  func(context.Context, *bench) ([]row, error)
}

var parts = []part{{"har", har}, {"mitmproxy", mitmproxy}, {"saz", saz}, {"qlog", qlog}, {"views", views}}

// bench is what the parts share.
type bench struct {
	root    string
	dir     string // for captures and outputs, removed at the end
	product *product.Product
	rounds  int
	say     io.Writer // progress, and why something is missing
}

// Run measures and prints: what the figures were taken on, and the table.
func Run(ctx context.Context, root string, o Options) (err error) {
	if o.Rounds < 1 {
		return errors.New("speed: at least one round")
	}
	chosen, err := choose(o.Only)
	if err != nil {
		return err
	}
	parent, err := workspace.CacheDir("bench", "captures")
	if err != nil {
		return err
	}
	folder, err := workspace.Private(parent, "run-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	p, err := product.Build(ctx, root, folder.Path)
	if err != nil {
		return err
	}
	b := &bench{root: root, dir: folder.Path, product: p, rounds: o.Rounds, say: os.Stderr}
	before := loadAverage()
	var rows []row
	for _, part := range chosen {
		fmt.Fprintln(b.say, part.name)
		more, err := part.run(ctx, b)
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	fmt.Printf("%s; %s; medians of %d rounds", p.Version, host(), o.Rounds)
	if before != "" {
		fmt.Printf("; load average %s before, %s after", before, loadAverage())
	}
	fmt.Print("\n\n", table(rows))
	return nil
}

func choose(names []string) ([]part, error) {
	if len(names) == 0 {
		return parts, nil
	}
	var chosen []part
	for _, name := range names {
		at := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if at < 0 {
			return nil, fmt.Errorf("speed: there is no part %q", name)
		}
		chosen = append(chosen, parts[at])
	}
	return chosen, nil
}

// file names a file of this run.
func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

// inspect is the product's command for a capture, with JSON as its output.
func (b *bench) inspect(ctx context.Context, capture, format string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, b.product.Path, append([]string{"inspect-web-network-capture", capture, format, "--json"}, args...)...)
}

// duel runs the product's command and its peer's in turn. Without a peer, the
// product runs alone.
func (b *bench) duel(ours, theirs func() *exec.Cmd) (product, peer []sample, err error) {
	for range b.rounds {
		s, err := measure(ours(), b.file("output"))
		if err != nil {
			return nil, nil, err
		}
		product = append(product, s)
		if theirs == nil {
			continue
		}
		if s, err = measure(theirs(), b.file("peer-output")); err != nil {
			return nil, nil, err
		}
		peer = append(peer, s)
	}
	return product, peer, nil
}

// missing tells why a peer has no figures.
func (b *bench) missing(what string, why error) {
	fmt.Fprintf(b.say, "  no figures of %s: %s\n", what, strings.TrimSpace(why.Error()))
}
