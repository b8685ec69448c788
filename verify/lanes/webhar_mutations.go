package lanes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/judge"
	"rea.example/verify/mutate"
)

const (
	// mutations is how many captures with one changed field are judged.
	mutations = 2100
	// mutable bounds the captures that are changed: reading them is what takes time.
	mutable = 48 << 10
	seed    = 20260131
)

// checkMutations changes one field at a time of the small captures that are
// accepted, and holds the product to the judge on each.
func checkMutations(ctx context.Context, b *bench.Bench, files []captures.File, verdicts []judge.Verdict) error {
	documents, err := mutableDocuments(files, verdicts)
	if err != nil {
		return err
	}
	list, err := mutate.Mutations(documents, mutations, seed)
	if err != nil {
		return err
	}
	b.Pin("mutations", fmt.Sprintf("%d of %d captures, seed %d", len(list), len(documents), seed))
	b.Say("%d mutations", len(list))
	judged, faults, err := readMutations(ctx, b, list)
	if err != nil {
		return err
	}
	byOperator := map[string]*tally{}
	for i, m := range list {
		t := byOperator[m.Operator]
		if t == nil {
			t = &tally{}
			byOperator[m.Operator] = t
		}
		t.add(judged[i], i, m.Pointer, faults[i])
	}
	for _, name := range slices.Sorted(maps.Keys(byOperator)) {
		t := byOperator[name]
		b.Check(fmt.Sprintf("%d mutations, %s (%d accepted, %d refused)", t.accepted+t.refused, name, t.accepted, t.refused), t.verdict)
	}
	return nil
}

// readMutations lets the judge and the product read changed captures, and gives what
// the judge says of each and what the product gets wrong.
func readMutations(ctx context.Context, b *bench.Bench, list []mutate.Mutation) ([]judge.Verdict, []error, error) {
	changed, err := write(filepath.Join(b.Temp, "mutations"), list)
	if err != nil {
		return nil, nil, err
	}
	judged, err := b.Judge.Verdicts(ctx, paths(changed))
	if err != nil {
		return nil, nil, err
	}
	faults, err := inspectAll(ctx, b, changed, judged)
	return judged, faults, err
}

// mutableDocuments are the small captures that the judge accepts.
func mutableDocuments(files []captures.File, verdicts []judge.Verdict) ([][]byte, error) {
	var documents [][]byte
	for i, f := range files {
		if verdicts[i].Verdict != "accept" || f.Bytes > mutable {
			continue
		}
		data, err := os.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		documents = append(documents, data)
	}
	if len(documents) == 0 {
		return nil, errors.New("no capture is small enough to be changed")
	}
	return documents, nil
}

func write(dir string, list []mutate.Mutation) ([]captures.File, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	files := make([]captures.File, len(list))
	for i, m := range list {
		name := fmt.Sprintf("mutation %d", i)
		path := filepath.Join(dir, fmt.Sprintf("%04d.har", i))
		if err := os.WriteFile(path, m.Text, 0o600); err != nil {
			return nil, err
		}
		files[i] = captures.File{Name: name, Path: path, Kind: "har", SHA256: captures.Digest(m.Text), Bytes: int64(len(m.Text))}
	}
	return files, nil
}

func paths(files []captures.File) []string {
	list := make([]string, len(files))
	for i, f := range files {
		list[i] = f.Path
	}
	return list
}

// workers is how many commands of the product run at once.
const workers = 2

// inspectAll makes the checks of checkHAR on every file, and gives each file's
// failures.
func inspectAll(ctx context.Context, b *bench.Bench, files []captures.File, verdicts []judge.Verdict) ([]error, error) {
	faults := make([]error, len(files))
	ended := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		run, err := newRunner(b, fmt.Sprintf("tmp-%d", w))
		if err != nil {
			return nil, err
		}
		wait.Go(func() {
			for i := w; i < len(files) && ctx.Err() == nil; i += workers {
				collect := func(name string, compare func() error) bool {
					err := compare()
					if err != nil {
						faults[i] = errors.Join(faults[i], fmt.Errorf("%s: %w", name, err))
					}
					return err == nil
				}
				if ended[w] = checkHAR(ctx, collect, run, files[i], verdicts[i]); ended[w] != nil {
					return
				}
			}
		})
	}
	wait.Wait()
	return faults, errors.Join(errors.Join(ended...), ctx.Err())
}

// tally is what one kind of mutation came to.
type tally struct {
	accepted, refused int
	faults            []error
}

func (t *tally) add(v judge.Verdict, i int, pointer string, fault error) {
	if v.Verdict == "accept" {
		t.accepted++
	} else {
		t.refused++
	}
	if fault != nil {
		t.faults = append(t.faults, fmt.Errorf("mutation %d at %q: %w", i, pointer, fault))
	}
}

// verdict names the first faults: one is seldom alone.
func (t *tally) verdict() error {
	if len(t.faults) == 0 {
		return nil
	}
	return fmt.Errorf("%d differ: %w", len(t.faults), errors.Join(t.faults[:min(3, len(t.faults))]...))
}
