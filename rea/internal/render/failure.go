package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"rea.example/rea/internal/failure"
)

// mostRules is how many failing schema rules are listed.
const mostRules = 8

// Failure writes the projection of a failure for people: what is wrong, where,
// and what to do. It shows the failure's own sentences and coordinates, and of
// the details only those that help.
func Failure(w io.Writer, projection map[string]any, o Options) error {
	p := newPage(w, o)
	const mark = "error: "
	for i, line := range wrap(said(projection["message"]), p.room(len(mark))) {
		if i == 0 {
			p.put(red, mark)
		} else {
			p.blank(len(mark))
		}
		p.put(bold, line)
		p.end()
	}
	details, _ := projection["details"].(map[string]any)
	p.issues(details, said(projection["message"]))
	p.rules(details)
	if resources := list(details["resources"]); len(resources) > 0 {
		p.labelled("remains", sayAll(resources)...)
	}
	remedy, _ := projection["remediation"].(map[string]any)
	if action := said(remedy["action"]); action != "" {
		p.labelled("do", action)
	}
	p.labelled("code", said(projection["code"]))
	return p.w.Flush()
}

// issues lists the places. A sentence that the message says already is not
// said again.
func (p *page) issues(details map[string]any, message string) {
	var lines []string
	for _, item := range list(details["issues"]) {
		issue, _ := item.(map[string]any)
		line := place(list(issue["path"]))
		if issue["reason"] != string(failure.InvalidFormat) {
			line += " (" + strings.ReplaceAll(said(issue["reason"]), "_", " ") + ")"
		}
		if s := said(issue["message"]); s != "" && !strings.Contains(message, s) {
			line += ": " + s
		}
		if s := expected(issue); s != "" {
			line += "; " + s
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		if s, ok := details["pointer"].(string); ok && s != "" {
			lines = append(lines, Escape(s))
		}
	}
	p.labelled("where", lines...)
}

// place joins the path of an issue: an argument, and a pointer into what it
// names.
func place(path []any) string {
	var parts []string
	for i, e := range path {
		s := said(e)
		if i > 0 && s == "" {
			s = "(the whole document)"
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return "(the arguments)"
	}
	return strings.Join(parts, " ")
}

func expected(issue map[string]any) string {
	var parts []string
	switch e := issue["expected"].(type) {
	case nil:
	case map[string]any:
		names := make([]string, 0, len(e))
		for name := range e {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			parts = append(parts, strings.ReplaceAll(Escape(name), "_", " ")+" "+said(e[name]))
		}
	case []any:
		parts = append(parts, "one of "+strings.Join(sayAll(e), ", "))
	default:
		parts = append(parts, "expected "+said(e))
	}
	for _, bound := range []string{"minimum", "maximum"} {
		if v, ok := issue[bound]; ok {
			parts = append(parts, bound+" "+said(v))
		}
	}
	return strings.Join(parts, ", ")
}

// rules lists the schema rules that fail, and how many there are beyond.
func (p *page) rules(details map[string]any) {
	errors := list(details["schema_errors"])
	if len(errors) == 0 {
		return
	}
	var lines []string
	for _, item := range errors[:min(len(errors), mostRules)] {
		e, _ := item.(map[string]any)
		at := said(e["pointer"])
		if at == "" {
			at = "(the whole document)"
		}
		lines = append(lines, at+" breaks the rule "+said(e["keyword"]))
	}
	if total, err := strconv.Atoi(said(details["schema_error_total"])); err == nil && total > len(lines) {
		lines = append(lines, ellipsis+" "+count(total-len(lines))+" more")
	}
	p.labelled("schema", lines...)
}

// said gives a word or number of a failure, escaped.
func said(v any) string {
	if v == nil {
		return ""
	}
	return Escape(fmt.Sprint(v))
}

func sayAll(vs []any) []string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = said(v)
	}
	return out
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
