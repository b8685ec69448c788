package harfile_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rea.example/verify/harfile"
)

const sample = "\ufeff" + `{"log":{"version":"1.2","_n":1e2,"entries":[
 {"time":9007199254740993,"response":{"content":{"encoding":"base64","text":"AP9B\n"}},"a/b":[{"~":-0}]},
 {"response":{"content":{"encoding":"base64","text":"AR=="}}},
 {"response":{"content":{"text":"AP9B"}}}]}}`

func TestRead(t *testing.T) {
	f, err := harfile.Read([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	if f.Depth != 6 { // document, log, entries, entry, a/b, its item, "~"
		t.Errorf("depth %d", f.Depth)
	}
	if !f.Listed || len(f.Entries) != 3 || f.Container.Numbers["/log/_n"] != "1e2" || len(f.Container.Numbers) != 1 {
		t.Errorf("%d entries, container numbers %v", len(f.Entries), f.Container.Numbers)
	}
	if entries := harfile.At(f.Container.Value, "log", "entries"); entries != nil {
		t.Errorf("the container kept its entries: %v", entries)
	}
	first := f.Entries[0]
	if first.Numbers["/time"] != "9007199254740993" || first.Numbers["/a~1b/0/~0"] != "-0" || len(first.Numbers) != 2 {
		t.Errorf("numbers %v", first.Numbers)
	}
	if first.Body == nil || !first.Body.Valid || string(first.Body.Bytes) != "\x00\xffA" {
		t.Errorf("body %+v", first.Body)
	}
	if f.Entries[1].Body == nil || f.Entries[1].Body.Valid {
		t.Error("trailing bits were taken for canonical base64")
	}
	if f.Entries[2].Body != nil {
		t.Error("a body without encoding was taken for base64")
	}
}

func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"", "{", "{} {}", "callback({})", "\ufeff\ufeff{}"} {
		if _, err := harfile.Read([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestDepth(t *testing.T) {
	for levels := range 5 {
		f, err := harfile.Read([]byte(strings.Repeat("[", levels) + "1" + strings.Repeat("]", levels)))
		if err != nil || f.Depth != levels {
			t.Errorf("%d levels: %+v, %v", levels, f, err)
		}
	}
}

func value(t *testing.T, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSame(t *testing.T) {
	recorded := value(t, `{"n":1.50,"s":"x","l":[1,null,{"k":true}]}`)
	hide := func(places ...string) func(string, any) bool {
		return func(pointer string, _ any) bool {
			for _, p := range places {
				if p == pointer {
					return true
				}
			}
			return false
		}
	}
	for name, c := range map[string]struct {
		reported string
		hidden   []string
		differs  string // pointer, or "" for equality
	}{
		"equal":                {`{"n":1.5,"s":"x","l":[1,null,{"k":true}]}`, nil, ""},
		"another order":        {`{"l":[1,null,{"k":true}],"s":"x","n":15e-1}`, nil, ""},
		"a hidden string":      {`{"n":1.5,"s":null,"l":[1,null,{"k":true}]}`, []string{"/s"}, ""},
		"a string lost":        {`{"n":1.5,"s":null,"l":[1,null,{"k":true}]}`, nil, `"/s"`},
		"a number changed":     {`{"n":1.6,"s":"x","l":[1,null,{"k":true}]}`, nil, `"/n"`},
		"a number as text":     {`{"n":"1.5","s":"x","l":[1,null,{"k":true}]}`, nil, `"/n"`},
		"a member lost":        {`{"n":1.5,"l":[1,null,{"k":true}],"z":0}`, nil, `"/s"`},
		"a member more":        {`{"n":1.5,"s":"x","l":[1,null,{"k":true}],"z":0}`, nil, `""`},
		"an item lost":         {`{"n":1.5,"s":"x","l":[1,null]}`, nil, `"/l"`},
		"deep inside":          {`{"n":1.5,"s":"x","l":[1,null,{"k":false}]}`, nil, `"/l/2/k"`},
		"null made up as zero": {`{"n":1.5,"s":"x","l":[1,0,{"k":true}]}`, nil, `"/l/1"`},
	} {
		err := harfile.Same(recorded, value(t, c.reported), hide(c.hidden...))
		if (err == nil) != (c.differs == "") || err != nil && !strings.Contains(err.Error(), c.differs) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
