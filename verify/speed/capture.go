package speed

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// create makes the capture at path of what write gives, and hands on its number of
// records.
func create(path string, write func(io.Writer) (int, error)) (records int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, fmt.Errorf("speed: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	records, err = write(w)
	for _, finish := range []func() error{w.Flush, f.Close} {
		if ferr := finish(); err == nil {
			err = ferr
		}
	}
	if err != nil {
		return 0, fmt.Errorf("speed: %w", err)
	}
	return records, nil
}
