package owned

import (
	"fmt"
	"runtime"
	"slices"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
)

// About says of what call a failure speaks.
type About struct {
	Operation   string // the public name of the operation
	ProviderID  string // the selected format
	CapturePath string
	Format      string
}

// outputBytes is how much of each stream a failure carries.
const outputBytes = 16 << 10

// Failure is the public error of this outcome; nil when the child exited with
// status 0 and nothing is left of it. Texts name the capture's path and carry
// what the child wrote: whoever knows of declared secrets covers them.
func (o Outcome) Failure(about About) *failure.Failure {
	first := o.primary(about)
	if len(o.Residue) == 0 {
		return first
	}
	left := o.Residue
	if !slices.Contains(left, o.RunID) {
		left = append([]string{o.RunID}, left...)
	}
	return Uncleaned(about, first, left)
}

// primary is the failure that the ending itself is.
func (o Outcome) primary(about About) *failure.Failure {
	switch o.Ending {
	case Finished:
		if o.ExitCode != nil && *o.ExitCode == 0 {
			return nil
		}
		return o.ended(about, "exit", "the decoder ended with "+o.status())
	case NotStarted:
		return o.ended(about, "not-started", "the decoder could not be started")
	case CancelledByCaller:
		return &failure.Failure{
			Code:    failure.Cancelled,
			Message: "the call was cancelled while the capture was being decoded",
			Action:  "Call again when the result is wanted.",
			Details: map[string]any{"operation": about.Operation, "cleanup": "complete"},
		}
	case TimedOut:
		return &failure.Failure{
			Code:    failure.ProviderTimeout,
			Message: fmt.Sprintf("the decoder did not finish within %d ms", o.Deadline.Milliseconds()),
			Action:  "Try again on a less busy machine, or with a smaller capture.",
			Details: map[string]any{"operation": about.Operation, "timeout_ms": o.Deadline.Milliseconds()},
		}
	case DiagnosticsOverflow:
		reason := fmt.Sprintf("the decoder wrote more than %d bytes of diagnostics", limits.DiagnosticBytes)
		return &failure.Failure{
			Code:    failure.UnreadableOutput,
			Message: reason,
			Action:  "Report this as a defect of the decoder, with the capture's format and size.",
			Details: map[string]any{"operation": about.Operation, "reason": reason},
		}
	case ReplyExhausted:
		reason := fmt.Sprintf("the reading needs a reply of more than %d bytes", limits.ReplyBytes)
		return &failure.Failure{
			Code:    failure.UnreadableOutput,
			Message: reason,
			Action:  "Use a smaller capture exported by its producer, and keep the original.",
			Details: map[string]any{"operation": about.Operation, "reason": reason},
		}
	case ProcessorExhausted:
		return o.exhausted(about, runtime.GOOS, "cpu", fmt.Sprintf("the decoder needed more than its %d seconds of processor time", int(limits.ForeignCPU.Seconds())))
	case MemoryExhausted:
		return o.memory(about, runtime.GOOS)
	case StackExhausted:
		return o.ended(about, "stack-overflow", fmt.Sprintf("the decoder's stack reached %d MiB", limits.DecoderStack>>20))
	}
	return o.ended(about, "crash", "the decoder crashed with "+o.status())
}

// status is how the system says the child ended.
func (o Outcome) status() string {
	switch {
	case o.Signal != "":
		return "signal " + o.Signal
	case o.ExitCode != nil:
		return fmt.Sprintf("exit code %d", *o.ExitCode)
	}
	return "no known status"
}

// ended is an execution_failure of the decoder.
func (o Outcome) ended(about About, kind, reason string) *failure.Failure {
	diagnostics := map[string]any{
		"phase":        "decoder",
		"capture_path": about.CapturePath,
		"reason":       reason,
		"failure_kind": kind,
	}
	if o.Ending == NotStarted {
		diagnostics["system_code"] = systemCode(o.Err)
	} else {
		stdout, stderr, cut := o.output()
		diagnostics["exit_code"], diagnostics["signal"] = o.observed()
		diagnostics["stdout"], diagnostics["stderr"], diagnostics["diagnostic_truncated"] = stdout, stderr, cut
	}
	return &failure.Failure{
		Code:    failure.ExecutionFailure,
		Message: reason,
		Action:  "Try again; if it happens again with the same capture, report it as a defect of the decoder.",
		Details: map[string]any{
			"provider_id": about.ProviderID,
			"operation":   about.Operation,
			"diagnostics": diagnostics,
		},
	}
}

