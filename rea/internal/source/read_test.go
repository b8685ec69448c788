package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
)

func write(t *testing.T, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "capture.har")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func call(path string) Call {
	return Call{Operation: "inspect_web_network_capture", ProviderID: "har", Path: path}
}

// pattern is n bytes in which no two blocks are alike.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return b
}

func TestSnapshotEqualsTheFile(t *testing.T) {
	for _, size := range []int{0, 1, 100_000, blockBytes - 1, blockBytes, blockBytes + 1, 2 * blockBytes, 5*blockBytes + 17} {
		content := pattern(size)
		room := newRoom(t)
		got, err := Read(t.Context(), call(write(t, content)), room)
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		copied := make([]byte, size)
		if _, err := got.File.ReadAt(copied, 0); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		info, _ := got.File.Stat()
		if got.Bytes != int64(size) || info.Size() != int64(size) || !bytes.Equal(copied, content) {
			t.Errorf("%d bytes: the copy differs", size)
		}
		if got.SHA256 != sha256.Sum256(content) {
			t.Errorf("%d bytes: the digest differs", size)
		}
		if filepath.Dir(got.File.Name()) != room.Path() || info.Mode() != 0o600 {
			t.Errorf("%d bytes: the copy is %s, %v", size, got.File.Name(), info.Mode())
		}
		if _, err := got.File.WriteAt([]byte("x"), 0); !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EBADF) {
			t.Errorf("%d bytes: whoever reads the copy can write to it: %v", size, err)
		}
	}
}

func TestCaptureSizeLimit(t *testing.T) {
	path := write(t, nil)
	if err := os.Truncate(path, limits.CaptureBytes); err != nil {
		t.Fatal(err)
	}
	got, err := Read(t.Context(), call(path), newRoom(t))
	if err != nil || got.Bytes != limits.CaptureBytes {
		t.Fatalf("a capture of exactly the limit: %v", err)
	}
	if got.SHA256 != sha256.Sum256(make([]byte, limits.CaptureBytes)) {
		t.Error("the digest of the largest capture differs")
	}

	if err := os.Truncate(path, limits.CaptureBytes+1); err != nil {
		t.Fatal(err)
	}
	_, err = Read(t.Context(), call(path), newRoom(t))
	f := wantIssue(t, err, failure.OutOfRange)
	if want := map[string]any{"maximum_capture_bytes": int64(33554432)}; !reflect.DeepEqual(f.Issues[0].Expected, want) {
		t.Errorf("expected is %v, want %v", f.Issues[0].Expected, want)
	}
	if !strings.Contains(f.Message, "33554433") {
		t.Errorf("the message %q hides the actual size", f.Message)
	}
}

func wantIssue(t *testing.T, err error, reason failure.Reason) *failure.Failure {
	t.Helper()
	f := failure.As(err)
	if f == nil || f.Code != failure.InvalidRequest || len(f.Issues) != 1 {
		t.Fatalf("got %v, want one issue", err)
	}
	if is := f.Issues[0]; is.Reason != reason || !reflect.DeepEqual(is.Path, []any{"capture_path"}) {
		t.Fatalf("the issue is %v at %v, want %v at capture_path", is.Reason, is.Path, reason)
	}
	if f.Action == "" {
		t.Error("the failure has no remediation")
	}
	return f
}

