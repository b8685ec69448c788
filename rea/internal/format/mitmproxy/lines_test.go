package mitmproxy_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/format/mitmproxy"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/tree"
)

var upstream = mitmproxy.Format{}.Upstream()

// readLines reads what the script wrote of a capture of so many bytes.
func readLines(t testing.TB, src string, size int) (gathered, *format.Problem) {
	t.Helper()
	var g gathered
	err := upstream.Reader.Read(format.Input{Source: []byte(src), Capture: int64(size)}, &g)
	var p *format.Problem
	if err != nil && !errors.As(err, &p) {
		t.Fatal(err)
	}
	return g, p
}

// spellLines writes a value as the script does. Keys that are no text can't be
// told from a tree.
func spellLines(v *tree.Value) string {
	e := base64.StdEncoding.EncodeToString
	switch v.Kind {
	case tree.Null:
		return "~\n"
	case tree.False:
		return "!0\n"
	case tree.True:
		return "!1\n"
	case tree.Number:
		if v.Mark.Has(tree.Float) {
			return "^" + v.Text + "\n"
		}
		return "#" + v.Text + "\n"
	case tree.String:
		return ";" + e([]byte(v.Text)) + "\n"
	case tree.Bytes:
		return "," + e([]byte(v.Text)) + "\n"
	}
	var b strings.Builder
	open := map[tree.Kind]string{tree.Array: "[", tree.Object: "{"}[v.Kind]
	fmt.Fprintf(&b, "%s%d\n", open, len(v.Items))
	for i := range v.Items {
		if v.Kind == tree.Object {
			b.WriteString(";" + e([]byte(v.Items[i].Name)) + "\n")
		}
		b.WriteString(spellLines(&v.Items[i]))
	}
	return b.String()
}

// asLines is a sink that writes what the script would have written.
type asLines struct {
	strings.Builder
	bytes int64
}

func (a *asLines) Record(e *format.Entry) error {
	a.bytes += e.At.Bytes
	fmt.Fprintf(a, "@%d\n%s", e.At.Bytes, spellLines(e.Reported))
	return nil
}

func (a *asLines) Container(*format.Container) error {
	fmt.Fprintf(a, ".%d\n", a.bytes)
	return nil
}

func toLines(t testing.TB, src []byte) string {
	t.Helper()
	a := &asLines{}
	a.WriteString("mitmproxy 12.2.3\n")
	if err := (mitmproxy.Format{}).Read(format.Input{Source: src}, a); err != nil {
		t.Fatal(err)
	}
	return a.String()
}

