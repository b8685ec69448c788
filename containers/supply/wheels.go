package supply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// File is one file to be put into an image.
type File struct {
	Name string // slash-separated
	Data []byte
	Mode int64
}

// Wheels gives the wheels that a lock names for an architecture as Go spells it,
// fetched with pip unless they are in the cache.
func Wheels(ctx context.Context, lock []byte, arch string, log io.Writer) ([]File, error) {
	list, err := ParseLock(lock)
	if err != nil {
		return nil, err
	}
	if architectures[arch] == "" {
		return nil, fmt.Errorf("supply: no wheels are locked for %s", arch)
	}
	sum := sha256.Sum256(lock)
	dir, err := once(filepath.Join("wheels", hex.EncodeToString(sum[:8])+"-"+arch), func(dir string) error {
		py, err := python(ctx)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, "requirements.lock")
		if err := os.WriteFile(file, lock, 0o644); err != nil {
			return err
		}
		args := append([]string{"-m", "pip", "download", "--quiet", "--require-hashes", "--no-deps", "-d", dir, "-r", file}, target(arch)...)
		if err := tool(ctx, log, dir, pipEnvironment(), py, args...); err != nil {
			return fmt.Errorf("supply: wheels: %w", err)
		}
		return os.Remove(file)
	})
	if err != nil {
		return nil, err
	}
	files, err := readWheels(dir, list)
	if err != nil {
		return nil, fmt.Errorf("%w; remove %s to fetch them again", err, dir)
	}
	return files, nil
}

// readWheels reads a folder that must hold one wheel for each requirement and
// nothing else.
func readWheels(dir string, list []Requirement) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []File
	missing := slices.Clone(list)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		hash := hex.EncodeToString(sum[:])
		at := slices.IndexFunc(missing, func(r Requirement) bool { return slices.Contains(r.Hashes, hash) })
		if at < 0 {
			return nil, fmt.Errorf("supply: %s has SHA-256 %s, which the lock does not name", e.Name(), hash)
		}
		missing = slices.Delete(missing, at, at+1)
		files = append(files, File{Name: e.Name(), Data: data, Mode: 0o644})
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("supply: no wheel of %s==%s", missing[0].Name, missing[0].Version)
	}
	return files, nil
}
