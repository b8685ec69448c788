package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Root is the folder that holds go.work, found from the present directory
// upward: a compiled bench runs wherever its caller stands.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return RootFrom(dir)
}

// RootFrom is Root for a given directory.
func RootFrom(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		if isFile(filepath.Join(at, "go.work")) && isFile(filepath.Join(at, "rea", "go.mod")) {
			return at, nil
		}
		if filepath.Dir(at) == at {
			return "", fmt.Errorf("workspace: no go.work beside rea/go.mod at or above %s", dir)
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// CacheDir is Cache for a folder, which is made.
func CacheDir(elem ...string) (string, error) {
	path, err := Cache(elem...)
	if err == nil {
		err = os.MkdirAll(path, 0o755)
	}
	return path, err
}

// Cache is a path under the workbench's own cache folder. Its parent folders
// are made; the path itself is not.
func Cache(elem ...string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", errors.Join(errors.New("workspace: this user has no cache folder"), err)
	}
	path := filepath.Join(append([]string{base, "rea-workbench"}, elem...)...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, nil
}
