package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"io"
	"os"

	"rea.example/rea/internal/limits"
)

// Call says which capture is read, and for whom; all but the place only serves
// failures.
type Call struct {
	Operation  string // the public name of the operation
	ProviderID string // the selected format
	Path       string // the capture's absolute path, as failures name it
	Place      string // the path that is opened; "" is Path
}

func (c Call) place() string { return cmp.Or(c.Place, c.Path) }

// Snapshot is the private copy of a capture.
type Snapshot struct {
	File   *os.File // for reading alone; belongs to the room; its offset is unspecified
	Bytes  int64
	SHA256 [sha256.Size]byte
}

// SnapshotName is the copy's name in its room.
const SnapshotName = "capture.snapshot"

// state is what tells one file, at one moment, from another, and from itself
// after a change. Times are in the system's finest unit.
type state struct {
	device, file      uint64
	size              int64
	modified, changed int64
	regular           bool
}

// file is what reading needs of an open capture.
type file interface {
	io.ReadCloser
	look() (state, error)
}

// capture is the file that the system gives.
type capture struct{ *os.File }

func (c capture) look() (state, error) { return look(c.File) }

// reader is Read with its two contacts to the file system in the open, so that
// tests can let the world change between them.
type reader struct {
	lookAt func(path string) (state, error)
	open   func(path string) (file, error)
}

// Read copies the capture that call names into room and gives its digest. Every
// error is a *failure.Failure. No more than limits.CaptureBytes are ever read,
// and a larger file is refused unopened.
func Read(ctx context.Context, call Call, room *Room) (*Snapshot, error) {
	r := reader{
		lookAt: lookAt,
		open: func(path string) (file, error) {
			f, err := openSource(path)
			return capture{f}, err
		},
	}
	return r.read(ctx, call, room)
}

func (r reader) read(ctx context.Context, call Call, room *Room) (*Snapshot, error) {
	if ctx.Err() != nil {
		return nil, call.cancelled()
	}
	seen, err := r.lookAt(call.place())
	switch {
	case isAbsent(err):
		return nil, call.missing(err)
	case err != nil:
		return nil, call.unreadable(err)
	case !seen.regular:
		return nil, call.notRegular()
	case seen.size > limits.CaptureBytes:
		return nil, call.tooLarge(seen.size)
	}

	src, err := r.open(call.place())
	switch {
	case isReplaced(err):
		return nil, call.changed("the file was replaced before it was opened")
	case err != nil:
		return nil, call.unreadable(err)
	}
	defer src.Close()
	opened, err := src.look()
	switch {
	case err != nil:
		return nil, call.unreadable(err)
	case opened != seen:
		return nil, call.changed("the opened file is not the file that was checked")
	}

	writing, reading, err := room.CreateFor(SnapshotName)
	if err != nil {
		return nil, call.Unwritable(err)
	}
	snapshot := &Snapshot{File: reading}
	if err := snapshot.fill(ctx, call, src, writing, opened.size); err != nil {
		return nil, err
	}
	if err := writing.Close(); err != nil {
		return nil, call.Unwritable(err)
	}

	after, err := src.look()
	if err != nil {
		return nil, call.unreadable(err)
	}
	named, err := r.lookAt(call.place())
	switch {
	case isReplaced(err):
		return nil, call.changed("the file was moved away while it was read")
	case err != nil:
		return nil, call.unreadable(err)
	case after != opened || snapshot.Bytes != opened.size:
		return nil, call.changed("the file was written to while it was read")
	case named != opened:
		return nil, call.changed("the file was replaced while it was read")
	}
	return snapshot, nil
}

// blockBytes is how much is read, hashed and written at a time.
const blockBytes = 1 << 20

// fill copies src, expected to hold size bytes, into the file of s. The digest of a block
// is computed beside the writing of it and the reading of the next. One byte
// beyond size is asked for: more is not needed to see that the file grew.
func (s *Snapshot) fill(ctx context.Context, call Call, src io.Reader, to io.Writer, size int64) error {
	digest := sha256.New()
	hashed := make(chan struct{}, 1)
	hashed <- struct{}{}
	src = io.LimitReader(src, size+1)
	var blocks [2][]byte
	for turn := 0; ; turn ^= 1 {
		if ctx.Err() != nil {
			return call.cancelled()
		}
		if blocks[turn] == nil {
			blocks[turn] = make([]byte, min(size+1-s.Bytes, blockBytes))
		}
		n, err := io.ReadFull(src, blocks[turn])
		ended := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !ended {
			return call.unreadable(err)
		}
		block := blocks[turn][:n]
		<-hashed
		go func() {
			digest.Write(block)
			hashed <- struct{}{}
		}()
		if _, err := to.Write(block); err != nil {
			return call.Unwritable(err)
		}
		s.Bytes += int64(n)
		if ended || s.Bytes > size {
			<-hashed
			digest.Sum(s.SHA256[:0])
			return nil
		}
	}
}
