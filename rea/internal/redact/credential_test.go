package redact

import "testing"

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

func TestSpellsCredential(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                      false,
		"Cookie: s":                             true,
		"Accept: a\r\nset-cookie : s":           true,
		"Accept: a\rCookie: s":                  true,
		"Accept: a\n\tAUTHORIZATION: s":         true,
		"Location: //u@h/":                      true,
		"Referer: https://h.example/":           false,
		"the Cookie: s":                         false,
		"Cookie":                                false,
		"X: Cookie: s":                          false,
		"\u212aookie: s":                        false,
		"HTTP/1.1  200 OK\r\nSet-Cookie: b\r\n": true,
	} {
		if got := SpellsCredential(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
