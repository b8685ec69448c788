package surrogate_test

import (
	"encoding/json"
	"testing"

	"rea.example/verify/surrogate"
)

func TestLoneHalvesStayApart(t *testing.T) {
	for _, text := range []string{`"a"`, `"\ud83d\ude00"`, `"\\ud800"`, `"\uD83D\uDE00\u0041"`, `"\\\\ud800"`, `"\u00e9"`, `"\u"`} {
		if got := string(surrogate.Keep([]byte(text))); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	var a, b map[string]int
	for text, into := range map[string]*map[string]int{
		`{"\ud800":1,"\ud801":2,"\udfff":3,"\ufffd":4,"\ud800\ud800":5,"\\\ud800":6,"\ud83d\ude00\ud800":7}`: &a,
		`{"\uD800":1,"\uD801":2,"\uDFFF":3,"\uFFFD":4,"\uD800\uD800":5,"\\\uD800":6,"😀\uD800":7}`:            &b,
	} {
		if err := json.Unmarshal(surrogate.Keep([]byte(text)), into); err != nil {
			t.Fatal(err)
		}
	}
	if len(a) != 7 || len(b) != 7 {
		t.Fatalf("%d and %d names of 7", len(a), len(b))
	}
	for name, n := range a {
		if b[name] != n {
			t.Errorf("%q is %d and %d", name, n, b[name])
		}
	}
}
