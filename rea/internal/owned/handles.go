package owned

import (
	"errors"
	"fmt"
)

// formatHandles writes the request's, reply's and snapshot's numbers.
func formatHandles(h [3]uintptr) string { return fmt.Sprintf("%x,%x,%x", h[0], h[1], h[2]) }

// parseHandles reads what formatHandles wrote, and nothing else.
func parseHandles(text string) (h [3]uintptr, err error) {
	_, err = fmt.Sscanf(text, "%x,%x,%x", &h[0], &h[1], &h[2])
	if err != nil || formatHandles(h) != text || h[0] == 0 || h[1] == 0 || h[2] == 0 {
		return h, errors.New("the handles are missing: this process was not started by rea")
	}
	return h, nil
}
