package chores

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"rea.example/verify/workspace"
)

// The linters are pinned: the same findings everywhere, until these lines change.
const (
	linter         = "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0"
	workflowLinter = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
)

// systems are those that the product is built for beside the one at hand. Vet
// type-checks the files that only they compile.
var systems = []string{"windows/amd64", "darwin/arm64", "freebsd/amd64", "linux/arm64"}

// Lint checks format, vet on every system the product is built for, the linters of
// .golangci.yml, and the workflows.
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
	errs = append(errs, h.workflows(ctx))
	tool, err := install(ctx, linter)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	config := "--config=" + filepath.Join(h.Root, ".golangci.yml")
	return errors.Join(append(errs, all(ctx,
		h.workbench(tool, "run", config, "--build-tags=mage", "./..."),
		h.product(tool, "run", config, "./..."),
	))...)
}

// workflows reads the files of .github/workflows. What they run is bash of a line or
// two: tools that may or may not be there for it are not asked.
func (h House) workflows(ctx context.Context) error {
	files, err := filepath.Glob(filepath.Join(h.Root, ".github", "workflows", "*.yml"))
	if err != nil || len(files) == 0 {
		return err
	}
	tool, err := install(ctx, workflowLinter)
	if err != nil {
		return err
	}
	return all(ctx, h.workbench(append([]string{tool, "-shellcheck=", "-pyflakes="}, files...)...))
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

// install puts a linter into the cache folder, once for each version and each
// toolchain: a linter built by an older Go refuses newer code.
func install(ctx context.Context, module string) (string, error) {
	name, version, _ := strings.Cut(path.Base(module), "@")
	file, err := workspace.Cache("tools", name+"-"+version+"-"+runtime.Version(), name)
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	// Outside the workspace: its build list is not ours.
	c := command{os.TempDir(), []string{alone, "GOFLAGS=", "GOBIN=" + filepath.Dir(file)}, []string{"go", "install", module}}
	return file, c.run(ctx)
}
