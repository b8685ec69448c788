package mcpserver

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rea.example/rea/internal/app"
)

// TestProgressIsTrue: notes are not many, and the last one names what is being
// done. (In a bubble, in which no time passes but what is slept.)
func TestProgressIsTrue(t *testing.T) {
	for _, c := range []struct{ steps, want string }{
		{"a", "1a@0"},
		{"a b", "1a@0 2b@100"},
		{"a b c", "1a@0 3c@100"},
		{"a a 300 a b", "1a@0 4b@300"},
		{"a b a", "1a@0"},
		{"a 100 b", "1a@0 2b@100"},
		{"a 30 b 30 c 300 d e", "1a@0 3c@100 4d@360 5e@460"},
		{"a 30 b 300 c 90 d", "1a@0 2b@100 3c@330 4d@430"},
		{"a b 90 end", "1a@0"},
		{"end", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			var told []string
			p := progress{note: func(n int, step app.Step) {
				told = append(told, fmt.Sprintf("%d%s@%d", n, step, time.Since(begun).Milliseconds()))
			}}
			for _, word := range strings.Fields(c.steps) {
				var ms int
				if _, err := fmt.Sscan(word, &ms); err == nil {
					time.Sleep(time.Duration(ms) * time.Millisecond)
				} else if word == "end" {
					p.end()
				} else {
					p.tell(app.Step(word))
				}
			}
			time.Sleep(time.Second)
			p.end()
			if got := strings.Join(told, " "); got != c.want {
				t.Errorf("%s: %s, want %s", c.steps, got, c.want)
			}
		}) // and no timer is left
	}
}