// TestLinesAreTheSame: of the same states both readers give the same records, in
// the same places, with the same limitations.
func TestLinesAreTheSame(t *testing.T) {
	for name, src := range map[string][]byte{
		"sample": mitmproxy.Format{}.Profile().Sample,
		"empty":  nil,
		"odd values": file(dict{"o", b("\xff\x00"), "t", "ü\"\\", "__proto__", dict{"", 1}, "n", list{-7, 9007199254740993, float("1e+16"), float("nan"), float("-0.0"), true, false, nil}},
			dict{}, dict{"l", list{list{}, dict{}}}),
		"large octets": file(dict{"o", b(strings.Repeat("\x00\xff", 100<<10)), "p", b("x")}, dict{"q", b("y")}),
	} {
		want, p := read(t, src)
		got, q := readLines(t, toLines(t, src), len(src))
		if p != nil || q != nil {
			t.Errorf("%s: %v, %v", name, p, q)
			continue
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\n%.500s\nwant\n%.500s", name, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
}

func TestLinesOfProblems(t *testing.T) {
	const head = "mitmproxy 12.2.3\n"
	const one = "@11\n{1\n;eA==\n#1\n"
	deep := func(n int) string { return "{1\n;eA==\n" + strings.Repeat("[1\n", n) + "~\n" }
	for _, r := range []struct {
		line    int
		src     string
		kind    format.Kind // "" where it is read
		pointer tree.Pointer
		says    string
	}{
		{line(), head + ".\n", "", "", ""},
		{line(), head + one + one + ".\n", "", "", ""},
		{line(), "mitmproxy 12.2.2\n", format.Unsupported, "", `12.2.3 is required, and the program is "12.2.2"`},
		{line(), "mitmproxy 13.0.0.dev\n", format.Unsupported, "", `"13.0.0.dev"`},
		{line(), "mitmproxy \x1b[2J\n", format.Unsupported, "", `"\x1b[2J"`},
		{line(), head + "?\n", format.Malformed, "", "the record at byte offset 0 "},
		{line(), head + one + "?\n", format.Malformed, "", "the record at byte offset 11 "},
		{line(), head + one + ">\n", format.TooMuch, "", "the record at byte offset 11 "},
		{line(), head + "@400\n" + deep(70) + ".\n", format.TooMuch, "/x" + tree.Pointer(strings.Repeat("/0", 64)), "offset 0 "},
		{line(), head + one + "@20\n{1\n;eA==\n{1\n,eA==\n~\n.\n", format.Malformed, "/x", "offset 11 is refused: a dictionary has a key that is not text"},
		{line(), head + "@20\n{1\n#1\n~\n.\n", format.Malformed, "", "a key that is not text"},
		{line(), head + "@99\n{1\n;cmVxdWVzdA==\n{1\n;aGVhZGVycw==\n[1\n~\n.\n", format.Malformed, "/request/headers/0", "a header is not a pair"},
		{line(), head + "@3\n~\n.\n", format.Malformed, "", "a record must be a dictionary"},

		{line(), "", format.Unreadable, "", ""},
		{line(), "mitmproxy 12.2.3", format.Unreadable, "", ""},
		{line(), "Usage: ls\n", format.Unreadable, "", ""},
		{line(), head, format.Unreadable, "", ""},
		{line(), head + "\n", format.Unreadable, "", ""},
		{line(), head + one, format.Unreadable, "", ""},
		{line(), head + one[:9], format.Unreadable, "", ""},
		{line(), head + ".\n.\n", format.Unreadable, "", ""},
		{line(), head + "@0\n{0\n.\n", format.Unreadable, "", ""},
		{line(), head + "@-1\n{0\n.\n", format.Unreadable, "", ""},
		{line(), head + "@99999999\n{0\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n[99999999\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n[99999999999999999999999999\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n[-1\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n[\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n{1\n[0\n~\n.\n", format.Unreadable, "", ""},
		{line(), head + "@400\n" + deep(401) + ".\n", format.Unreadable, "", ""},
		{line(), head + "@3\n{1\n;eA==\n" + ",eA\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n{1\n;eA==\n" + ",eB==\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n{1\n;eA==\n" + ";/w==\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n{1\n;eA==\n" + "#01\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n{1\n;eA==\n" + "^1\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n{1\n;eA==\n" + "!2\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n{1\n;eA==\n" + "~x\n.\n", format.Unreadable, "", ""},
		{line(), head + "@3\n{1\n;eA==\n" + "x\n.\n", format.Unreadable, "", ""},
	} {
		size := promised(r.src)
		if rest, ok := strings.CutSuffix(r.src, "\n.\n"); ok {
			r.src = fmt.Sprintf("%s\n.%d\n", rest, size)
		}
		g, p := readLines(t, r.src, size)
		switch {
		case r.kind == "" && (p != nil || !g.container):
			t.Errorf("line %d: %v", r.line, p)
		case r.kind == "":
		case p == nil:
			t.Errorf("line %d: accepted as %v", r.line, g.records)
		case p.Kind != r.kind || p.Pointer != r.pointer || !strings.Contains(p.Message, r.says):
			t.Errorf("line %d: %v", r.line, p)
		}
	}
}

// promised is of how many bytes the lines say that they tell.
func promised(src string) (size int) {
	for line := range strings.Lines(src) {
		if n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "@"))); err == nil && line[0] == '@' && n > 0 && n <= limits.CaptureBytes {
			size += n
		}
	}
	return size
}

