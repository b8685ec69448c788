package saz

import (
	"bytes"
	"strings"
	"testing"

	"rea.example/rea/internal/format"
	"rea.example/rea/internal/strictjson"
)

// A comment may hold any words, those that begin the end of an archive too. It may
// not hold what anybody would take for the end of another archive.
func TestCommentsWithTheWordsOfAnEnd(t *testing.T) {
	good := saz("raw/1_c.txt", plainRequest)
	toTheEnd := bytes.Clone(endOf(good))
	put(16, uint32(len(good)-endBytes))(toTheEnd)
	for name, c := range map[string]struct {
		comment string
		read    bool
	}{
		"the words alone":               {endSignature, true},
		"twice":                         {endSignature + endSignature, true},
		"in the midst":                  {"x" + endSignature + strings.Repeat("x", 40), true},
		"cut off":                       {"x" + endSignature + "xxx", true},
		"with a comment of its own":     {endSignature + strings.Repeat("x", 16) + "\x01\x00" + "yz", true},
		"an end that leads nowhere":     {"x" + string(endOf(saz("raw/1_c.txt", "longer"+plainRequest))) + "x", true},
		"with a comment to the end":     {endSignature + strings.Repeat("x", 16) + "\x02\x00" + "yz", false},
		"an archive":                    {string(good), false},
		"an archive, and more":          {string(good) + "x", false},
		"an archive, somewhere":         {"x" + string(good) + "x", false},
		"an empty archive":              {"x" + endSignature + strings.Repeat("\x00", 18) + "x", false},
		"an archive with a Zip64 end":   {locatorSignature + strings.Repeat("x", locatorBytes-4) + endSignature + strings.Repeat("\xff", 18), false},
		"one that looks empty":          {"x" + string(toTheEnd) + "x", false},
		"another end of this directory": {"x" + string(endOf(good)) + "x", false},
	} {
		src := Archive(c.comment, "raw/1_c.txt", plainRequest)
		if !c.read {
			mustFail(t, src, format.Malformed, "", "two ends")
			continue
		}
		g, err := read(src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		words, _ := decoded([]byte(c.comment))
		want := string(strictjson.AppendString(nil, words))
		if len(g.records) != 1 || !strings.Contains(g.container, `"comment":`+want) {
			t.Errorf("%s: %d records, and not the comment %s in %s", name, len(g.records), want, g.container)
		}
	}
}
