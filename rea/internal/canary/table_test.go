package canary

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// format is what a format brings. A record is the text that assemble joins, in
// which markers stand for the row's secret.
type format struct {
	name        string
	conformance bool // conformance "report" is to be tried
	assemble    func(records []string) []byte
	plain       string // a record without a secret
	broken      string // one that opens only under "report", if at all
	transport   []row  // records that open, with transport authentication
	odd         []row  // the same in shapes that open only under "report"
	declared    []row  // records that open, with what a caller may declare
	wrong       []row  // records that don't open, wrong where the secret is
	around      []row  // whole captures, with what may be declared outside of records
	damage      []damage
}

type row struct {
	name, record string
	// literal is what the caller declares, where it isn't the secret itself.
	literal func(secret string) string
	// coarse rows hide so much that they are tried alone.
	coarse bool
}

// damage makes a record, or a whole capture, invalid next to a secret. It gives
// the text unchanged where it doesn't apply.
type damage struct {
	name   string
	record func(record, secret string) string
}

var formats = []format{har, mitmproxy, saz, qlog}

// planted is a row with its secret in place.
type planted struct {
	row
	text    string // the record
	literal string // what a caller would declare
	at      string // the spelling that stands in the record
	secret
}

// plant puts a distinct secret into each row. first keeps tables apart.
func plant(rows []row, first int) []planted {
	out := make([]planted, len(rows))
	for i, r := range rows {
		word, digits := fmt.Sprintf("kE7q%03dZw9xT", first+i), fmt.Sprintf("73%04d917", first+i)
		forms := []struct{ marker, text string }{
			{"SECRET", word}, {"ESCAPED", escaped(word, `\u%04x`)}, {"DIGITS", digits},
			{"EBASE64", escaped(body64(word), `\u%04X`)}, {"BASE64", body64(word)},
			{"BLANKS", body64(word)[:7] + ` \n` + body64(word)[7:] + `\t`},
		}
		p := planted{row: r, text: r.record, literal: word}
		for _, f := range forms {
			if strings.Contains(p.text, f.marker) {
				p.text, p.at = strings.ReplaceAll(p.text, f.marker, f.text), f.text
			}
		}
		if strings.Contains(r.record, "DIGITS") {
			p.literal = digits
		}
		if r.literal != nil {
			p.literal = r.literal(word)
		}
		p.secret = newSecret(r.name, p.literal)
		out[i] = p
	}
	return out
}

func texts(rows []planted) (out []string) {
	for _, p := range rows {
		out = append(out, p.text)
	}
	return out
}

func secrets(rows []planted) (out []secret) {
	for _, p := range rows {
		out = append(out, p.secret)
	}
	return out
}

// capture assembles records, with plain ones around them.
func (f format) capture(records ...string) []byte {
	return f.assemble(slices.Concat([]string{f.plain}, records, []string{f.plain, f.plain}))
}

// damaged is the capture of a row that is broken next to its secret.
func (f format) damaged(i int, p planted) (name string, capture []byte) {
	d := f.damage[i%len(f.damage)]
	return d.name, f.capture(d.record(p.text, p.at))
}

// declare writes a file of declarations.
func declare(t *testing.T, dir string, literals ...string) []string {
	t.Helper()
	b, err := json.Marshal(literals)
	if err != nil {
		t.Fatal(err)
	}
	return []string{"--sensitive-values-from", save(t, dir, "declared.json", b)}
}

func TestTransport(t *testing.T) {
	for _, f := range formats {
		rows, odd := plant(f.transport, 0), plant(f.odd, len(f.transport))
		t.Run(f.name+"/valid", func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := save(t, dir, "capture", f.capture(texts(rows)...))
			for _, form := range forms {
				for _, way := range ways(f.conformance) {
					inspect(t, secrets(rows), 0, slices.Concat([]string{path, f.name, "--format", form}, way)...)
				}
				// A value that is declared is no reason to show another.
				inspect(t, secrets(rows), 0, slices.Concat([]string{path, f.name, "--format", form}, declare(t, dir, "GET", rows[0].literal))...)
				inspect(t, secrets(rows), 1, path, f.name, "--format", form, "--record", "99999")
			}
		})
		t.Run(f.name+"/odd", func(t *testing.T) {
			t.Parallel()
			if len(odd) == 0 {
				return // the format has one conformance
			}
			path := save(t, t.TempDir(), "capture", f.capture(texts(odd)...))
			for _, form := range forms {
				for _, way := range ways(f.conformance) {
					code := 1
					if slices.Contains(way, "report") {
						code = 0
					}
					inspect(t, secrets(odd), code, slices.Concat([]string{path, f.name, "--format", form}, way)...)
				}
			}
		})
		t.Run(f.name+"/broken", func(t *testing.T) {
			t.Parallel()
			for i, p := range slices.Concat(rows, odd) {
				name, capture := f.damaged(i, p)
				path := save(t, t.TempDir(), "capture", capture)
				way := ways(f.conformance)
				inspect(t, []secret{p.secret}, 1, slices.Concat([]string{path, f.name, "--format", forms[i/len(f.damage)%len(forms)]}, way[len(way)/2])...)
				if t.Failed() {
					t.Fatalf("with %s next to %s", name, p.name)
				}
			}
		})
	}
}

