package view

import (
	"context"
	"sync"
)

// Once holds a value that is made when it is first asked for, and then kept for
// all. Where making it fails, or is given up, whoever asks next makes it. The
// zero value is ready.
type Once[T any] struct {
	mu     sync.Mutex
	making chan struct{} // closed when the one who makes it is done; nil while nobody does
	made   bool
	value  T
}

// Get gives the value. Who waits for another to make it waits no longer than its
// own context lasts.
func (o *Once[T]) Get(ctx context.Context, create func() (T, error)) (value T, err error) {
	for {
		o.mu.Lock()
		if o.made {
			o.mu.Unlock()
			return o.value, nil
		}
		making := o.making
		if making == nil {
			o.making = make(chan struct{})
			o.mu.Unlock()
			break
		}
		o.mu.Unlock()
		select {
		case <-making:
		case <-ctx.Done():
			return value, ctx.Err()
		}
	}
	made := false
	defer func() { // also where it panics
		o.mu.Lock()
		defer o.mu.Unlock()
		close(o.making)
		o.making = nil
		if o.made = made; made {
			o.value = value
		}
	}()
	value, err = create()
	made = err == nil
	return value, err
}
