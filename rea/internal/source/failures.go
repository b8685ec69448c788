package source

import (
	"fmt"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
)

// The texts below name the capture's path in the open. Whoever knows of
// declared secrets covers them before anything leaves the program.

// issue is an invalid_request about the capture_path argument.
func issue(reason failure.Reason, message, action string, expected any) *failure.Failure {
	return &failure.Failure{
		Code:    failure.InvalidRequest,
		Message: message,
		Action:  action,
		Issues:  []failure.Issue{{Path: []any{"capture_path"}, Reason: reason, Message: message, Expected: expected}},
	}
}

func (c Call) missing(err error) *failure.Failure {
	return issue(failure.InvalidValue,
		fmt.Sprintf("there is no file at capture_path (%s): %s", systemCode(err), c.Path),
		"Give the absolute path of an existing capture file.", nil)
}

func (c Call) notRegular() *failure.Failure {
	return issue(failure.InvalidFormat,
		"capture_path must name a regular file, not a symbolic link, directory, pipe or device: "+c.Path,
		"Give the path of the capture file itself.", nil)
}

func (c Call) tooLarge(size int64) *failure.Failure {
	return issue(failure.OutOfRange,
		fmt.Sprintf("the capture at capture_path is %d bytes; at most %d are read: %s", size, limits.CaptureBytes, c.Path),
		"Record or export a smaller capture.",
		map[string]any{"maximum_capture_bytes": int64(limits.CaptureBytes)})
}

func (c Call) changed(reason string) *failure.Failure {
	return &failure.Failure{
		Code:    failure.ArtifactChanged,
		Message: "the capture changed while it was being read: " + reason,
		Action:  "Wait until nothing writes to the capture any more, then try again.",
		Details: map[string]any{
			"operation": c.Operation,
			"path":      c.Path,
			"reason":    reason,
			"boundary":  "stable-artifact-read",
		},
	}
}

// unreadable tells a refusal of the system from a failure of it.
func (c Call) unreadable(err error) *failure.Failure {
	if isDenied(err) {
		return &failure.Failure{
			Code:    failure.AccessDenied,
			Message: fmt.Sprintf("the system refused to read the capture (%s): %s", systemCode(err), c.Path),
			Action:  "Check that this user may read the file and search the directories above it.",
			Details: map[string]any{
				"operation":   c.Operation,
				"path":        c.Path,
				"system_code": systemCode(err),
				"boundary":    "filesystem-read",
			},
		}
	}
	return c.ended(err, "reading the capture failed")
}

// Unwritable is trouble with the room and the private copy in it, which is never
// the capture's fault.
func (c Call) Unwritable(err error) *failure.Failure {
	return c.ended(err, "making the private copy of the capture failed")
}

func (c Call) ended(err error, what string) *failure.Failure {
	kind := "io"
	if isUnavailable(err) {
		kind = "unavailable"
	}
	reason := fmt.Sprintf("%s (%s)", what, systemCode(err))
	return &failure.Failure{
		Code:    failure.ExecutionFailure,
		Message: reason,
		Action:  "Check the disk, the file system and the temporary directory, then try again.",
		Details: map[string]any{
			"provider_id": c.ProviderID,
			"operation":   c.Operation,
			"diagnostics": map[string]any{
				"phase":        "capture-read",
				"capture_path": c.Path,
				"reason":       reason,
				"failure_kind": kind,
			},
		},
	}
}

func (c Call) cancelled() *failure.Failure {
	return &failure.Failure{
		Code:    failure.Cancelled,
		Message: "the call was cancelled while the capture was being read",
		Action:  "Call again when the result is wanted.",
		Details: map[string]any{"operation": c.Operation, "cleanup": "complete"},
	}
}
