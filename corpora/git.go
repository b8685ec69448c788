package corpora

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// ErrUnavailable says that a repository, its commit or a fetched corpus is not to
// be had. Errors that wrap it name the reason.
var ErrUnavailable = errors.New("corpus is unavailable")

// clone is a bare repository that holds no more than what is needed of one commit.
type clone struct{ dir string }

// git runs git in the clone. It asks nobody for a password, and gives up on a
// connection that delivers next to nothing.
func (c clone) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-c", "protocol.version=2", // lets any object be asked for by its id
		"-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
	}, args...)...)
	cmd.Dir = c.dir
	cmd.Env = append(environment(), "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "LC_ALL=C", "GIT_DIR="+c.dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, reason(stderr.String()))
	}
	return out, nil
}

// environment is the caller's, less what would make git work on another
// repository, as it is set in a hook.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{
			"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
			"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_COMMON_DIR",
		}, name)
	})
}

// reason is the line of git's complaint that names the cause.
func reason(stderr string) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	for _, line := range lines {
		if rest, ok := strings.CutPrefix(line, "fatal: "); ok {
			return rest
		}
	}
	return lines[len(lines)-1]
}

// fetch makes the clone and gets the commit with its trees. The contents of files
// stay where they are until they are asked for, if the other side can do that.
func (c clone) fetch(ctx context.Context, from, commit string) error {
	for _, args := range [][]string{
		{"init", "--quiet", "--bare"},
		{"config", "extensions.partialClone", "origin"},
		{"config", "core.repositoryFormatVersion", "1"},
		{"config", "remote.origin.url", from},
		{"config", "remote.origin.promisor", "true"},
		{"config", "remote.origin.partialCloneFilter", "blob:none"},
	} {
		if _, err := c.git(ctx, args...); err != nil {
			return fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
	}
	_, err := c.git(ctx, "fetch", "--quiet", "--no-tags", "--depth=1", "--filter=blob:none", "origin", commit)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// entry is a file in the tree of a commit.
type entry struct{ path, blob string }

// entries lists the plain files of the commit that match, in order.
func (c clone) entries(ctx context.Context, commit string, match func(string) bool) ([]entry, error) {
	out, err := c.git(ctx, "ls-tree", "-r", "-z", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	var list []entry
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		what, name, _ := strings.Cut(line, "\t")
		// mode, type, id
		fields := strings.Fields(what)
		if len(fields) == 3 && strings.HasPrefix(fields[0], "100") && match(name) {
			list = append(list, entry{name, fields[2]})
		}
	}
	return list, nil
}

// content gets one file, from the other side if need be, and checks that it is
// the one that the tree names.
func (c clone) content(ctx context.Context, e entry) ([]byte, error) {
	data, err := c.git(ctx, "cat-file", "blob", e.blob)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnavailable, e.path, err)
	}
	if got := blobID(data); got != e.blob {
		return nil, fmt.Errorf("corpora: %s has git id %s, its commit says %s", e.path, got, e.blob)
	}
	return data, nil
}

// blobID is the name that git gives a content.
func blobID(data []byte) string {
	sum := sha1.New()
	fmt.Fprintf(sum, "blob %d\x00", len(data))
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}
