package lanes

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"rea.example/containers"
	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/child"
)

// python runs a script on files, in the container that has a Python, else with
// this machine's. The script is given numbers for names, in the order of files.
// Without any Python the reason is given.
func python(ctx context.Context, b *bench.Bench, name string, files []captures.File) (out []byte, reason string, err error) {
	if reason := b.Lacks(containers.MITMDump); reason != "" {
		host, absent := exec.LookPath("python3")
		if absent != nil {
			//nolint:nilerr // its absence is the reason that is given
			return nil, "no python3 on this machine, and " + reason, nil
		}
		out, err = hostPython(ctx, b, host, name, files)
		return out, "", err
	}
	spec := containers.Spec{
		Image: containers.MITMDump, Cmd: []string{"python", name}, Memory: 2 << 30,
		Files: []containers.File{script(name)},
	}
	for i, f := range files {
		spec.Files = append(spec.Files, containers.File{Name: "files/" + strconv.Itoa(i), Path: f.Path})
		spec.Cmd = append(spec.Cmd, "files/"+strconv.Itoa(i))
	}
	r, err := b.Dock.Run(ctx, spec)
	if err == nil && r.ExitCode != 0 {
		err = fmt.Errorf("%s ended with %d: %s", name, r.ExitCode, lastLine(r.Stderr))
	}
	return r.Stdout, "", err
}

func hostPython(ctx context.Context, b *bench.Bench, host, name string, files []captures.File) ([]byte, error) {
	path := filepath.Join(b.Temp, name)
	if err := os.WriteFile(path, script(name).Data, 0o600); err != nil {
		return nil, err
	}
	cmd := child.Command(ctx, host, append([]string{"-I", path}, paths(files)...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", name, err, lastLine(stderr.Bytes()))
	}
	return out, nil
}
