package speed

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed peers/*.py
var scripts embed.FS

// script puts one of the peers' scripts into the run's folder.
func (b *bench) script(name string) (path string, err error) {
	data, err := scripts.ReadFile("peers/" + name)
	if err != nil {
		return "", fmt.Errorf("speed: %w", err)
	}
	path = b.file(name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return "", fmt.Errorf("speed: %w", err)
	}
	return path, nil
}

// python is the interpreter itself: what the search path finds first may be a
// shell script that looks for it, and takes longer than the job.
func python(ctx context.Context) (string, error) {
	for _, name := range []string{"python3", "python"} {
		out, err := exec.CommandContext(ctx, name, "-I", "-c", "import sys; print(sys.executable)").Output()
		if path := strings.TrimSpace(string(out)); err == nil && filepath.IsAbs(path) {
			return path, nil
		}
	}
	return "", errors.New("no python3 on this machine")
}

// rival is the command of a script on a capture, or nil where there is no Python.
func (b *bench) rival(ctx context.Context, name, capture string) (func() *exec.Cmd, error) {
	script, err := b.script(name)
	if err != nil {
		return nil, err
	}
	interpreter, err := python(ctx)
	if err != nil {
		b.missing(name, err)
		return nil, nil
	}
	return func() *exec.Cmd { return exec.CommandContext(ctx, interpreter, "-I", script, capture) }, nil
}

// oneAndAll measures one record selected, and complete Evidence.
func (b *bench) oneAndAll(ctx context.Context, capture, format, script, peer, job string) ([]row, error) {
	one, err := b.against(ctx, capture, format, script, "--record", "0")
	if err != nil {
		return nil, err
	}
	all, err := b.against(ctx, capture, format, script)
	one.job, all.job = job+", one selected", job+", complete"
	for _, r := range []*row{&one, &all} {
		r.peer, r.goal = peer, "faster"
	}
	return []row{one, all}, err
}

// against runs the product and a script on a capture in turn.
func (b *bench) against(ctx context.Context, capture, format, script string, more ...string) (row, error) {
	theirs, err := b.rival(ctx, script, capture)
	if err != nil {
		return row{}, err
	}
	product, peer, err := b.duel(func() *exec.Cmd { return b.inspect(ctx, capture, format, more...) }, theirs)
	if err != nil {
		return row{}, err
	}
	floor, err := b.floor(capture)
	return row{ours: medians(product), theirs: medians(peer), floor: floor}, err
}
