package lanes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/product"
)

// verdictOfTable is how the last column of a corpus's table begins: with what
// its author expects of a reader, and how many records, where they said so.
var verdictOfTable = regexp.MustCompile(`^(ACCEPT|REJECT)(?: (\d+) records)?`)

// checkTable holds the product to the verdicts in the table of the corpus that
// the environment names, for captures of one kind. Rows without one are no check.
func checkTable(ctx context.Context, b *bench.Bench, run *runner, kind string) error {
	dir := os.Getenv(captures.Variable)
	if dir == "" {
		return nil
	}
	files, err := captures.Read(dir, kind)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !verdictOfTable.MatchString(f.Note) {
			continue
		}
		b.Check(f.Name+": as the table expects", func() error {
			out, err := run.inspect(ctx, f.Path, kind, "--json")
			if err != nil {
				return err
			}
			return asTheTableSays(out, f.Note)
		})
	}
	return nil
}

func asTheTableSays(out product.Output, note string) error {
	want := verdictOfTable.FindStringSubmatch(note)
	if want[1] == "REJECT" {
		if out.Exit == 0 {
			return errors.New("accepted, expected a refusal")
		}
		return nil
	}
	e, err := out.Evidence()
	if err != nil {
		return explain(err, out)
	}
	if n := strconv.Itoa(e.Result.TotalRecords); want[2] != "" && n != want[2] {
		return fmt.Errorf("%s records, expected %s", n, want[2])
	}
	return nil
}
