package render

import (
	"io"
	"path"
	"strconv"
	"strings"
)

// Capture writes the Evidence of a capture, a canonical document, for people:
// a headline, the records, what was left out, and where to look next. The
// document is not checked. Errors are those of w.
func Capture(w io.Writer, doc []byte, o Options) error {
	f := gather(doc)
	p := newPage(w, o)
	p.headline(f, o.Name)
	p.end()
	if f.facet.Len() > 0 {
		p.streams(f, o.MaxRows)
		p.end()
	}
	if len(f.records) > 0 {
		p.table(f.table(o.MaxRows))
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
	p.put(plain, shorten(f.about(), p.room(0)))
	p.end()

	size := grouped(f.text(f.bytes)) + " bytes"
	if sum := f.text(f.sha256); len(sum) > 12 {
		size += ", sha256 " + sum[:12]
	}
	p.put(plain, size)
	p.end()
}

// about says in which format a capture is, and by whom it was written or read.
func (f *facts) about() string {
	switch format := f.text(f.format); format {
	case "har":
		v := f.parts(f.container, "/reported/log/version", "/reported/log/creator/name", "/reported/log/creator/version",
			"/reported/log/browser/name", "/reported/log/browser/version")
		log := v.At("reported", "log")
		about := strings.TrimSpace("HAR " + words(log.Get("version")))
		if by := log.Get("creator"); word(by.Get("name")) != "" {
			about += ", written by " + words(by.Get("name"), by.Get("version"))
		}
		if in := log.Get("browser"); word(in.Get("name")) != "" {
			about += ", recorded in " + words(in.Get("name"), in.Get("version"))
		}
		return about
	case "mitmproxy":
		return "mitmproxy flows, read by " + strings.TrimSpace(f.shown(f.decoder)+" "+f.shown(f.decoderVersion))
	case "saz":
		v := f.parts(f.container, "/reported/members/*/role")
		return "Fiddler session archive of " + numbered(len(items(v.At("reported", "members"))), "member", "members")
	case "qlog":
		v := f.parts(f.container, "/reported/qlog_version")
		facet := f.parts(f.facet, "/profile")
		about := strings.TrimSpace("qlog " + words(v.At("reported", "qlog_version")))
		if profile := words(facet.Get("profile")); profile != "" {
			about += ", profile " + profile
		}
		return about
	default:
		return Escape(format)
	}
}

func (p *page) counts(f *facts) {
	total, selected := f.integer(f.total), len(f.records)
	switch {
	case total == 0:
		p.labelled("records", "none in the capture")
	case selected == total:
		p.labelled("records", count(total)+", all of the capture")
	default:
		p.labelled("records", count(selected)+" selected of "+count(total))
	}
	if f.facet.Len() > 0 {
		p.clock(f)
	}
	container := f.parts(f.container, "/reported/comment")
	if comment := words(container.At("reported", "comment")); comment != "" {
		p.labelled("comment", shorten(comment, p.room(labels)))
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

// clock says what the facts of a qlog are about.
func (p *page) clock(f *facts) {
	facet := f.parts(f.facet, "/clock", "/scope")
	plainly := strings.NewReplacer("-", " ")
	if scope := words(facet.Get("scope")); scope != "" {
		p.labelled("facts", plainly.Replace(scope))
	}
	if unit := words(facet.At("clock", "unit")); unit != "" {
		p.labelled("time", unit+" since the "+words(facet.At("clock", "epoch"))+" epoch, "+plainly.Replace(words(facet.At("clock", "basis"))))
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
	if f.facet.Len() > 0 {
		p.command("One list of facts, of saved Evidence:",
			`rea inspect-analysis-view --evidence FILE --view '{"kind":"qlog","facet":"streams","trace_index":0}'`)
	}
	if name != "" {
		p.command("The file, to inspect like any other:", command+" --write FILE")
	} else if len(f.records) > 1 {
		p.command("One record, in full:", command+" --record "+f.shown(f.records[0].ordinal)+" --json")
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
