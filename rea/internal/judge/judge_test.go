package judge

import "testing"

// Lone surrogates and every kind of escape must reach node as they are.
func TestQuote(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", `""`},
		{"a\"\\\n\x00", `"a\"\\\n\u0000"`},
		{"퟿é\U0001f600", `"퟿é😀"`},
		{"a\xed\xa0\x80b\xed\xbf\xbf", `"a\ud800b\udfff"`},
	} {
		if got := string(quote(row.text)); got != row.want {
			t.Errorf("quote(%q) = %s, want %s", row.text, got, row.want)
		}
	}
}

func TestOperations(t *testing.T) {
	j := Start(t)
	if !j.Available() {
		return
	}
	for lexeme, want := range map[string]bool{
		"9007199254740991": true, "9007199254740993": false, "1e400": false, "0.1": true, "0.1000000000000000055": false,
	} {
		if got := j.Safe(t, lexeme); got != want {
			t.Errorf("safe(%s) = %t", lexeme, got)
		}
	}
	if got, want := j.Canonical(t, `{"b":1.0,"a":["\ud800\u00e9"],"__proto__":1e21}`), `{"__proto__":1e+21,"a":["\ud800é"],"b":1}`; got != want {
		t.Errorf("canonical = %s, want %s", got, want)
	}
	if u := j.URL(t, " https://u:p@EXAMPLE.test:443/a?b#c"); !u.OK || u.Origin != "https://example.test" || u.Password != "p" {
		t.Errorf("url = %+v", u)
	}
	if u := j.URL(t, "\xed\xa0\x80"); u.OK {
		t.Error("a lone surrogate is no URL")
	}
	if got := j.SHA256(t, nil); got != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("sha256 = %s", got)
	}
}

func TestVerdictStages(t *testing.T) {
	j := Start(t)
	if !j.Available() {
		return
	}
	for text, want := range map[string]Verdict{
		"\xff":               {Verdict: "reject", Stage: "utf8"},
		"{":                  {Verdict: "reject", Stage: "json"},
		`{"a":1,"\u0061":1}`: {Verdict: "reject", Stage: "duplicate"},
		`{"log":{"version":"1.1","creator":{"name":"","version":""},"entries":[]}}`: {Verdict: "reject", Stage: "version", Pointer: "/log/version"},
		`{"log":{"version":"1.2","creator":{"name":"","version":""},"entries":[]}}`: {Verdict: "accept"},
	} {
		got := j.Verdict(t, []byte(text))
		if got.Verdict != want.Verdict || got.Stage != want.Stage || got.Pointer != want.Pointer || got.All != nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
	got := j.Verdict(t, []byte(`{"log":5}`))
	if len(got.All) != 1 || got.All[0].SchemaPointer != "#/type" || got.All[0].Params["type"] != "object" || got.Pointer != "/log" {
		t.Errorf("%+v", got)
	}
}
