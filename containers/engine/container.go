package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

// Start implements Engine.
func (d *Docker) Start(ctx context.Context, p Plan) (Container, error) {
	// Without this look, testcontainers would ask a registry.
	if _, err := d.Image(ctx, p.Image); err != nil {
		return nil, err
	}
	options := []testcontainers.ContainerCustomizer{
		testcontainers.WithEntrypoint(p.Cmd[:1]...),
		testcontainers.WithCmd(p.Cmd[1:]...),
		testcontainers.WithEnv(p.Env),
		testcontainers.WithLabels(p.Labels),
		testcontainers.WithConfigModifier(p.config),
		testcontainers.WithHostConfigModifier(p.hostConfig),
	}
	if p.Files != nil {
		options = append(options, testcontainers.WithAdditionalLifecycleHooks(testcontainers.ContainerLifecycleHooks{
			PostCreates: []testcontainers.ContainerHook{func(ctx context.Context, c testcontainers.Container) error {
				_, err := d.client.CopyToContainer(ctx, c.GetContainerID(), client.CopyToContainerOptions{
					DestinationPath: p.Volume, Content: p.Files,
				})
				return err
			}},
		}))
	}
	if p.Network != "none" {
		options = append(options, withNetwork(p.Network, p.Aliases))
	}
	if p.Ready != "" {
		options = append(options, testcontainers.WithWaitStrategyAndDeadline(p.ReadyTimeout, wait.ForLog(p.Ready)))
	}
	made, cancel := uncut(ctx)
	defer cancel()
	c, err := testcontainers.Run(made, p.Image, append(options, testcontainers.WithNoStart())...)
	if err == nil {
		err = c.Start(ctx)
	}
	if err != nil {
		// A container that failed late is there all the same.
		if c != nil {
			after, cancel := uncut(ctx)
			defer cancel()
			err = errors.Join(err, d.RemoveContainer(after, c.GetContainerID()))
		}
		return nil, err
	}
	return &running{docker: d, c: c}, nil
}

// uncut goes on when ctx ends, for as long as making or removing something takes. A
// request that is given up half-way is still carried out, and then nobody knows
// what it made.
func uncut(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
}

func withNetwork(name string, aliases []string) testcontainers.CustomizeRequestOption {
	return func(r *testcontainers.GenericContainerRequest) error {
		r.Networks = []string{name}
		r.NetworkAliases = map[string][]string{name: aliases}
		return nil
	}
}

func (p Plan) config(c *container.Config) {
	c.User = p.User
	c.WorkingDir = p.Dir
	if p.Volume != "" {
		c.Volumes = map[string]struct{}{p.Volume: {}}
	}
}

func (p Plan) hostConfig(h *container.HostConfig) {
	if p.Network == "none" {
		h.NetworkMode = "none"
	}
	h.ReadonlyRootfs = p.ReadOnly
	h.Init = &p.Init
	if p.DropAll {
		h.CapDrop = []string{"ALL"}
	}
	if p.NoNewPrivileges {
		h.SecurityOpt = append(h.SecurityOpt, "no-new-privileges")
	}
	if p.Seccomp != "" {
		h.SecurityOpt = append(h.SecurityOpt, "seccomp="+p.Seccomp)
	}
	h.Memory, h.MemorySwap = p.Memory, p.Memory
	if p.PIDs > 0 {
		h.PidsLimit = &p.PIDs
	}
	tmpfs := map[string]string{}
	for _, path := range p.Tmpfs {
		tmpfs[path] = fmt.Sprintf("rw,nosuid,nodev,noexec,mode=1777,size=%d", p.TmpfsBytes)
	}
	h.Tmpfs = maps.Clone(tmpfs)
}

type running struct {
	docker *Docker
	c      testcontainers.Container
}

func (r *running) ID() string { return r.c.GetContainerID() }

func (r *running) Wait(ctx context.Context) (Exit, error) {
	w := r.docker.client.ContainerWait(ctx, r.ID(), client.ContainerWaitOptions{Condition: container.WaitConditionNotRunning})
	select {
	case err := <-w.Error:
		return Exit{}, err
	case end := <-w.Result:
		if end.Error != nil {
			return Exit{}, errors.New(end.Error.Message)
		}
		state, err := r.c.State(ctx)
		if err != nil {
			return Exit{}, err
		}
		return Exit{Code: int(end.StatusCode), OOMKilled: state.OOMKilled}, nil
	}
}

func (r *running) Output(ctx context.Context, stdout, stderr io.Writer) error {
	logs, err := r.docker.client.ContainerLogs(ctx, r.ID(), client.ContainerLogsOptions{ShowStdout: true, ShowStderr: true})
	if err != nil {
		return err
	}
	defer logs.Close()
	_, err = stdcopy.StdCopy(stdout, stderr, logs)
	return err
}

func (r *running) Exec(ctx context.Context, cmd []string, stdout, stderr io.Writer) (int, error) {
	code, output, err := r.c.Exec(ctx, cmd)
	if err != nil {
		return 0, err
	}
	_, err = stdcopy.StdCopy(stdout, stderr, output)
	return code, err
}

func (r *running) Archive(ctx context.Context, path string) (io.ReadCloser, error) {
	a, err := r.docker.client.CopyFromContainer(ctx, r.ID(), client.CopyFromContainerOptions{SourcePath: path})
	if errdefs.IsNotFound(err) {
		return nil, fmt.Errorf("%w: %s", ErrNoFile, path)
	}
	if err != nil {
		return nil, err
	}
	return a.Content, nil
}
