package mcpserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/failure"
)

// call serves a tool call. It never gives an error: a failure of the operation
// is a result of the tool.
func (s *server) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	select {
	case s.gate <- struct{}{}:
		defer func() { <-s.gate }()
	case <-ctx.Done(): // the door says so
	}
	call := app.Call{Operation: req.Params.Name, Arguments: req.Params.Arguments}
	if token := req.Params.GetProgressToken(); token != nil {
		p := progress{note: func(n int, step app.Step) {
			// Who can't be told isn't told; the call goes on.
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(n), Message: string(step),
			})
		}}
		defer p.end()
		call.Progress = p.tell
	}
	out := s.do(ctx, call)
	defer out.Close()
	if out.Failure == nil {
		out = s.fit(req.Params.Name, out)
	}
	if out.Failure != nil {
		return s.failed(req.Params.Name, out), nil
	}
	b, err := out.Document.Bytes()
	if err != nil {
		return s.failed(req.Params.Name, out.Instead(unreadable())), nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(b)}}, StructuredContent: rawJSON(b)}, nil
}

// fit gives the outcome, or the failure of one that is too large for a message.
// The Evidence stays where it is.
func (s *server) fit(operation string, out app.Outcome) app.Outcome {
	c, err := measure(out.Document.Reader())
	switch {
	case err != nil:
		return out.Instead(unreadable())
	case c.bytes() <= s.budget && c.units <= maxUnits:
		return out
	}
	limits := s.limits(c.bytes(), c.units)
	limits["evidence_id"] = out.EvidenceID
	f := tooLarge(operation, limits)
	f.Message = fmt.Sprintf("the result needs %d bytes of a message, and this client is expected to take %d", c.bytes(), s.budget)
	f.Action = "Ask for less: a smaller limit, or max_chars."
	if operation == app.InspectOperation {
		f.Action = "Use detail: summary, and look at the Evidence in pages; it is retained as " + out.EvidenceID + "."
	}
	if out.Retained {
		limits["evidence_reference"] = reference(out.EvidenceID)
		// One record alone may be too large; then there is no less to ask for.
		f.Action += " The resource " + evidencePrefix + out.EvidenceID + " gives this result whole, and so does the command line."
	}
	if out.Command != "" {
		f.Action += " This command writes all of it to a file: " + out.Command + " > evidence.json"
	}
	return out.Instead(f)
}

// failed makes the result of a failure: text alone, because the output schema
// describes success.
func (s *server) failed(operation string, out app.Outcome) *mcp.CallToolResult {
	if c, err := measure(out.Document.Reader()); err != nil || c.text > s.budget || c.textUnits > maxUnits {
		out = s.smaller(operation, out, c)
	}
	return failedText(out)
}

func failedText(out app.Outcome) *mcp.CallToolResult {
	b, err := out.Document.Bytes()
	if err != nil { // a failure is in memory
		b = []byte("null")
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: `{"error":` + string(b) + `}`}}, IsError: true}
}

// smaller replaces an error that is too large for a message, and retains it.
func (s *server) smaller(operation string, out app.Outcome, c cost) app.Outcome {
	limits := s.limits(c.text, c.textUnits)
	limits["original_error_code"] = string(out.Failure.Code)
	f := tooLarge(operation, limits)
	f.Message = "the call failed, and what there is to say about it is too large for a message"
	f.Action = "Correct what original_error_code names; fewer and shorter arguments make a shorter answer."
	b, err := out.Document.Bytes()
	if err == nil {
		var id string
		if id, err = s.app.RetainNote("mcp_tool_error", "rea-mcp", "1", b); err == nil {
			limits["evidence_id"] = id
			limits["evidence_reference"] = reference(id)
		}
	}
	switch {
	case s.app.Store == nil:
		limits["retention"] = "unavailable"
	case err != nil:
		limits["retention"] = "failed"
	}
	return out.Instead(f)
}

func (s *server) limits(bytes, units int64) map[string]any {
	constraint := "receive-buffer"
	if bytes <= s.budget {
		constraint = "string-length"
	}
	return map[string]any{
		"boundary":                     "mcp-response",
		"default_receive_buffer_bytes": app.LeastResponse,
		"result_budget_bytes":          s.budget,
		"max_string_code_units":        maxUnits,
		"response_bytes_at_least":      bytes,
		"response_code_units_at_least": units,
		"constraint":                   constraint,
	}
}

func unreadable() *failure.Failure {
	return &failure.Failure{
		Code:    failure.ExecutionFailure,
		Message: "the retained Evidence could not be read",
		Action:  "Try again; if it stays, report it.",
	}
}

func tooLarge(operation string, limits map[string]any) *failure.Failure {
	return &failure.Failure{
		Code: failure.ResourceConstraint,
		Details: map[string]any{"operation": operation, "resource": "transport",
			"reason": "the response is larger than a client takes", "reported_limits": limits},
	}
}

func reference(id string) map[string]any {
	return map[string]any{"kind": "retained-evidence", "evidence_id": id}
}
