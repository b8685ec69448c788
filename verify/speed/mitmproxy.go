package speed

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-json"

	"rea.example/containers"
	"rea.example/verify/product"
)

// The files that flows.py reads over and over; those of completeFlows follow.
const (
	smallFile = "small.mitm"
	emptyFile = "empty.mitm"
)

// mitmproxy compares the embedded reader with mitmproxy's own, and Evidence
// through the one with Evidence through the other. What is timed beside Python is
// timed where that Python is: on this machine or in the container, by one script.
func mitmproxy(ctx context.Context, b *bench) ([]row, error) {
	small, err := smallFlows.create(b.file(smallFile))
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(b.file(emptyFile), nil, 0o600); err != nil {
		return nil, fmt.Errorf("speed: %w", err)
	}
	flows := make([]int, len(completeFlows))
	for i, s := range completeFlows {
		if flows[i], err = s.create(b.file(s.file())); err != nil {
			return nil, err
		}
	}
	inChild, err := b.goReader(ctx)
	if err != nil {
		return nil, err
	}
	times, err := b.flowTimes(ctx)
	if err != nil {
		b.missing("mitmproxy", err)
	}
	reader, whole, nothing := medians(times.Reader), medians(times.Small), medians(times.Empty)
	job := fmt.Sprintf("mitmproxy, reading 32 MiB of %d %s: ", small, smallFlows.name)
	rows := []row{
		{job: job + "the reader alone (Go benchmark)", peer: "mitmproxy.io.tnetstring, the loop alone", goal: "30×", ours: figures{wall: inChild}, theirs: reader},
		{job: job + "the command for one, less an empty file", peer: "the same",
			ours: figures{wall: whole.wall - nothing.wall, cpu: whole.cpu - nothing.cpu}, theirs: reader},
	}
	for i, s := range completeFlows {
		r, err := b.complete(ctx, b.file(s.file()), times.file(i))
		if err != nil {
			return nil, err
		}
		r.job = fmt.Sprintf("mitmproxy, %.1f MiB, %d flows, complete", float64(s.limit)/(1<<20), flows[i])
		rows = append(rows, r)
	}
	return rows, nil
}

// complete is the row of complete Evidence of one file. The memory is looked at
// from here, since a script in a container has no such view; without that script,
// so is the time.
func (b *bench) complete(ctx context.Context, capture string, t fileTimes) (row, error) {
	samples, err := b.repeat(b.rounds, func() *exec.Cmd { return b.inspect(ctx, capture, "mitmproxy", "--decoder", "embedded") })
	if err != nil {
		return row{}, err
	}
	here := medians(samples)
	r := row{peer: "decoder upstream, end to end", goal: "10×", ours: medians(t.Embedded), theirs: medians(t.Upstream)}
	if r.ours.wall == 0 {
		r.ours = here
	}
	r.ours.all, r.ours.child = here.all, here.child
	r.floor, err = b.floor(capture)
	return r, err
}

// goReader is the time of the product's reader over the small flows, within a
// process, as the product module's own benchmark gives it.
func (b *bench) goReader(ctx context.Context) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-C", filepath.Join(b.root, "rea"), "-run=^$", "-bench=^BenchmarkRead$",
		"-count="+strconv.Itoa(b.rounds), "-benchtime=3x", "./internal/format/mitmproxy")
	cmd.Env = append(os.Environ(), "GOWORK=off", "REA_BENCH_FLOWS="+b.file(smallFile))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("speed: the reader's benchmark: %w\n%s", err, out)
	}
	samples := benchmarkTimes(out)
	if len(samples) == 0 {
		return 0, fmt.Errorf("speed: the reader's benchmark gave no times:\n%s", out)
	}
	return median(samples, wall), nil
}

// benchmarkTimes reads the lines that `go test -bench` prints.
func benchmarkTimes(out []byte) (samples []sample) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") || f[3] != "ns/op" {
			continue
		}
		if ns, err := strconv.ParseFloat(f[2], 64); err == nil {
			samples = append(samples, sample{wall: time.Duration(ns)})
		}
	}
	return samples
}

