package lanes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/lane"
	"rea.example/verify/qlogfile"
)

// WebAioquic records the two traces first: aioquic's own QUIC and HTTP/3 as origin
// and client in a container, with a relay between them that drops what it is told
// to. What went over the wire is counted by the experiment, and not from the trace.
var WebAioquic = lane.Lane{
	Name:  "web:aioquic",
	Doc:   "Two traces that aioquic writes in its container, one with a lost packet, against what the experiment counted where it sent.",
	Needs: lane.Needs{Images: []containers.Image{containers.AIOQuic}, Useful: []containers.Image{containers.NPMHar}},
	Run: func(ctx context.Context, b *bench.Bench) error {
		traces, err := recordTraces(ctx, b)
		if err != nil {
			return err
		}
		return checkTraces(ctx, b, traces)
	},
}

// counts is what the experiment says of a run.
type counts struct {
	Frames         int        `json:"frames"`
	UniqueBytes    int64      `json:"unique_bytes"`
	RepeatedBytes  int64      `json:"repeated_bytes"`
	RepeatedRanges [][2]int64 `json:"repeated_ranges"`
	FinalSizes     []int64    `json:"final_sizes"`
	BodyBytes      int64      `json:"body_bytes"`
	StreamID       int        `json:"stream_id"`
	Dropped        int        `json:"dropped_datagrams"`
	AIOQuic        string     `json:"aioquic"`
	Attempts       int        `json:"attempts"`
	Secrets        []string   `json:"secrets"`
}

func recordTraces(ctx context.Context, b *bench.Bench) ([]trace, error) {
	experiment, err := containers.AIOQuic.File("experiment.py")
	if err != nil {
		return nil, err
	}
	spec := containers.Spec{
		Image: containers.AIOQuic, Cmd: []string{"python", "experiment.py", "out"},
		Files: []containers.File{{Name: "experiment.py", Data: experiment}},
	}
	for _, run := range []string{"control", "loss"} {
		spec.Outputs = append(spec.Outputs, "out/"+run+"/origin.qlog", "out/"+run+"/counts.json")
	}
	b.Say("the experiment")
	r, err := b.Dock.Run(ctx, spec)
	if err != nil {
		return nil, err
	}
	if r.ExitCode != 0 {
		return nil, fmt.Errorf("experiment.py ended with %d: %s", r.ExitCode, lastLine(r.Stderr))
	}
	var traces []trace
	for _, run := range []string{"control", "loss"} {
		t, err := newTrace(b, run, r.Files["out/"+run+"/origin.qlog"], r.Files["out/"+run+"/counts.json"])
		if err != nil {
			return nil, err
		}
		traces = append(traces, t)
	}
	return traces, nil
}

// newTrace keeps the trace in the bench's folder, with what was counted of it.
func newTrace(b *bench.Bench, run string, data, counted []byte) (trace, error) {
	if len(data) == 0 || len(counted) == 0 {
		return trace{}, fmt.Errorf("the experiment left no trace of the run %s, or no counts", run)
	}
	var c counts
	if err := json.Unmarshal(counted, &c); err != nil {
		return trace{}, fmt.Errorf("counts.json: %w", err)
	}
	t := trace{name: run, path: filepath.Join(b.Temp, run+".qlog"), secrets: c.Secrets}
	t.known = known{covered: c.UniqueBytes, repeated: c.RepeatedBytes, frames: c.Frames}
	if len(c.RepeatedRanges) == 1 {
		t.known.at = qlogfile.Range{Start: c.RepeatedRanges[0][0], End: c.RepeatedRanges[0][1]}
	}
	b.Pin(run+" run", "aioquic "+c.AIOQuic+", attempt "+strconv.Itoa(c.Attempts))
	b.Check(run+": the experiment did what it is for", func() error { return c.right(run) })
	return t, os.WriteFile(t.path, data, 0o600)
}

// The response as everyone knows it: a body, and what HTTP/3 puts around it.
const (
	responseBody  = 32768
	responseBytes = 32803
	lostBytes     = 1169
)

// right says whether the run is the one that is wanted: a whole response, and in
// the run that loses a packet, what was in it a second time.
func (c counts) right(run string) error {
	dropped := 0
	if run == "loss" {
		dropped = 1
	}
	switch {
	case c.BodyBytes != responseBody || c.UniqueBytes != responseBytes || c.StreamID != 0:
		return fmt.Errorf("%d bytes of body in %d bytes of stream %d", c.BodyBytes, c.UniqueBytes, c.StreamID)
	case len(c.FinalSizes) != 1 || c.FinalSizes[0] != responseBytes:
		return errors.New("the response did not end where it should")
	case c.Dropped != dropped || len(c.RepeatedRanges) != dropped:
		return fmt.Errorf("%d datagrams dropped, %d ranges repeated", c.Dropped, len(c.RepeatedRanges))
	case c.RepeatedBytes != int64(dropped*lostBytes):
		return fmt.Errorf("%d bytes repeated", c.RepeatedBytes)
	}
	return nil
}
