package lanes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rea.example/verify/harfile"
	"rea.example/verify/judge"
	"rea.example/verify/product"
)

// listed is how many deviations a record, and the container, shows.
const listed = 64

// sameDeviations holds the reporting mode against the judge's full list: what
// strict mode refuses for its shape opens here, with the same failing pairs in
// the same order, each at the record it belongs to.
func sameDeviations(out product.Output, want expectation, v judge.Verdict, r *harfile.File) error {
	switch {
	case r == nil || want.Stage == "depth":
		f, err := out.Failure()
		if err != nil {
			return explain(err, out)
		}
		return want.compare(f)
	case !r.Listed:
		f, err := out.Failure()
		if err == nil && f.Code != "invalid_request" {
			err = fmt.Errorf("code %s, expected invalid_request: there is no list of entries", f.Code)
		}
		return err
	}
	e, err := out.Evidence()
	if err != nil {
		return explain(err, out)
	}
	if len(e.Result.Records) != len(r.Entries) {
		return fmt.Errorf("%d records; the file has %d", len(e.Result.Records), len(r.Entries))
	}
	container, records := split(v, len(r.Entries))
	got := e.Result.Container
	if err := sameList(got.Deviations, got.DeviationTotal, container); err != nil {
		return fmt.Errorf("container: %w", err)
	}
	for i, record := range e.Result.Records {
		if err := sameList(record.Deviations, record.DeviationTotal, records[i]); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
	}
	return nil
}

// split gives each failing pair to the entry it lies in, with the pointer that
// it has there, and the others to the container.
func split(v judge.Verdict, entries int) (container []product.Deviation, records [][]product.Deviation) {
	records = make([][]product.Deviation, entries)
	for _, d := range v.All {
		ordinal, rest, ok := inEntry(d.Pointer)
		if ok && ordinal < entries {
			records[ordinal] = append(records[ordinal], product.Deviation{Pointer: rest, Keyword: d.Keyword})
		} else {
			container = append(container, product.Deviation{Pointer: d.Pointer, Keyword: d.Keyword})
		}
	}
	return container, records
}

func inEntry(pointer string) (ordinal int, rest string, ok bool) {
	tail, ok := strings.CutPrefix(pointer, "/log/entries/")
	if !ok {
		return 0, "", false
	}
	index, rest, nested := strings.Cut(tail, "/")
	if nested {
		rest = "/" + rest
	}
	ordinal, err := strconv.Atoi(index)
	return ordinal, rest, err == nil
}

// sameList compares what is shown and the total. Rows for what the schema does
// not see (the version, base64) are the product's own and set aside.
func sameList(got []product.Deviation, total int, want []product.Deviation) error {
	own := func(d product.Deviation) bool {
		return d.Keyword == "profile" || d.Keyword == "contentEncoding"
	}
	shown := slices.DeleteFunc(slices.Clone(got), own)
	extra := len(got) - len(shown)
	if full := len(want) + extra; total != full && (total != full+1 || full < listed) {
		return fmt.Errorf("%d deviations in all, expected %d", total, full)
	}
	if expected := want[:min(len(want), listed-extra)]; !slices.Equal(shown, expected) {
		for i, d := range expected {
			if i >= len(shown) || shown[i] != d {
				return fmt.Errorf("deviation %d of %d is not %s at %q", i, len(expected), d.Keyword, d.Pointer)
			}
		}
		return fmt.Errorf("%d deviations shown, expected %d", len(shown), len(expected))
	}
	return nil
}
