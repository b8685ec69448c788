package lanes

import (
	"strconv"
	"strings"
	"testing"

	"rea.example/verify/harfile"
	"rea.example/verify/report"
)

func TestCapturesAtABoundAreAtIt(t *testing.T) {
	for _, c := range boundedCaptures() {
		f, err := harfile.Read([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		sevens := strings.Count(c.text, "7,") + strings.Count(c.text, "7]")
		switch c.name {
		case "64 levels", "65 levels":
			if over := c.name == "65 levels"; (f.Depth > 64) != over || f.Depth < 64 || f.Depth > 65 {
				t.Errorf("%s: depth %d", c.name, f.Depth)
			}
		case "32 schema failures", "33 schema failures":
			if !strings.HasPrefix(c.name, strconv.Itoa(sevens)) {
				t.Errorf("%s: %d", c.name, sevens)
			}
		default: // with one more elsewhere
			if !strings.HasPrefix(c.name, strconv.Itoa(sevens-1)) {
				t.Errorf("%s: %d", c.name, sevens-1)
			}
		}
	}
}

func TestEveryShapeHasItsSecret(t *testing.T) {
	c := &canary{plant: func(string) {}}
	strict, odd := c.shaped()
	for _, text := range []string{strict, odd} {
		if f, err := harfile.Read([]byte(text)); err != nil || len(f.Entries) < len(urlSecrets) || strings.Contains(text, planted) {
			t.Errorf("no capture, or not all is planted: %v", err)
		}
	}
	if want := 8*len(urlSecrets) + 2*len(messageSecrets) + 4; len(c.secrets) < want {
		t.Errorf("%d secrets, expected %d", len(c.secrets), want)
	}
	for i, s := range c.secrets {
		if report.Leaks([]byte(strict), s) == report.Leaks([]byte(odd), s) {
			t.Errorf("secret %d is in no capture, or in both", i)
		}
	}
}
