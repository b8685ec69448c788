package matrix

import (
	"slices"
	"strings"
	"time"

	"rea.example/verify/report"
	"rea.example/verify/results"
)

// check is one check on the page.
type check struct {
	report.Check
	ID string // of its place, where it has a line of its own
}

// Took is how long it took.
func (c check) Took() time.Duration { return time.Duration(c.Seconds * float64(time.Second)) }

// grid is a table of subjects by comparisons, made of checks whose names say
// "subject: comparison".
type grid struct {
	Columns []string
	Rows    []row
}

// row is one subject. A cell without a verdict is a comparison that it lacks.
type row struct {
	Subject string
	Cells   []check
	Took    time.Duration
}

// Tally counts the row's checks.
func (r row) Tally() results.Tally {
	t := results.Tally{}
	for _, c := range r.Cells {
		if c.Verdict != "" {
			t[c.Verdict]++
		}
	}
	return t
}

// columns is how many comparisons fit beside each other on a wide page.
const columns = 12

// grids puts the checks into as few tables as they fit, and gives those that fit
// in none. A subject has at least two comparisons, none twice; subjects that share
// a comparison share a table.
func grids(all []check) (tables []grid, rest []check) {
	var order []string
	of := map[string][]check{}
	for _, c := range all {
		subject, comparison, ok := strings.Cut(c.Name, ": ")
		if !ok || subject == "" || comparison == "" {
			continue
		}
		if of[subject] == nil {
			order = append(order, subject)
		}
		c.Name = comparison
		of[subject] = append(of[subject], c)
	}
	placed := map[string]bool{}
	for _, subject := range order {
		list := of[subject]
		if len(list) < 2 || repeats(list) {
			continue
		}
		if place(&tables, subject, list) {
			placed[subject] = true
		}
	}
	for _, c := range all {
		subject, _, ok := strings.Cut(c.Name, ": ")
		if !ok || !placed[subject] {
			rest = append(rest, c)
		}
	}
	for i := range tables {
		tables[i].align()
	}
	return tables, rest
}

func repeats(list []check) bool {
	seen := map[string]bool{}
	for _, c := range list {
		if seen[c.Name] {
			return true
		}
		seen[c.Name] = true
	}
	return false
}

// place puts a subject into the first table that it shares a comparison with, else
// into one of its own. It says no where the table would be too wide.
func place(tables *[]grid, subject string, list []check) bool {
	for i := range *tables {
		g := &(*tables)[i]
		shared, more := false, []string{}
		for _, c := range list {
			if slices.Contains(g.Columns, c.Name) {
				shared = true
			} else {
				more = append(more, c.Name)
			}
		}
		if shared {
			if len(g.Columns)+len(more) > columns {
				return false
			}
			g.Columns = append(g.Columns, more...)
			g.Rows = append(g.Rows, row{Subject: subject, Cells: list})
			return true
		}
	}
	if len(list) > columns {
		return false
	}
	g := grid{Rows: []row{{Subject: subject, Cells: list}}}
	for _, c := range list {
		g.Columns = append(g.Columns, c.Name)
	}
	*tables = append(*tables, g)
	return true
}

// align gives every row a cell for every column.
func (g *grid) align() {
	for i := range g.Rows {
		r := &g.Rows[i]
		cells := make([]check, len(g.Columns))
		for _, c := range r.Cells {
			r.Took += c.Took()
			cells[slices.Index(g.Columns, c.Name)] = c
		}
		r.Cells = cells
	}
}
