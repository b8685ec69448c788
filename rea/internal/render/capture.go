package render

import (
	"io"
	"path"
	"strconv"
	"strings"
)

// Capture writes the Evidence of a capture, a canonical document, for people:
// a headline, the records, what was left out, and where to look next. Errors
// are those of w, or a strictjson.Problem where doc is no document.
func Capture(w io.Writer, doc []byte, o Options) error {
	f, err := gather(doc)
	if err != nil {
		return err
	}
	p := newPage(w, o)
	p.headline(f, o.Name)
	p.end()
	if len(f.rows) > 0 {
		p.table(f, o.MaxRows)
		p.end()
	}
	p.counts(f)
	p.next(f, o.Name)
	return p.w.Flush()
}

func (p *page) headline(f *facts, name string) {
	if name == "" {
		if name = f.text(f.path); name != "" {
			name = path.Base(name)
		} else {
			name = "a capture whose path is left out"
		}
	}
	p.put(bold, shorten(Escape(name), p.room(0)))
	p.end()

	about := strings.ToUpper(f.shown(f.format))
	if v := f.shown(f.profile); v != "" {
		about += " " + v
	}
	if by := f.shown(f.maker); by != "" {
		about += ", written by " + strings.TrimSpace(by+" "+f.shown(f.makerVersion))
	}
	if in := f.shown(f.browser); in != "" {
		about += ", recorded in " + strings.TrimSpace(in+" "+f.shown(f.browserVersion))
	}
	p.put(plain, shorten(about, p.room(0)))
	p.end()

	size := grouped(f.text(f.bytes)) + " bytes"
	if sum := f.text(f.sha256); len(sum) > 12 {
		size += ", sha256 " + sum[:12]
	}
	p.put(plain, size)
	p.end()
}

func (p *page) counts(f *facts) {
	total, selected := f.integer(f.total), len(f.rows)
	switch {
	case total == 0:
		p.labelled("records", "none in the capture")
	case selected == total:
		p.labelled("records", count(total)+", all of the capture")
	default:
		p.labelled("records", count(selected)+" selected of "+count(total))
	}
	var out []string
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{f.credentials, "transport credential", "transport credentials"},
		{f.declared, "declared value", "declared values"},
		{f.names, "member with a declared name", "members with declared names"},
	} {
		if c.n > 0 {
			out = append(out, numbered(c.n, c.one, c.many))
		}
	}
	if out == nil {
		out = []string{"nothing"}
	}
	p.labelled("left out", strings.Join(out, ", "))
	if f.deviations > 0 {
		p.labelled("schema", numbered(f.deviations, "deviation", "deviations"))
	}
	p.labelled("limits", numbered(f.notes, "limitation", "limitations")+" of the capture, "+
		count(f.recordNotes)+" of single records")
	// Identifiers are never broken or shortened: they are there to be copied.
	for _, id := range []struct{ label, text string }{
		{"sha256", f.shown(f.sha256)}, {"evidence", f.shown(f.id)},
	} {
		if id.text == "" {
			id.text = "left out"
		}
		p.labelled(id.label, id.text)
	}
}

func numbered(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

func count(n int) string { return grouped(strconv.Itoa(n)) }

// next names the commands that show more of the same capture. They repeat what
// was declared about it: without that they would fail, or show more than this
// page may.
func (p *page) next(f *facts, name string) {
	format := f.shown(f.format)
	command := "rea sample " + format
	if name == "" {
		command = "rea inspect-web-network-capture " + shellWord(f.text(f.path)) + " " + format
		if c := f.shown(f.conformance); c != "" {
			command += " --conformance " + c
		}
		if f.integer(f.sensitive) > 0 {
			command += " --sensitive-values-from FILE"
		}
	}
	p.end()
	p.command("All of it, with the limitations:", command+" --json")
	if name != "" {
		p.command("The file, to inspect like any other:", command+" --write FILE")
	} else if len(f.rows) > 1 {
		p.command("One record, in full:", command+" --record "+f.shown(f.rows[0].ordinal)+" --json")
	}
}

func (p *page) command(what, line string) {
	p.put(faint, what)
	p.end()
	p.put(plain, "  "+line)
	p.end()
}

// shellWord spells a path so that a POSIX shell reads it back. One that is left
// out, or that would have to be escaped to be shown, stays a place to fill in.
func shellWord(s string) string {
	if s == "" || Escape(s) != s {
		return "PATH"
	}
	const bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,=@%:"
	if strings.Trim(s, bare) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
