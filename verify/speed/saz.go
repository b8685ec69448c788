package speed

import (
	"context"
	"fmt"
)

// saz compares the product with Python's zipfile, which reads and hashes the same
// members and does no more: it neither looks into them nor hides anything.
func saz(ctx context.Context, b *bench) ([]row, error) {
	capture := b.file("capture.saz")
	if err := fullArchive.create(capture); err != nil {
		return nil, err
	}
	return b.oneAndAll(ctx, capture, "saz", "members.py", "Python's zipfile, hashing",
		fmt.Sprintf("SAZ of %d sessions, 32 MiB inflated", fullArchive.sessions))
}
