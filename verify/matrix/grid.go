package matrix

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
// "subject: comparison". Turned, it is one of comparisons by subjects.
type grid struct {
	Columns []string
	Rows    []row
	Turned  bool
}

// Subjects and Comparisons count what the table is of.
func (g grid) Subjects() int {
	if g.Turned {
		return len(g.Columns)
	}
	return len(g.Rows)
}

// Comparisons is the other count.
func (g grid) Comparisons() int { return len(g.Columns) + len(g.Rows) - g.Subjects() }

// row is one subject, or one comparison where the table is turned. A cell without a
// verdict is a comparison that the subject lacks.
type row struct {
	Name  string
	Cells []check
	Took  time.Duration
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

// across is how many characters fit beside each other in the head of a table on a
// wide page. A column takes those of its longest word, and gap more.
const (
	across = 110
	gap    = 2
)

func fit(names []string) bool {
	room := across
	for _, name := range names {
		longest := 0
		for word := range strings.FieldsSeq(name) {
			longest = max(longest, utf8.RuneCountInString(word))
		}
		room -= longest + gap
	}
	return room >= 0
}

// grids puts the checks into as few tables as they fit, and gives those that fit
// in none. A subject has at least two comparisons, none twice; subjects that share
// a comparison share a table; one subject alone is no table.
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
	for _, subject := range order {
		if list := of[subject]; len(list) > 1 && !repeats(list) {
			place(&tables, subject, list)
		}
	}
	tables = slices.DeleteFunc(tables, func(g grid) bool { return len(g.Rows) < 2 })
	placed := map[string]bool{}
	for i := range tables {
		for _, r := range tables[i].Rows {
			placed[r.Name] = true
		}
		tables[i].align()
		if tables[i].better() {
			tables[i].turn()
		}
	}
	for _, c := range all {
		subject, _, ok := strings.Cut(c.Name, ": ")
		if !ok || !placed[subject] {
			rest = append(rest, c)
		}
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
// into one of its own. A table that would then be too wide both ways takes no more.
func place(tables *[]grid, subject string, list []check) {
	var own []string
	for _, c := range list {
		own = append(own, c.Name)
	}
	for i := range *tables {
		g := &(*tables)[i]
		if !slices.ContainsFunc(own, func(name string) bool { return slices.Contains(g.Columns, name) }) {
			continue
		}
		columns := slices.Clone(g.Columns)
		for _, name := range own {
			if !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
		if fit(columns) || fit(append(g.names(), subject)) {
			g.Columns, g.Rows = columns, append(g.Rows, row{Name: subject, Cells: list})
		}
		return
	}
	*tables = append(*tables, grid{Columns: own, Rows: []row{{Name: subject, Cells: list}}})
}

func (g *grid) names() (list []string) {
	for _, r := range g.Rows {
		list = append(list, r.Name)
	}
	return list
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

// better says whether the table reads better turned: it is wider than it is high, or
// would not fit.
func (g *grid) better() bool {
	return !fit(g.Columns) || len(g.Rows) < len(g.Columns) && fit(g.names())
}

// turn makes rows of the columns. A cell has the name of its column still.
func (g *grid) turn() {
	turned := grid{Columns: g.names(), Turned: true}
	for i, comparison := range g.Columns {
		r := row{Name: comparison}
		for _, of := range g.Rows {
			c := of.Cells[i]
			c.Name = of.Name
			r.Cells, r.Took = append(r.Cells, c), r.Took+c.Took()
		}
		turned.Rows = append(turned.Rows, r)
	}
	*g = turned
}
