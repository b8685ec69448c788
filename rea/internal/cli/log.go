package cli

import (
	"fmt"
	"io"
	"log/slog"
)

const logVariable = "REA_LOG_LEVEL"

// openLog gives what writes one JSON object for each thing that happens, on a line
// of its own; nil for silence, which is the default.
func openLog(w io.Writer, level string) (*slog.Logger, error) {
	var least slog.Level
	switch level {
	case "", "silent":
		return nil, nil
	case "error", "warn", "info", "debug":
		if err := least.UnmarshalText([]byte(level)); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%s must be silent, error, warn, info or debug", logVariable)
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: least})), nil
}
