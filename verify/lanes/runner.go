package lanes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"rea.example/verify/bench"
	"rea.example/verify/product"
)

// runner runs the product with a temporary folder of its own, which must be empty
// after every run. It runs one command at a time.
type runner struct {
	product *product.Product
	temp    string
}

func newRunner(b *bench.Bench, name string) (*runner, error) {
	temp := filepath.Join(b.Temp, name)
	if err := os.Mkdir(temp, 0o700); err != nil {
		return nil, err
	}
	p := *b.Product
	p.Env = append(p.Env, "TMPDIR="+temp, "TMP="+temp, "TEMP="+temp)
	return &runner{&p, temp}, nil
}

// inspect reads a capture.
func (r *runner) inspect(ctx context.Context, path, format string, args ...string) (product.Output, error) {
	return r.run(ctx, append([]string{"inspect-web-network-capture", path, format}, args...)...)
}

// sample writes the sample of a format to path.
func (r *runner) sample(ctx context.Context, format, path string) error {
	out, err := r.run(ctx, "sample", format, "--write", path)
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("`rea sample %s` ended with status %d: %s", format, out.Exit, lastLine(out.Stderr))
	}
	return err
}

// look takes a view of the Evidence in a file.
func (r *runner) look(ctx context.Context, evidence, view string) (product.Output, error) {
	return r.run(ctx, "inspect-analysis-view", "--evidence", evidence, "--view", view, "--json")
}

func (r *runner) run(ctx context.Context, args ...string) (product.Output, error) {
	out, err := r.product.Run(ctx, args...)
	if err != nil {
		return out, err
	}
	left, err := os.ReadDir(r.temp)
	if err != nil {
		return out, err
	}
	if len(left) > 0 {
		return out, fmt.Errorf("the product left %d files behind, first %q", len(left), left[0].Name())
	}
	return out, nil
}
