package summary

import (
	"fmt"
	"io"
	"strings"

	"rea.example/verify/report"
	"rea.example/verify/results"
)

// Limit is how long a summary may be, in bytes.
const Limit = 1 << 20

// How much of a name, and of a detail, is said: in characters.
const (
	nameLimit   = 300
	detailLimit = 2000
)

// rest is kept free for the word on what was left out.
const rest = 200

// Write says what a run came to. The difference may be nil.
func Write(w io.Writer, now results.Results, since *results.Difference) error {
	var d draft
	head(&d, now, since)
	looks(&d, now)
	if since != nil {
		changes(&d, since)
	}
	if d.left > 0 {
		fmt.Fprintf(&d.text, "\n%s left out here, for want of room. The reports have all of it.\n", results.Counted(d.left, "item"))
	}
	if _, err := io.WriteString(w, d.text.String()); err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	return nil
}

// draft takes whole pieces as long as there is room.
type draft struct {
	text strings.Builder
	left int
}

func (d *draft) add(format string, args ...any) {
	piece := fmt.Sprintf(format, args...)
	if d.text.Len()+len(piece) > Limit-rest {
		d.left++
		return
	}
	d.text.WriteString(piece)
}

var marks = map[report.Verdict]string{report.Passed: "✓", report.Failed: "✗", report.Unavailable: "○", results.Unfinished: "…"}

func head(d *draft, now results.Results, since *results.Difference) {
	d.add("## %s %s\n\n%s. It took %s.\n\n", marks[now.Verdict()], now.Headline(), now.Checks().Sum(), results.Span(now.Took()))
	before, line := "", ""
	if since != nil {
		before, line = " before |", "---|"
	}
	d.add("| lane | verdict | checks | time |%s\n|---|---|---|---:|%s\n", before, line)
	for _, l := range now.Lanes {
		was := ""
		if s := since.Shift(l.Name()); s != nil {
			was = " " + s.Then() + " |"
		}
		d.add("| %s | %s %s | %s | %s |%s\n", text(l.Name()), marks[l.Verdict()], l.Verdict(), l.Checks().Words(), l.Time(), was)
	}
}

func looks(d *draft, now results.Results) {
	if now.Verdict() != report.Passed {
		d.add("\n### What needs a look\n")
	}
	for _, l := range now.Lanes {
		switch l.Verdict() {
		case report.Passed:
			continue
		case report.Unavailable:
			d.add("\n**%s** is unavailable:\n\n", text(l.Name()))
		case results.Unfinished:
			d.add("\n**%s** did not finish: its report says “%s”.\n\n", text(l.Name()), text(l.Status))
		default:
			d.add("\n**%s** failed:\n\n", text(l.Name()))
		}
		for _, reason := range l.Reasons {
			d.add("- %s\n", text(reason))
		}
		if prevented := l.Prevented(); prevented != "" {
			d.add("- %s\n", prevented)
		}
		for _, c := range l.Report.Checks {
			if c.Verdict == report.Failed {
				d.add("- %s\n%s", text(c.Name), quoted(c.Detail))
			}
		}
	}
}

func changes(d *draft, since *results.Difference) {
	d.add("\n### Since %s\n\n", results.Date(since.Before.Began()))
	if len(since.Changes)+len(since.Moves) == 0 {
		d.add("No check came to anything else, and nothing that the lanes stood on has changed.\n")
	}
	for _, c := range since.Changes {
		d.add("- %s: %s, %s\n", c.Kind, text(c.Lane), text(c.Check))
	}
	for _, m := range since.Moves {
		d.add("- another version: %s, %s: %s → %s\n", text(m.Lane), text(m.Pin), text(or(m.Was)), text(or(m.Is)))
	}
	for _, s := range since.Shifts {
		if s.Is == "" {
			d.add("- not part of this run: %s, then %s\n", text(s.Lane), s.Was)
		}
	}
}

func or(value string) string {
	if value == "" {
		return "nothing"
	}
	return value
}

// text is one line that Markdown reads as text: a backslash stands before every
// ASCII punctuation mark, which it allows everywhere.
func text(s string) string {
	s = strings.Join(strings.Fields(results.Line(results.Short(s, nameLimit))), " ")
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
			continue
		case r == '&':
			b.WriteString("&amp;")
			continue
		case strings.ContainsRune("!\"#$%'()*+,./:;=>?@[\\]^_`{|}~-", r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// quoted is a text as a block of code within an item of a list, behind a fence that
// the text can't close.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	s = results.Visible(results.Short(s, detailLimit))
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n  %stext\n", fence)
	for line := range strings.SplitSeq(s, "\n") {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	fmt.Fprintf(&b, "  %s\n\n", fence)
	return b.String()
}
