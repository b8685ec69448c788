package lanes

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/lane"
	"rea.example/verify/mutate"
)

// SoakHAR does again and again, with other seeds, what WebHAR does once: it
// changes one field at a time and holds the product to the judge.
func SoakHAR(end time.Time, seed uint64) lane.Lane {
	return lane.Lane{
		Name:  "soak:har",
		Doc:   "HARs with one changed field against the npm packages that define the profile, until the time is over.",
		Needs: lane.Needs{Judge: true},
		Run:   func(ctx context.Context, b *bench.Bench) error { return soakHAR(ctx, b, end, seed) },
	}
}

// SoakMitmproxy does the same for generated states of flows and their two readers.
func SoakMitmproxy(end time.Time, seed uint64) lane.Lane {
	return lane.Lane{
		Name:  "soak:mitmproxy",
		Doc:   "Generated flow files by both readers, until the time is over.",
		Needs: lane.Needs{Images: []containers.Image{containers.MITMDump}},
		Run:   func(ctx context.Context, b *bench.Bench) error { return soakMitmproxy(ctx, b, end, seed) },
	}
}

// How much is compared between two looks at the clock.
const (
	soakMutations = 400
	soakStates    = 2000
)

// rounds calls round with one seed after the other, each in a folder of its own,
// until the time is over; once at least.
func rounds(ctx context.Context, b *bench.Bench, end time.Time, seed uint64, round func(seed uint64) error) error {
	for first := seed; seed == first || time.Now().Before(end); seed++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := b.Within("seed-"+strconv.FormatUint(seed, 10), func() error { return round(seed) })
		if err != nil {
			return err
		}
	}
	return nil
}

func soakHAR(ctx context.Context, b *bench.Bench, end time.Time, seed uint64) error {
	files, name, err := harCorpus(b.Root)
	if err != nil {
		return err
	}
	b.Pin("corpus", name)
	verdicts, err := b.Judge.Verdicts(ctx, paths(files))
	if err != nil {
		return err
	}
	documents, err := mutableDocuments(files, verdicts)
	if err != nil {
		return err
	}
	return rounds(ctx, b, end, seed, func(seed uint64) error {
		list, err := mutate.Mutations(documents, soakMutations, seed)
		if err != nil {
			return err
		}
		changed, err := write(filepath.Join(b.Temp, "mutations"), list)
		if err != nil {
			return err
		}
		judged, err := b.Judge.Verdicts(ctx, paths(changed))
		if err != nil {
			return err
		}
		faults, err := inspectAll(ctx, b, changed, judged)
		if err != nil {
			return err
		}
		var t tally
		for i, m := range list {
			t.add(judged[i], i, m.Pointer, faults[i])
		}
		b.Check(fmt.Sprintf("seed %d: %d mutations (%d accepted, %d refused)", seed, len(list), t.accepted, t.refused), t.verdict)
		return nil
	})
}

func soakMitmproxy(ctx context.Context, b *bench.Bench, end time.Time, seed uint64) error {
	executable, err := b.Portable(ctx)
	if err != nil {
		return err
	}
	return rounds(ctx, b, end, seed, func(seed uint64) error {
		result, err := b.Dock.Run(ctx, containers.Spec{
			Image: containers.MITMDump, Memory: 2 << 30,
			Cmd:   []string{"python", "states.py", containers.Work + "/rea", strconv.Itoa(soakStates), strconv.FormatUint(seed, 10)},
			Env:   map[string]string{"REA_MITMDUMP_COMMAND": mitmdump},
			Files: []containers.File{script("states.py"), {Name: "rea", Path: executable, Mode: 0o755}},
		})
		if err != nil {
			return err
		}
		if result.ExitCode != 0 {
			return fmt.Errorf("states.py ended with %d: %s", result.ExitCode, lastLine(result.Stderr))
		}
		lines, err := readBoth(result.Stdout)
		if err != nil {
			return err
		}
		b.Check(fmt.Sprintf("seed %d: %d states, and files with one fault", seed, soakStates), func() error {
			return errors.Join(each(lines, "states", sameBoth), counted(lines, soakStates), each(lines, "damaged", sameBoth))
		})
		return nil
	})
}
