package lanes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/judge"
	"rea.example/verify/lane"
	"rea.example/verify/product"
	"rea.example/verify/results"
)

// WebHAR runs the product over every HAR of the corpus, over thousands with one
// field changed, and over HARs that mitmdump exports of traffic made for it, and
// compares what it says with the npm packages that define the profile, with a
// second reading of the same bytes, and with what was served.
var WebHAR = lane.Lane{
	Name:  "web:har",
	Doc:   "The product's verdicts and Evidence on real HAR files against the npm packages that define the profile.",
	Needs: lane.Needs{Judge: true, Useful: []containers.Image{containers.MITMDump}},
	Run:   runWebHAR,
}

func runWebHAR(ctx context.Context, b *bench.Bench) error {
	files, verdicts, err := judgedCorpus(ctx, b)
	if err != nil {
		return err
	}
	run, err := newRunner(b, "tmp")
	if err != nil {
		return err
	}
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := checkHAR(ctx, b.Check, run, f, verdicts[i]); err != nil {
			return err
		}
	}
	if err := checkMutations(ctx, b, files, verdicts); err != nil {
		return err
	}
	if err := checkBounds(ctx, b, run); err != nil {
		return err
	}
	if err := checkNumbers(ctx, b, run); err != nil {
		return err
	}
	if err := checkExports(ctx, b, run); err != nil {
		return err
	}
	if err := checkTable(ctx, b, run, "har"); err != nil {
		return err
	}
	if err := checkCanaries(ctx, b, run); err != nil {
		return err
	}
	if err := checkShapes(ctx, b, run); err != nil {
		return err
	}
	return checkManual(ctx, b, run)
}

// judgedCorpus is the corpus, which becomes a pin, and what the judge says of it.
func judgedCorpus(ctx context.Context, b *bench.Bench) ([]captures.File, []judge.Verdict, error) {
	files, name, err := harCorpus(b.Root)
	if err != nil {
		return nil, nil, err
	}
	b.Pin("corpus", name)
	verdicts, err := b.Judge.Verdicts(ctx, paths(files))
	return files, verdicts, err
}

// harCorpus is the folder that the environment names, else the captures that
// the repository commits.
func harCorpus(root string) (files []captures.File, name string, err error) {
	if dir := os.Getenv(captures.Variable); dir != "" {
		if files, err = captures.Read(dir, "har"); err != nil {
			return nil, "", err
		}
		table, err := os.ReadFile(filepath.Join(dir, captures.Manifest))
		if err != nil {
			return nil, "", err
		}
		name = fmt.Sprintf("%d captures of the folder in %s, table sha256 %s", len(files), captures.Variable, captures.Digest(table))
	} else {
		if files, err = captures.Folder(filepath.Join(root, "rea", "internal", "format", "har"), "har", ".har"); err != nil {
			return nil, "", err
		}
		name = results.Counted(len(files), "committed capture")
	}
	if len(files) == 0 {
		return nil, "", errors.New("the corpus holds no HAR")
	}
	return files, name, nil
}

// checker makes one comparison and says whether it passed: Bench.Check, or one
// that gathers the comparisons of many captures.
type checker func(name string, compare func() error) bool

// checkHAR compares strict and reporting mode on one capture. An error means
// that the lane cannot go on; everything else is a check.
func checkHAR(ctx context.Context, check checker, run *runner, f captures.File, v judge.Verdict) error {
	data, err := os.ReadFile(f.Path)
	if err != nil {
		return err
	}
	want, reading := expect(data, v)
	if want.Stage == "none" {
		return fmt.Errorf("the judge could not judge %s: %s", f.Name, v.Error)
	}
	var out product.Output
	ran := check(f.Name+": runs and cleans up", func() (err error) {
		out, err = run.inspect(ctx, f.Path, "har", "--json")
		return err
	})
	if !ran {
		return nil
	}
	if want.Stage == "" {
		var e *product.Evidence
		if check(f.Name+": accepted", func() (err error) { e, err = out.Evidence(); return explain(err, out) }) {
			check(f.Name+": evidence id", func() error { return sameID(out.Stdout, e.ID) })
			check(f.Name+": artifact and counts", func() error { return sameArtifact(e, f, reading) })
			check(f.Name+": numbers", func() error { return sameNumbers(e, reading) })
			check(f.Name+": bodies", func() error { return sameBodies(e, reading) })
			check(f.Name+": credentials", func() error { return noCredentials(e) })
			check(f.Name+": reported values", func() error { return sameValues(e, reading) })
		}
	} else {
		check(f.Name+": refused", func() error {
			failure, err := out.Failure()
			if err != nil {
				return explain(err, out)
			}
			return want.compare(failure)
		})
	}
	check(f.Name+": conformance report", func() error {
		out, err := run.inspect(ctx, f.Path, "har", "--conformance", "report", "--json")
		if err != nil {
			return err
		}
		return sameDeviations(out, want, v, reading)
	})
	return nil
}

// explain adds to a wrong exit status what the product said about it: codes and
// pointers, which never hold captured text.
func explain(err error, out product.Output) error {
	if err == nil || out.Exit == 0 {
		return err
	}
	failure, ferr := out.Failure()
	if ferr != nil {
		return err
	}
	pointer, _ := failure.Pointer()
	return fmt.Errorf("%w: %s at %q", err, failure.Code, pointer)
}
