package chores

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"rea.example/verify/workspace"
)

// linter is pinned: the same findings everywhere, until this line changes.
const linter = "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0"

// systems are those that the product is built for beside the one at hand. Vet
// type-checks the files that only they compile.
var systems = []string{"windows/amd64", "darwin/arm64", "freebsd/amd64", "linux/arm64"}

// Lint checks format, vet on every system the product is built for, and the
// linters of .golangci.yml.
func (h House) Lint(ctx context.Context) error {
	errs := []error{
		h.formatted(ctx),
		all(ctx,
			h.workbench("go", "vet", "./..."),
			h.workbench("go", "vet", "-tags=mage", "./magefiles"),
			h.product("go", "vet", "./..."),
		),
	}
	for _, system := range systems {
		goos, arch, _ := strings.Cut(system, "/")
		vet := h.product("go", "vet", "./...")
		vet.env = append(vet.env, "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=0")
		errs = append(errs, all(ctx, vet))
	}
	path, err := h.linter(ctx)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	config := "--config=" + filepath.Join(h.Root, ".golangci.yml")
	return errors.Join(append(errs, all(ctx,
		h.workbench(path, "run", config, "--build-tags=mage", "./..."),
		h.product(path, "run", config, "./..."),
	))...)
}

// formatted refuses Go files that gofmt would write otherwise.
func (h House) formatted(ctx context.Context) error {
	lines, err := h.workbench("gofmt", "-l", "magefiles", "verify", "rea").output(ctx)
	if err != nil {
		return err
	}
	if len(lines) > 0 {
		return fmt.Errorf("not as gofmt writes them: %s", strings.Join(lines, " "))
	}
	return nil
}

// linter installs golangci-lint into the cache folder, once for each version and
// each toolchain: a linter built by an older Go refuses newer code.
func (h House) linter(ctx context.Context) (string, error) {
	_, version, _ := strings.Cut(linter, "@")
	path, err := workspace.Cache("tools", "golangci-lint-"+version+"-"+runtime.Version(), "golangci-lint")
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	// Outside the workspace: its build list is not ours.
	install := command{os.TempDir(), []string{alone, "GOFLAGS=", "GOBIN=" + filepath.Dir(path)}, []string{"go", "install", linter}}
	return path, install.run(ctx)
}
