package lanes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/lane"
	"rea.example/verify/product"
)

// WebOffline lets the product do its whole job where there is no network and every
// system call that makes or uses a socket fails; and where the first one ends the
// process.
var WebOffline = lane.Lane{
	Name:  "web:offline",
	Doc:   "The whole job for every format in a container without a network, where every socket call fails, and where one would be the last.",
	Needs: lane.Needs{Images: []containers.Image{containers.MITMDump}},
	Run:   runWebOffline,
}

// The calls of sockets, by their names in Linux on every architecture; one that an
// architecture lacks is skipped.
var socketCalls = []string{
	"socket", "socketpair", "socketcall", "bind", "listen", "accept", "accept4", "connect", "getsockname", "getpeername",
	"send", "sendto", "sendmsg", "sendmmsg", "recv", "recvfrom", "recvmsg", "recvmmsg", "recvmmsg_time64", "shutdown", "setsockopt", "getsockopt",
}

// profile is a seccomp profile under which these calls fail with EPERM, or end the
// process.
func profile(deadly bool) string {
	action := `"action":"SCMP_ACT_ERRNO","errnoRet":1`
	if deadly {
		action = `"action":"SCMP_ACT_KILL_PROCESS"`
	}
	return `{"defaultAction":"SCMP_ACT_ALLOW","syscalls":[{"names":["` + strings.Join(socketCalls, `","`) + `"],` + action + `}]}`
}

// The control shows that the profile holds: another program tries.
const control = `import socket
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    print("a socket")
except OSError as e:
    print(type(e).__name__)`

// offlineJob does everything for every capture: both decoders of the command line,
// saved Evidence, views, the forms, and a conversation with the server.
const offlineJob = `set -e
for f in sample.*; do
  format=${f#sample.}
  ./rea inspect-web-network-capture "$PWD/$f" "$format" --json > "out.$format.json"
  ./rea inspect-web-network-capture "$PWD/$f" "$format" > "out.$format.txt"
  ./rea inspect-analysis-view --evidence "out.$format.json" --view '{"kind":"summary"}' --json > "out.$format.summary"
  ./rea inspect-analysis-view --evidence "out.$format.json" --view '{"kind":"capture"}' > "out.$format.page"
  ./rea sample "$format" --json > "out.$format.sample"
done
python talk.py > out.talk
`

func runWebOffline(ctx context.Context, b *bench.Bench) error {
	run, err := newRunner(b, "tmp")
	if err != nil {
		return err
	}
	samples, err := writeSamples(ctx, run, b.Temp)
	if err != nil {
		return err
	}
	executable, err := b.Portable(ctx)
	if err != nil {
		return err
	}
	spec := containers.Spec{Image: containers.MITMDump, Files: []containers.File{
		{Name: "rea", Path: executable, Mode: 0o755}, {Name: "talk", Data: []byte(offlineTalk(samples))}, script("talk.py"),
	}, Outputs: []string{"out.talk"}}
	for _, c := range samples {
		spec.Files = append(spec.Files, containers.File{Name: "sample." + c.format, Path: c.path})
		for _, kind := range []string{"json", "txt", "summary", "page", "sample"} {
			spec.Outputs = append(spec.Outputs, "out."+c.format+"."+kind)
		}
	}
	for _, how := range []struct {
		name   string
		deadly bool
	}{{"socket calls fail", false}, {"a socket call is the last", true}} {
		spec.Seccomp = profile(how.deadly)
		b.Check("control, where "+how.name+": another program gets no socket", func() error {
			tried := spec
			tried.Cmd = []string{"python", "-c", control}
			r, err := b.Dock.Run(ctx, tried)
			return errors.Join(err, held(r, how.deadly))
		})
		spec.Cmd = []string{"sh", "-c", offlineJob}
		r, err := b.Dock.Run(ctx, spec)
		if err != nil {
			return err
		}
		b.Check("where "+how.name+": everything ends in order", func() error {
			if r.ExitCode != 0 || len(r.Stderr) > 0 {
				return fmt.Errorf("exit status %d: %s", r.ExitCode, lastLine(r.Stderr))
			}
			return nil
		})
		for _, c := range samples {
			b.Check("where "+how.name+": "+c.format+" as anywhere else", func() error {
				out, err := run.inspect(ctx, c.path, c.format, "--json")
				if err != nil {
					return err
				}
				return sameOffline(r.Files, c.format, out)
			})
		}
		b.Check("where "+how.name+": the server answers", func() error { return answeredAll(r.Files["out.talk"], len(samples)) })
	}
	return nil
}

// held wants the control to have been stopped.
func held(r containers.Result, deadly bool) error {
	said := strings.TrimSpace(string(r.Stdout))
	if deadly {
		if r.ExitCode == 0 || said != "" {
			return fmt.Errorf("exit status %d, and it says %q", r.ExitCode, said)
		}
		return nil
	}
	if r.ExitCode != 0 || said != "PermissionError" {
		return fmt.Errorf("exit status %d, and it says %q", r.ExitCode, said)
	}
	return nil
}

// sameOffline compares the records with those that were read outside, and wants
// every other document to be there.
func sameOffline(files map[string][]byte, format string, outside product.Output) error {
	inside := product.Output{Stdout: files["out."+format+".json"]}
	if err := sameRecords(inside, outside); err != nil {
		return err
	}
	e, err := inside.Evidence()
	if err != nil {
		return err
	}
	sample, err := product.Output{Stdout: files["out."+format+".sample"]}.Evidence()
	if err != nil {
		return err
	}
	if *sample.Result.Artifact.SHA256 != *e.Result.Artifact.SHA256 {
		return errors.New("the sample is another file")
	}
	page, err := viewOf(files["out."+format+".summary"])
	if err != nil {
		return err
	}
	if page.Kind != "summary" || page.Parent != e.ID {
		return errors.New("the summary is of another parent")
	}
	for _, kind := range []string{"txt", "page"} {
		if len(files["out."+format+"."+kind]) == 0 {
			return fmt.Errorf("no text of %s", kind)
		}
	}
	return nil
}

// offlineTalk is what a client says to the server.
func offlineTalk(samples []sample) string {
	lines := []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"offline","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for i, c := range samples {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`,
			i+1, inspectTool, arguments(containers.Work+"/sample."+c.format, c.format, map[string]any{"detail": "summary"})))
	}
	return strings.Join(lines, "\n") + "\n"
}

// answeredAll wants a summary for each call.
func answeredAll(said []byte, calls int) error {
	summaries := 0
	for line := range strings.Lines(string(said)) {
		var m struct {
			ID     *int `json:"id"`
			Result struct {
				IsError    bool `json:"isError"`
				Structured struct {
					Result struct {
						Kind string `json:"kind"`
					} `json:"normalized_result"`
				} `json:"structuredContent"`
			} `json:"result"`
			Error *struct{} `json:"error"`
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			return errors.New("an answer is not JSON")
		}
		if m.Error != nil || m.Result.IsError {
			return errors.New("an answer is an error")
		}
		if m.ID != nil && m.Result.Structured.Result.Kind == "summary" {
			summaries++
		}
	}
	if summaries != calls {
		return fmt.Errorf("%d summaries of %d", summaries, calls)
	}
	return nil
}
