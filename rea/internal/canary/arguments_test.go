package canary

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rea.example/rea/internal/limits"
)

const argument = "kE7q999Zw9xT"

// A path that holds a declared value is shown in no result and no failure.
func TestPath(t *testing.T) {
	t.Parallel()
	hidden := []secret{newSecret("the path", argument)}
	for _, f := range formats {
		dir := filepath.Join(t.TempDir(), "a "+argument)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		good := save(t, dir, argument+".capture", f.capture())
		bad := save(t, dir, "bad", []byte("{"))
		large := save(t, dir, "large", nil)
		if err := os.Truncate(large, limits.CaptureBytes+1); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, "link")
		if err := os.Symlink(good, link); err != nil {
			t.Fatal(err)
		}
		for _, form := range forms {
			flags := []string{f.name, "--format", form, "--sensitive-value", argument}
			for _, way := range ways(f.conformance) {
				inspect(t, hidden, 0, slices.Concat([]string{good}, flags, way)...)
			}
			for _, path := range []string{bad, large, link, dir, filepath.Join(dir, "missing"), filepath.Join(good, "below"), argument, "./" + argument} {
				inspect(t, hidden, 1, slices.Concat([]string{path}, flags)...)
			}
			inspect(t, hidden, 1, slices.Concat([]string{good}, flags, []string{"--record", "9"})...)
		}
	}
}

// A digest, whole or in part, is a coordinate like any other.
func TestDigest(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		capture := f.capture()
		path := save(t, t.TempDir(), "capture", capture)
		sum := sha256.Sum256(capture)
		digest := hex.EncodeToString(sum[:])
		for _, literal := range []string{digest, digest[:16], digest[20:32], digest[54:]} {
			for _, form := range forms {
				inspect(t, []secret{newSecret("the digest", literal)}, 0, path, f.name, "--format", form, "--sensitive-value", literal)
			}
		}
	}
}

// What the arguments themselves hold is not quoted back: values never, names not
// when they hold a declared value.
func TestArguments(t *testing.T) {
	t.Parallel()
	hidden := []secret{newSecret("the argument", argument)}
	for _, f := range formats[:1] { // what the arguments are about makes no difference
		path := save(t, t.TempDir(), "capture", f.capture())
		values := [][]string{
			{path, argument}, {path, f.name, argument}, {path, f.name, "--record", argument}, {path, f.name, "--record", `"` + argument + `"`},
			{path, f.name, "--conformance", argument}, {path, f.name, "--sensitive-values-from", argument},
			{path, f.name, "--json=" + argument}, {path, f.name, "--record", "1", "--record", argument, "extra" + argument}, {argument, f.name}, {argument},
		}
		for _, form := range forms {
			for _, args := range values {
				inspect(t, hidden, 1, append(slices.Clone(args), "--format", form)...)
				inspect(t, hidden, 1, append([]string{"--format", form}, args...)...)
			}
		}
		inspect(t, hidden, 1, path, f.name, "--format", argument)
		inspect(t, hidden, 1, path, f.name, "--json", "--format", argument)
		dir := t.TempDir()
		file := declare(t, dir, argument)
		for _, form := range forms[:2] {
			for _, flag := range []string{"--" + argument, "--x" + argument + "y", "--" + argument + "=1", "-" + argument, "--sensitive-value" + argument, "--record=1", "--json=" + argument} {
				for _, declared := range [][]string{file, {"--sensitive-value", argument}, {"--sensitive-value=" + argument}, {strings.Join(file, "=")}} {
					code := 1
					if flag == "--record=1" {
						code = 0
					}
					inspect(t, hidden, code, slices.Concat([]string{path, f.name, "--format", form}, declared, []string{flag})...)
					inspect(t, hidden, code, slices.Concat([]string{flag, path, f.name, "--format", form}, declared)...)
				}
			}
		}
		// A file of declarations that can't be used protects nothing, so nothing is done.
		for _, content := range []string{"", "[", argument, `"` + argument + `"`, `["` + argument + `"`, `["` + argument + `",]`, `["` + argument + `"] x`, `{"a":["` + argument + `"]}`, `["` + argument + `",1]`, `[["` + argument + `"]]`, `["` + argument + `",""]`, "[\"" + argument + "\xff\"]", "['" + argument + "']", `["` + argument + `" "b"]`} {
			bad := save(t, dir, "bad.json", []byte(content))
			inspect(t, hidden, 1, path, f.name, "--json", "--sensitive-values-from", bad)
			inspect(t, hidden, 1, path, f.name, "--sensitive-values-from", bad, "--sensitive-value", "other")
		}
	}
}

// Commands that don't exist are not quoted either.
func TestCommands(t *testing.T) {
	t.Parallel()
	hidden := []secret{newSecret("the argument", argument)}
	for _, args := range [][]string{
		{argument}, {"--" + argument + "=" + argument}, {"sample", argument}, {"sample", "har", argument}, {"version", argument}, {"sample", "har", "--format", argument},
		{"sample", "har", "--write", filepath.Join(t.TempDir(), argument, "x")},
	} {
		code, stdout, stderr := run(t, hidden, args...)
		if code != 1 {
			t.Errorf("%s: exit status %d", args, code)
		}
		if strings.HasPrefix(args[0], "--") {
			continue // the name of a flag is quoted, its value is not
		}
		mustHide(t, strings.Join(args, " "), hidden, stdout, stderr)
	}
}
