package lanes

import (
	"fmt"
	"strconv"
	"strings"

	"rea.example/verify/harfile"
	"rea.example/verify/judge"
	"rea.example/verify/product"
)

// deepest is the level at which a value may still stand, the document being 0.
const deepest = 64

// expectation is how strict mode must answer.
type expectation struct {
	Stage   string // "" for acceptance; none when nobody can say
	Pointer string
	Keyword string // of the first schema failure
	Total   int    // of failing pairs
}

// expect joins the judge's verdict with what only the second reading knows:
// nesting and base64. The reading is nil where the bytes are not JSON.
func expect(data []byte, v judge.Verdict) (expectation, *harfile.File) {
	if v.Verdict != "accept" && v.Verdict != "reject" {
		return expectation{Stage: "none"}, nil
	}
	switch v.Stage {
	case "utf8", "json", "duplicate":
		return expectation{Stage: v.Stage}, nil
	}
	f, err := harfile.Read(data)
	switch {
	case err != nil:
		return expectation{Stage: "none"}, nil
	case f.Depth > deepest:
		return expectation{Stage: "depth"}, f
	case v.Verdict == "reject":
		return expectation{Stage: v.Stage, Pointer: v.Pointer, Keyword: v.Keyword, Total: len(v.All)}, f
	}
	for i, entry := range f.Entries {
		if entry.Body != nil && !entry.Body.Valid {
			return expectation{Stage: "base64", Pointer: "/log/entries/" + strconv.Itoa(i) + harfile.BodyPointer}, f
		}
	}
	return expectation{}, f
}

// stageWords tell apart what has one code and one reason: a person, too, has only
// the message to see it by.
var stageWords = map[string]string{
	"utf8": "utf-8", "json": "json", "duplicate": "duplicate",
}

// compare holds a failure against the expectation.
func (want expectation) compare(f *product.Failure) error {
	code, reason := "invalid_request", "invalid_format"
	switch want.Stage {
	case "version":
		if f.Code != "capability_unavailable" {
			return fmt.Errorf("code %s, expected capability_unavailable", f.Code)
		}
		if f.Details.Reason == "" || f.Details.Pointer != want.Pointer {
			return fmt.Errorf("no reason, or at %q, expected %q", f.Details.Pointer, want.Pointer)
		}
		return nil
	case "depth":
		reason = "out_of_range"
	}
	if f.Code != code {
		return fmt.Errorf("code %s, expected %s for stage %s", f.Code, code, want.Stage)
	}
	pointer, ok := f.Pointer()
	if !ok {
		return fmt.Errorf("the first issue names no place in the capture")
	}
	if got := f.Details.Issues[0].Reason; got != reason {
		return fmt.Errorf("reason %s, expected %s for stage %s", got, reason, want.Stage)
	}
	if schema := len(f.Details.SchemaErrors) > 0; schema != (want.Stage == "schema") {
		return fmt.Errorf("schema errors listed: %t, at stage %s", schema, want.Stage)
	}
	if word := stageWords[want.Stage]; !strings.Contains(strings.ToLower(f.Message), word) {
		return fmt.Errorf("the message does not say %q at stage %s", word, want.Stage)
	}
	switch want.Stage {
	case "schema":
		if first := f.Details.SchemaErrors[0]; pointer != want.Pointer || first.Keyword != want.Keyword || first.Pointer != want.Pointer {
			return fmt.Errorf("first failure %s at %q (issue at %q), expected %s at %q",
				first.Keyword, first.Pointer, pointer, want.Keyword, want.Pointer)
		}
		if f.Details.SchemaErrorTotal != want.Total {
			return fmt.Errorf("%d schema failures in all, expected %d", f.Details.SchemaErrorTotal, want.Total)
		}
		if got := len(f.Details.SchemaErrors); got != min(want.Total, schemaErrors) {
			return fmt.Errorf("%d schema failures listed of %d", got, want.Total)
		}
	case "base64":
		if pointer != want.Pointer {
			return fmt.Errorf("issue at %q, expected %q", pointer, want.Pointer)
		}
	}
	return nil
}
