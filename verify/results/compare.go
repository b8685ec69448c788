package results

import (
	"slices"
	"time"

	"rea.example/verify/report"
)

// Kind is what became of a check between two runs, in the words for a heading.
type Kind string

// What can have become of a check, in the order in which a reader wants it.
const (
	Broken  Kind = "fails now"       // and did not
	Lost    Kind = "no longer run"   // it is unavailable and was not
	Gone    Kind = "no longer there" // there is no check of that name any more
	Mended  Kind = "mended"          // it failed and does not
	Found   Kind = "run again"       // it was unavailable
	Arrived Kind = "new"             // there was no check of that name
)

// Kinds lists them in that order.
var Kinds = []Kind{Broken, Lost, Gone, Mended, Found, Arrived}

// Change is one check that came to something else. Was or Is is empty where there
// was no such check.
type Change struct {
	Kind    Kind
	Lane    string
	Check   string
	Was, Is report.Verdict
}

// Shift is a lane as a whole: Was or Is is empty where the run lacks it.
type Shift struct {
	Lane    string
	Was, Is report.Verdict
	Before  time.Duration // that it took then
}

// Move is one pin that has another value. Was or Is is empty where the run lacks
// it.
type Move struct{ Lane, Pin, Was, Is string }

// Difference is what two runs do not share.
type Difference struct {
	Before  Results
	Changes []Change // by kind, then by lane and check as the runs order them
	Shifts  []Shift  // of every lane, also where nothing changed
	Moves   []Move
}

// Of gives the changes of one kind.
func (d *Difference) Of(k Kind) (list []Change) {
	for _, c := range d.Changes {
		if c.Kind == k {
			list = append(list, c)
		}
	}
	return list
}

// Shift gives the lane's, or nil without a difference.
func (d *Difference) Shift(lane string) *Shift {
	if d == nil {
		return nil
	}
	for i := range d.Shifts {
		if d.Shifts[i].Lane == lane {
			return &d.Shifts[i]
		}
	}
	return nil
}

// Compare says what changed from one run to the next. A lane that one of them
// lacks is a shift alone: its checks did not change, they were not asked for.
func Compare(before, now Results) *Difference {
	d := &Difference{Before: before}
	for _, l := range now.Lanes {
		s := Shift{Lane: l.Name(), Is: l.Verdict()}
		if old := before.lane(l.Name()); old != nil {
			s.Was, s.Before = old.Verdict(), old.Took()
			d.Changes = append(d.Changes, changes(*old, l)...)
			d.Moves = append(d.Moves, moves(*old, l)...)
		}
		d.Shifts = append(d.Shifts, s)
	}
	for _, l := range before.Lanes {
		if now.lane(l.Name()) == nil {
			d.Shifts = append(d.Shifts, Shift{Lane: l.Name(), Was: l.Verdict(), Before: l.Took()})
		}
	}
	sorted := make([]Change, 0, len(d.Changes))
	for _, k := range Kinds {
		sorted = append(sorted, d.Of(k)...)
	}
	d.Changes = sorted
	return d
}

func (r Results) lane(name string) *Lane {
	for i := range r.Lanes {
		if r.Lanes[i].Name() == name {
			return &r.Lanes[i]
		}
	}
	return nil
}

// changes compares the checks of one lane by name. Of checks that share a name
// the worst counts. Checks are gone, or new, only between two lanes that ran to
// their end: another one may have been stopped before it came to them. A check that
// an interruption prevented is as one that the lane did not come to.
func changes(before, now Lane) (list []Change) {
	was, is, whole := worst(before), worst(now), before.ran() && now.ran()
	seen := map[string]bool{}
	for _, lane := range []Lane{now, before} {
		for _, c := range lane.Report.Checks {
			if seen[c.Name] {
				continue
			}
			seen[c.Name] = true
			k := kind(was[c.Name], is[c.Name])
			if k == "" || (k == Gone || k == Arrived) && !whole {
				continue
			}
			list = append(list, Change{k, now.Name(), c.Name, was[c.Name], is[c.Name]})
		}
	}
	return list
}

func (l Lane) ran() bool {
	return l.Status != report.Interrupted && (l.Verdict() == report.Passed || l.Verdict() == report.Failed)
}

// worst gives each name's most urgent verdict. One that nobody knows counts as a
// failure: it hides none, and is not hidden.
func worst(l Lane) map[string]report.Verdict {
	m := map[string]report.Verdict{}
	for _, c := range l.Report.Checks {
		if l.Cut(c) {
			continue
		}
		v := c.Verdict
		if !slices.Contains(Verdicts, v) {
			v = report.Failed
		}
		if have, ok := m[c.Name]; !ok || slices.Index(Verdicts, v) < slices.Index(Verdicts, have) {
			m[c.Name] = v
		}
	}
	return m
}

// kind is empty for what stayed as it was.
func kind(was, is report.Verdict) Kind {
	switch {
	case was == is:
		return ""
	case is == report.Failed:
		return Broken
	case is == "":
		return Gone
	case was == report.Failed && is == report.Passed:
		return Mended
	case was == "":
		return Arrived
	case is == report.Unavailable:
		return Lost
	default:
		return Found
	}
}

// moves compares the pins of one lane by name. The values of pins that share a
// name count together.
func moves(before, now Lane) (list []Move) {
	was, is := pins(before), pins(now)
	seen := map[string]bool{}
	for _, lane := range []Lane{now, before} {
		for _, p := range lane.Pins {
			if !seen[p.Name] && was[p.Name] != is[p.Name] {
				list = append(list, Move{now.Name(), p.Name, was[p.Name], is[p.Name]})
			}
			seen[p.Name] = true
		}
	}
	return list
}

func pins(l Lane) map[string]string {
	m := map[string]string{}
	for _, p := range l.Pins {
		if have := m[p.Name]; have != "" {
			p.Value = have + ", " + p.Value
		}
		m[p.Name] = p.Value
	}
	return m
}
