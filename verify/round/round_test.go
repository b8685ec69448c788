package round

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"rea.example/verify/bench"
	"rea.example/verify/lane"
	"rea.example/verify/product"
	"rea.example/verify/report"
)

// fakeProduct makes this test binary answer like the product's `version`.
const fakeProduct = "REA_TEST_FAKE_PRODUCT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(interrupted); dir != "" {
		if err := errors.Join(os.Unsetenv(interrupted), os.Setenv(fakeProduct, "1")); err != nil {
			panic(err)
		}
		waitInRound(dir)
		os.Exit(0)
	}
	if os.Getenv(fakeProduct) != "" {
		fmt.Println("rea 9.9.9-fake")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// self is this test binary as a product.
var self = sync.OnceValues(func() (*product.Product, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return product.Open(context.Background(), path)
})

func passing(_ context.Context, b *bench.Bench) error {
	b.Check("two and two", func() error { return nil })
	return nil
}

// newRound is one with a product that is there.
func newRound(t *testing.T, lanes ...lane.Lane) (Round, *atomic.Int32) {
	t.Helper()
	t.Setenv(fakeProduct, "1")
	builds := new(atomic.Int32)
	return Round{
		Lanes: lanes, Dir: filepath.Join(t.TempDir(), "reports"),
		Options: lane.Options{Log: new(bytes.Buffer), Product: func(context.Context) (*product.Product, error) {
			builds.Add(1)
			return self()
		}},
	}, builds
}

// meeting are lanes that pass only once all of them run.
func meeting(n int) []lane.Lane {
	var here sync.WaitGroup
	here.Add(n)
	var lanes []lane.Lane
	for i := range n {
		lanes = append(lanes, lane.Lane{Name: fmt.Sprintf("web:fake%d", i), Doc: "Meets.", Run: func(ctx context.Context, b *bench.Bench) error {
			here.Done()
			here.Wait()
			b.Say("met the others")
			return passing(ctx, b)
		}})
	}
	return lanes
}

func TestLanesRunSideBySideOnOneProduct(t *testing.T) {
	r, builds := newRound(t, meeting(3)...)
	r.Jobs = 3
	outcomes, err := r.Run(context.Background())
	if err != nil || len(outcomes) != 3 || builds.Load() != 1 {
		t.Fatalf("%d outcomes of %d builds, %v", len(outcomes), builds.Load(), err)
	}
	for i, o := range outcomes {
		name := fmt.Sprintf("web-fake%d", i)
		if o.Err != nil || o.Report.Verdict != report.Passed || o.Path != filepath.Join(r.Dir, name+".json") {
			t.Errorf("%+v", o)
		}
		if log, err := os.ReadFile(filepath.Join(r.Dir, name+".log")); err != nil || !strings.HasSuffix(string(log), "\n  met the others\n") {
			t.Errorf("log %q, %v", log, err)
		}
	}
	said := r.Options.Log.(*bytes.Buffer).String()
	for line := range strings.Lines(said) {
		if name := strings.TrimRight(line[:9], "012"); name != "web:fake" || line[9:11] != "  " {
			t.Errorf("a line without its lane: %q", line)
		}
	}
	if strings.Count(said, "met the others") != 3 || !strings.Contains(said, "4 passed (3 of 3)\n") {
		t.Errorf("it said\n%s", said)
	}
}

func TestNoMoreLanesRunThanAskedFor(t *testing.T) {
	var now, most atomic.Int32
	one := lane.Lane{Run: func(ctx context.Context, b *bench.Bench) error {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		return passing(ctx, b)
	}}
	var lanes []lane.Lane
	for i := range 4 {
		one.Name = fmt.Sprintf("web:fake%d", i)
		lanes = append(lanes, one)
	}
	r, _ := newRound(t, lanes...)
	r.Jobs = 1
	if outcomes, err := r.Run(context.Background()); err != nil || most.Load() != 1 || outcomes[3].Report.Verdict != report.Passed {
		t.Errorf("%d at a time, %+v", most.Load(), outcomes)
	}
}

func TestNoLaneBeginsWhereAReportOfOneLies(t *testing.T) {
	for _, name := range []string{"web-second.json", "web-second.log", "web-second.intoto.jsonl"} {
		r, builds := newRound(t, lane.Lane{Name: "web:first", Run: passing}, lane.Lane{Name: "web:second", Run: passing})
		if err := os.MkdirAll(r.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(r.Dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		outcomes, err := r.Run(context.Background())
		if !errors.Is(err, fs.ErrExist) || len(outcomes) > 0 || builds.Load() > 0 {
			t.Errorf("%s: %+v, %v", name, outcomes, err)
		}
		if data, err := os.ReadFile(filepath.Join(r.Dir, name)); err != nil || string(data) != "mine" {
			t.Errorf("%q, %v", data, err)
		}
		if names := list(t, r.Dir); len(names) != 1 {
			t.Errorf("in the folder: %q", names)
		}
	}
}

func TestAnInterruptedRoundSaysSoAndLeavesNothingElse(t *testing.T) {
	ctx, interrupt := context.WithCancelCause(context.Background())
	var temp string
	r, _ := newRound(t,
		lane.Lane{Name: "web:first", Run: func(ctx context.Context, b *bench.Bench) error {
			temp = b.Temp
			b.Check("before", func() error { return nil })
			b.Check("meanwhile", func() error {
				interrupt(errors.New("enough"))
				return ctx.Err()
			})
			b.Check("after", func() error {
				t.Error("it was still made")
				return nil
			})
			b.NotRun("lacking", "no matter")
			return ctx.Err()
		}},
		lane.Lane{Name: "web:second", Run: func(context.Context, *bench.Bench) error {
			t.Error("it began")
			return nil
		}},
	)
	r.Jobs = 1
	outcomes, err := r.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	first, err := report.Read(filepath.Join(r.Dir, "web-first.json"))
	if err != nil || first.Status != report.Interrupted || first.Verdict != "" || first.Finished == nil || !slices.Equal(first.Reasons, []string{"interrupted: enough"}) {
		t.Errorf("%+v, %v", first, err)
	}
	var came []string
	for _, c := range first.Checks {
		came = append(came, c.Name+": "+string(c.Verdict))
	}
	want := []string{
		"product is built: passed", "before: passed", "meanwhile: unavailable", "after: unavailable",
		"lacking: unavailable", "lane ran to its end: unavailable", "bench is empty again: passed",
	}
	if !slices.Equal(came, want) {
		t.Errorf("%q", came)
	}
	if o := outcomes[1]; !errors.Is(o.Err, ErrNotBegun) || o.Path != "" {
		t.Errorf("%+v", o)
	}
	if names := list(t, r.Dir); !slices.Equal(names, []string{"web-first.json", "web-first.log"}) {
		t.Errorf("in the folder: %q", names)
	}
	if _, err := os.Stat(temp); err == nil {
		t.Error("the bench's folder is still there")
	}
}

func TestAFailureBeforeAnInterruptionIsNotHidden(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	r, _ := newRound(t, lane.Lane{Name: "web:first", Run: func(ctx context.Context, b *bench.Bench) error {
		b.Check("before", func() error { return errors.New("wrong") })
		interrupt()
		return ctx.Err()
	}})
	outcomes, err := r.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if o := outcomes[0]; o.Report.Verdict != report.Failed || o.Report.Status != report.Interrupted {
		t.Errorf("%+v", o)
	}
}

// interrupted makes this test binary a round that waits for SIGTERM.
const interrupted = "REA_TEST_ROUND_IN"

func waitInRound(dir string) {
	product := func(context.Context) (*product.Product, error) { return self() }
	wait := func(ctx context.Context, b *bench.Bench) error {
		b.Check("before", func() error { return os.WriteFile(filepath.Join(b.Temp, "full"), nil, 0o600) })
		fmt.Println("waiting")
		<-ctx.Done()
		return ctx.Err()
	}
	_, err := Round{
		Lanes: []lane.Lane{{Name: "web:first", Run: wait}, {Name: "web:second", Run: wait}, {Name: "web:third", Run: wait}},
		Jobs:  2, Dir: dir, Options: lane.Options{Log: os.Stdout, Product: product},
	}.Run(context.Background())
	if err != nil {
		panic(err)
	}
}

// TestASignalEndsARoundInOrder sends what a CI system sends, and what a terminal that
// closes does to a group: the reader of the output goes, too.
func TestASignalEndsARoundInOrder(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal os.Signal
		deaf   bool // nobody reads the output any more
	}{{"SIGTERM", syscall.SIGTERM, false}, {"SIGTERM without a reader", syscall.SIGTERM, true}, {"SIGHUP without a reader", syscall.SIGHUP, true}} {
		t.Run(c.name, func(t *testing.T) { signalled(t, c.signal, c.deaf) })
	}
}

func signalled(t *testing.T, signal os.Signal, deaf bool) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, temp := filepath.Join(t.TempDir(), "reports"), t.TempDir()
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), interrupted+"="+dir, "TMPDIR="+temp)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // ended already, unless no signal could be sent
	var said []byte
	for buf := make([]byte, 512); bytes.Count(said, []byte("waiting\n")) < 2; {
		n, err := out.Read(buf)
		if said = append(said, buf[:n]...); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	if deaf {
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Signal(signal); err != nil {
		t.Skipf("unavailable: this system sends no such signal: %v", err)
	}
	if !deaf {
		if _, err := io.Copy(io.Discard, out); err != nil {
			t.Error(err)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if names := list(t, dir); !slices.Equal(names, []string{"web-first.json", "web-first.log", "web-second.json", "web-second.log"}) {
		t.Errorf("in the folder: %q", names)
	}
	for _, name := range []string{"web-first.json", "web-second.json"} {
		if r, err := report.Read(filepath.Join(dir, name)); err != nil || r.Status != report.Interrupted {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if names := list(t, temp); len(names) > 0 {
		t.Errorf("left behind: %q", names)
	}
}

func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
