package lanes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"rea.example/verify/bench"
	"rea.example/verify/harfile"
)

// spellings is how many numbers are held to the rule.
const spellings = 2000

// checkNumbers puts numbers of every spelling into an extension, and holds what
// is reported of each to what lossless-json calls safe.
func checkNumbers(ctx context.Context, b *bench.Bench, run *runner) error {
	list := numberSpellings(spellings)
	answers, err := b.Judge.Ask(ctx, "safe", list)
	if err != nil {
		return err
	}
	safe := make([]bool, len(list))
	for i, a := range answers {
		if safe[i], err = strconv.ParseBool(string(a)); err != nil {
			return fmt.Errorf("the judge calls a number %s", a)
		}
	}
	path := filepath.Join(b.Temp, "numbers.har")
	capture := `{"log":{"version":"1.2","creator":{"name":"numbers","version":"1"},"entries":[],"_n":[` + strings.Join(list, ",") + `]}}`
	if err := os.WriteFile(path, []byte(capture), 0o600); err != nil {
		return err
	}
	b.Check(fmt.Sprintf("the number rule on %d spellings", len(list)), func() error {
		out, err := run.inspect(ctx, path, "har", "--json")
		if err != nil {
			return err
		}
		e, err := out.Evidence()
		if err != nil {
			return explain(err, out)
		}
		reported, err := value(e.Result.Container.Reported)
		if err != nil {
			return err
		}
		literals := map[string]string{}
		for _, l := range e.Result.Container.NumericLiterals {
			literals[l.Pointer] = l.Literal
		}
		return sameRule(list, safe, harfile.At(reported, "log", "_n"), literals)
	})
	return nil
}

// sameRule wants null for each number that is not safe, an equal number for the
// others, and the spelling of all.
func sameRule(list []string, safe []bool, reported any, literals map[string]string) error {
	got, _ := reported.([]any)
	if len(got) != len(list) {
		return fmt.Errorf("%d numbers reported of %d", len(got), len(list))
	}
	unsafe := 0
	for i, spelled := range list {
		if literals["/log/_n/"+strconv.Itoa(i)] != spelled {
			return fmt.Errorf("the spelling %s is lost", spelled)
		}
		if !safe[i] {
			unsafe++
		}
		if safe[i] != (got[i] != nil) {
			return fmt.Errorf("%s is safe: %t, and reported: %t", spelled, safe[i], got[i] != nil)
		}
		if n, ok := got[i].(json.Number); got[i] != nil && (!ok || !equalDoubles(n.String(), spelled)) {
			return fmt.Errorf("%s is reported as another number", spelled)
		}
	}
	if 10*unsafe < len(list) || 10*unsafe > 9*len(list) {
		return errors.New("too few spellings on one side of the rule")
	}
	return nil
}

func equalDoubles(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// numberSpellings gives n numbers, many of them at the edges of what a double
// holds.
func numberSpellings(n int) []string {
	random := rand.New(rand.NewPCG(seed, 3))
	digits := func(n int) string {
		var b strings.Builder
		b.WriteByte(byte('1' + random.IntN(9)))
		for range n - 1 {
			b.WriteByte(byte('0' + random.IntN(10)))
		}
		return b.String()
	}
	var list []string
	for len(list) < n {
		var s string
		switch len(list) % 6 {
		case 0:
			s = strconv.FormatInt(1<<53+int64(random.IntN(41))-20, 10)
		case 1:
			s = digits(1 + random.IntN(24))
		case 2:
			s = digits(1+random.IntN(4)) + "." + digits(1+random.IntN(18))
		case 3:
			s = digits(1+random.IntN(18)) + "e" + strconv.Itoa(random.IntN(640)-330)
		case 4:
			s = digits(1+random.IntN(3)) + "." + digits(1+random.IntN(8)) + strings.Repeat("0", random.IntN(4)) + "E+" + strconv.Itoa(random.IntN(30))
		case 5:
			s = strconv.FormatFloat(random.NormFloat64()*1e6, 'g', 1+random.IntN(19), 64)
		}
		if random.IntN(4) == 0 && s[0] != '-' {
			s = "-" + s
		}
		list = append(list, s)
	}
	return list
}
