package recordedurl

import "testing"

func TestCutAuthority(t *testing.T) {
	for _, c := range []struct {
		text string
		want Finding
		cut  string
	}{
		{"h.example", Clean, "h.example"},
		{"h.example:443", Clean, "h.example:443"},
		{"", Clean, ""},
		{"[2001:db8::1]:443", Clean, "[2001:db8::1]:443"},
		{"u:p@h.example:443", Userinfo, "h.example:443"},
		{"u:p@ss@h.example", Userinfo, "h.example"},
		{"u:p/w@h.example", Userinfo, "h.example"},
		{"@h.example", Userinfo, "h.example"},
		{"u@", Userinfo, ""},
		{"https://u:p@h.example", Userinfo, "https://h.example"},
		{"//u:p@h.example", Userinfo, "//h.example"},
		{"https://u:p@h.example/x@y", Userinfo, "y"},
		{"https:u:p@h.example", Unsafe, ""},
	} {
		if cut, f := CutAuthority(c.text); f != c.want || cut != c.cut {
			t.Errorf("%q: %v %q, want %v %q", c.text, f, cut, c.want, c.cut)
		}
	}
}
