package failure

import "errors"

// Reason is the kind of one issue with an input.
type Reason string

const (
	UnknownArgument Reason = "unknown_argument"
	MissingArgument Reason = "missing_argument"
	InvalidType     Reason = "invalid_type"
	OutOfRange      Reason = "out_of_range"
	InvalidValue    Reason = "invalid_value"
	InvalidFormat   Reason = "invalid_format"
)

// Issue is one thing that is wrong with an input. Path holds strings (member
// names, pointers) and ints (array indexes). The rejected value never stands
// in it.
type Issue struct {
	Path     []any
	Reason   Reason
	Message  string
	Expected any // a string, []any of allowed values, or map[string]any of bounds
	Minimum  *int64
	Maximum  *int64
}

// Failure is a failed call. Details holds JSON values (string, bool, int,
// int64, nil, []any, map[string]any) in the shapes of contract section 6.
type Failure struct {
	Code    Code
	Message string
	Action  string // what the caller can do: the remediation
	Issues  []Issue
	Details map[string]any
}

// Error gives the message, which names places and rules only.
func (f *Failure) Error() string { return string(f.Code) + ": " + f.Message }

// Exit is the command line's status for this failure.
func (f *Failure) Exit() int { return row(f.Code).Exit }

// Retryable says whether the same call can succeed later.
func (f *Failure) Retryable() bool { return row(f.Code).Retryable }

// As finds a Failure in an error chain, or nil.
func As(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// Projection is the public shape of a failure: code, category, message,
// retryable, remediation, and details when there are any.
func (f *Failure) Projection() map[string]any {
	r := row(f.Code)
	out := map[string]any{
		"code":        string(f.Code),
		"category":    string(r.Category),
		"message":     f.Message,
		"retryable":   r.Retryable,
		"remediation": map[string]any{"action": f.Action},
	}
	details := map[string]any{}
	for k, v := range f.Details {
		details[k] = v
	}
	if len(f.Issues) > 0 {
		issues := make([]any, len(f.Issues))
		for i, is := range f.Issues {
			issues[i] = is.projection()
		}
		details["issues"] = issues
	}
	if len(details) > 0 {
		out["details"] = details
	}
	return out
}

func (is Issue) projection() map[string]any {
	m := map[string]any{"path": append([]any{}, is.Path...), "reason": string(is.Reason)}
	if is.Message != "" {
		m["message"] = is.Message
	}
	if is.Expected != nil {
		m["expected"] = is.Expected
	}
	if is.Minimum != nil {
		m["minimum"] = *is.Minimum
	}
	if is.Maximum != nil {
		m["maximum"] = *is.Maximum
	}
	return m
}
