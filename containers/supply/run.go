package supply

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"rea.example/verify/workspace"
)

// tool runs a program with its words going to log, and puts the last of them
// into the error.
func tool(ctx context.Context, log io.Writer, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, env
	var words tail
	cmd.Stdout = io.MultiWriter(log, &words)
	cmd.Stderr = cmd.Stdout
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return fmt.Errorf("%s: %w\n%s", name, err, words.text)
	}
	return nil
}

// tail keeps the last of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if over := len(t.text) - 4096; over > 0 {
		t.text = slices.Delete(t.text, 0, over)
	}
	return len(p), nil
}

// once gives the folder of that name below the cache folder, made by fill if it
// is not there yet. Two that fill it at once each work in a folder of their own;
// the first to finish wins.
func once(name string, fill func(dir string) error) (string, error) {
	dir, err := workspace.Cache("containers", name)
	if err != nil {
		return "", err
	}
	if isDir(dir) {
		return dir, nil
	}
	draft, err := os.MkdirTemp(filepath.Dir(dir), ".draft-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(draft)
	if err := fill(draft); err != nil {
		return "", err
	}
	if err := os.Rename(draft, dir); err != nil && !isDir(dir) {
		return "", err
	}
	return dir, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// python finds a Python that has pip.
func python(ctx context.Context) (string, error) {
	var tried []string
	for _, name := range []string{"python3", "python"} {
		out, err := exec.CommandContext(ctx, name, "-m", "pip", "--version").CombinedOutput()
		if err == nil {
			return name, nil
		}
		tried = append(tried, fmt.Sprintf("%s: %v %s", name, err, bytes.TrimSpace(out)))
	}
	return "", errors.New("supply: no Python with pip on this machine (" + strings.Join(tried, "; ") + ")")
}

// pipEnvironment is the caller's, less a setting that adds packages from another
// place than the index.
func pipEnvironment() []string {
	return append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "PIP_FIND_LINKS=")
	}), "PIP_DISABLE_PIP_VERSION_CHECK=1")
}
