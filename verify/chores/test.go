package chores

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"rea.example/verify/product"
	"rea.example/verify/workspace"
)

// raceless are the product's packages whose tests have nothing to race: they
// read source files, or run the program that they built. (Other tests that
// measure a bound build the child for it without the race detector, too.)
var raceless = []string{
	"rea.example/rea",
	"rea.example/rea/internal/canary",
}

// Build compiles both modules in the workspace and each on its own, and the
// program into the cache folder.
func (h House) Build(ctx context.Context) error {
	err := all(ctx,
		h.workbench("go", "build", "./...", "./rea/..."),
		command{h.Root, []string{alone}, []string{"go", "build", "./..."}},
		h.product("go", "build", "./..."),
	)
	if err != nil {
		return err
	}
	folder, err := workspace.Private(os.TempDir(), "rea-build-")
	if err != nil {
		return err
	}
	p, err := product.Build(ctx, h.Root, folder.Path)
	if err := errors.Join(err, folder.Close()); err != nil {
		return err
	}
	path, err := product.Cached()
	if err == nil {
		fmt.Printf("%s is %s\n", p.Version, path)
	}
	return err
}

// Test builds both modules and runs the tests of both: the product's on their
// own, with the dependencies it is published with, and then once more under the
// race detector where that is possible.
func (h House) Test(ctx context.Context) error {
	began := time.Now()
	if err := h.Build(ctx); err != nil {
		return err
	}
	// -count=1: the corpus lies outside the modules, where go's test cache does
	// not look for changes.
	tests := []command{
		h.workbench("go", "test", "-count=1", "-timeout=20m", "./..."),
		h.product("go", "test", "-count=1", "-timeout=20m", "./..."),
	}
	race, err := h.race(ctx)
	if err != nil {
		return err
	}
	if race != nil {
		tests = append(tests, *race)
	}
	if err := all(ctx, tests...); err != nil {
		return err
	}
	fmt.Printf("tests of both modules passed in %s\n", time.Since(began).Round(time.Second))
	return nil
}

// race is the run under the race detector. It is nil, and says why, on a machine
// without a C compiler; where CI=true that is an error.
func (h House) race(ctx context.Context) (*command, error) {
	env, err := h.product("go", "env", "CC", "CGO_ENABLED").output(ctx)
	if err != nil {
		return nil, err
	}
	compiler := strings.Fields(strings.Join(env[:min(1, len(env))], ""))
	_, missing := exec.LookPath(strings.Join(compiler[:min(1, len(compiler))], ""))
	if missing != nil || !slices.Contains(env, "1") {
		if os.Getenv("CI") == "true" {
			return nil, errors.New("chores: the race detector needs a C compiler and cgo, and CI may not go without it")
		}
		fmt.Println("no C compiler, or cgo is off: the run under the race detector is left out")
		return nil, nil
	}
	packages, err := h.product("go", "list", "./...").output(ctx)
	if err != nil {
		return nil, err
	}
	packages = slices.DeleteFunc(packages, func(p string) bool { return slices.Contains(raceless, p) })
	c := h.product(append([]string{"go", "test", "-race", "-count=1", "-timeout=25m"}, packages...)...)
	return &c, nil
}

// Floors runs the tests that hold the import policy alone.
func (h House) Floors(ctx context.Context) error {
	return all(ctx,
		h.workbench("go", "test", "-count=1", "-run=Floors", "./verify"),
		h.product("go", "test", "-count=1", "-run=Floors", "."),
	)
}
