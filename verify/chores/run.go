package chores

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// House is the workspace with its two modules.
type House struct{ Root string }

// rea is the folder of the product module.
func (h House) rea() string { return filepath.Join(h.Root, "rea") }

// alone makes a module stand on its own, as if there were no go.work.
const alone = "GOWORK=off"

// command is one tool with what differs from the usual: a folder and an
// environment.
type command struct {
	dir  string
	env  []string
	args []string
}

func (c command) cmd(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), c.env...)
	return cmd
}

func (c command) String() string {
	return strings.Join(append(append([]string{}, c.env...), c.args...), " ")
}

// run says what it runs and lets the tool's own output through.
func (c command) run(ctx context.Context) error { return c.tee(ctx, io.Discard) }

// tee is run with a copy of the standard output.
func (c command) tee(ctx context.Context, output io.Writer) error {
	fmt.Printf("== %s (in %s)\n", c, filepath.Base(c.dir))
	cmd := c.cmd(ctx)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if output != io.Discard {
		cmd.Stdout = io.MultiWriter(os.Stdout, output)
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", c, err)
	}
	return nil
}

// output gives what the tool prints, by lines.
func (c command) output(ctx context.Context) ([]string, error) {
	cmd := c.cmd(ctx)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", c, err, stderr.Bytes())
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' || r == '\r' }), nil
}

// all runs every command, also past a failure, and gives the first error: one
// run shows a developer everything that is wrong.
func all(ctx context.Context, commands ...command) error {
	var first error
	for _, c := range commands {
		if err := c.run(ctx); err != nil && first == nil {
			first = err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return first
}

func (h House) workbench(args ...string) command { return command{h.Root, nil, args} }
func (h House) product(args ...string) command   { return command{h.rea(), []string{alone}, args} }
