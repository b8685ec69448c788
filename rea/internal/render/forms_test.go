package render

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	goyaml "github.com/goccy/go-yaml"

	"rea.example/rea/internal/strictjson"
)

// numbers makes values of two decoders comparable.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case uint64:
		return float64(v)
	case int64:
		return float64(v)
	}
	return v
}

// checkYAML reads what YAML wrote with another implementation.
func checkYAML(t *testing.T, doc []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := YAML(&b, doc); err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := goyaml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if err := json.Unmarshal(doc, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(numbers(got), want) {
		t.Errorf("YAML reads %v, want %v, of\n%s", got, want, b.String())
	}
}

func TestYAML(t *testing.T) {
	for _, doc := range []string{
		`{"a":1}`,
		`{"a":[],"b":{},"c":[[],[1,[2]],{"d":{"e":[{"f":1,"g":null}]}}]}`,
		`{"a":[0.5,-1,1e+21,1.5e-7,9007199254740991,true,false,null]}`,
		`{"":"","null":"null","yes":"no","1":"1","~":"~","- a":"- a","a: b":"a: b","#":" # "}`,
		`{"a":"line\nline\ttab\r\u0000\u001b\"\\","b":"é漢👍","c":" lead and trail "}`,
		`{"normalized_result":{"records":[],"x":1}}`,
		// Names longer than YAML allows in front of a colon.
		`{"a":{"` + strings.Repeat("k", 3000) + `":{"b":[1,{"c":2}]},"` + strings.Repeat(`\u0001`, 400) + `":"d","` + strings.Repeat("y", longName) + `":1,"` + strings.Repeat("y", longName+1) + `":[]}}`,
		`{"normalized_result":{"records":[{"a":1},{"b":[1]},3],"x":{"records":[1]}}}`,
	} {
		checkYAML(t, canonical(t, []byte(doc)))
	}
	for _, name := range captures(t) {
		if !strings.Contains(name, "hostile") { // its lone surrogate has no YAML
			checkYAML(t, document(t, name))
		}
	}
}

func TestYAMLEscapesWhatCannotBePrinted(t *testing.T) {
	var b bytes.Buffer
	if err := YAML(&b, []byte(`{"a":"`+"\x7f\u0085\u009b\u2028\u2029\ufeff\uffff"+`\ud800"}`)); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), `"a": "\x7f\x85\x9b\u2028\u2029\ufeff\uffff\ud800"`+"\n"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
}

// What can't be seen in text can't be seen in YAML either, and reads back.
func TestYAMLSpellsOutWhatCannotBeSeen(t *testing.T) {
	for _, c := range spelt {
		for r := c.from; r <= c.to; r++ {
			doc := canonical(t, strictjson.AppendValue(nil, map[string]any{"a" + string(r): "b" + string(r) + "c"}))
			checkYAML(t, doc)
			var b bytes.Buffer
			if err := YAML(&b, doc); err != nil {
				t.Fatal(err)
			}
			for _, r := range b.String() {
				if r != '\n' && hidden(r) {
					t.Errorf("%s: %U in the output", c.kind, r)
				}
			}
		}
	}
}

func TestJSONLines(t *testing.T) {
	for doc, want := range map[string]string{
		`{"a":1}`: `{"a":1}` + "\n",
		`{"normalized_result":{"a":1,"records":[],"z":2}}`:                    `{"normalized_result":{"a":1,"records":null,"z":2}}` + "\n",
		`{"normalized_result":{"records":[{"records":[1]},[2],"x"],"z":[3]}}`: `{"normalized_result":{"records":null,"z":[3]}}` + "\n" + `{"records":[1]}` + "\n[2]\n\"x\"\n",
	} {
		var b bytes.Buffer
		if err := JSONLines(&b, []byte(doc)); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("JSONLines(%s) = %s, want %s", doc, b.String(), want)
		}
	}
}

// Every form of a document holds the same values.
func TestJSONIsTheDocument(t *testing.T) {
	for _, name := range captures(t) {
		doc := document(t, name)
		var b bytes.Buffer
		if err := JSON(&b, bytes.NewReader(doc)); err != nil {
			t.Fatal(err)
		}
		if got := canonical(t, b.Bytes()); !bytes.Equal(got, doc) {
			t.Errorf("%s: indented, it is another document", name)
		}
		if !bytes.HasSuffix(b.Bytes(), []byte("\n}\n")) {
			t.Errorf("%s: the last line isn't ended once", name)
		}
	}
}

func TestValues(t *testing.T) {
	v := map[string]any{"code": "invalid_request", "details": map[string]any{"issues": []any{map[string]any{"path": []any{"format", 1}}}}}
	want := strictjson.AppendValue(nil, v)
	for _, indented := range []bool{true, false} {
		var b bytes.Buffer
		if err := JSONValue(&b, v, indented); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\n"); (lines > 1) != indented || !bytes.Equal(canonical(t, b.Bytes()), want) {
			t.Errorf("indented %v: %s", indented, b.String())
		}
	}
	var b bytes.Buffer
	if err := YAMLValue(&b, v); err != nil {
		t.Fatal(err)
	}
	if want := "\"code\": \"invalid_request\"\n\"details\":\n  \"issues\":\n    - \"path\":\n        - \"format\"\n        - 1\n"; b.String() != want {
		t.Errorf("YAMLValue = %s", b.String())
	}
}
