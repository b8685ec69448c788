package containers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"rea.example/containers/engine"
	"rea.example/containers/supply"
)

// ErrNotBuilt says that an image is absent or was built from other files.
var ErrNotBuilt = errors.New("run `go tool mage containers:build`")

// Dock is an engine with the images of this repository, and all that was started
// through it. Its methods may be called from several goroutines.
type Dock struct {
	Engine engine.Engine
	Log    io.Writer        // builds and downloads; nil for none
	Now    func() time.Time // nil for the clock

	packages func(ctx context.Context, i Image, arch string, log io.Writer) ([]supply.File, error)

	owner *owner // nil for a dock that only its date sweeps

	mu      sync.Mutex
	started []*thing
}

// thing is something to be removed.
type thing struct {
	id     string
	remove func(ctx context.Context, id string) error
}

// Open reaches the engine and removes what is nobody's there. The error of an
// absent engine wraps engine.ErrUnavailable and says what to do.
func Open(ctx context.Context, log io.Writer) (*Dock, error) {
	e, err := engine.Open(ctx)
	if err != nil {
		return nil, err
	}
	d := &Dock{Engine: e, Log: log}
	if d.owner, err = claim(); err == nil {
		_, err = d.Sweep(ctx, false)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Close removes whatever was started and not closed, the last first, and leaves
// the engine.
func (d *Dock) Close() error {
	d.mu.Lock()
	left := slices.Clone(d.started)
	d.mu.Unlock()
	var errs []error
	for _, t := range slices.Backward(left) {
		errs = append(errs, d.drop(t))
	}
	return errors.Join(append(errs, d.Engine.Close(), d.owner.close())...)
}

// keep notes something that has to be removed.
func (d *Dock) keep(id string, remove func(context.Context, string) error) *thing {
	t := &thing{id, remove}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.started = append(d.started, t)
	return t
}

// drop removes it, also where the caller's time is over. A second call does
// nothing; after an error, Close tries again.
func (d *Dock) drop(t *thing) error {
	d.mu.Lock()
	known := slices.Contains(d.started, t)
	d.mu.Unlock()
	if !known {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := t.remove(ctx, t.id); err != nil {
		return fmt.Errorf("containers: removal of %s: %w", t.id, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.started = slices.DeleteFunc(d.started, func(o *thing) bool { return o == t })
	return nil
}

func (d *Dock) now() time.Time {
	if d.Now != nil {
		return d.Now()
	}
	return time.Now()
}

func (d *Dock) log() io.Writer {
	if d.Log != nil {
		return d.Log
	}
	return io.Discard
}

// The labels of what runs. Images have others, since a container inherits those
// of its image.
const (
	labelOurs    = "rea.verify"
	labelExpires = "rea.verify.expires" // RFC 3339
	labelOwner   = "rea.verify.owner"   // a machine and a process there
)

// labels marks something that may be swept away once its owner has gone or d has
// passed.
func (d *Dock) labels(life time.Duration) map[string]string {
	labels := map[string]string{
		labelOurs:    "1",
		labelExpires: d.now().Add(life).UTC().Format(time.RFC3339),
	}
	if d.owner != nil {
		labels[labelOwner] = d.owner.label
	}
	return labels
}

// Sweep removes the containers and then the networks whose owners have gone or that
// have expired, or everything of ours, and says how many there were.
func (d *Dock) Sweep(ctx context.Context, everything bool) (int, error) {
	removed := 0
	var errs []error
	for _, kind := range []struct {
		list   func(context.Context, string) ([]engine.Thing, error)
		remove func(context.Context, string) error
	}{
		{d.Engine.Containers, d.Engine.RemoveContainer},
		{d.Engine.Networks, d.Engine.RemoveNetwork},
	} {
		things, err := kind.list(ctx, labelOurs)
		if err != nil {
			return removed, fmt.Errorf("containers: sweep: %w", err)
		}
		for _, t := range things {
			// What has no readable date was never meant to stay.
			expires, err := time.Parse(time.RFC3339, t.Labels[labelExpires])
			if err == nil && d.now().Before(expires) && !d.owner.gone(t.Labels[labelOwner]) && !everything {
				continue
			}
			if err := kind.remove(ctx, t.ID); err != nil {
				errs = append(errs, fmt.Errorf("containers: sweep: %w", err))
				continue
			}
			removed++
		}
	}
	return removed, errors.Join(errs...)
}