// memory is the resource_constraint of a child that reached its bound.
func (o Outcome) memory(about About, system string) *failure.Failure {
	size := int64(limits.DecoderMemory)
	if o.Foreign {
		size = limits.ForeignMemory
	}
	return o.exhausted(about, system, "memory", fmt.Sprintf("the decoder needs more memory than its bound of %d MiB leaves room for", size>>20))
}

// exhausted is the resource_constraint of a child that reached a bound.
func (o Outcome) exhausted(about About, system, resource, reason string) *failure.Failure {
	code, signal := o.observed()
	reported := map[string]any{
		"boundary":            "historical-capture-decoder",
		"capture_path":        about.CapturePath,
		"format":              about.Format,
		"maximum_input_bytes": int64(limits.CaptureBytes),
		"maximum_reply_bytes": int64(limits.ReplyBytes),
		"decoder_memory_mib":  int64(limits.DecoderMemory >> 20),
		"decoder_ceiling_mib": int64(limits.DecoderCeiling >> 20),
		"observed_exit_code":  code,
		"observed_signal":     signal,
	}
	if system == "windows" {
		reported["process_memory_limit_bytes"] = int64(limits.DecoderCeiling)
	}
	if o.Foreign {
		reportForeign(reported)
	}
	stdout, stderr, cut := o.output()
	return &failure.Failure{
		Code:    failure.ResourceConstraint,
		Message: reason,
		Action:  "Let the producer export a smaller capture, or use another decoder that has room for this one, and keep the original: parts don't cover the whole. Selecting records, or trying again, changes nothing.",
		Details: map[string]any{
			"operation":       about.Operation,
			"resource":        resource,
			"reason":          reason,
			"reported_limits": reported,
			"captured_output": map[string]any{
				"stdout":       stdout,
				"stderr":       stderr,
				"truncated":    cut,
				"stdout_bytes": o.StdoutBytes,
				"stderr_bytes": o.StderrBytes,
				"exit_code":    code,
				"signal":       signal,
			},
		},
	}
}

// observed are the exit status and the signal as JSON values.
func (o Outcome) observed() (code, signal any) {
	if o.ExitCode != nil {
		code = *o.ExitCode
	}
	if o.Signal != "" {
		signal = o.Signal
	}
	return code, signal
}

// output is what a failure shows of both streams, and whether that is less
// than was written.
func (o Outcome) output() (stdout, stderr string, cut bool) {
	stdout, stderr = o.Stdout, o.Stderr
	for _, s := range []*string{&stdout, &stderr} {
		if len(*s) > outputBytes {
			*s, cut = validText([]byte((*s)[:outputBytes])), true
		}
	}
	return stdout, stderr, cut || o.Truncated
}

// Uncleaned is the failure of a call that could not confirm that all its
// private files and processes are gone. It takes the place of previous, which
// may be nil, and carries it.
func Uncleaned(about About, previous *failure.Failure, left []string) *failure.Failure {
	reason := "private files or processes of the call could not be confirmed gone"
	resources := make([]any, len(left))
	for i, name := range left {
		resources[i] = name
	}
	diagnostics := map[string]any{"reason": reason, "capture_path": about.CapturePath, "previous_error": nil}
	details := map[string]any{
		"provider_id": about.ProviderID,
		"operation":   about.Operation,
		"cleanup":     "incomplete",
		"resources":   resources,
		"diagnostics": diagnostics,
	}
	if previous != nil {
		diagnostics["previous_error"] = previous.Projection()
		details["execution_failure"] = string(previous.Code)
	}
	return &failure.Failure{
		Code:    failure.CleanupIncomplete,
		Message: reason,
		Action:  "Look at the named resources; end and remove by hand what is still there.",
		Details: details,
	}
}
