package containers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rea.example/containers/engine"
)

// doomed makes this test binary a lane that is killed in the middle.
const doomed = "REA_TEST_DOOMED_LANE"

func TestMain(m *testing.M) {
	if run := os.Getenv(doomed); run != "" {
		die(run)
	}
	os.Exit(m.Run())
}

// live is a dock on the engine of this machine with an image built.
func live(t *testing.T, i Image) *Dock {
	t.Helper()
	d, err := Open(context.Background(), io.Discard)
	if err != nil {
		unavailable(t, err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := d.fresh(context.Background(), i); err != nil {
		unavailable(t, err)
	}
	return d
}

// unavailable ends a test that has no engine: visibly, and as a failure where
// REA_ENGINE=required.
func unavailable(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("REA_ENGINE") == "required" {
		t.Fatalf("unavailable: %v", err)
	}
	t.Skipf("unavailable: %v", err)
}

func run(t *testing.T, d *Dock, s Spec) Result {
	t.Helper()
	r, err := d.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sh(script string) Spec { return Spec{Image: AIOQuic, Cmd: []string{"sh", "-c", script}} }

func TestLiveImagesReportTheirPins(t *testing.T) {
	for _, i := range All {
		t.Run(i.Name, func(t *testing.T) {
			pins, err := live(t, i).Check(context.Background(), i)
			if err != nil || len(pins) < len(i.Pins) {
				t.Errorf("%v, %v", pins, err)
			}
		})
	}
}

func TestLiveContainersAreHardened(t *testing.T) {
	d := live(t, AIOQuic)
	r := run(t, d, sh(`
id -u; id -g
sed -n 's/^\(CapEff\|CapBnd\|NoNewPrivs\|Seccomp\):\t*/\1 /p' /proc/self/status
ls /sys/class/net
pwd
touch /opt/x 2>&1 | grep -c 'Read-only file system'
touch /tmp/x /work/x && echo writable
cp /bin/true /tmp/true && /tmp/true 2>/dev/null || echo noexec
tr '\0' ' ' < /proc/1/cmdline | cut -d' ' -f1
`))
	want := "65534\n65534\nCapBnd 0000000000000000\nCapEff 0000000000000000\nNoNewPrivs 1\nSeccomp 2\nlo\n/work\n1\nwritable\nnoexec\n"
	got := string(r.Stdout)
	// The kernel lists the four in an order of its own.
	if r.ExitCode != 0 || sorted(got[:min(len(got), len(want))]) != sorted(want) || !strings.Contains(got, "init") {
		t.Errorf("exit %d\n%s\n%s", r.ExitCode, got, r.Stderr)
	}
}

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		for j := i; j > 0 && lines[j] < lines[j-1]; j-- {
			lines[j], lines[j-1] = lines[j-1], lines[j]
		}
	}
	return strings.Join(lines, "\n")
}

func TestLiveFilesGoInAndOut(t *testing.T) {
	d := live(t, AIOQuic)
	big := strings.Repeat("0123456789abcdef", 1<<18) // 4 MiB
	host := filepath.Join(t.TempDir(), "host.txt")
	if err := os.WriteFile(host, []byte("from the host"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := sh(`cat in/host.txt; ./in/run.sh >&2; wc -c < in/big; mkdir -p out/deep; cp in/big out/deep/big; ln -s big out/deep/link; exit 7`)
	s.Files = []File{
		{Name: "in/host.txt", Path: host}, {Name: "in/big", Data: []byte(big)},
		{Name: "in/run.sh", Data: []byte("#!/bin/sh\necho ran $REA_X\n"), Mode: 0o755},
	}
	s.Env = map[string]string{"REA_X": "with its environment"}
	s.Outputs = []string{"out/deep/big", "absent"}
	r := run(t, d, s)
	if r.ExitCode != 7 || string(r.Stdout) != "from the host4194304\n" || string(r.Stderr) != "ran with its environment\n" {
		t.Errorf("%d %q %q", r.ExitCode, r.Stdout, r.Stderr)
	}
	if len(r.Files) != 1 || string(r.Files["out/deep/big"]) != big {
		t.Errorf("%d files", len(r.Files))
	}
	c, err := d.Start(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := c.CopyOut(context.Background(), "out", dir); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "out", "deep", "big"))
	if err != nil || string(data) != big {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "out", "deep", "link")); err == nil {
		t.Error("a link was copied")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestLiveBoundsHold(t *testing.T) {
	d := live(t, AIOQuic)
	python := func(program string) Spec { return Spec{Image: AIOQuic, Cmd: []string{"python", "-c", program}} }

	memory := python("x = b'x' * (256 << 20)")
	memory.Memory = 64 << 20
	if r := run(t, d, memory); r.ExitCode != 137 || !r.OOMKilled {
		t.Errorf("memory: %+v", r)
	}
	processes := python(`
import os, sys, time
try:
    for n in range(64):
        if os.fork() == 0: time.sleep(30)
except BlockingIOError:
    print('refused'); sys.stdout.flush()
    os.kill(1, 15); time.sleep(30)`)
	processes.PIDs = 16
	if r := run(t, d, processes); !strings.Contains(string(r.Stdout), "refused") {
		t.Errorf("processes: %+v", r)
	}
	life := sh("sleep 300")
	life.Life = time.Second
	if r := run(t, d, life); r.ExitCode != 124 {
		t.Errorf("time: %+v", r)
	}
	sockets := python("import socket; socket.socket()")
	sockets.Seccomp = `{"defaultAction":"SCMP_ACT_ALLOW","syscalls":[{"names":["socket"],"action":"SCMP_ACT_ERRNO"}]}`
	if r := run(t, d, sockets); r.ExitCode != 1 || !strings.Contains(string(r.Stderr), "PermissionError") {
		t.Errorf("system calls: %+v", r)
	}
}

func TestLiveANetworkJoinsItsContainers(t *testing.T) {
	d := live(t, AIOQuic)
	ctx := context.Background()
	n, err := d.Network(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	origin, err := d.Start(ctx, Spec{
		Image: AIOQuic, Network: n, Alias: "origin", Ready: "listening",
		Cmd: []string{"python", "-c", "import socket; s=socket.create_server(('',4000)); print('listening'); c,_=s.accept(); c.sendall(b'hello'); s.accept()"},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, d, Spec{Image: AIOQuic, Network: n, Cmd: []string{"python", "-c",
		"import socket; print(socket.create_connection(('origin',4000)).recv(9).decode())"}})
	if r.ExitCode != 0 || string(r.Stdout) != "hello\n" {
		t.Errorf("%d %q %q", r.ExitCode, r.Stdout, r.Stderr)
	}
	if e, err := origin.Exec(ctx, "sh", "-c", "id -u; echo late >&2; exit 3"); err != nil || e.ExitCode != 3 || string(e.Stdout) != "65534\n" || string(e.Stderr) != "late\n" {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestLiveACancelledRunLeavesNothing(t *testing.T) {
	d := live(t, AIOQuic)
	ctx, cancel := context.WithCancel(context.Background())
	c, err := d.Start(ctx, sh("sleep 300"))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := c.Wait(ctx); err == nil {
		t.Error("a cancelled wait ended well")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := c.Exec(context.Background(), "true"); err == nil {
		t.Error("the container is still there")
	}
}

// TestLiveAnInterruptionWhileAContainerIsMadeLeavesNothing interrupts at moments
// from before the engine hears of the container to after its start.
func TestLiveAnInterruptionWhileAContainerIsMadeLeavesNothing(t *testing.T) {
	d := live(t, AIOQuic)
	// A time of its own tells what this test made from what others make meanwhile.
	now := time.Now().Add(time.Duration(os.Getpid()) * time.Second)
	d.Now = func() time.Time { return now }
	mine := d.labels(Life + slack)[labelExpires]
	for moment := range 12 {
		ctx, interrupt := context.WithTimeout(context.Background(), time.Duration(moment)*15*time.Millisecond)
		n, err := d.Network(ctx, 0)
		if err == nil {
			_, _ = d.Run(ctx, Spec{Image: AIOQuic, Cmd: []string{"sleep", "20"}, Network: n}) // it is interrupted
			err = n.Close()
		}
		interrupt()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("moment %d: %v", moment, err)
		}
	}
	for _, list := range []func(context.Context, string) ([]engine.Thing, error){d.Engine.Containers, d.Engine.Networks} {
		things, err := list(context.Background(), labelExpires+"="+mine)
		if err != nil {
			t.Fatal(err)
		}
		for _, thing := range things {
			t.Errorf("%s is left", thing.Name)
			if err := errors.Join(d.Engine.RemoveContainer(context.Background(), thing.ID), d.Engine.RemoveNetwork(context.Background(), thing.ID)); err != nil {
				t.Error(err)
			}
		}
	}
}

// die is the lane that gets killed. What it starts would live for minutes.
func die(run string) {
	ctx := context.Background()
	d, err := Open(ctx, io.Discard)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	n, err := d.Network(ctx, 0)
	if err == nil {
		_, err = d.Start(ctx, Spec{Image: AIOQuic, Cmd: []string{"sh", "-c", "sleep 300"}, Network: n, Env: map[string]string{"RUN": run}})
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("started", n.name, d.owner.label)
	select {}
}

func TestLiveASweepRemovesWhatAKilledLaneLeft(t *testing.T) {
	d := live(t, AIOQuic)
	ctx := context.Background()
	lane := exec.Command(os.Args[0])
	lane.Env = append(os.Environ(), doomed+"="+t.Name())
	out, err := lane.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := lane.Start(); err != nil {
		t.Fatal(err)
	}
	words, err := bufio.NewReader(out).ReadString('\n')
	said, ok := strings.CutPrefix(strings.TrimSpace(words), "started ")
	network, owner, _ := strings.Cut(said, " ")
	if err := lane.Process.Signal(syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	_ = lane.Wait() // it was killed
	if !ok {
		t.Fatalf("the lane says %q, %v", words, err)
	}
	left := func() (ids []string) {
		for _, list := range []func(context.Context, string) ([]engine.Thing, error){d.Engine.Containers, d.Engine.Networks} {
			things, err := list(ctx, labelOwner+"="+owner)
			if err != nil {
				t.Fatal(err)
			}
			for _, thing := range things {
				ids = append(ids, thing.Name)
			}
		}
		return ids
	}
	if got := left(); len(got) != 2 || got[1] != network {
		t.Errorf("the killed lane left %v, not a container and %s", got, network)
	}
	if _, err := d.Sweep(ctx, false); err != nil {
		t.Error(err)
	}
	if got := left(); len(got) != 0 {
		t.Errorf("the sweep left %v", got)
	}
}
