package apisurface

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"rea.example/rea/internal/failure"
	"rea.example/rea/internal/limits"
	"rea.example/rea/internal/view/viewtest"
)

// spent is what a capture's groups cost.
func spent(t *testing.T, c viewtest.Capture) int64 {
	t.Helper()
	b := &budget{most: 1 << 60}
	if _, _, err := seal(t.Context(), c.Open(t), request, b); err != nil {
		t.Fatal(err)
	}
	return b.used
}

func TestRepeatedValuesCostOnce(t *testing.T) {
	url := "https://h/a/1/" + strings.Repeat("b", 1000)
	one, two, three := spent(t, gets(url)), spent(t, gets(url, url)), spent(t, gets(url, url, url))
	if two-one != itemPrice || three-two != itemPrice {
		t.Errorf("a repeated sample costs %d and %d", two-one, three-two)
	}
	other := spent(t, gets(url, strings.Replace(url, "/1/", "/22/", 1)))
	if other-one != itemPrice+entryPrice+textPrice(2) {
		t.Errorf("another literal costs %d", other-one)
	}
}

// TestCrossedByOneGroup: a budget that just fits the groups is enough, and with
// one group more it is not. The work on a record has to fit beside them.
func TestCrossedByOneGroup(t *testing.T) {
	var urls []string
	for i := range 20 {
		urls = append(urls, fmt.Sprintf("https://h/g%d/%d", i, i))
	}
	work := 2*textPrice(len(urls[19])) + textPrice(len("text/html"))
	enough := &budget{most: spent(t, gets(urls...)) + work}
	if _, _, err := seal(t.Context(), gets(urls...).Open(t), request, enough); err != nil {
		t.Fatal(err)
	}
	if enough.used > enough.most-work {
		t.Error("the work on records was not given back")
	}
	_, _, err := seal(t.Context(), gets(append(urls, "https://h/g20/20")...).Open(t), request, &budget{most: enough.most})
	checkExceeded(t, err)
}

// TestBudgetOfTheHouse crosses the real bound by one group of many.
func TestBudgetOfTheHouse(t *testing.T) {
	url := func(i int) string { return fmt.Sprintf("https://h/%06x%s", i, strings.Repeat("b", 64<<10)) }
	each := spent(t, gets(url(0), url(1))) - spent(t, gets(url(0)))
	n := int(limits.SurfaceBytes/each) + 1
	var c viewtest.Capture
	for i := range n {
		c.Reported = append(c.Reported, viewtest.Entry("GET", url(i), 200, "text/html"))
	}
	_, _, err := Seal(t.Context(), c.Open(t), request)
	checkExceeded(t, err)
	c.Reported = c.Reported[:n-4] // the notes, and the work on the last record
	if _, _, err := Seal(t.Context(), c.Open(t), request); err != nil {
		t.Errorf("%d groups: %v", n-4, err)
	}
}

func checkExceeded(t *testing.T, err error) {
	t.Helper()
	var f *failure.Failure
	if !errors.As(err, &f) || f.Code != failure.ResourceConstraint {
		t.Fatalf("%v", err)
	}
	l := f.Details["reported_limits"].(map[string]any)
	if l["boundary"] != "api-surface-projection" || l["maximum_representation_bytes"] != 100663296 || !strings.HasPrefix(l["parent_evidence_id"].(string), "ev_") {
		t.Errorf("%v", l)
	}
}
