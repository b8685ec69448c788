package lanes

import (
	"context"
	"errors"
	"fmt"
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
	files, verdicts, err := judgedCorpus(ctx, b)
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
		judged, faults, err := readMutations(ctx, b, list)
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
		lines, err := readBoth(result)
		if err != nil {
			return err
		}
		b.Check(fmt.Sprintf("seed %d: %d states, and files with one fault", seed, soakStates), func() error {
			return errors.Join(each(lines, "states", sameBoth), counted(lines, soakStates), each(lines, "damaged", sameBoth))
		})
		return nil
	})
}
