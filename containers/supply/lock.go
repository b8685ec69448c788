package supply

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Python is the version of Python that wheels are chosen for.
const Python = "3.13"

// Requirement is one line of a lock: a package, its version, and the SHA-256 of
// every wheel that will do, one for each architecture at most.
type Requirement struct {
	Name, Version string
	Hashes        []string // lower-case hex
}

var (
	pinned = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;]+)$`)
	hashed = regexp.MustCompile(`^--hash=sha256:([0-9a-f]{64})$`)
)

// ParseLock reads a requirements file in which every package has an exact version
// and at least one hash. Anything else that pip would take is refused here.
func ParseLock(text []byte) ([]Requirement, error) {
	joined := strings.ReplaceAll(string(text), "\\\n", " ")
	var list []Requirement
	for i, line := range strings.Split(joined, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		pin := pinned.FindStringSubmatch(fields[0])
		if pin == nil {
			return nil, fmt.Errorf("supply: requirement %d: %q is not name==version", i+1, fields[0])
		}
		r := Requirement{Name: pin[1], Version: pin[2]}
		for _, f := range fields[1:] {
			hash := hashed.FindStringSubmatch(f)
			if hash == nil {
				return nil, fmt.Errorf("supply: %s: %q is no SHA-256 hash", r.Name, f)
			}
			r.Hashes = append(r.Hashes, hash[1])
		}
		if len(r.Hashes) == 0 {
			return nil, fmt.Errorf("supply: %s has no hash", r.Name)
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("supply: the lock names no package")
	}
	return list, nil
}

// FormatLock is the text that ParseLock reads, in the order of names.
func FormatLock(list []Requirement) []byte {
	var b bytes.Buffer
	b.WriteString("# Made by `go tool mage containers:lock`; every wheel of every architecture by its digest.\n")
	for _, r := range slices.SortedFunc(slices.Values(list), func(a, b Requirement) int { return strings.Compare(a.Name, b.Name) }) {
		fmt.Fprintf(&b, "%s==%s", r.Name, r.Version)
		for _, h := range slices.Sorted(slices.Values(r.Hashes)) {
			fmt.Fprintf(&b, " \\\n    --hash=sha256:%s", h)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// architectures are those that wheels are locked for: Go's name and the wheel
// platform's.
var architectures = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// target makes pip choose for a Linux of an architecture, whatever runs pip.
func target(arch string) []string {
	args := []string{
		"--only-binary=:all:", "--python-version", Python,
		"--implementation", "cp", "--abi", "cp" + strings.ReplaceAll(Python, ".", ""), "--abi", "abi3", "--abi", "none",
	}
	for _, p := range []string{"manylinux_2_28_", "manylinux_2_17_", "manylinux2014_"} {
		args = append(args, "--platform", p+architectures[arch])
	}
	return append(args, "--platform", "any")
}

// Resolve asks the index which wheels a requirement such as "aioquic==1.5.0" needs
// on each architecture. The versions must be the same on all.
func Resolve(ctx context.Context, requirement string, log io.Writer) ([]Requirement, error) {
	py, err := python(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]*Requirement{}
	for _, arch := range slices.Sorted(maps.Keys(architectures)) {
		dir, err := os.MkdirTemp("", "rea-wheels-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		args := append([]string{"-m", "pip", "download", "--quiet", "-d", dir}, target(arch)...)
		if err := tool(ctx, log, dir, pipEnvironment(), py, append(args, requirement)...); err != nil {
			return nil, fmt.Errorf("supply: %w", err)
		}
		if err := merge(found, dir); err != nil {
			return nil, err
		}
	}
	var list []Requirement
	for _, r := range found {
		list = append(list, *r)
	}
	return list, nil
}

// merge adds the wheels that one architecture needs to what the others needed.
func merge(found map[string]*Requirement, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		hash := hex.EncodeToString(sum[:])
		// A wheel's file name begins with distribution and version.
		parts := strings.Split(e.Name(), "-")
		if len(parts) < 5 {
			return fmt.Errorf("supply: %s is not the name of a wheel", e.Name())
		}
		name := strings.ToLower(strings.ReplaceAll(parts[0], "_", "-"))
		have := found[name]
		switch {
		case have == nil:
			found[name] = &Requirement{Name: name, Version: parts[1], Hashes: []string{hash}}
		case have.Version != parts[1]:
			return fmt.Errorf("supply: %s is %s on one architecture and %s on another", name, have.Version, parts[1])
		case !slices.Contains(have.Hashes, hash):
			have.Hashes = append(have.Hashes, hash)
		}
	}
	return nil
}
