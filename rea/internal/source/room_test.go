package source

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

// newRoom makes a room in a temporary directory of the test's own.
func newRoom(t *testing.T) *Room {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	room, err := NewRoom()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { room.Close() })
	return room
}

func absent(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there (%v)", path, err)
	}
}

func TestRoomIsPrivate(t *testing.T) {
	room := newRoom(t)
	info, err := os.Lstat(room.Path())
	if err != nil || info.Mode() != os.ModeDir|0o700 {
		t.Fatalf("the room is %v (%v), want drwx------", info.Mode(), err)
	}
	if ok, _ := filepath.Match(filepath.Join(os.Getenv("TMPDIR"), "rea-web-capture-*"), room.Path()); !ok {
		t.Errorf("the room is at %s", room.Path())
	}
	f, err := room.Create("reply.json")
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := f.Stat(); info.Mode() != 0o600 {
		t.Errorf("a file of the room has mode %v, want -rw-------", info.Mode())
	}
	if unlinksOpenFiles {
		absent(t, f.Name())
	}
}

func TestRoomLeavesNothing(t *testing.T) {
	room := newRoom(t)
	f, err := room.Create("capture.snapshot")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(room.Path(), "conf", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := room.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	absent(t, room.Path())
	if _, err := f.Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("writing after Close gives %v, want a closed file", err)
	}
	if err := room.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
}

func TestUnlinkKeepsFilesUsable(t *testing.T) {
	if !unlinksOpenFiles {
		t.Log("this system removes open files only when they are closed")
		return
	}
	room := newRoom(t)
	f, err := room.Create("capture.snapshot")
	if err != nil {
		t.Fatal(err)
	}
	if err := room.Unlink(); err != nil {
		t.Fatal(err)
	}
	absent(t, room.Path())
	if _, err := f.WriteAt([]byte("still here"), 0); err != nil {
		t.Errorf("writing after Unlink: %v", err)
	}
	got := make([]byte, 10)
	if _, err := f.ReadAt(got, 0); err != nil || string(got) != "still here" {
		t.Errorf("reading after Unlink: %q, %v", got, err)
	}
	if err := room.Close(); err != nil {
		t.Errorf("Close after Unlink: %v", err)
	}
}

// A room whose name now leads somewhere that cannot be removed: the path of a
// room below a plain file is the portable spelling that root obeys too.
func TestCloseNamesWhatRemains(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	room := &Room{path: filepath.Join(plain, "room")}
	if runtime.GOOS == "windows" {
		t.Log("Windows calls such a path absent")
		return
	}
	err := room.Close()
	var residue *Residue
	if !errors.As(err, &residue) || len(residue.Paths) != 1 || residue.Paths[0] != room.path {
		t.Fatalf("Close gives %v, want the room's path as residue", err)
	}
}

func TestContentsAreBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 2 * residuePaths {
		if err := os.WriteFile(filepath.Join(dir, string(rune('A'+i%26))+string(rune('a'+i/26))), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := contents(dir); len(got) != residuePaths-1 {
		t.Errorf("%d paths are named, want %d", len(got), residuePaths-1)
	}
}

// The owner of an abandoned room is simulated by dropping its mark, which is
// all that the system does when a process is killed.
func TestSweepTakesOnlyAbandonedRooms(t *testing.T) {
	living := newRoom(t)
	abandoned, err := NewRoom()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"script.py", HeldPrefix + "har"} {
		if _, err := abandoned.Put(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	parent := filepath.Dir(living.Path())
	for _, name := range []string{"someone-elses", roomPrefix + "3"} {
		if err := os.Mkdir(filepath.Join(parent, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(parent, roomPrefix+"1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// Somebody's own folders that are called like a room: by the name alone, and
	// by the name and the mode.
	for _, path := range []string{roomPrefix + "notes", roomPrefix + "20310301"} {
		if err := os.Mkdir(filepath.Join(parent, path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(parent, path, "important.txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// And one full of files that are called like a held one.
	full := filepath.Join(parent, roomPrefix+"20310302")
	if err := os.Mkdir(full, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * len(ours) {
		if err := os.WriteFile(filepath.Join(full, HeldPrefix+strconv.Itoa(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(living.Path(), filepath.Join(parent, roomPrefix+"2")); err != nil {
		t.Fatal(err)
	}

	sweep(parent)
	if _, err := os.Lstat(abandoned.Path()); err != nil {
		t.Fatalf("a room in use was swept: %v", err)
	}
	abandoned.owner.Close()
	for _, f := range abandoned.files {
		f.Close()
	}

	next, err := NewRoom()
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	absent(t, abandoned.Path())
	for _, name := range []string{filepath.Base(living.Path()), "someone-elses", roomPrefix + "3", roomPrefix + "1", roomPrefix + "2",
		roomPrefix + "notes/important.txt", roomPrefix + "20310301/important.txt", filepath.Base(full) + "/" + HeldPrefix + "1"} {
		if _, err := os.Lstat(filepath.Join(parent, name)); err != nil {
			t.Errorf("the sweep touched %s: %v", name, err)
		}
	}
}

func TestSweepTriesBoundedlyMany(t *testing.T) {
	parent := t.TempDir()
	for i := range sweepRooms + 3 {
		if err := os.Mkdir(filepath.Join(parent, roomPrefix+strconv.Itoa(i)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sweep(parent)
	left, err := os.ReadDir(parent)
	if err != nil || len(left) != 3 {
		t.Errorf("%d rooms are left (%v), want 3", len(left), err)
	}
}

func TestRoomForAnotherProgram(t *testing.T) {
	room := newRoom(t)
	path, err := room.Put("script", []byte("content"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "content" {
		t.Errorf("%q, %v", b, err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("the file is %v (%v)", info.Mode(), err)
	}
	folder, err := room.Folder("configuration")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(folder); err != nil || info.Mode() != os.ModeDir|0o700 {
		t.Errorf("the folder is %v (%v)", info.Mode(), err)
	}
	if _, err := room.Put("script", nil); err == nil {
		t.Error("a file is written over")
	}
	if _, err := room.Folder("configuration"); err == nil {
		t.Error("a folder is made twice")
	}
	f, err := room.Create("reply")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("still there"); err != nil {
		t.Error(err)
	}
	if err := room.Close(); err != nil {
		t.Error(err)
	}
	absent(t, room.Path())
}
