package containers

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"rea.example/containers/engine"
)

const mitmdumpSays = "Mitmproxy: 12.2.3\nPython:    3.13.5\n"

func TestEnsureBuildsWhatIsAbsentOrStaleAndAsksNoRegistry(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		f     *fake
		built bool
		base  string
	}{
		"absent":          {newFake(BaseRef, "python:3.13-slim"), true, BaseRef},
		"on a public one": {newFake("python:3.13-slim"), true, "python:3.13-slim"},
		"stale":           {newFake(BaseRef, MITMDump.Ref()), true, BaseRef},
		"fresh":           {newFake().built(MITMDump), false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := c.f
			f.stdout = mitmdumpSays
			pins, err := f.dock().Ensure(ctx, MITMDump)
			if err != nil {
				t.Fatal(err)
			}
			if len(pins) != 2 || pins[1] != (Pin{"Python", "3.13.5"}) {
				t.Errorf("reported %v", pins)
			}
			if got := len(f.builds) == 1; got != c.built {
				t.Errorf("builds %v", f.builds)
			}
			if c.built && f.builds[0].Args["BASE_IMAGE"] != c.base {
				t.Errorf("built on %q", f.builds[0].Args["BASE_IMAGE"])
			}
			if slices.ContainsFunc(f.asked, func(s string) bool { return strings.HasPrefix(s, "pull") }) {
				t.Errorf("a registry was asked: %v", f.asked)
			}
		})
	}
}

func TestABuildGetsTheCommittedFilesAndThePackages(t *testing.T) {
	f := newFake(BaseRef)
	if err := f.dock().Build(context.Background(), MITMDump); err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(f.builds[0].Context); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
	}
	for _, want := range []string{"Dockerfile", "requirements.lock", "wheels/one.whl"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %v", want, names)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("the order of %v is by chance", names)
	}
}

func TestWithoutABaseTheErrorSaysWhatToDo(t *testing.T) {
	_, err := newFake().dock().Ensure(context.Background(), MITMDump)
	if err == nil || !strings.Contains(err.Error(), "containers:base") || !strings.Contains(err.Error(), "python:3.13-slim") {
		t.Error(err)
	}
	// A base that was asked for is not replaced by another.
	t.Setenv(BaseVariable, "mine:1")
	_, err = newFake(BaseRef).dock().Ensure(context.Background(), MITMDump)
	if err == nil || !strings.Contains(err.Error(), "mine:1") {
		t.Error(err)
	}
}

func TestAToolOfAnotherVersionIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		stdout string
		exit   int
		want   string
	}{
		"older":    {"Mitmproxy: 12.2.2\n", 0, "reports 12.2.2, pinned is 12.2.3"},
		"longer":   {"Mitmproxy: 12.2.3 (+4, commit abc)\n", 0, "pinned is 12.2.3"},
		"silent":   {"", 0, "not reported"},
		"broken":   {mitmdumpSays, 3, "ended with 3: no such thing"},
		"as it is": {mitmdumpSays, 0, ""},
	} {
		f := newFake().built(MITMDump)
		f.stdout, f.stderr, f.exit.Code = c.stdout, "no such thing\nat all", c.exit
		_, err := f.dock().Ensure(context.Background(), MITMDump)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBases(t *testing.T) {
	ctx := context.Background()
	f := newFake()
	if err := f.dock().Bases(ctx, true, false); err != nil || !slices.Contains(f.asked, "pull python:3.13-slim") || f.imported != 0 {
		t.Errorf("%v, %v", f.asked, err)
	}
	// A base at hand is enough, and no registry is asked without being told to.
	f = newFake(BaseRef)
	if err := f.dock().Bases(ctx, false, false); err != nil || len(f.asked) != 0 || f.imported != 0 {
		t.Errorf("%v, %v", f.asked, err)
	}
	// A registry that does not answer leads to the bootstrapped base.
	f.pullErr = errors.New("connection refused")
	if err := f.dock().Bases(ctx, true, false); err != nil || len(f.asked) != 1 {
		t.Errorf("%v, %v", f.asked, err)
	}
}

func TestABootstrappedBaseIsImportedOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", os.Getenv("XDG_CACHE_HOME"))
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(cache, "rea-workbench", "containers", "base")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for ext, text := range map[string]string{".tar": "a root file system", ".packages": "dpkg 1\n"} {
		if err := os.WriteFile(filepath.Join(folder, "trixie-"+runtime.GOARCH+ext), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f := newFake()
	var log strings.Builder
	d := f.dock()
	d.Log = &log
	if err := d.Bases(context.Background(), false, false); err != nil || f.imported != 1 {
		t.Fatalf("imported %d times, %v", f.imported, err)
	}
	if !strings.Contains(log.String(), "packages differ") {
		t.Errorf("nothing is said of other packages: %q", log.String())
	}
	// SHA-256 of "a root file system": the layer is there, under another image.
	f.images = map[string]engine.Image{BaseRef: {Layers: []string{"sha256:" + sumOf("a root file system")}}}
	t.Setenv(BaseVariable, "another:1")
	if err := d.Bases(context.Background(), false, false); err != nil || f.imported != 1 {
		t.Errorf("imported %d times, %v", f.imported, err)
	}
}

func TestAContainerIsBoundedInEveryWay(t *testing.T) {
	f := newFake().built(MITMDump)
	d := f.dock()
	d.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	_, err := d.Run(context.Background(), Spec{
		Image: MITMDump, Cmd: []string{"sh", "-c", "true"}, Life: 90 * time.Second,
		Files: []File{{Name: "in/deep/a.har", Data: []byte("{}")}, {Name: "run.sh", Data: []byte("#"), Mode: 0o755}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := f.plans[0]
	if !p.ReadOnly || !p.DropAll || !p.NoNewPrivileges || !p.Init {
		t.Errorf("%+v", p)
	}
	if p.User != "65534:65534" || p.Network != "none" || p.Memory != Memory || p.PIDs != PIDs || p.TmpfsBytes == 0 {
		t.Errorf("%+v", p)
	}
	if got := strings.Join(p.Cmd, " "); got != "timeout --kill-after=5 90 sh -c true" {
		t.Errorf("command %q", got)
	}
	if got := p.Labels[labelExpires]; got != "2026-01-02T03:06:35Z" {
		t.Errorf("expires %s", got)
	}
	var names []string
	for r := tar.NewReader(p.Files); ; {
		h, err := r.Next()
		if err != nil {
			break
		}
		if h.Uid != nobody {
			t.Errorf("%s belongs to %d", h.Name, h.Uid)
		}
		names = append(names, h.Name)
	}
	if got := strings.Join(names, " "); got != "in/ in/deep/ in/deep/a.har run.sh" {
		t.Errorf("files %s", got)
	}
}

func TestSpecsThatCannotBe(t *testing.T) {
	for name, s := range map[string]Spec{
		"nothing to run":   {},
		"a file outside":   {Cmd: []string{"x"}, Files: []File{{Name: "../x"}}},
		"an absolute file": {Cmd: []string{"x"}, Files: []File{{Name: "/x"}}},
		"an absent file":   {Cmd: []string{"x"}, Files: []File{{Name: "x", Path: filepath.Join(t.TempDir(), "absent")}}},
	} {
		s.Image = MITMDump
		f := newFake().built(MITMDump)
		if _, err := f.dock().Run(context.Background(), s); err == nil || len(f.plans) != 0 {
			t.Errorf("%s: %v, %v", name, f.plans, err)
		}
	}
	if _, err := newFake().dock().Run(context.Background(), Spec{Image: MITMDump, Cmd: []string{"x"}}); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("an image that is not there: %v", err)
	}
}

func TestRunGivesWhatTheCommandLeftAndRemovesTheRest(t *testing.T) {
	f := newFake().built(AIOQuic)
	f.stdout, f.stderr, f.exit = "out", "err", engine.Exit{Code: 7, OOMKilled: true}
	f.written = map[string]string{"a.qlog": "{}"}
	r, err := f.dock().Run(context.Background(), Spec{Image: AIOQuic, Cmd: []string{"x"}, Outputs: []string{"a.qlog", "b.qlog"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.ExitCode != 7 || !r.OOMKilled || string(r.Stdout) != "out" || string(r.Stderr) != "err" {
		t.Errorf("%+v", r)
	}
	if len(r.Files) != 1 || string(r.Files["a.qlog"]) != "{}" {
		t.Errorf("files %v", r.Files)
	}
	if len(f.containers) != 0 {
		t.Errorf("left %v", f.containers)
	}
}

func TestWhateverHappensNothingIsLeft(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx context.Context
		set func(*fake)
	}{
		"the engine fails":  {context.Background(), func(f *fake) { f.waitErr = errors.New("gone") }},
		"time is over":      {cancelled, func(f *fake) { f.waitErr = context.Canceled }},
		"too much is said":  {context.Background(), func(f *fake) { f.stdout = strings.Repeat("x", printed+1) }},
		"it does not start": {context.Background(), func(f *fake) { f.startErr = errors.New("no room") }},
	} {
		f := newFake().built(AIOQuic)
		c.set(f)
		if _, err := f.dock().Run(c.ctx, Spec{Image: AIOQuic, Cmd: []string{"x"}}); err == nil || len(f.containers) != 0 {
			t.Errorf("%s: left %v, %v", name, f.containers, err)
		}
	}
}

func TestCloseRemovesTheLastFirstAndTriesAgain(t *testing.T) {
	ctx := context.Background()
	f := newFake().built(AIOQuic)
	d := f.dock()
	n, err := d.Network(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := d.Start(ctx, Spec{Image: AIOQuic, Cmd: []string{"x"}, Network: n, Alias: "origin"}); err != nil {
			t.Fatal(err)
		}
	}
	if p := f.plans[0]; p.Network != "net-true" || !slices.Equal(p.Aliases, []string{"origin"}) {
		t.Errorf("%+v", p)
	}
	f.asked, f.stuck = nil, "c2"
	if err := d.Close(); err == nil || !strings.Contains(err.Error(), "c2") {
		t.Errorf("a container that can't be removed: %v", err)
	}
	f.stuck = ""
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if got := strings.Join(f.asked, ", "); got != "remove c1, remove n1, close, remove c2, close" {
		t.Error(got)
	}
}

func TestSweep(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	set := func() *fake {
		f := newFake()
		for id, labels := range map[string]map[string]string{
			"expired": {labelOurs: "1", labelExpires: "2026-01-02T02:59:59Z"},
			"running": {labelOurs: "1", labelExpires: "2026-01-02T03:00:01Z"},
			"undated": {labelOurs: "1"},
			"foreign": {"com.example": "1"},
		} {
			f.containers[id] = engine.Thing{ID: id, Labels: labels}
			f.networks["net "+id] = engine.Thing{ID: "net " + id, Labels: labels}
		}
		return f
	}
	for name, c := range map[string]struct {
		everything bool
		stuck      string
		n          int
		asked      string
	}{
		"what has expired":   {false, "", 4, "remove expired, remove undated, remove net expired, remove net undated"},
		"everything of us":   {true, "", 6, "remove expired, remove running, remove undated, remove net expired, remove net running, remove net undated"},
		"past what is stuck": {false, "expired", 3, "remove undated, remove net expired, remove net undated"},
	} {
		f := set()
		f.stuck = c.stuck
		d := f.dock()
		d.Now = func() time.Time { return now }
		n, err := d.Sweep(context.Background(), c.everything)
		if n != c.n || strings.Join(f.asked, ", ") != c.asked || (err != nil) != (c.stuck != "") {
			t.Errorf("%s: %d, %v, %v", name, n, f.asked, err)
		}
	}
}