// flowTimes is what flows.py measured.
type flowTimes struct {
	Reader, Small, Empty []sample
	Files                []fileTimes
}

// fileTimes are those of complete Evidence of one file, by who read it.
type fileTimes struct{ Embedded, Upstream []sample }

// file is the times of one file; none where nothing was measured.
func (t flowTimes) file(i int) (f fileTimes) {
	if i < len(t.Files) {
		f = t.Files[i]
	}
	return f
}

// UnmarshalJSON reads a sample as Python writes one: seconds.
func (s *sample) UnmarshalJSON(b []byte) error {
	var seconds struct{ Wall, CPU float64 }
	if err := json.Unmarshal(b, &seconds); err != nil {
		return err
	}
	s.wall = time.Duration(seconds.Wall * float64(time.Second))
	s.cpu = time.Duration(seconds.CPU * float64(time.Second))
	return nil
}

// flowTimes runs flows.py where mitmproxy is: beside the mitmdump that the
// environment names, else in the container.
func (b *bench) flowTimes(ctx context.Context) (t flowTimes, err error) {
	script, err := b.script("flows.py")
	if err != nil {
		return t, err
	}
	var out []byte
	if mitmdump := os.Getenv("REA_MITMDUMP_COMMAND"); mitmdump != "" {
		out, err = b.flowTimesHere(ctx, script, mitmdump)
	} else {
		out, err = b.flowTimesContained(ctx, script)
	}
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(out, &t); err != nil {
		return t, fmt.Errorf("speed: flows.py: %w", err)
	}
	return t, nil
}

// flowFiles are the files in the order in which flows.py takes them.
func flowFiles() []string {
	names := []string{smallFile, emptyFile}
	for _, s := range completeFlows {
		names = append(names, s.file())
	}
	return names
}

func (b *bench) flowTimesHere(ctx context.Context, script, mitmdump string) ([]byte, error) {
	text, err := os.ReadFile(mitmdump)
	if err != nil {
		return nil, fmt.Errorf("speed: %w", err)
	}
	interpreter, ok := shebang(text)
	if !ok {
		return nil, errors.New("the mitmdump in REA_MITMDUMP_COMMAND is no script that names its Python")
	}
	cmd := exec.CommandContext(ctx, interpreter, append([]string{script, b.product.Path, mitmdump, strconv.Itoa(b.rounds)}, flowFiles()...)...)
	cmd.Dir = b.dir
	cmd.Stderr = b.say
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("speed: flows.py: %w", err)
	}
	return out, nil
}

// shebang is the program that a script names in its first line.
func shebang(script []byte) (string, bool) {
	line, _, _ := bytes.Cut(script, []byte("\n"))
	path, ok := strings.CutPrefix(string(line), "#!")
	path = strings.TrimSpace(path)
	return path, ok && filepath.IsAbs(path)
}

func (b *bench) flowTimesContained(ctx context.Context, script string) ([]byte, error) {
	dock, err := containers.Open(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dock.Close() }()
	about := dock.Engine.About()
	program := b.product.Path
	if about.OS != runtime.GOOS || about.Arch != runtime.GOARCH {
		if program, err = product.BuildFor(ctx, b.root, b.dir, about.OS, about.Arch); err != nil {
			return nil, err
		}
	}
	files := []containers.File{{Name: "rea", Path: program, Mode: 0o755}, {Name: "flows.py", Path: script}}
	for _, name := range flowFiles() {
		files = append(files, containers.File{Name: name, Path: b.file(name)})
	}
	r, err := dock.Run(ctx, containers.Spec{
		Image: containers.MITMDump,
		Cmd:   append([]string{"python", "flows.py", containers.Work + "/rea", "/opt/tool/bin/mitmdump", strconv.Itoa(b.rounds)}, flowFiles()...),
		Files: files,
	})
	if err != nil {
		return nil, err
	}
	if r.ExitCode != 0 {
		return nil, fmt.Errorf("speed: flows.py in the container ended with %d: %s", r.ExitCode, bytes.TrimSpace(r.Stderr))
	}
	return r.Stdout, nil
}
