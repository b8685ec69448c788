package attest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"rea.example/containers"
	"rea.example/corpora"
)

// Here is what this machine has of what a statement may name.
type Here struct {
	Product string // path of an executable
	// Layers gives the digests of an image's layers as the engine has them.
	Layers func(ctx context.Context, image string) ([]string, error)
	Locks  []corpora.Lock
}

// The names under which lanes pin images and corpora.
const (
	imagePin  = "image "
	corpusPin = "corpus "
)

// Holds says whether this machine has what the statement names: nil, or every part
// that is another one here, or absent.
func (h Here) Holds(ctx context.Context, s Statement) error {
	var errs []error
	if len(s.Subject) != subjects {
		return errors.New("attest: the statement has no product")
	}
	data, err := os.ReadFile(h.Product)
	sum := sha256.Sum256(data)
	if err != nil {
		errs = append(errs, fmt.Errorf("attest: the product: %w", err))
	} else if s.Subject[aboutProduct].Digest["sha256"] != hex.EncodeToString(sum[:]) {
		errs = append(errs, fmt.Errorf("attest: %s is not the product that was attested", h.Product))
	}
	for _, g := range grouped(s.Predicate.Configuration) {
		var have []string
		if name, ok := strings.CutPrefix(g.name, imagePin); ok {
			if have, err = h.Layers(ctx, name); err != nil {
				errs = append(errs, fmt.Errorf("attest: %s: %w", g.name, err))
				continue
			}
		} else if name, ok := strings.CutPrefix(g.name, corpusPin); ok {
			for _, l := range h.Locks {
				if l.Name == name {
					have = append(have, "gitCommit:"+l.Commit)
				}
			}
		} else {
			continue // no name of a thing that one could look up
		}
		if !slices.Equal(have, g.digests()) {
			errs = append(errs, fmt.Errorf("attest: %s here is not the one that was attested", g.name))
		}
	}
	return errors.Join(errs...)
}

func (g group) digests() (list []string) {
	for _, r := range g.list {
		for algorithm, value := range r.Digest { // one each, as About makes them
			list = append(list, algorithm+":"+value)
		}
	}
	return list
}

// Layers asks the engine that answers here.
func Layers(ctx context.Context, image string) ([]string, error) {
	list, err := containers.Named(image)
	if err != nil {
		return nil, err
	}
	dock, err := containers.Open(ctx, os.Stderr)
	if err != nil {
		return nil, err
	}
	found, err := dock.Engine.Image(ctx, list[0].Ref())
	return found.Layers, errors.Join(err, dock.Close())
}
