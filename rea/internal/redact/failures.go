package redact

import (
	"strings"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/tree"
)

// CoverFailure gives a failure that holds no declared literal in any sentence,
// path, coordinate or diagnostic. What kind of failure it is never changes:
// code, category, system codes, exit codes, bounds and the contract's own names
// stay. The given failure is not touched.
func (d *Declarations) CoverFailure(f *failure.Failure) *failure.Failure {
	if f == nil || d.Empty() {
		return f
	}
	out := *f
	out.Message = d.Cover(f.Message)
	out.Action = d.Cover(f.Action)
	out.Issues = nil
	for _, is := range f.Issues {
		is.Path = d.coverPath(is.Path, is.Reason)
		is.Message = d.Cover(is.Message)
		// Lists of allowed words and bounds are the contract's.
		if s, ok := is.Expected.(string); ok {
			is.Expected = d.Cover(s)
		}
		out.Issues = append(out.Issues, is)
	}
	if f.Details != nil {
		out.Details = d.coverMap(f.Details, false)
	}
	return &out
}

// coverPath cuts an issue's path before what can't be shown. A pointer into
// the capture is shortened to its nearest clean ancestor. The name of an
// argument nobody knows is the caller's text, whatever it looks like; the
// first name of every other path is the contract's and stays.
func (d *Declarations) coverPath(path []any, reason failure.Reason) []any {
	out := make([]any, 0, len(path))
	for i, p := range path {
		s, isText := p.(string)
		switch {
		case !isText || !d.InText(s) && !strings.HasPrefix(s, "/"):
			out = append(out, p)
		case reason == failure.UnknownArgument:
			if d.InText(s) {
				return out
			}
			out = append(out, p)
		case strings.HasPrefix(s, "/"):
			out = append(out, d.ancestor(s))
		case i == 0:
			out = append(out, p)
		default:
			return out
		}
	}
	return out
}

// ancestor shortens a JSON pointer (RFC 6901) to the nearest ancestor that
// holds no literal, neither in its own spelling nor in one of its names.
func (d *Declarations) ancestor(pointer string) string {
	p := tree.Pointer(pointer)
	for p != "" && !d.cleanPointer(p) {
		p = p.Parent()
	}
	return string(p)
}

func (d *Declarations) cleanPointer(p tree.Pointer) bool {
	if d.InText(string(p)) {
		return false
	}
	if strings.IndexByte(string(p), '~') < 0 {
		return true
	}
	return !d.InText("/" + strings.Join(p.Tokens(), "/"))
}

// contractWords are the members of details whose values are words or numbers
// of the contract, or of the operating system, and no sentences.
var contractWords = map[string]bool{
	"boundary": true, "category": true, "cleanup": true, "code": true, "constraint": true,
	"error_class": true, "exit_code": true, "failure_kind": true, "format": true, "keyword": true,
	"observed_exit_code": true, "observed_signal": true, "operation": true, "original_error_code": true,
	"phase": true, "provider_id": true, "resource": true, "retention": true, "signal": true,
	"system_code": true,
}

// coverMap covers the members of one map. Inside diagnostics, where names may
// come from elsewhere, any other member whose name holds a literal is dropped.
func (d *Declarations) coverMap(m map[string]any, diagnostics bool) map[string]any {
	out := make(map[string]any, len(m))
	for name, v := range m {
		switch {
		case contractWords[name]:
			out[name] = v
		case diagnostics && d.InText(name):
		case name == "pointer":
			if s, ok := v.(string); ok {
				v = d.ancestor(s)
			}
			out[name] = v
		case name == "issues":
			out[name] = d.coverIssues(v)
		default:
			out[name] = d.coverValue(v, diagnostics || name == "diagnostics")
		}
	}
	return out
}

func (d *Declarations) coverValue(v any, diagnostics bool) any {
	switch v := v.(type) {
	case string:
		return d.Cover(v)
	case map[string]any:
		return d.coverMap(v, diagnostics)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = d.coverValue(v[i], diagnostics)
		}
		return out
	}
	return v
}

// coverIssues covers the issues of an earlier failure that details carry in
// its projected shape.
func (d *Declarations) coverIssues(v any) any {
	list, ok := v.([]any)
	if !ok {
		return d.coverValue(v, false)
	}
	out := make([]any, len(list))
	for i, item := range list {
		issue, ok := item.(map[string]any)
		if !ok {
			out[i] = d.coverValue(item, false)
			continue
		}
		c := make(map[string]any, len(issue))
		for name, v := range issue {
			c[name] = v
		}
		reason, _ := issue["reason"].(string)
		if path, ok := issue["path"].([]any); ok {
			c["path"] = d.coverPath(path, failure.Reason(reason))
		}
		if s, ok := issue["message"].(string); ok {
			c["message"] = d.Cover(s)
		}
		if s, ok := issue["expected"].(string); ok {
			c["expected"] = d.Cover(s)
		}
		out[i] = c
	}
	return out
}
