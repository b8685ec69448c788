package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// documents for Indent, which wants canonical JSON.
func compact() []string {
	long := strings.Repeat("x", direct)
	docs := []string{
		`null`, `0`, `""`, `"\""`, `{}`, `[]`, `[[]]`, `[{}]`, `{"a":{}}`, `[[],{}]`, `[1,2,"a,b:{[\\\"]}"]`,
		`{"":"\\"}`, `{"a":"\\\\","b":"\\\""}`, `["😀\ud800"]`, `[-1.5e-7,true,false,null]`,
		`"` + long + long + `"`, `["` + long + `"]`, `["` + long + `\\","` + long + `\"` + long + `",1]`, `{"` + long + `":["` + long[:direct-1] + `"]}`,
		`["` + strings.Repeat(`\"`, indentBuffer) + `"]`, `["` + strings.Repeat(`\\`, direct) + `"]`,
		"[" + strings.Repeat(`"`+long[:1000]+`",`, 300) + "0]",
		"[" + strings.Repeat("1,", 200000) + "0]",
		"[" + strings.Repeat("[],{},", 50000) + "0]",
		nested(100), strings.Repeat("[", 40) + "1" + strings.Repeat("]", 40), nested(3000),
		"[" + strings.Repeat(strings.Repeat(`{"a":[`, 50)+strings.Repeat("]}", 50)+",", 300) + "0]",
		manyNames(2000, `"b":{}`),
	}
	for n := range 70 {
		docs = append(docs, `["`+long[:n]+`","`+long[:n]+`\"`+long[:n]+`"]`)
	}
	return docs
}

// layout is what the standard library makes of a document.
func layout(t testing.TB, in []byte) string {
	var want bytes.Buffer
	if err := json.Indent(&want, in, "", "  "); err != nil {
		t.Fatal(err)
	}
	return want.String()
}

func short80(s string) string { return s[:min(80, len(s))] }

func TestIndent(t *testing.T) {
	for _, in := range compact() {
		want := layout(t, []byte(in))
		readers := map[string]io.Reader{
			"bytes":         bytes.NewReader([]byte(in)),
			"buffer":        bytes.NewBufferString(in),
			"strings":       strings.NewReader(in),
			"one byte":      iotest.OneByteReader(strings.NewReader(in)),
			"halves":        iotest.HalfReader(strings.NewReader(in)),
			"data with EOF": iotest.DataErrReader(strings.NewReader(in)),
		}
		for name, r := range readers {
			var out bytes.Buffer
			if err := Indent(&out, r); err != nil || out.String() != want {
				t.Errorf("%s: %q... becomes %q..., %v", name, short80(in), short80(out.String()), err)
			}
		}
		var back bytes.Buffer
		if err := json.Compact(&back, []byte(want)); err != nil || back.String() != in {
			t.Errorf("%q... does not come back", short80(in))
		}
	}
}

// A string may be cut at any byte, even within an escape.
func TestIndentOfEveryCut(t *testing.T) {
	in := `{"a\\\"b":["\\","\"",` + `"` + strings.Repeat(`\\`, 40) + strings.Repeat("x", 40) + `\"","1234567\"7654321\\",{},[]],"c":-1}`
	want := layout(t, []byte(in))
	for i := range in {
		var out bytes.Buffer
		if err := Indent(&out, io.MultiReader(strings.NewReader(in[:i]), strings.NewReader(in[i:]))); err != nil || out.String() != want {
			t.Fatalf("cut at %d: %s, %v", i, out.String(), err)
		}
	}
}

func TestIndentErrors(t *testing.T) {
	broken := errors.New("broken")
	if err := Indent(io.Discard, io.MultiReader(strings.NewReader(`[1`), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("reading: %v", err)
	}
	for _, in := range compact() {
		size := len(layout(t, []byte(in)))
		for _, room := range []int{0, size / 2, size - 1} {
			for name, r := range map[string]io.Reader{"bytes": bytes.NewReader([]byte(in)), "strings": strings.NewReader(in)} {
				if err := Indent(&full{room, broken}, r); !errors.Is(err, broken) {
					t.Errorf("%s: room for %d of %d: %v", name, room, size, err)
				}
				if name == "bytes" {
					continue
				}
			}
			if err := Indent(&full{room, nil}, strings.NewReader(in)); !errors.Is(err, io.ErrShortWrite) {
				t.Errorf("room for %d of %d: %v", room, size, err)
			}
		}
	}
}

// full is a writer with room for a number of bytes.
type full struct {
	room int
	err  error
}

func (f *full) Write(p []byte) (int, error) {
	if len(p) <= f.room {
		f.room -= len(p)
		return len(p), nil
	}
	n := f.room
	f.room = 0
	return n, f.err
}

// FuzzIndent: the layout is that of the standard library, however the input is
// cut.
func FuzzIndent(f *testing.F) {
	for _, r := range accepted {
		f.Add([]byte(r.in), 3)
	}
	for _, in := range compact() {
		if len(in) < 1000 {
			f.Add([]byte(in), len(in)/2)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte, cut int) {
		v, err := Parse(in, 64)
		if err != nil {
			return
		}
		compact := AppendCanonical(nil, &v)
		cut = max(0, min(cut, len(compact)))
		var whole, parts bytes.Buffer
		err1 := Indent(&whole, bytes.NewReader(compact))
		err2 := Indent(&parts, io.MultiReader(bytes.NewReader(compact[:cut]), bytes.NewReader(compact[cut:])))
		if want := layout(t, compact); err1 != nil || err2 != nil || whole.String() != want || parts.String() != want {
			t.Fatalf("%q becomes %q and, cut at %d, %q", compact, whole.String(), cut, parts.String())
		}
	})
}
