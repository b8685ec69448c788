package speed

import (
	"context"
	"fmt"
)

// qlog compares the product with a script that computes the same totals of streams.
// Evidence of the larger trace is more than one reply holds: one record is
// selected, with the facts of all.
func qlog(ctx context.Context, b *bench) ([]row, error) {
	capture := b.file("capture.qlog")
	events, err := trace(20 << 20).create(capture)
	if err != nil {
		return nil, err
	}
	const peer = "totals in Python"
	rows, err := b.oneAndAll(ctx, capture, "qlog", "totals.py", peer, fmt.Sprintf("qlog of 20 MiB, %d events", events))
	if err != nil {
		return nil, err
	}
	if events, err = trace(captureBytes).create(capture); err != nil {
		return nil, err
	}
	one, err := b.against(ctx, capture, "qlog", "totals.py", "--record", "0")
	one.job, one.peer, one.goal = fmt.Sprintf("qlog of 32 MiB, %d events, one selected", events), peer, "192 MiB in the child"
	return append(rows, one), err
}
