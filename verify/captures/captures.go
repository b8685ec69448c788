package captures

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Manifest is the name of the table in a corpus folder: tab-separated, first
// line the column names, fields with quotes quoted as in RFC 4180.
const Manifest = "MANIFEST.tsv"

// Variable names the environment variable that holds the absolute path of a
// corpus folder outside the repository.
const Variable = "REA_EXTRA_CORPORA"

// File is one capture.
type File struct {
	Name   string // as the table spells it, slash-separated
	Path   string
	Kind   string // "har", "saz" …
	SHA256 string // hex; of the bytes that were checked
	Bytes  int64
	Note   string // what the table's author expects of a reader
}

// Read gives the captures of one kind in the order of the table, each checked
// against its pinned size and digest.
func Read(dir, kind string) ([]File, error) {
	f, err := os.Open(filepath.Join(dir, Manifest))
	if err != nil {
		return nil, fmt.Errorf("captures: %w", err)
	}
	defer f.Close()
	files, err := parse(f)
	if err != nil {
		return nil, fmt.Errorf("captures: %s: %w", Manifest, err)
	}
	files = slices.DeleteFunc(files, func(f File) bool { return f.Kind != kind })
	for i := range files {
		files[i].Path = filepath.Join(dir, filepath.FromSlash(files[i].Name))
		if err := check(files[i]); err != nil {
			return nil, fmt.Errorf("captures: %s: %w", files[i].Name, err)
		}
	}
	return files, nil
}

func parse(r io.Reader) ([]File, error) {
	table := csv.NewReader(r)
	table.Comma = '\t'
	rows, err := table.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("no line with column names")
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, name := range []string{"kind", "local_file", "sha256", "bytes"} {
		if _, ok := column[name]; !ok {
			return nil, fmt.Errorf("no column %q", name)
		}
	}
	var files []File
	for i, row := range rows[1:] {
		size, err := strconv.ParseInt(row[column["bytes"]], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("row %d: bytes is not a number", i+1)
		}
		name := row[column["local_file"]]
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("row %d: the file lies outside the folder", i+1)
		}
		files = append(files, File{
			Name: name, Kind: row[column["kind"]], SHA256: row[column["sha256"]], Bytes: size,
			Note: row[len(row)-1],
		})
	}
	return files, nil
}

func check(f File) error {
	data, err := os.ReadFile(f.Path)
	if err != nil {
		return err
	}
	if int64(len(data)) != f.Bytes {
		return fmt.Errorf("%d bytes, pinned %d", len(data), f.Bytes)
	}
	if got := Digest(data); got != f.SHA256 {
		return fmt.Errorf("sha256 %s, pinned %s", got, f.SHA256)
	}
	return nil
}

// Digest is the lower-case hex SHA-256 of data.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Folder gives every file below dir with one of the extensions, in name order:
// the captures that a repository commits without a table.
func Folder(dir, kind string, extensions ...string) ([]File, error) {
	var files []File
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(extensions, filepath.Ext(path)) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files = append(files, File{
			Name: filepath.ToSlash(name), Path: path, Kind: kind,
			SHA256: Digest(data), Bytes: int64(len(data)),
		})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("captures: %w", err)
	}
	return files, nil
}
