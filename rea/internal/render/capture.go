package render

import (
	"fmt"
	"io"
	"path"
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
	if by := strings.TrimSpace(f.shown(f.maker) + " " + f.shown(f.makerVersion)); by != "" {
		about += ", written by " + by
	}
	if in := strings.TrimSpace(f.shown(f.browser) + " " + f.shown(f.browserVersion)); in != "" {
		about += ", recorded in " + in
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
	if selected == total {
		p.labelled("records", fmt.Sprintf("%d, all of the capture", total))
	} else {
		p.labelled("records", fmt.Sprintf("%d selected of %d", selected, total))
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
		fmt.Sprint(f.recordNotes)+" of single records")
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
	return fmt.Sprintf("%d %s", n, many)
}

// next names the commands that show more of the same capture.
func (p *page) next(f *facts, name string) {
	format := f.shown(f.format)
	command := "rea sample " + format
	if name == "" {
		command = "rea inspect-web-network-capture " + shellWord(f.text(f.path)) + " " + format
	}
	p.end()
	p.put(faint, "All of it, with the limitations:")
	p.end()
	p.put(plain, "  "+command+" --json")
	p.end()
	if name != "" {
		p.put(faint, "The file, to inspect like any other:")
		p.end()
		p.put(plain, "  "+command+" --write FILE")
		p.end()
	} else if len(f.rows) > 1 {
		p.put(faint, "One record, in full:")
		p.end()
		p.put(plain, "  "+command+" --record "+f.shown(f.rows[0].ordinal)+" --json")
		p.end()
	}
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
