package supply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// NPM gives the files of node_modules as npm installs them from a package.json and
// its lock, without running any script of theirs. Links, which npm makes for
// commands, are left out.
func NPM(ctx context.Context, manifest, lock []byte, log io.Writer) ([]File, error) {
	sum := sha256.Sum256(slices.Concat(manifest, []byte{0}, lock))
	dir, err := once(filepath.Join("npm", hex.EncodeToString(sum[:8])), func(dir string) error {
		if _, err := exec.LookPath("npm"); err != nil {
			return fmt.Errorf("supply: no npm on this machine")
		}
		for name, data := range map[string][]byte{"package.json": manifest, "package-lock.json": lock} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				return err
			}
		}
		if err := tool(ctx, log, dir, os.Environ(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"); err != nil {
			return fmt.Errorf("supply: npm: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var files []File
	root := os.DirFS(dir)
	err = fs.WalkDir(root, "node_modules", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(root, path)
		files = append(files, File{Name: path, Data: data, Mode: 0o644})
		return err
	})
	return files, err
}
