package redact

import (
	"testing"

	"rea.example/rea/internal/tree"
)

func TestHeaderNames(t *testing.T) {
	for _, c := range []struct {
		name            string
		credential, url bool
	}{
		{"Authorization", true, false},
		{"authorization", true, false},
		{"PROXY-AUTHORIZATION", true, false},
		{"Cookie", true, false},
		{"Set-Cookie", true, false},
		{" \tset-cookie\t ", true, false},
		{"Location", false, true},
		{"\treferer ", false, true},
		{"ORIGIN", false, true},
		{"", false, false},
		{" ", false, false},
		{"Cookie2", false, false},
		{"X-Authorization", false, false},
		{"Authorization:", false, false},
		{"\nCookie", false, false},
		{"\u00a0Cookie", false, false},
		{"coo\u212aie", false, false},        // Kelvin sign
		{"\u017fet-cookie", false, false},    // long s
		{"Content-Location", false, false},   // a URL, but not one of the three
		{"Referrer", false, false},           // another header
		{"author\u0131zation", false, false}, // dotless i
	} {
		if got := CredentialHeader(c.name); got != c.credential {
			t.Errorf("CredentialHeader(%q) = %v", c.name, got)
		}
		if got := URLHeader(c.name); got != c.url {
			t.Errorf("URLHeader(%q) = %v", c.name, got)
		}
	}
}

func str(s string) tree.Value { return tree.Value{Kind: tree.String, Text: tree.Plain(s)} }

func TestExclude(t *testing.T) {
	for _, v := range []tree.Value{
		str("u:p"),
		{Kind: tree.Number, Text: tree.Text{S: "1", Raw: true}},
		{Kind: tree.Array, Items: []tree.Value{str("x")}},
	} {
		v.Name = tree.Plain("value")
		Exclude(&v)
		if v.Kind != tree.Null || v.Text.S != "" || v.Items != nil || v.Mark != tree.Credential || v.Name.S != "value" {
			t.Errorf("Exclude left %+v", v)
		}
	}
}

func TestCutURL(t *testing.T) {
	raw := func(s string) tree.Value { return tree.Value{Kind: tree.String, Text: tree.Text{S: s, Raw: true}} }
	null := tree.Value{Mark: tree.Credential}
	cut := func(s string) tree.Value { v := str(s); v.Mark = tree.Credential; return v }
	for _, c := range []struct{ in, want tree.Value }{
		{str("https://h.example/"), str("https://h.example/")},
		{str("https://h.example/@a"), str("https://h.example/@a")},
		{str("https://u:p@h.example/"), cut("https://h.example/")},
		{str("https:u:p@h.example/"), null},
		{raw(`https://u:p@h.example/\"`), cut(`https://h.example/"`)},
		{raw(`https:\/\/u:p\u0040h.example/`), cut("https://h.example/")},
		{raw(`https:\\/u:p@h.example/`), null},
		{raw(`\/path\/@x`), raw(`\/path\/@x`)},
		{raw(`\thttps://u:p@h.example/`), cut("\thttps://h.example/")},
		{tree.Value{Kind: tree.True}, tree.Value{Kind: tree.True}},
		{tree.Value{Kind: tree.Null}, tree.Value{Kind: tree.Null}},
	} {
		got := c.in
		CutURL(&got)
		if got.Kind != c.want.Kind || got.Text != c.want.Text || got.Mark != c.want.Mark {
			t.Errorf("CutURL(%q) = %+v, want %+v", c.in.Text.S, got, c.want)
		}
	}
}