func TestOnlyExistingRegularFiles(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real.har")
	link := filepath.Join(dir, "link.har")
	pipe := filepath.Join(dir, "pipe.har")
	circle := filepath.Join(dir, "circle")
	if err := errors.Join(os.WriteFile(real, []byte("{}"), 0o600), os.Symlink(real, link), os.Symlink(circle, circle), makePipe(pipe)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		reason     failure.Reason
		says       string
	}{
		{"missing", filepath.Join(dir, "nothing.har"), failure.InvalidValue, "ENOENT"},
		{"below a file", filepath.Join(real, "x.har"), failure.InvalidValue, "ENOTDIR"},
		{"of an endless name", filepath.Join(dir, strings.Repeat("a", 300)), failure.InvalidValue, "ENAMETOOLONG"},
		{"below a circle of links", filepath.Join(circle, "x.har"), failure.InvalidValue, "ELOOP"},
		{"symbolic link", link, failure.InvalidFormat, "regular file"},
		{"directory", dir, failure.InvalidFormat, "regular file"},
		{"pipe", pipe, failure.InvalidFormat, "regular file"},
		{"device", os.DevNull, failure.InvalidFormat, "regular file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(t.Context(), call(c.path), newRoom(t))
			f := wantIssue(t, err, c.reason)
			if !strings.Contains(f.Message, c.says) || !strings.Contains(f.Message, c.path) {
				t.Errorf("the message %q lacks %q or the path", f.Message, c.says)
			}
		})
	}
}

// watched lets a test act inside the reading of a real file.
type watched struct {
	file
	onRead func() error
}

func (w *watched) Read(p []byte) (int, error) {
	if w.onRead != nil {
		act := w.onRead
		w.onRead = nil
		if err := act(); err != nil {
			return 0, err
		}
	}
	return w.file.Read(p)
}

// between is Read with an act between the first look and the opening, and one
// before the first byte is read.
func between(beforeOpen, onRead func() error) reader {
	return reader{lookAt: lookAt, open: func(path string) (file, error) {
		if beforeOpen != nil {
			if err := beforeOpen(); err != nil {
				return nil, err
			}
		}
		f, err := openSource(path)
		return &watched{capture{f}, onRead}, err
	}}
}

func TestChangesAreNoticed(t *testing.T) {
	const size = 3 * blockBytes
	replace := func(path string) error {
		other := path + ".new"
		return errors.Join(os.WriteFile(other, pattern(size), 0o600), os.Rename(other, path))
	}
	appendTo := func(path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("x")
		return errors.Join(err, f.Close())
	}
	overwrite := func(path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteAt([]byte("y"), size-1)
		// A clock that has not moved on since the file was made would hide an
		// overwriting in place; any later moment is as good.
		return errors.Join(err, f.Close(), os.Chtimes(path, time.Time{}, time.Unix(1, 1)))
	}
	becomes := func(make func(string) error) func(string) error {
		return func(path string) error { return errors.Join(os.Remove(path), make(path)) }
	}
	acts := map[string]func(path string) error{
		"replaced":         replace,
		"removed":          os.Remove,
		"grown":            appendTo,
		"truncated":        func(path string) error { return os.Truncate(path, 10) },
		"emptied":          func(path string) error { return os.Truncate(path, 0) },
		"overwritten":      overwrite,
		"now a pipe":       becomes(makePipe),
		"now a directory":  becomes(func(p string) error { return os.Mkdir(p, 0o700) }),
		"now a link":       becomes(func(p string) error { return os.Symlink(os.DevNull, p) }),
		"now a link chain": becomes(func(p string) error { return os.Symlink(p, p) }),
	}
	for name, act := range acts {
		for _, when := range []string{"before opening", "while reading"} {
			t.Run(name+" "+when, func(t *testing.T) {
				path := write(t, pattern(size))
				doing := func() error { return act(path) }
				r := between(doing, nil)
				if when == "while reading" {
					r = between(nil, doing)
				}
				_, err := r.read(t.Context(), call(path), newRoom(t))
				f := failure.As(err)
				if f == nil || f.Code != failure.ArtifactChanged || !f.Retryable() {
					t.Fatalf("got %v, want artifact_changed", err)
				}
				reason, _ := f.Details["reason"].(string)
				want := map[string]any{
					"operation": "inspect_web_network_capture", "path": path,
					"reason": reason, "boundary": "stable-artifact-read",
				}
				if reason == "" || !reflect.DeepEqual(f.Details, want) {
					t.Errorf("details are %v, want %v", f.Details, want)
				}
			})
		}
	}
}

