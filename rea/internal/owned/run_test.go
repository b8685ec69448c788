package owned

import (
	"context"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"rea.example/rea/internal/failure"
)

// fake is a process that exists only in a test.
type fake struct {
	done     chan struct{}
	stubborn bool // does not end when killed
	kills    int
	samples  int
	reaped   bool
	end
	left []string
}

func (f *fake) ended() <-chan struct{} { return f.done }
func (f *fake) sample()                { f.samples++ }
func (f *fake) reap() end              { f.reaped = true; return f.end }
func (f *fake) residue() []string      { return f.left }

func (f *fake) kill() {
	f.kills++
	if f.kills == 1 && !f.stubborn {
		close(f.done)
	}
}

func (f *fake) launch(cmd *exec.Cmd, _ []*os.File, _ string) (process, error) { return f, nil }

func TestSupervision(t *testing.T) {
	const deadline = 30 * time.Second
	for _, c := range []struct {
		name     string
		act      func(f *fake, d *diagnostics, cancel func())
		stubborn bool
		want     stopped
		after    time.Duration
	}{
		{"ends by itself", func(f *fake, _ *diagnostics, _ func()) { close(f.done) }, false, stopped{gone: true}, 0},
		{"deadline", func(*fake, *diagnostics, func()) {}, false, stopped{gone: true, killed: true, timedOut: true}, deadline},
		{"cancelled", func(_ *fake, _ *diagnostics, cancel func()) { cancel() }, false, stopped{gone: true, killed: true}, 0},
		{"overflow", func(_ *fake, d *diagnostics, _ func()) { close(d.overflow) }, false, stopped{gone: true, killed: true}, 0},
		{"long last words", func(_ *fake, d *diagnostics, _ func()) { close(d.dying) }, false, stopped{gone: true, killed: true}, tracebackPatience},
		{"does not end", func(_ *fake, _ *diagnostics, cancel func()) { cancel() }, true, stopped{killed: true}, killPatience},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				f, d := &fake{done: make(chan struct{}), stubborn: c.stubborn}, newDiagnostics()
				begin := time.Now()
				c.act(f, d, cancel)
				got := supervise(ctx, f, d, deadline)
				if got != c.want || time.Since(begin) != c.after {
					t.Errorf("%+v after %v, want %+v after %v", got, time.Since(begin), c.want, c.after)
				}
				if want := int(c.after / samplePeriod); c.name == "deadline" && f.samples < want-1 {
					t.Errorf("%d samples, want %d", f.samples, want)
				}
			})
		})
	}
}

func TestResidueOfAFakeProcess(t *testing.T) {
	code := 0
	f := &fake{done: make(chan struct{}), end: end{code: &code, resident: 5 << 20}, left: []string{"pid:7", "process-group:6"}}
	close(f.done)
	f.stubborn = true // it has ended already
	out := run(t.Context(), Command{Path: "x"}, f.launch)
	if out.Ending != Finished || *out.ExitCode != 0 || out.MaxRSS != 5<<20 || !slices.Equal(out.Residue, f.left) {
		t.Errorf("outcome %+v", out)
	}
	if f.kills != 1 || !f.reaped {
		t.Errorf("the group was killed %d times, reaped %v", f.kills, f.reaped)
	}
	if got := out.Failure(about).Code; got != failure.CleanupIncomplete {
		t.Errorf("failure %v", got)
	}
}

func TestEnvironment(t *testing.T) {
	caller := map[string]string{"PATH": "/bin", "SystemRoot": `C:\Windows`, "GOGC": "1", "LC_ALL": "C", "TZ": ""}
	got := environment("/private", "id", func(name string) (string, bool) { v, ok := caller[name]; return v, ok })
	want := []string{"REA_PROCESS_RUN_ID=id", "HOME=/private", "TMPDIR=/private", "PATH=/bin", "TZ=", `SystemRoot=C:\Windows`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the environment is %q, want %q", got, want)
	}
}

func TestHandlesOnTheWay(t *testing.T) {
	for _, h := range [][3]uintptr{{3, 4, 5}, {0x1f8, 0xfffffffc, 1}} {
		if got, err := parseHandles(formatHandles(h)); err != nil || got != h {
			t.Errorf("%v arrives as %v (%v)", h, got, err)
		}
	}
	for _, text := range []string{"", "1,2", "1,2,3,4", "1,2,x", "0,1,2", "1,2,3 ", "+1,2,3", "1, 2,3", "01,2,3"} {
		if got, err := parseHandles(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestPresentSize(t *testing.T) {
	const mib = 1 << 20
	for _, present := range []uint64{17 * mib, 1 << 30, 400 << 30, 1<<46 + 12345} {
		tried := 0
		got, ok := presentSize(func(limit uint64) bool { tried++; return limit >= present })
		if !ok || got < present || got > present+16*mib || tried > 40 {
			t.Errorf("a size of %d is found as %d (%v) after %d tries", present, got, ok, tried)
		}
	}
	if _, ok := presentSize(func(uint64) bool { return true }); ok {
		t.Error("a limit that means nothing is believed")
	}
	if _, ok := presentSize(func(uint64) bool { return false }); ok {
		t.Error("a limit that cannot be set is believed")
	}
}
