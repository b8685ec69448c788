package judge

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/goccy/go-json"

	"rea.example/containers"
	"rea.example/verify/report"
)

// Container is the judge in the container of its image: no network, no node on
// this machine.
type Container struct {
	dock *containers.Dock
	pins []containers.Pin
}

// home is where the image keeps the scripts.
const home = "/opt/judge/"

// One container gets so many captures, and so many bytes of them.
const (
	batchFiles = 1000
	batchBytes = 16 << 20
)

// Contained is the judge in a container of that dock, whose image's tools gave
// their versions as pins.
func Contained(dock *containers.Dock, pins []containers.Pin) *Container {
	return &Container{dock, pins}
}

// Pins are the versions that the tools in the image report.
func (c *Container) Pins() []report.Pin {
	var pins []report.Pin
	for _, p := range c.pins {
		pins = append(pins, report.Pin{Name: PinName(p.Name), Value: p.Version})
	}
	return pins
}

// PinName is how a report names a tool of the image: node, or a package of npm.
func PinName(tool string) string {
	if tool == "node" {
		return tool
	}
	return "npm " + tool
}

// Verdicts judges the files in their order.
func (c *Container) Verdicts(ctx context.Context, paths []string) ([]Verdict, error) {
	var all []Verdict
	for len(paths) > 0 {
		n, err := batch(paths)
		if err != nil {
			return nil, err
		}
		list, err := c.verdicts(ctx, paths[:n])
		if err != nil {
			return nil, err
		}
		all, paths = append(all, list...), paths[n:]
	}
	return all, nil
}

// batch is how many of the files go into one container: at least one.
func batch(paths []string) (n int, err error) {
	var size int64
	for ; n < len(paths) && n < batchFiles; n++ {
		info, err := os.Stat(paths[n])
		if err != nil {
			return 0, fmt.Errorf("judge: %w", err)
		}
		if size += info.Size(); size > batchBytes && n > 0 {
			break
		}
	}
	return n, nil
}

func (c *Container) verdicts(ctx context.Context, paths []string) ([]Verdict, error) {
	// The names inside are numbers: a capture's own name may be anything.
	names := make([]string, len(paths))
	files := make([]containers.File, len(paths))
	for i, path := range paths {
		names[i] = strconv.Itoa(i)
		files[i] = containers.File{Name: names[i], Path: path}
	}
	out, err := c.run(ctx, files, append([]string{"node", home + "verdict.mjs"}, names...)...)
	if err != nil {
		return nil, err
	}
	list, err := readVerdicts(out, names)
	for i := range list {
		list[i].File = paths[i]
	}
	return list, err
}

// Ask puts each input to an operation of serve.mjs.
func (c *Container) Ask(ctx context.Context, op string, inputs []string) ([]json.RawMessage, error) {
	lines, err := requests(op, inputs)
	if err != nil {
		return nil, err
	}
	out, err := c.run(ctx, []containers.File{{Name: "requests", Data: lines}}, "sh", "-c", "node "+home+"serve.mjs < requests")
	if err != nil {
		return nil, err
	}
	return readAnswers(out, len(inputs))
}

// Node runs a script with the path of a file that holds the input.
func (c *Container) Node(ctx context.Context, script string, input []byte) ([]byte, error) {
	return c.run(ctx, []containers.File{{Name: "script.mjs", Data: []byte(script)}, {Name: "input", Data: input}}, "node", "script.mjs", "input")
}

func (c *Container) run(ctx context.Context, files []containers.File, cmd ...string) ([]byte, error) {
	r, err := c.dock.Run(ctx, containers.Spec{Image: containers.NPMHar, Cmd: cmd, Files: files})
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	if r.ExitCode != 0 {
		return nil, fmt.Errorf("judge: %s in the container ended with %d: %s", cmd[0], r.ExitCode, strings.TrimSpace(string(r.Stderr)))
	}
	return r.Stdout, nil
}
