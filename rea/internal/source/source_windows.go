package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

const unlinksOpenFiles = false

// own marks a fresh room as in use: an open handle that does not share
// deletion keeps a sweep from renaming it, and ends with its owner.
func own(path string) (*os.File, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errTaken
	}
	return f, err
}

// disown removes the room at path if its owner is gone, and says whether it was
// a room to look at. The rename is the proof: it fails while anybody holds the
// directory or a file in it.
func disown(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	claimed := path + ".gone"
	if os.Rename(path, claimed) == nil {
		_ = os.RemoveAll(claimed) // what resists stays for the next sweep
	}
	return true
}

const shareAll = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE

// unfollowed opens what a path itself names, be it a link.
const unfollowed = windows.FILE_FLAG_OPEN_REPARSE_POINT | windows.FILE_FLAG_BACKUP_SEMANTICS

// lookAt describes the file at path without following a link.
func lookAt(path string) (state, error) {
	h, err := open(path, windows.FILE_READ_ATTRIBUTES)
	if err != nil {
		return state{}, err
	}
	defer windows.CloseHandle(h)
	return describe(h)
}

// look describes an open file.
func look(f *os.File) (state, error) { return describe(windows.Handle(f.Fd())) }

func describe(h windows.Handle) (state, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &info); err != nil {
		return state{}, err
	}
	// FILE_BASIC_INFO: creation, access, write and change time, attributes.
	var basic struct {
		created, accessed, written, changed int64
		attributes                          uint32
		_                                   uint32
	}
	err := windows.GetFileInformationByHandleEx(h, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic)))
	if err != nil {
		return state{}, err
	}
	kind, err := windows.GetFileType(h)
	if err != nil {
		return state{}, err
	}
	const notRegular = windows.FILE_ATTRIBUTE_DIRECTORY | windows.FILE_ATTRIBUTE_REPARSE_POINT | windows.FILE_ATTRIBUTE_DEVICE
	return state{
		device:   uint64(info.VolumeSerialNumber),
		file:     uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow),
		size:     int64(info.FileSizeHigh)<<32 | int64(info.FileSizeLow),
		modified: basic.written,
		changed:  basic.changed,
		regular:  kind == windows.FILE_TYPE_DISK && info.FileAttributes&notRegular == 0,
	}, nil
}

func open(path string, access uint32) (windows.Handle, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return windows.InvalidHandle, err
	}
	return windows.CreateFile(name, access, shareAll, nil, windows.OPEN_EXISTING, unfollowed, 0)
}

// openSource opens path for reading; what took a file's place is opened
// unfollowed and shows as not regular.
func openSource(path string) (*os.File, error) {
	h, err := open(path, windows.GENERIC_READ)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}

// systemCode names err in the words that the public contract uses everywhere.
func systemCode(err error) string {
	var errno windows.Errno
	switch {
	case isAbsent(err):
		return "ENOENT"
	case isDenied(err):
		return "EACCES"
	case errors.As(err, &errno):
		return fmt.Sprintf("ERROR_%d", uint32(errno))
	}
	return "unknown"
}

func isAbsent(err error) bool   { return errors.Is(err, fs.ErrNotExist) }
func isReplaced(err error) bool { return isAbsent(err) }
func isDenied(err error) bool   { return errors.Is(err, fs.ErrPermission) }

// isUnavailable says that the system had no means to do it, or not now, which
// is another thing than a device that fails.
func isUnavailable(err error) bool {
	for _, code := range []error{
		windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_TOO_MANY_OPEN_FILES,
		windows.ERROR_NOT_ENOUGH_MEMORY, windows.ERROR_DISK_FULL, windows.ERROR_NOT_READY,
	} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}
