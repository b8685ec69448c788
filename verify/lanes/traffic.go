package lanes

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"rea.example/containers"
	"rea.example/verify/bench"
)

//go:embed scripts
var scripts embed.FS

// script is a file for a container.
func script(name string) containers.File {
	data, err := scripts.ReadFile("scripts/" + name)
	if err != nil {
		panic(err) // it is compiled in
	}
	return containers.File{Name: name, Data: data}
}

// trafficSecrets is how many secrets traffic.py takes: two that the origin sends
// and four that the client does.
const trafficSecrets = 6

// traffic is the run of traffic.py: a real mitmdump between an origin and clients.
// The secrets go over the wire.
func traffic(secrets []string, more ...string) containers.Spec {
	cmd := append([]string{"python", "traffic.py", "out"}, secrets...)
	return containers.Spec{
		Image: containers.MITMDump, Cmd: append(cmd, more...),
		Files: []containers.File{script("traffic.py"), script("origin.py")},
	}
}

// answered is one row of what the origin wrote down. Rows of HTTP have a path of
// their own.
type answered struct {
	Protocol       string `json:"protocol"`
	Path           string `json:"path"`
	Method         string `json:"method"`
	Status         int    `json:"status"`
	RequestSHA256  string `json:"request_sha256"`
	RequestBytes   int64  `json:"request_bytes"`
	ResponseSHA256 string `json:"response_sha256"` // as it was sent, coded
	ResponseBytes  int64  `json:"response_bytes"`
	IdentitySHA256 string `json:"identity_sha256"` // before the coding
	IdentityBytes  int64  `json:"identity_bytes"`

	FromClient bool   `json:"from_client"` // of messages that are not HTTP's
	SHA256     string `json:"sha256"`
	Bytes      int64  `json:"bytes"`
}

// streamed is the size from which mitmdump passes a body on without keeping it.
const streamed = 250_000

// origin is what the origin wrote down.
type origin struct {
	Recorded []answered `json:"recorded"` // by the clients' requests
	Replayed []answered `json:"replayed"` // by mitmdump's own
}

func readOrigin(data []byte) (*origin, error) {
	o := new(origin)
	if err := json.Unmarshal(data, o); err != nil {
		return nil, fmt.Errorf("served.json: %w", err)
	}
	if len(o.Recorded) == 0 || len(o.Replayed) == 0 {
		return nil, errors.New("served.json: the origin served nothing")
	}
	return o, nil
}

// http gives the rows of HTTP by their paths.
func byPath(rows []answered) map[string]answered {
	out := map[string]answered{}
	for _, r := range rows {
		if strings.HasPrefix(r.Protocol, "HTTP/") {
			out[r.Path] = r
		}
	}
	return out
}

// recordTraffic runs it to its end.
func recordTraffic(ctx context.Context, b *bench.Bench, secrets []string, outputs ...string) (map[string][]byte, error) {
	spec := traffic(secrets)
	for _, name := range outputs {
		spec.Outputs = append(spec.Outputs, "out/"+name)
	}
	r, err := b.Dock.Run(ctx, spec)
	if err != nil {
		return nil, err
	}
	if r.ExitCode != 0 {
		return nil, fmt.Errorf("traffic.py ended with %d: %s", r.ExitCode, lastLine(r.Stderr))
	}
	files := map[string][]byte{}
	for _, name := range outputs {
		data, ok := r.Files["out/"+name]
		if !ok {
			return nil, fmt.Errorf("traffic.py left no %s", name)
		}
		files[name] = data
	}
	return files, nil
}

// lastLine is what a script ended with.
func lastLine(text []byte) string {
	trimmed := strings.TrimSpace(string(text))
	return trimmed[strings.LastIndexByte(trimmed, '\n')+1:]
}
