package mutate

import (
	"bytes"
	"encoding/json"
	"testing"
)

const document = `{"log":{"version":"1.2","n":[1.50,-2e3],"s":"a\u0041\\\"","empty":{},"list":[],"t":true,"z":null,
"url":"http://h/","text":"QQ==","startedDateTime":"2024-01-01T00:00:00Z"}}`

func TestSpellingsAreKept(t *testing.T) {
	n, err := parse([]byte("\ufeff" + document))
	if err != nil {
		t.Fatal(err)
	}
	var got, want bytes.Buffer
	n.write(&got)
	if err := json.Compact(&want, []byte(document)); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("%s\nis not\n%s", &got, &want)
	}
	for _, cut := range []string{"", "{", `{"a"`, `{"a":`, `"a`, `[`, `{"a" 1}`, `1 2`, `:`} {
		if _, err := parse([]byte(cut)); err == nil {
			t.Errorf("%q is a document", cut)
		}
	}
}

func TestMutationsAreDifferentAndTheSame(t *testing.T) {
	documents := [][]byte{[]byte(document), []byte(`{"a":[{"b":"c"},2]}`)}
	first, err := Mutations(documents, 400, 7)
	if err != nil || len(first) != 400 {
		t.Fatalf("%d, %v", len(first), err)
	}
	again, _ := Mutations(documents, 400, 7)
	other, _ := Mutations(documents, 400, 8)
	used, same, valid := map[string]bool{}, 0, 0
	originals := map[string]bool{}
	for _, d := range documents {
		n, _ := parse(d)
		var b bytes.Buffer
		n.write(&b)
		originals[b.String()] = true
	}
	for i, m := range first {
		if !bytes.Equal(m.Text, again[i].Text) || m.Pointer != again[i].Pointer {
			t.Fatalf("mutation %d is another one the second time", i)
		}
		if originals[string(m.Text)] {
			t.Errorf("mutation %d (%s at %s) changes nothing", i, m.Operator, m.Pointer)
		}
		if bytes.Equal(m.Text, other[i].Text) {
			same++
		}
		if json.Valid(m.Text) {
			valid++
		}
		used[m.Operator] = true
	}
	if len(used) != len(operators) {
		t.Errorf("%d of %d operators were used", len(used), len(operators))
	}
	if same > 200 {
		t.Errorf("another seed gives %d of the same mutations", same)
	}
	if valid < 200 || valid == len(first) {
		t.Errorf("%d of %d mutations are JSON", valid, len(first))
	}
}
