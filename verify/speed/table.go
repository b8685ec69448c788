package speed

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// figures are what one program needed for a job. Zero is unknown.
type figures struct {
	wall, cpu  time.Duration
	all, child int64 // bytes: peaks of all processes added up, and of the largest child
}

func medians(samples []sample) figures {
	if len(samples) == 0 {
		return figures{}
	}
	return figures{median(samples, wall), median(samples, cpu), median(samples, peak), median(samples, child)}
}

// row is one job.
type row struct {
	job    string
	peer   string // who did the same, or what is compared
	ours   figures
	theirs figures
	goal   string
	floor  time.Duration
}

var columns = []string{"job", "compared with", "rea", "peer", "ratio", "goal", "floor", "rea CPU", "peer CPU", "rea MiB", "child MiB", "peer MiB"}

func (r row) cells() []string {
	ratio := "-"
	if r.ours.wall > 0 && r.theirs.wall > 0 {
		ratio = fmt.Sprintf("%.1f", float64(r.theirs.wall)/float64(r.ours.wall))
	}
	return []string{r.job, orDash(r.peer), spell(r.ours.wall), spell(r.theirs.wall), ratio, orDash(r.goal), spell(r.floor),
		spell(r.ours.cpu), spell(r.theirs.cpu), mebibytes(r.ours.all), mebibytes(r.ours.child), mebibytes(r.theirs.all)}
}

// table writes the rows in Markdown, and lined up for those who read it as it is.
func table(rows []row) string {
	lines := [][]string{columns}
	for _, r := range rows {
		lines = append(lines, r.cells())
	}
	widths := make([]int, len(columns))
	for _, l := range lines {
		for i, cell := range l {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for n, l := range lines {
		for i, cell := range l {
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < 2 { // words to the left, figures to the right
				b.WriteString("| " + cell + gap + " ")
			} else {
				b.WriteString("| " + gap + cell + " ")
			}
		}
		b.WriteString("|\n")
		if n > 0 {
			continue
		}
		for i, w := range widths {
			if i < 2 {
				b.WriteString("| " + strings.Repeat("-", w) + " ")
			} else {
				b.WriteString("| " + strings.Repeat("-", w-1) + ": ")
			}
		}
		b.WriteString("|\n")
	}
	return b.String()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// spell gives three digits or so of a duration, with its unit.
func spell(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case d == 0:
		return "-"
	case d < 0:
		return "?" // a difference that chance turned over
	case ms < 1:
		return fmt.Sprintf("%.2f ms", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

func mebibytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(n)/(1<<20))
}
