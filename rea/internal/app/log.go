package app

import (
	"context"
	"log/slog"
	"time"
)

// logged is a call whose steps and end go to the log. What is logged is of the
// program's own making: never an argument, a path or the sentence of a failure, in
// which what was declared could stand.
func (a *App) logged(c Call) (Call, func(Outcome)) {
	if a.Log == nil {
		return c, func(Outcome) {}
	}
	log := a.Log.With("operation", OperationNamed(c.Operation))
	began := time.Now()
	log.Info("called", "argument_bytes", len(c.Arguments))
	if tell := c.Progress; tell != nil || log.Enabled(context.Background(), slog.LevelDebug) {
		c.Progress = func(s Step) {
			log.Debug("at work", "step", string(s))
			if tell != nil {
				tell(s)
			}
		}
	}
	return c, func(out Outcome) {
		took := slog.Int64("milliseconds", time.Since(began).Milliseconds())
		if out.Failure != nil {
			log.Error("failed", "code", string(out.Failure.Code), took)
			return
		}
		log.Info("done", "document_bytes", out.Document.Size(), "retained", out.Retained, took)
	}
}