// What is wrong is never quoted, whatever was or wasn't declared.
func TestWrong(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		for i, p := range plant(f.wrong, 500) {
			path := save(t, t.TempDir(), "capture", f.capture(p.text))
			inspect(t, []secret{p.secret}, 1, path, f.name, "--format", forms[i%len(forms)])
			inspect(t, []secret{p.secret}, 1, path, f.name, "--format", "json")
		}
	}
}

func TestDeclared(t *testing.T) {
	for _, f := range formats {
		rows := plant(f.declared, 600)
		var fine []planted
		for _, p := range rows {
			if !p.coarse {
				fine = append(fine, p)
			}
		}
		t.Run(f.name+"/together", func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := save(t, dir, "capture", f.capture(texts(fine)...))
			_, shown, _ := run(t, nil, "inspect-web-network-capture", path, f.name, "--json")
			var literals []string
			for _, p := range fine {
				literals = append(literals, p.literal)
				if !finds([]secret{p.secret}, string(shown)) {
					t.Errorf("%s: %q is not shown where nothing is declared, so nothing is tried", p.name, p.literal)
				}
			}
			file := declare(t, dir, literals...)
			for _, form := range forms {
				for _, way := range ways(f.conformance) {
					inspect(t, secrets(fine), 0, slices.Concat([]string{path, f.name, "--format", form}, file, way)...)
				}
				inspect(t, secrets(fine), 1, slices.Concat([]string{path, f.name, "--format", form}, file, []string{"--record", "99999"})...)
				bad := save(t, dir, "bad", f.capture(append(texts(fine), f.broken)...))
				inspect(t, secrets(fine), 1, slices.Concat([]string{bad, f.name, "--format", form}, file)...)
				if f.conformance {
					inspect(t, secrets(fine), 0, slices.Concat([]string{bad, f.name, "--format", form, "--conformance", "report"}, file)...)
				}
			}
		})
		t.Run(f.name+"/alone", func(t *testing.T) {
			t.Parallel()
			for i, p := range rows {
				dir := t.TempDir()
				path := save(t, dir, "capture", f.capture(p.text, f.plain))
				flag := []string{"--sensitive-value", p.literal}
				inspect(t, []secret{p.secret}, 0, slices.Concat([]string{path, f.name, "--json"}, flag)...)
				inspect(t, []secret{p.secret}, 0, slices.Concat([]string{path, f.name, "--format", forms[i%2*3]}, flag)...)
				if f.conformance {
					inspect(t, []secret{p.secret}, 0, slices.Concat([]string{path, f.name, "--json", "--conformance", "report", "--record", "1"}, flag)...)
				}
				if t.Failed() {
					t.Fatalf("declared: %s", p.name)
				}
			}
		})
		t.Run(f.name+"/broken", func(t *testing.T) {
			t.Parallel()
			for k, p := range rows {
				for i := range f.damage {
					if p.row.literal == nil && (i+k)%len(f.damage) > 1 {
						continue // two kinds each will do where the spelling is ordinary
					}
					name, capture := f.damaged(i, p)
					dir := t.TempDir()
					path := save(t, dir, "capture", capture)
					inspect(t, []secret{p.secret}, 1, slices.Concat([]string{path, f.name, "--format", forms[i%2]}, declare(t, dir, p.literal))...)
					if t.Failed() {
						t.Fatalf("with %s next to %s", name, p.name)
					}
				}
			}
		})
	}
}

// What stands around the records is hidden like what is in them.
func TestAround(t *testing.T) {
	t.Parallel()
	for _, f := range formats {
		for i, p := range plant(f.around, 800) {
			dir := t.TempDir()
			path := save(t, dir, "capture", []byte(p.text))
			if _, shown, _ := run(t, nil, "inspect-web-network-capture", path, f.name, "--json"); !finds([]secret{p.secret}, string(shown)) {
				t.Errorf("%s: %q is not shown where nothing is declared, so nothing is tried", p.name, p.literal)
			}
			file := declare(t, dir, p.literal)
			for _, form := range forms {
				inspect(t, []secret{p.secret}, 0, slices.Concat([]string{path, f.name, "--format", form}, file)...)
			}
			if f.conformance {
				inspect(t, []secret{p.secret}, 0, slices.Concat([]string{path, f.name, "--json", "--conformance", "report"}, file)...)
			}
			name, broken := f.damage[i%len(f.damage)].name, f.damage[i%len(f.damage)].record(p.text, p.at)
			path = save(t, dir, "broken", []byte(broken))
			inspect(t, []secret{p.secret}, 1, slices.Concat([]string{path, f.name, "--json"}, file)...)
			if t.Failed() {
				t.Fatalf("with %s, next to %s", name, p.name)
			}
		}
	}
}
