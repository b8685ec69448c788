//go:build unix

package source

import (
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"rea.example/rea/internal/failure"
)

func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }

// A socket cannot even be opened.
func TestSocketTakesThePlace(t *testing.T) {
	path := write(t, []byte("{}"))
	r := between(func() error {
		if err := os.Remove(path); err != nil {
			return err
		}
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		t.Cleanup(func() { unix.Close(fd) })
		return unix.Bind(fd, &unix.SockaddrUnix{Name: path})
	}, nil)
	_, err := r.read(t.Context(), call(path), newRoom(t))
	if f := failure.As(err); f == nil || f.Code != failure.ArtifactChanged {
		t.Fatalf("got %v, want artifact_changed", err)
	}
}

// A link that takes the file's place is not even opened: what it leads to might
// act on being opened.
func TestLinksAreNotFollowed(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link.har")
	if err := os.Symlink(write(t, []byte("{}")), link); err != nil {
		t.Fatal(err)
	}
	if f, err := openSource(link); err == nil || !isReplaced(err) {
		t.Errorf("opening a link gives %v, %v", f, err)
	}
}

// Rooms of other users are theirs. Only root can make one for somebody else.
func TestSweepKeepsToItsUser(t *testing.T) {
	parent := t.TempDir()
	other := filepath.Join(parent, roomPrefix+"other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	owner := os.Geteuid()
	if owner == 0 {
		owner = 65534
		if err := os.Chown(other, owner, -1); err != nil {
			t.Fatal(err)
		}
	}
	sweep(parent)
	_, err := os.Lstat(other)
	if swept := err != nil; swept != (owner == os.Geteuid()) {
		t.Errorf("uid %d sweeps a room of uid %d: %v", os.Geteuid(), owner, swept)
	}
}

func TestRefusedRead(t *testing.T) {
	open := write(t, []byte("{}"))
	for _, dir := range []string{filepath.Dir(open), filepath.Dir(filepath.Dir(open))} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	shut := filepath.Join(filepath.Dir(open), "shut")
	if err := os.Mkdir(shut, 0o755); err != nil {
		t.Fatal(err)
	}
	hidden := filepath.Join(shut, "capture.har")
	if err := os.WriteFile(hidden, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(shut, 0o700) })

	for name, path := range map[string]string{"the file": open, "its directory": hidden} {
		t.Run(name, func(t *testing.T) {
			room := newRoom(t)
			var err error
			ordinarily(t, func() { _, err = Read(t.Context(), call(path), room) })
			f := failure.As(err)
			if f == nil || f.Code != failure.AccessDenied || f.Retryable() {
				t.Fatalf("got %v, want access_denied", err)
			}
			want := map[string]any{
				"operation": "inspect_web_network_capture", "path": path,
				"system_code": "EACCES", "boundary": "filesystem-read",
			}
			if !reflect.DeepEqual(f.Details, want) {
				t.Errorf("details are %v, want %v", f.Details, want)
			}
		})
	}
}
