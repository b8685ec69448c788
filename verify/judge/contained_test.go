package judge

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rea.example/containers"
	"rea.example/containers/engine"
)

func TestABatchIsBounded(t *testing.T) {
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small"), filepath.Join(dir, "large")
	if err := os.WriteFile(small, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(batchBytes); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, c := range []struct {
		paths []string
		want  int
	}{
		{[]string{small, small, large, small}, 2},
		{[]string{large, small}, 1},
		{[]string{small}, 1},
	} {
		if n, err := batch(c.paths); err != nil || n != c.want {
			t.Errorf("%d of %d files, %v; expected %d", n, len(c.paths), err, c.want)
		}
	}
	if _, err := batch([]string{filepath.Join(dir, "absent")}); err == nil {
		t.Error("an absent file is in a batch")
	}
}

func TestAnswersAreAllThereAndRight(t *testing.T) {
	lines, err := requests("safe", []string{"1", `"`})
	if err != nil || string(lines) != `{"input":"1","op":"safe"}`+"\n"+`{"input":"\"","op":"safe"}`+"\n" {
		t.Errorf("%s, %v", lines, err)
	}
	const one, fault = `{"ok":true,"result":true}` + "\n", `{"ok":false,"error":"no"}` + "\n"
	if a, err := readAnswers([]byte(one+one), 2); err != nil || string(a[1]) != "true" {
		t.Errorf("%s, %v", a, err)
	}
	for _, out := range []string{one, one + one + one, one + fault, one + "x"} {
		if _, err := readAnswers([]byte(out), 2); err == nil {
			t.Errorf("%q answers two questions", out)
		}
	}
}

// fakeEngine runs nothing: every container prints the same and ends with the same
// status.
type fakeEngine struct {
	engine.Engine
	stdout string
	exit   int
	plans  []engine.Plan
}

func (f *fakeEngine) Image(context.Context, string) (engine.Image, error) {
	return engine.Image{Labels: map[string]string{"rea.image.inputs": containers.NPMHar.Inputs()}}, nil
}

func (f *fakeEngine) Start(_ context.Context, p engine.Plan) (engine.Container, error) {
	f.plans = append(f.plans, p)
	return &fakeContainer{engine: f}, nil
}

func (f *fakeEngine) RemoveContainer(context.Context, string) error { return nil }

type fakeContainer struct {
	engine.Container
	engine *fakeEngine
}

func (c *fakeContainer) ID() string { return "c" }

func (c *fakeContainer) Wait(context.Context) (engine.Exit, error) {
	return engine.Exit{Code: c.engine.exit}, nil
}

func (c *fakeContainer) Output(_ context.Context, stdout, _ io.Writer) error {
	_, err := io.WriteString(stdout, c.engine.stdout)
	return err
}

func TestTheContainersVerdictsAreOnTheFilesAsked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "any name.har")
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &fakeEngine{stdout: `{"file":"0","verdict":"accept"}` + "\n"}
	j := Contained(&containers.Dock{Engine: f}, []containers.Pin{{Name: "node", Version: "22"}, {Name: "ajv", Version: "8"}})
	v, err := j.Verdicts(context.Background(), []string{path})
	if err != nil || len(v) != 1 || v[0].File != path || v[0].Verdict != "accept" {
		t.Errorf("%+v, %v", v, err)
	}
	if p := f.plans[0]; p.Network != "none" || slices.Contains(p.Cmd, path) {
		t.Errorf("network %q, command %v", p.Network, p.Cmd)
	}
	if pins := j.Pins(); len(pins) != 2 || pins[0].Name != "node" || pins[1].Name != "npm ajv" {
		t.Errorf("pins %+v", pins)
	}
	f.exit = 1
	if _, err := j.Verdicts(context.Background(), []string{path}); err == nil {
		t.Error("a judge that failed gives a verdict")
	}
}
