// Package targets holds the mage targets that mage sees as verify:….
//
// It promises to be thin: every exported function here is a target, so there is
// no other exported function, and what a target does stands in another package.
package targets

import (
	"context"
	"fmt"
	"os"

	"rea.example/verify/judge"
	"rea.example/verify/lane"
	"rea.example/verify/results"
	"rea.example/verify/workspace"
)

// Judge installs the npm packages that define the HAR profile into the cache folder.
func Judge(ctx context.Context) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	if err := judge.Prepare(ctx, root); err != nil {
		return err
	}
	j, err := judge.Open(ctx, root)
	if err != nil {
		return err
	}
	for _, pin := range j.Pins() {
		fmt.Println(pin.Name, pin.Value)
	}
	return nil
}

// one runs a lane and says what it came to.
func one(ctx context.Context, l lane.Lane, o lane.Options) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	o.Root, o.Log = root, os.Stdout
	r, _, err := l.Start(ctx, o)
	if err != nil {
		return err
	}
	found := results.Lane{Report: r}
	fmt.Printf("%s: %s in %s, %s\n", r.Lane, found.Verdict(), results.Span(found.Took()), found.Checks().Words())
	return r.Err()
}

// or is an optional argument, or nothing.
func or(given *string) string {
	if given == nil {
		return ""
	}
	return *given
}
