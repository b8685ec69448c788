// Package targets holds the mage targets that mage sees as corpora:….
//
// It promises to be thin: every exported function here is a target, so there is
// no other exported function, and what a target does stands in another package.
package targets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"rea.example/corpora"
	"rea.example/verify/workspace"
)

// Fetch brings the published captures that the locks name into the cache folder.
func Fetch(
	ctx context.Context,
	from *string, // a mirror or local repository to fetch from instead of the published one
	only *string, // names of corpora, with commas between; else all
) error {
	return each(only, func(l corpora.Lock) error {
		var where string
		if from != nil {
			where = *from
		}
		return l.Fetch(ctx, where, os.Stdout)
	})
}

// Check compares the captures in the cache folder with the locks.
func Check(
	_ context.Context,
	only *string, // names of corpora, with commas between; else all
) error {
	return each(only, func(l corpora.Lock) error {
		paths, err := l.Open()
		if err == nil {
			fmt.Printf("%s: %d files as recorded\n", l.Name, len(paths))
		}
		return err
	})
}

// each goes on past a failure: one run shows everything that is wrong.
func each(only *string, do func(corpora.Lock) error) error {
	root, err := workspace.Root()
	if err != nil {
		return err
	}
	locks, err := corpora.Load(root)
	if err != nil {
		return err
	}
	if only != nil {
		if locks, err = corpora.Named(locks, strings.Split(*only, ",")...); err != nil {
			return err
		}
	}
	var errs []error
	for _, l := range locks {
		errs = append(errs, do(l))
	}
	return errors.Join(errs...)
}
