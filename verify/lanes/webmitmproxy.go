package lanes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/lane"
	"rea.example/verify/product"
	"rea.example/verify/results"
)

// WebMitmproxy lets a real mitmdump record real traffic, and reads what it wrote
// with both decoders: mitmproxy's own reader, inside the container, and the
// product's, inside and outside.
var WebMitmproxy = lane.Lane{
	Name:  "web:mitmproxy",
	Doc:   "Both readings of flow files against each other, against a projection written down a second time, and against what an origin served.",
	Needs: lane.Needs{Images: []containers.Image{containers.MITMDump}},
	Run:   runWebMitmproxy,
}

// mitmdump is where the image has it.
const mitmdump = "/opt/tool/bin/mitmdump"

// flowStates is how many generated states both decoders read.
const flowStates = 5000

func runWebMitmproxy(ctx context.Context, b *bench.Bench) error {
	files, name, err := flowCorpus(b.Root)
	if err != nil {
		return err
	}
	b.Pin("corpus", name)
	c := &canary{plant: b.Plant}
	for range trafficSecrets {
		c.next()
	}
	b.Say("traffic through mitmdump")
	room, err := startFlowRoom(ctx, b, c.secrets, files)
	if err != nil {
		return err
	}
	defer func() { _ = room.Close() }() // the dock removes what resists
	run, err := newRunner(b, "tmp")
	if err != nil {
		return err
	}
	for _, part := range []func() error{
		func() error { return checkTable(ctx, b, run, "mitmproxy") },
		func() error { return checkSecretFlow(ctx, b, run) },
		func() error { return checkRecordings(ctx, b, run, room, c) },
		func() error { return checkMisbehaviour(ctx, b, room, c) },
		func() error { return checkStates(ctx, b, room, files) },
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// flowRoom is the container in which mitmdump recorded, with the product in it.
type flowRoom struct {
	*containers.Running
	out string // the recordings, on this machine
}

func startFlowRoom(ctx context.Context, b *bench.Bench, secrets []string, files []captures.File) (*flowRoom, error) {
	executable, err := b.Portable(ctx)
	if err != nil {
		return nil, err
	}
	spec := traffic(secrets, "--stay")
	spec.Files = append(spec.Files, script("states.py"), containers.File{Name: "rea", Path: executable, Mode: 0o755})
	fake := script("fake.py")
	for _, m := range misbehaviour {
		spec.Files = append(spec.Files, containers.File{Name: "fakes/" + m.name, Data: fake.Data, Mode: 0o755})
	}
	for i, f := range files {
		spec.Files = append(spec.Files, containers.File{Name: given(i), Path: f.Path})
	}
	spec.Ready, spec.Life, spec.Memory = "recorded", 15*time.Minute, 2<<30
	running, err := b.Dock.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	r := &flowRoom{running, filepath.Join(b.Temp, "out")}
	if err := r.CopyOut(ctx, "out", b.Temp); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// given is the name of a corpus file in the container.
func given(i int) string { return fmt.Sprintf("given/%02d.mitm", i) }

// inspect runs the product inside, with a mitmdump of the given path.
func (r *flowRoom) inspect(ctx context.Context, command, file, decoder string, more ...string) (product.Output, error) {
	cmd := []string{"env", "REA_MITMDUMP_COMMAND=" + command, containers.Work + "/rea",
		"inspect-web-network-capture", containers.Work + "/" + file, "mitmproxy", "--decoder", decoder}
	result, err := r.Exec(ctx, append(cmd, more...)...)
	return product.Output{Exit: result.ExitCode, Stdout: result.Stdout, Stderr: result.Stderr}, err
}

// flowCorpus is the folder that the environment names, else what the product
// carries as a sample.
func flowCorpus(root string) ([]captures.File, string, error) {
	if dir := os.Getenv(captures.Variable); dir != "" {
		files, err := captures.Read(dir, "mitmproxy")
		return files, fmt.Sprintf("%d flow files of the folder in %s", len(files), captures.Variable), err
	}
	files, err := captures.Folder(filepath.Join(root, "rea", "internal", "format", "mitmproxy"), "mitmproxy", ".mitm")
	return files, results.Counted(len(files), "committed flow file"), err
}

// recordings are what traffic.py leaves of flows.
var recordings = []string{"flows.mitm", "answered.mitm", "replayed.mitm"}

func checkRecordings(ctx context.Context, b *bench.Bench, run *runner, room *flowRoom, c *canary) error {
	data, err := os.ReadFile(filepath.Join(room.out, "served.json"))
	if err != nil {
		return err
	}
	served, err := readOrigin(data)
	if err != nil {
		return err
	}
	for _, name := range recordings {
		path := filepath.Join(room.out, name)
		capture, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b.Check(name+": the same records by mitmproxy's reader and by the product's, inside and outside", func() error {
			upstream, err := room.inspect(ctx, mitmdump, "out/"+name, "upstream", "--json")
			if err != nil {
				return err
			}
			inside, err := room.inspect(ctx, mitmdump, "out/"+name, "embedded", "--json")
			if err != nil {
				return err
			}
			outside, err := run.inspect(ctx, path, "mitmproxy", "--decoder", "embedded", "--json")
			if err != nil {
				return err
			}
			return errors.Join(sameRecords(upstream, outside), sameRecords(inside, outside), providers(upstream, outside))
		})
		b.Check(name+": mitmproxy itself counts as many flows", func() error { return room.sameCount(ctx, run, path, name) })
		b.Check(name+": byte ranges cover the file", func() error {
			e, err := run.flows(ctx, path)
			if err != nil {
				return err
			}
			return covers(e, int64(len(capture)))
		})
		b.Check(name+": bodies and messages are those that the origin saw and served", func() error {
			e, err := run.flows(ctx, path)
			if err != nil {
				return err
			}
			rows := served.Recorded
			if name == "replayed.mitm" {
				rows = served.Replayed
			}
			return sameFlows(e, rows, name)
		})
		for _, form := range []string{"json", "text"} {
			b.Check(name+": secrets of the traffic, "+form, func() error {
				out, err := run.inspect(ctx, path, "mitmproxy", "--decoder", "embedded", "--format", form)
				if err != nil {
					return err
				}
				return errors.Join(c.absent(out), c.present(capture))
			})
		}
	}
	return nil
}

// flows reads a flow file with the product's own reader.
func (r *runner) flows(ctx context.Context, path string) (*product.Evidence, error) {
	out, err := r.inspect(ctx, path, "mitmproxy", "--decoder", "embedded", "--json")
	if err != nil {
		return nil, err
	}
	e, err := out.Evidence()
	return e, explain(err, out)
}

// sameRecords compares the bytes of two lists of records.
func sameRecords(a, b product.Output) error {
	x, err := records(a)
	if err != nil {
		return err
	}
	y, err := records(b)
	if err != nil {
		return err
	}
	if !bytes.Equal(x, y) {
		return errors.New("the records differ")
	}
	return nil
}

func records(out product.Output) ([]byte, error) {
	if _, err := out.Evidence(); err != nil {
		return nil, explain(err, out)
	}
	envelope, err := members(out.Stdout)
	if err != nil {
		return nil, err
	}
	result, err := members(envelope["normalized_result"])
	if err != nil {
		return nil, err
	}
	return result["records"], nil
}

// providers must name who read.
func providers(upstream, embedded product.Output) error {
	x, err := upstream.Evidence()
	if err != nil {
		return err
	}
	y, err := embedded.Evidence()
	if err != nil {
		return err
	}
	if x.Provider.ID != "mitmproxy-native-tnetstring" || x.Provider.Version != "12.2.3" || y.Provider.ID != "rea-tnetstring" {
		return fmt.Errorf("providers %q %q and %q", x.Provider.ID, x.Provider.Version, y.Provider.ID)
	}
	return nil
}

// counter is mitmproxy's own way of reading a file of flows.
const counter = `import sys
from mitmproxy.io import FlowReader
print(sum(1 for _ in FlowReader(open(sys.argv[1], "rb")).stream()))`

func (r *flowRoom) sameCount(ctx context.Context, run *runner, path, name string) error {
	result, err := r.Exec(ctx, "python", "-c", counter, "out/"+name)
	if err != nil {
		return err
	}
	e, err := run.flows(ctx, path)
	if err != nil {
		return err
	}
	if got, want := fmt.Sprintln(e.Result.TotalRecords), string(result.Stdout); got != want {
		return fmt.Errorf("%d records, mitmproxy says %.20q", e.Result.TotalRecords, want)
	}
	return nil
}

// covers wants each record to begin where the one before it ends.
func covers(e *product.Evidence, size int64) error {
	at := int64(0)
	for i, r := range e.Result.Records {
		if r.Location.Kind != "byte-range" || r.Location.Offset != at || r.Location.Bytes < 1 {
			return fmt.Errorf("record %d is not at offset %d", i, at)
		}
		at += r.Location.Bytes
	}
	if at != size {
		return fmt.Errorf("the records end at %d of %d bytes", at, size)
	}
	return nil
}
