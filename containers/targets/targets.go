// Package targets holds the mage targets that mage sees as containers:….
//
// It promises to be thin: every exported function here is a target, so there is
// no other exported function, and what a target does stands in another package.
package targets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"rea.example/containers"
	"rea.example/containers/engine"
	"rea.example/containers/supply"
	"rea.example/verify/workspace"
)

// Engine says which container engine answers, or what to do where none does.
func Engine(
	ctx context.Context,
	install *bool, // on Debian as root, install docker.io and start it
) error {
	if install != nil && *install {
		if err := engine.Install(ctx, os.Stdout); err != nil {
			return err
		}
	}
	e, err := engine.Open(ctx)
	if err != nil {
		return err
	}
	a := e.About()
	fmt.Printf("%s %s, API %s, %s/%s, at %s\n", a.Name, a.Version, a.API, a.OS, a.Arch, a.Address)
	return e.Close()
}

// Stop ends the engine that `containers:engine -install` started.
func Stop(context.Context) error { return engine.Stop() }

// Base makes the image available that all others are built on.
func Base(
	ctx context.Context,
	pull *bool, // ask a registry for the public images first
	afresh *bool, // bootstrap again, also where there is a base
) error {
	return with(ctx, func(d *containers.Dock) error {
		return d.Bases(ctx, pull != nil && *pull, afresh != nil && *afresh)
	})
}

// Build builds the images.
func Build(
	ctx context.Context,
	only *string, // names of images, with commas between; else all
) error {
	return each(ctx, only, func(d *containers.Dock, i containers.Image) error {
		began := time.Now()
		if err := d.Build(ctx, i); err != nil {
			return err
		}
		image, err := d.Engine.Image(ctx, i.Ref())
		if err != nil {
			return err
		}
		fmt.Printf("%s built in %.1fs, %d MB\n", i.Ref(), time.Since(began).Seconds(), image.Bytes/1_000_000)
		return nil
	})
}

// Check asks the tool in each image for its version, and refuses what is not pinned.
func Check(
	ctx context.Context,
	only *string, // names of images, with commas between; else all
) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	err := each(ctx, only, func(d *containers.Dock, i containers.Image) error {
		pins, err := d.Check(ctx, i)
		for _, p := range pins {
			fmt.Fprintf(table, "%s\t%s\t%s\n", i.Name, p.Name, p.Version)
		}
		return err
	})
	return errors.Join(err, table.Flush())
}

// Sweep removes the containers and networks that killed lanes left behind.
func Sweep(
	ctx context.Context,
	all *bool, // also those whose time is not over
) error {
	return with(ctx, func(d *containers.Dock) error {
		n, err := d.Sweep(ctx, all != nil && *all)
		fmt.Printf("%d removed\n", n)
		return err
	})
}

// Lock asks the Python index again which wheels the images need, and writes their locks.
func Lock(ctx context.Context) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	for _, i := range containers.All {
		text, err := i.File("requirements.in")
		if err != nil {
			continue // no Python in it
		}
		list, err := supply.Resolve(ctx, strings.TrimSpace(string(text)), os.Stdout)
		if err != nil {
			return err
		}
		path := filepath.Join(root, "containers", i.Name, "requirements.lock")
		if err := os.WriteFile(path, supply.FormatLock(list), 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d packages\n", path, len(list))
	}
	return nil
}

func with(ctx context.Context, do func(*containers.Dock) error) error {
	d, err := containers.Open(ctx, os.Stdout)
	if err != nil {
		return err
	}
	return errors.Join(do(d), d.Close())
}

// each goes on past a failure: one run shows everything that is wrong.
func each(ctx context.Context, only *string, do func(*containers.Dock, containers.Image) error) error {
	var names []string
	if only != nil {
		names = strings.Split(*only, ",")
	}
	images, err := containers.Named(names...)
	if err != nil {
		return err
	}
	return with(ctx, func(d *containers.Dock) error {
		var errs []error
		for _, i := range images {
			errs = append(errs, do(d, i))
		}
		return errors.Join(errs...)
	})
}
