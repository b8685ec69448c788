//go:build !linux

package engine

import (
	"context"
	"errors"
	"io"
)

var errNotLinux = errors.New("engine: only a Linux can install and start one; point DOCKER_HOST at one")

// Install makes an engine answer, on Debian alone.
func Install(context.Context, io.Writer) error { return errNotLinux }

// Stop ends the daemon that Install started.
func Stop() error { return errNotLinux }