// A file that never stops growing is read one byte beyond its size, no more.
func TestGrowthIsNotFollowed(t *testing.T) {
	path := write(t, pattern(100))
	var read int64
	r := reader{lookAt: lookAt, open: func(path string) (file, error) {
		f, err := openSource(path)
		return &endless{capture{f}, &read}, err
	}}
	_, err := r.read(t.Context(), call(path), newRoom(t))
	if f := failure.As(err); f == nil || f.Code != failure.ArtifactChanged {
		t.Fatalf("got %v, want artifact_changed", err)
	}
	if read != 101 {
		t.Errorf("%d bytes were read of a file of 100, want 101", read)
	}
}

type endless struct {
	file
	read *int64
}

func (e *endless) Read(p []byte) (int, error) {
	*e.read += int64(len(p))
	return len(p), nil
}

func TestReadFailures(t *testing.T) {
	at := func(err error) map[string]reader {
		return map[string]reader{
			"first look": {lookAt: func(string) (state, error) { return state{}, err }},
			"open":       between(func() error { return err }, nil),
			"read":       between(nil, func() error { return err }),
		}
	}
	for _, c := range []struct {
		err  syscall.Errno
		code string
		kind string
	}{
		{syscall.EIO, "EIO", "io"},
		{syscall.EMFILE, "EMFILE", "unavailable"},
	} {
		path := write(t, []byte("{}"))
		for where, r := range at(&os.PathError{Op: "read", Path: path, Err: c.err}) {
			t.Run(c.code+" at "+where, func(t *testing.T) {
				_, err := r.read(t.Context(), call(path), newRoom(t))
				f := failure.As(err)
				if f == nil || f.Code != failure.ExecutionFailure {
					t.Fatalf("got %v, want execution_failure", err)
				}
				reason := "reading the capture failed (" + c.code + ")"
				want := map[string]any{
					"provider_id": "har", "operation": "inspect_web_network_capture",
					"diagnostics": map[string]any{
						"phase": "capture-read", "capture_path": path, "reason": reason, "failure_kind": c.kind,
					},
				}
				if !reflect.DeepEqual(f.Details, want) {
					t.Errorf("details are %v, want %v", f.Details, want)
				}
			})
		}
	}
}

func TestCopyCannotBeWritten(t *testing.T) {
	room := newRoom(t)
	if _, err := room.Put(SnapshotName, nil); err != nil {
		t.Fatal(err)
	}
	_, err := Read(t.Context(), call(write(t, []byte("{}"))), room)
	f := failure.As(err)
	if f == nil || f.Code != failure.ExecutionFailure || !strings.Contains(f.Message, "private copy") {
		t.Fatalf("got %v, want an execution_failure about the private copy", err)
	}
}

func TestCancelledRead(t *testing.T) {
	path := write(t, pattern(3*blockBytes))
	ctx, cancel := context.WithCancel(t.Context())
	opened := false
	for name, r := range map[string]reader{
		"before":  between(func() error { opened = true; return nil }, nil),
		"reading": between(nil, func() error { cancel(); return nil }),
	} {
		c := ctx
		if name == "before" {
			done, stop := context.WithCancel(t.Context())
			stop()
			c = done
		}
		_, err := r.read(c, call(path), newRoom(t))
		f := failure.As(err)
		want := map[string]any{"operation": "inspect_web_network_capture", "cleanup": "complete"}
		if f == nil || f.Code != failure.Cancelled || !reflect.DeepEqual(f.Details, want) {
			t.Errorf("%s: got %v, want cancelled", name, err)
		}
	}
	if opened {
		t.Error("a cancelled call opened the capture")
	}
}

func TestReadingLeavesTheCaptureAlone(t *testing.T) {
	path := write(t, []byte(`{"log":{}}`))
	before, _ := lookAt(path)
	if _, err := Read(t.Context(), call(path), newRoom(t)); err != nil {
		t.Fatal(err)
	}
	if after, _ := lookAt(path); after != before {
		t.Errorf("the capture was %v and is %v", before, after)
	}
}