// TestLinesTellOfEachByte: a program that leaves records out, or makes some up, is
// not believed.
func TestLinesTellOfEachByte(t *testing.T) {
	const head, one = "mitmproxy 12.2.3\n", "@11\n{1\n;eA==\n#1\n"
	for _, r := range []struct {
		src  string
		size int
		read bool
	}{
		{head + ".0\n", 0, true},
		{head + one + one + ".22\n", 22, true},
		{head + ".0\n", 11, false},
		{head + ".11\n", 11, false},
		{head + one + ".11\n", 22, false},
		{head + one + ".22\n", 22, false},
		{head + one + ".22\n", 11, false},
		{head + one + one + ".11\n", 11, false},
		{head + one + one + ".22\n", 21, false},
		{head + one + ".\n", 11, false},
		{head + one + ".011\n", 11, false},
		{head + one + ".+11\n", 11, false},
		{head + one + ".11 \n", 11, false},
		{head + one + "." + "\n11\n", 11, false},
		{head + one, 11, false},
		{head + "@12\n{0\n?\n", 11, false},
	} {
		g, p := readLines(t, r.src, r.size)
		if r.read != (p == nil && g.container) || p != nil && p.Kind != format.Unreadable {
			t.Errorf("%q for %d bytes: %v", r.src, r.size, p)
		}
	}
}

// FuzzLines: whatever a foreign program writes is read within a bound, or not.
func FuzzLines(f *testing.F) {
	f.Add(toLines(f, mitmproxy.Format{}.Profile().Sample))
	f.Add("mitmproxy 12.2.3\n@3\n{0\n.3\n")
	f.Add("mitmproxy 12.2.3\n@3\n{1\n;eA==\n[2\n#1\n^1.5\n?\n")
	f.Fuzz(func(t *testing.T, src string) {
		var c counting
		var from, to runtime.MemStats
		runtime.ReadMemStats(&from)
		err := upstream.Reader.Read(format.Input{Source: []byte(src), Capture: int64(promised(src))}, &c)
		runtime.ReadMemStats(&to)
		if n := to.TotalAlloc - from.TotalAlloc; n > uint64(perByte*len(src)+besides) {
			t.Errorf("%d bytes were allocated for %d", n, len(src))
		}
		var p *format.Problem
		if err != nil && (!errors.As(err, &p) || c.containers != 0) || err == nil && c.containers != 1 {
			t.Errorf("%v after %+v", err, c)
		}
	})
}

// FuzzLinesAreTheSame: the lines of a value are read as the value.
func FuzzLinesAreTheSame(f *testing.F) {
	f.Add([]byte("some bytes to make values of"))
	f.Fuzz(func(t *testing.T, seed []byte) {
		m := maker{rest: seed}
		var flows []dict
		for len(m.rest) > 0 {
			d, _ := m.dict(0)
			flows = append(flows, d)
		}
		src := file(flows...)
		want, p := read(t, src)
		got, q := readLines(t, toLines(t, src), len(src))
		if p != nil || q != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, %v\n%v\nwant\n%v", p, q, got, want)
		}
	})
}

// TestScriptKnowsTheNumbers: the script asks for the version that the reader
// takes, and has its words.
func TestScriptKnowsTheNumbers(t *testing.T) {
	for _, words := range []string{`WANTED = "` + upstream.Version + `"`, "REPLY, CAPTURE = 4, 5", "LEVELS = 400"} {
		if !strings.Contains(string(upstream.Script), words) {
			t.Errorf("the script lacks %s", words)
		}
	}
	p := upstream.Reader.Profile()
	if p.Decoder.Version != upstream.Version || p.Name != (mitmproxy.Format{}).Profile().Name || limits.ForeignMemory>>20 != 768 {
		t.Errorf("%+v", p)
	}
}
