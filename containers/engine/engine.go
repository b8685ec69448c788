package engine

import (
	"context"
	"errors"
	"io"
	"time"
)

// ErrUnavailable says that no engine answers. Errors that wrap it name the reason.
var ErrUnavailable = errors.New("no container engine answers")

// ErrNoImage says that the engine holds no image of that name.
var ErrNoImage = errors.New("no such image")

// ErrNoFile says that a container holds no file of that name.
var ErrNoFile = errors.New("no such file in the container")

// Engine runs containers.
type Engine interface {
	// About is what the engine said of itself when it was opened.
	About() About

	// Image gives the named image, or ErrNoImage. It asks no registry.
	Image(ctx context.Context, ref string) (Image, error)
	// Build makes an image. The steps of the Dockerfile have no network.
	Build(ctx context.Context, b Build) error
	// Import makes an image of one layer out of the tar of a root file system.
	Import(ctx context.Context, ref string, rootfs io.Reader) error
	// Pull asks a registry for an image. Nothing else here does.
	Pull(ctx context.Context, ref string) error

	// Start creates a container, puts its files in place and starts it. On an
	// error nothing of it is left.
	Start(ctx context.Context, p Plan) (Container, error)
	// Network creates a network whose members reach each other; from an internal
	// one nothing is forwarded, so that no more than the engine's own machine can
	// be reached beside them. The name is the engine's choice.
	Network(ctx context.Context, internal bool, labels map[string]string) (Thing, error)

	// Containers and Networks list what carries the label, running or not.
	Containers(ctx context.Context, label string) ([]Thing, error)
	Networks(ctx context.Context, label string) ([]Thing, error)
	// RemoveContainer kills and removes a container with its volumes;
	// RemoveNetwork removes an empty network. What is gone already is no error.
	RemoveContainer(ctx context.Context, id string) error
	RemoveNetwork(ctx context.Context, id string) error

	Close() error
}

// About is an engine in its own words.
type About struct {
	Name    string // "Docker Engine - Community", "Podman Engine" …; may be empty
	Version string
	API     string // the version both sides agreed on, such as "1.41"
	OS      string // "linux"
	Arch    string // as Go spells it: "amd64", "arm64"
	Address string // of the API: "unix:///var/run/docker.sock"
}

// Image is one image as the engine holds it.
type Image struct {
	ID     string
	Labels map[string]string
	Layers []string // digests of the layers' tars
	Bytes  int64
}

// Build is one image to be made.
type Build struct {
	Ref     string    // name:tag
	Context io.Reader // tar with a Dockerfile at its top
	Args    map[string]string
	Labels  map[string]string
	Log     io.Writer // what the builder prints
}

// Plan is a container with every bound that it runs under. The zero value of a
// bound means that there is none; package containers fills them in.
type Plan struct {
	Image  string
	Cmd    []string // whole argument list; the image's entry point is not used
	Env    map[string]string
	Dir    string
	User   string // "uid:gid"
	Labels map[string]string

	ReadOnly        bool     // root file system
	DropAll         bool     // every capability
	NoNewPrivileges bool     // setuid programs gain nothing
	Init            bool     // a first process that reaps the others
	Memory          int64    // bytes, swap included
	PIDs            int64    // processes and threads
	Seccomp         string   // profile as JSON; empty for the engine's own
	Tmpfs           []string // writable places in memory, each with its size limit
	TmpfsBytes      int64
	Volume          string    // a fresh writable place that lives as long as the container
	Files           io.Reader // tar that is unpacked in Volume before the start

	Network string // "none", or the name of a network
	Aliases []string

	Ready        string // text that the container prints once it is ready; empty for at once
	ReadyTimeout time.Duration
}

// Container is a started container.
type Container interface {
	ID() string
	// Wait blocks until the first process has ended.
	Wait(ctx context.Context) (Exit, error)
	// Output copies everything printed so far.
	Output(ctx context.Context, stdout, stderr io.Writer) error
	// Exec runs one more process in the container.
	Exec(ctx context.Context, cmd []string, stdout, stderr io.Writer) (code int, err error)
	// Archive is a tar of a file or folder, or ErrNoFile; the container may have
	// ended already.
	Archive(ctx context.Context, path string) (io.ReadCloser, error)
}

// Exit is how a container ended.
type Exit struct {
	Code      int
	OOMKilled bool // some process of it, not necessarily the first
}

// Thing is a container or network with what it was labelled.
type Thing struct {
	ID     string
	Name   string
	Labels map[string]string
}
