package lanes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"rea.example/verify/bench"
)

// checkManual runs the recipe by which the product's manual lets readers
// recompute an identifier: JavaScript, so a third implementation of the
// canonical form.
func checkManual(ctx context.Context, b *bench.Bench, run *runner) error {
	manual, err := os.ReadFile(filepath.Join(b.Root, "rea", "docs", "web-network-captures.md"))
	if err != nil {
		return err
	}
	b.Check("the manual's recipe recomputes an identifier", func() error {
		script, err := recipe(string(manual))
		if err != nil {
			return err
		}
		out, err := run.product.Run(ctx, "sample", "har", "--json")
		if err != nil {
			return err
		}
		said, err := b.Judge.Node(ctx, script, out.Stdout)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(string(said), "same ev_") {
			return errors.New("it comes to another identifier")
		}
		return nil
	})
	return nil
}

// recipe is the one block of JavaScript in the manual.
func recipe(manual string) (string, error) {
	_, rest, found := strings.Cut(manual, "\n```js\n")
	script, _, closed := strings.Cut(rest, "\n```")
	if !found || !closed || strings.Contains(rest[len(script):], "\n```js\n") {
		return "", errors.New("the manual has no single block of JavaScript")
	}
	return script, nil
}
