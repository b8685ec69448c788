package source

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// roomPrefix begins the name of every room, so that a person who finds one
// knows whose it is, and so that sweep does.
const roomPrefix = "rea-web-capture-"

// The sweep is a courtesy and must stay cheap: a crowded temporary directory
// is looked at only so far, and only so many rooms are tried.
const (
	sweepEntries = 4096
	sweepRooms   = 32
)

// residuePaths is how many left-over paths a Residue names.
const residuePaths = 32

// Room is a private directory, mode 0700 under os.TempDir, in which the files
// of one call live.
type Room struct {
	path  string
	owner *os.File // tells other processes that this room is in use
	files []*os.File
}

// Residue is the error of a room that could not be removed wholly.
type Residue struct {
	Paths []string // what is still there, the room itself first
}

func (r *Residue) Error() string {
	return "private files remain: " + strings.Join(r.Paths, ", ")
}

// NewRoom makes a room, and removes rooms whose owner was killed.
func NewRoom() (*Room, error) {
	parent, err := filepath.Abs(os.TempDir())
	if err != nil {
		return nil, err
	}
	sweep(parent)
	for range 8 {
		path, err := os.MkdirTemp(parent, roomPrefix)
		if err != nil {
			return nil, err
		}
		// A sweep of another process may take the directory before it is
		// marked as owned; that room is lost, and the next one is tried.
		owner, err := own(path)
		if err == nil {
			return &Room{path: path, owner: owner}, nil
		}
		if !errors.Is(err, errTaken) {
			return nil, errors.Join(err, os.RemoveAll(path))
		}
	}
	return nil, errTaken
}

// errTaken says that a sweep was faster than the owner.
var errTaken = errors.New("the private directory was taken away")

// Path is the room's absolute path. Nothing is there after Unlink.
func (r *Room) Path() string { return r.path }

// Create makes a new file, mode 0600, for reading and writing, and takes its name
// away at once where the system can remove an open file: whoever is given the
// descriptor keeps it, and nothing is left behind however the processes of the
// call end. The room closes it at the latest when it is closed itself.
func (r *Room) Create(name string) (*os.File, error) {
	f, err := r.named(name)
	if err != nil || !unlinksOpenFiles {
		return f, err
	}
	return f, os.Remove(f.Name())
}

// CreateFor is Create for a file that one fills and another reads: whoever is given
// the descriptor for reading can't write by it.
func (r *Room) CreateFor(name string) (writing, reading *os.File, err error) {
	if writing, err = r.named(name); err != nil {
		return nil, nil, err
	}
	if reading, err = os.Open(writing.Name()); err != nil {
		return nil, nil, err
	}
	r.files = append(r.files, reading)
	if unlinksOpenFiles {
		err = os.Remove(writing.Name())
	}
	return writing, reading, err
}

func (r *Room) named(name string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(r.path, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	r.files = append(r.files, f)
	return f, nil
}

// Put makes a new file with content, mode 0600, that keeps its name, and gives
// its path.
func (r *Room) Put(name string, content []byte) (path string, err error) {
	f, err := r.named(name)
	if err == nil {
		_, err = f.Write(content)
	}
	return filepath.Join(r.path, name), err
}

// Folder makes a new directory, mode 0700, and gives its path.
func (r *Room) Folder(name string) (path string, err error) {
	path = filepath.Join(r.path, name)
	return path, os.Mkdir(path, 0o700)
}

// Kept is the content of a file that outlives its room.
type Kept interface {
	io.ReaderAt
	io.Closer
}

// Keep takes a file of the room out of its care, so that its content can be read
// after the room is closed, when nothing of it has a name any more. Where the
// system can't remove open files the content moves into memory.
func (r *Room) Keep(f *os.File) (Kept, error) {
	r.files = slices.DeleteFunc(r.files, func(g *os.File) bool { return g == f })
	if unlinksOpenFiles {
		return f, nil
	}
	defer f.Close()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	return memory{bytes.NewReader(b)}, err
}

// memory is content that no file holds.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// Unlink removes the names of the room and of all that is in it, where the
// system can do so under open files: from then on nothing is left behind even
// when every process of the call is killed. A child whose working directory is
// the room keeps working. On Windows it leaves the removal to Close.
func (r *Room) Unlink() error {
	if !unlinksOpenFiles {
		return nil
	}
	return os.RemoveAll(r.path)
}

// Close closes the room's files, removes what has a name, and confirms that
// nothing is left. Its error is a *Residue that names what is. A second call
// looks again.
func (r *Room) Close() error {
	for _, f := range r.files {
		f.Close() // an error, as of a file closed by its user, leaves nothing behind
	}
	r.files = nil
	if r.owner != nil {
		// Held until here, released before: Windows refuses to remove an open
		// directory, elsewhere the name is gone a moment later.
		r.owner.Close()
		r.owner = nil
	}
	// Whether it worked is asked of the file system, not of the removal.
	_ = os.RemoveAll(r.path)
	if _, err := os.Lstat(r.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return &Residue{Paths: append([]string{r.path}, contents(r.path)...)}
}

// contents lists what is below path, as far as it can be seen.
func contents(path string) []string {
	var found []string
	// What cannot be listed is covered by the name of its directory.
	_ = filepath.WalkDir(path, func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if p != path {
			found = append(found, p)
		}
		if len(found) == residuePaths-1 {
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// sweep removes the rooms in parent that nobody owns any more. Whatever goes
// wrong is left for the next sweep: it is not this call's business.
func sweep(parent string) {
	dir, err := os.Open(parent)
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(sweepEntries)
	tried := 0
	for _, name := range names {
		path := filepath.Join(parent, name)
		if tried < sweepRooms && isRoomName(name) && holdsOnlyOurs(path) && disown(path) {
			tried++
		}
	}
}

// isRoomName says whether a name is one that NewRoom gives.
func isRoomName(name string) bool {
	digits, ok := strings.CutPrefix(name, roomPrefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// HeldPrefix begins the name that callers of a room may choose themselves, for one
// file of it.
const HeldPrefix = "sample."

// ours are the other names that a room's files and folders have.
var ours = []string{SnapshotName, "reply", "upstream.reply", "configuration", "script.py"}

// holdsOnlyOurs says whether a directory holds nothing but what a room can hold:
// whatever else is called like a room is somebody's own.
func holdsOnlyOurs(path string) bool {
	dir, err := os.Open(path)
	if err != nil {
		return false
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(len(ours) + 2)
	others := slices.DeleteFunc(names, func(name string) bool { return slices.Contains(ours, name) })
	// More than these was not read to its end.
	return len(others) == 0 || len(others) == 1 && strings.HasPrefix(others[0], HeldPrefix)
}
