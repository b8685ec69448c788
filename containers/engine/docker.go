package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
	"github.com/moby/moby/client/pkg/jsonmessage"
	"github.com/testcontainers/testcontainers-go"
	tclog "github.com/testcontainers/testcontainers-go/log"
	tcnetwork "github.com/testcontainers/testcontainers-go/network"
)

// Docker is an engine reached through testcontainers, which finds it as every
// program of that family does: DOCKER_HOST, the context of the docker command,
// the usual sockets.
type Docker struct {
	client *testcontainers.DockerClient
	about  About
}

var _ Engine = (*Docker)(nil)

// settle makes testcontainers' settings before its first call, after which it
// reads them no more.
var settle sync.Once

// Open reaches the engine. Its error wraps ErrUnavailable and says what to do.
func Open(ctx context.Context) (*Docker, error) {
	settle.Do(func() { settings(ctx) })
	// Testcontainers would go on to other sockets; who names an engine means that
	// one.
	if os.Getenv("DOCKER_HOST") != "" {
		if err := answers(ctx); err != nil {
			return nil, unavailable(err)
		}
	}
	c, err := connect(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	version, err := c.ServerVersion(ctx, client.ServerVersionOptions{})
	if err != nil {
		return nil, errors.Join(unavailable(err), c.Close())
	}
	about := About{
		Name: version.Platform.Name, Version: version.Version, API: c.ClientVersion(),
		OS: version.Os, Arch: version.Arch, Address: c.DaemonHost(),
	}
	return &Docker{client: c, about: about}, nil
}

// answers asks the engine that DOCKER_HOST names, or the usual one, without
// testcontainers, which looks for engines only once in a process.
func answers(ctx context.Context) error {
	c, err := client.New(client.FromEnv)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err = c.Ping(ctx, client.PingOptions{})
	return err
}

// connect turns the panic of testcontainers into an error: it panics where it
// finds no engine.
func connect(ctx context.Context) (c *testcontainers.DockerClient, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return testcontainers.NewDockerClientWithOpts(ctx)
}

func unavailable(err error) error {
	return fmt.Errorf("%w: %v; start one, point DOCKER_HOST at one, or on Debian as root run `go tool mage containers:engine -install`",
		ErrUnavailable, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// settings corrects what testcontainers assumes where it would be wrong. What
// the caller's environment says already stands.
func settings(ctx context.Context) {
	tclog.SetDefault(tclog.NewNoopLogger())
	// It takes /.dockerenv for "the engine is outside" and then looks for
	// published ports on the far side of the default route. An engine behind a
	// socket publishes here. Not "localhost", whose two addresses may differ.
	if u, err := url.Parse(os.Getenv("DOCKER_HOST")); err == nil && (u.Scheme == "" || u.Scheme == "unix" || u.Scheme == "npipe") {
		setUnlessSet("TESTCONTAINERS_HOST_OVERRIDE", "127.0.0.1")
	}
	// The reaper is a container of an image of its own. Where that image is
	// absent, each start would ask a registry for it and fail.
	if !hasReaper(ctx) {
		setUnlessSet("TESTCONTAINERS_RYUK_DISABLED", "true") // only this spelling counts
	}
}

func setUnlessSet(name, value string) {
	if _, set := os.LookupEnv(name); !set {
		_ = os.Setenv(name, value) // fails on names that no system takes
	}
}

// hasReaper asks with a client of its own, for the reason that settle exists.
func hasReaper(ctx context.Context) bool {
	c, err := client.New(client.FromEnv)
	if err != nil {
		return false
	}
	defer func() { _ = c.Close() }()
	_, err = c.ImageInspect(ctx, testcontainers.ReaperDefaultImage) //nolint:staticcheck // deprecated, and the only name it has outside
	return err == nil
}

// About implements Engine.
func (d *Docker) About() About { return d.about }

// Close implements Engine.
func (d *Docker) Close() error { return d.client.Close() }

// Image implements Engine.
func (d *Docker) Image(ctx context.Context, ref string) (Image, error) {
	i, err := d.client.ImageInspect(ctx, ref)
	if errdefs.IsNotFound(err) {
		return Image{}, fmt.Errorf("%w: %s", ErrNoImage, ref)
	}
	if err != nil {
		return Image{}, err
	}
	found := Image{ID: i.ID, Layers: i.RootFS.Layers, Bytes: i.Size}
	if i.Config != nil {
		found.Labels = i.Config.Labels
	}
	return found, nil
}

// Build implements Engine with the classic builder, which every engine has.
func (d *Docker) Build(ctx context.Context, b Build) error {
	args := map[string]*string{}
	for name, value := range b.Args {
		args[name] = &value
	}
	answer, err := d.client.ImageBuild(ctx, b.Context, client.ImageBuildOptions{
		Tags: []string{b.Ref}, Dockerfile: "Dockerfile", BuildArgs: args, Labels: b.Labels,
		NetworkMode: "none", Remove: true, ForceRemove: true,
	})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	return jsonmessage.DisplayStream(answer.Body, b.Log)
}

// Import implements Engine.
func (d *Docker) Import(ctx context.Context, ref string, rootfs io.Reader) error {
	answer, err := d.client.ImageImport(ctx,
		client.ImageImportSource{Source: rootfs, SourceName: "-"}, ref, client.ImageImportOptions{})
	if err != nil {
		return err
	}
	defer answer.Close()
	// The stream ends when the image is there, and has the errors in it.
	return jsonmessage.DisplayStream(answer, io.Discard)
}

// Pull implements Engine.
func (d *Docker) Pull(ctx context.Context, ref string) error {
	answer, err := d.client.ImagePull(ctx, ref, client.ImagePullOptions{})
	if err != nil {
		return err
	}
	defer answer.Close()
	return answer.Wait(ctx)
}

// Network implements Engine.
func (d *Docker) Network(ctx context.Context, internal bool, labels map[string]string) (Thing, error) {
	options := []tcnetwork.NetworkCustomizer{tcnetwork.WithLabels(maps.Clone(labels))}
	if internal {
		options = append(options, tcnetwork.WithInternal())
	}
	made, cancel := uncut(ctx)
	defer cancel()
	n, err := tcnetwork.New(made, options...)
	if err != nil {
		return Thing{}, err
	}
	return Thing{ID: n.ID, Name: n.Name, Labels: labels}, nil
}

// Containers implements Engine.
func (d *Docker) Containers(ctx context.Context, label string) ([]Thing, error) {
	list, err := d.client.ContainerList(ctx, client.ContainerListOptions{
		All: true, Filters: make(client.Filters).Add("label", label),
	})
	if err != nil {
		return nil, err
	}
	var things []Thing
	for _, c := range list.Items {
		things = append(things, Thing{ID: c.ID, Name: strings.Join(c.Names, " "), Labels: c.Labels})
	}
	return things, nil
}

// Networks implements Engine.
func (d *Docker) Networks(ctx context.Context, label string) ([]Thing, error) {
	list, err := d.client.NetworkList(ctx, client.NetworkListOptions{
		Filters: make(client.Filters).Add("label", label),
	})
	if err != nil {
		return nil, err
	}
	var things []Thing
	for _, n := range list.Items {
		things = append(things, Thing{ID: n.ID, Name: n.Name, Labels: n.Labels})
	}
	return things, nil
}

// RemoveContainer implements Engine.
func (d *Docker) RemoveContainer(ctx context.Context, id string) error {
	_, err := d.client.ContainerRemove(ctx, id, client.ContainerRemoveOptions{RemoveVolumes: true, Force: true})
	return gone(err)
}

// RemoveNetwork implements Engine.
func (d *Docker) RemoveNetwork(ctx context.Context, id string) error {
	_, err := d.client.NetworkRemove(ctx, id, client.NetworkRemoveOptions{})
	return gone(err)
}

// gone forgives what another clean-up was faster with.
func gone(err error) error {
	if errdefs.IsNotFound(err) || err != nil && strings.Contains(err.Error(), "is already in progress") {
		return nil
	}
	return err
}
