package supply

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"rea.example/verify/workspace"
)

// Suite is the Debian that is bootstrapped, the one with Python 3.13.
const Suite = "trixie"

// Mirror names the environment variable with the Debian mirror to bootstrap from;
// without it mmdebstrap's own default is used.
const Mirror = "REA_DEBIAN_MIRROR"

// epoch dates every file of the bootstrapped system, so that the same packages
// give the same bytes.
const epoch = "1767225600" // 2026-01-01

// without leaves out what nothing in a container reads.
var without = []string{"/usr/share/man/*", "/usr/share/locale/*", "/usr/share/doc/*", "/usr/share/info/*"}

// Rootfs is a bootstrapped file system in the cache.
type Rootfs struct {
	Tar      string // path
	Packages string // "name version" lines in the order of names
}

// Debian bootstraps the packages that every image needs, unless the cache has
// them; afresh says not to look there. It takes a minute or two.
func Debian(ctx context.Context, afresh bool, log io.Writer) (Rootfs, error) {
	name := Suite + "-" + runtime.GOARCH
	tar, err := workspace.Cache("containers", "base", name+".tar")
	if err != nil {
		return Rootfs{}, err
	}
	list := filepath.Join(filepath.Dir(tar), name+".packages")
	if packages, err := os.ReadFile(list); err == nil && !afresh {
		if _, err := os.Stat(tar); err == nil {
			return Rootfs{tar, string(packages)}, nil
		}
	}
	if err := canBootstrap(); err != nil {
		return Rootfs{}, err
	}
	draft, err := os.MkdirTemp(filepath.Dir(tar), ".draft-*")
	if err != nil {
		return Rootfs{}, err
	}
	defer os.RemoveAll(draft)
	args := []string{
		"--variant=essential", "--include=python3-venv,nodejs", "--format=tar",
		`--customize-hook=chroot "$1" dpkg-query -W -f '${Package} ${Version}\n' | LC_ALL=C sort > "$REA_PACKAGES"`,
	}
	for _, path := range without {
		args = append(args, "--dpkgopt=path-exclude="+path)
	}
	args = append(args, Suite, filepath.Join(draft, "tar"))
	if m := os.Getenv(Mirror); m != "" {
		args = append(args, m)
	}
	env := append(os.Environ(), "SOURCE_DATE_EPOCH="+epoch, "REA_PACKAGES="+filepath.Join(draft, "packages"))
	if err := tool(ctx, log, draft, env, "mmdebstrap", args...); err != nil {
		return Rootfs{}, fmt.Errorf("supply: %w", err)
	}
	packages, err := os.ReadFile(filepath.Join(draft, "packages"))
	if err != nil {
		return Rootfs{}, err
	}
	// The list goes last: with it, the tar counts as complete.
	err = errors.Join(os.RemoveAll(list), os.Rename(filepath.Join(draft, "tar"), tar))
	if err == nil {
		err = os.Rename(filepath.Join(draft, "packages"), list)
	}
	return Rootfs{tar, string(packages)}, err
}

// canBootstrap says why not.
func canBootstrap() error {
	switch {
	case runtime.GOOS != "linux":
		return errors.New("supply: only a Linux can bootstrap a Debian")
	case os.Geteuid() != 0:
		return errors.New("supply: only root can bootstrap a Debian")
	}
	if _, err := exec.LookPath("mmdebstrap"); err != nil {
		return errors.New("supply: no mmdebstrap here: apt-get install mmdebstrap")
	}
	return nil
}

// Differences names what two lists of packages do not share, as "name had now".
func Differences(had, now string) []string {
	before, after := versions(had), versions(now)
	var list []string
	for _, line := range strings.Split(strings.TrimSpace(had), "\n") {
		name, version, _ := strings.Cut(line, " ")
		if v, ok := after[name]; !ok {
			list = append(list, name+" "+version+" is gone")
		} else if v != version {
			list = append(list, name+" "+version+" is now "+v)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(now), "\n") {
		if name, version, _ := strings.Cut(line, " "); before[name] == "" {
			list = append(list, name+" "+version+" is new")
		}
	}
	return list
}

func versions(list string) map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		name, version, _ := strings.Cut(line, " ")
		m[name] = version
	}
	return m
}
