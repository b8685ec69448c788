package engine_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"

	"rea.example/containers/engine"
)

const base = "rea-base:trixie"

func open(t *testing.T) *engine.Docker {
	t.Helper()
	d, err := engine.Open(context.Background())
	if err == nil {
		t.Cleanup(func() { _ = d.Close() })
		_, err = d.Image(context.Background(), base)
	}
	if err != nil {
		if os.Getenv("REA_ENGINE") == "required" {
			t.Fatalf("unavailable: %v", err)
		}
		t.Skipf("unavailable: %v", err)
	}
	return d
}

func build(t *testing.T, d *engine.Docker, dockerfile string) (log string, err error) {
	t.Helper()
	var content bytes.Buffer
	w := tar.NewWriter(&content)
	if err := w.WriteHeader(&tar.Header{Name: "Dockerfile", Mode: 0o644, Size: int64(len(dockerfile))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(dockerfile)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	err = d.Build(context.Background(), engine.Build{
		Ref: "rea-test:build", Context: &content, Log: &b,
		Args: map[string]string{"BASE_IMAGE": base}, Labels: map[string]string{"rea.image.test": "1"},
	})
	t.Cleanup(func() {
		if _, err := raw(t, d).ImageRemove(context.Background(), "rea-test:build", client.ImageRemoveOptions{}); err != nil && !errdefs.IsNotFound(err) {
			t.Error(err)
		}
	})
	return b.String(), err
}

// raw is a client for what the workbench itself never asks.
func raw(t *testing.T, d *engine.Docker) *client.Client {
	t.Helper()
	c, err := client.New(client.WithHost(d.About().Address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestAboutSaysWhichAPI(t *testing.T) {
	a := open(t).About()
	if a.Version == "" || a.API == "" || a.OS != "linux" || a.Address == "" {
		t.Errorf("%+v", a)
	}
}

func TestAnAbsentImageIsAnErrorAtOnce(t *testing.T) {
	d := open(t)
	if _, err := d.Image(context.Background(), "rea-absent:none"); !errors.Is(err, engine.ErrNoImage) {
		t.Errorf("image: %v", err)
	}
	_, err := d.Start(context.Background(), engine.Plan{Image: "rea-absent:none", Cmd: []string{"true"}, Network: "none"})
	if !errors.Is(err, engine.ErrNoImage) {
		t.Errorf("start: %v", err)
	}
}

func TestABuildHasNoNetworkAndLabelsItsImage(t *testing.T) {
	d := open(t)
	log, err := build(t, d, "ARG BASE_IMAGE=x\nFROM ${BASE_IMAGE}\nRUN test \"$(ls /sys/class/net)\" = lo\n")
	if err != nil || !strings.Contains(log, "Step 1/") {
		t.Errorf("%s, %v", log, err)
	}
	i, err := d.Image(context.Background(), "rea-test:build")
	if err != nil || i.Labels["rea.image.test"] != "1" || i.Bytes == 0 || len(i.Layers) == 0 {
		t.Errorf("%+v, %v", i, err)
	}
}

func TestAFailedBuildSaysWhyAndLeavesNoContainer(t *testing.T) {
	d := open(t)
	_, err := build(t, d, "ARG BASE_IMAGE=x\nFROM ${BASE_IMAGE}\nLABEL rea.image.failed=1\nRUN exit 9\n")
	if err == nil || !strings.Contains(err.Error(), "code: 9") {
		t.Errorf("error %v", err)
	}
	left, err := d.Containers(context.Background(), "rea.image.failed")
	if err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestAContainerThatDoesNotStartIsNotLeft(t *testing.T) {
	d := open(t)
	ctx := context.Background()
	_, err := d.Start(ctx, engine.Plan{
		Image: base, Cmd: []string{"/no/such/program"}, Network: "none", Labels: map[string]string{"rea.test.start": "1"},
	})
	if err == nil {
		t.Error("it started")
	}
	if left, err := d.Containers(ctx, "rea.test.start"); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestAnInternalNetworkIsInternal(t *testing.T) {
	d := open(t)
	ctx := context.Background()
	n, err := d.Network(ctx, true, map[string]string{"rea.test.network": "1"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.RemoveNetwork(ctx, n.ID); err != nil {
			t.Error(err)
		}
	}()
	list, err := d.Networks(ctx, "rea.test.network")
	if err != nil || len(list) != 1 || list[0].ID != n.ID {
		t.Errorf("%v, %v", list, err)
	}
	if i, err := raw(t, d).NetworkInspect(ctx, n.ID, client.NetworkInspectOptions{}); err != nil || !i.Network.Internal {
		t.Errorf("%+v, %v", i.Network, err)
	}
}

func TestWhatIsGoneIsRemovedWithoutComplaint(t *testing.T) {
	d := open(t)
	if err := d.RemoveContainer(context.Background(), "rea-no-such-container"); err != nil {
		t.Error(err)
	}
	if err := d.RemoveNetwork(context.Background(), "rea-no-such-network"); err != nil {
		t.Error(err)
	}
}
