package lanes

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"rea.example/verify/bench"
	"rea.example/verify/captures"
)

// schemaErrors is how many failing pairs a strict failure lists.
const schemaErrors = 32

// bounded is a HAR at the bound of something, or one over it.
type bounded struct{ name, text string }

// boundedCaptures are HARs at both sides of the bounds that the manual names: 64
// levels, 32 schema failures of a strict failure, 64 deviations of a record and of
// the container.
func boundedCaptures() []bounded {
	har := func(more, entries string) string {
		return `{"log":{"version":"1.2","creator":{"name":"bounds","version":"1"}` + more + `,"entries":[` + entries + `]}}`
	}
	entry := func(cookies string) string {
		return `{"startedDateTime":"2024-01-01T00:00:00Z","time":1,"request":{"method":"GET","url":"https://h.example/","httpVersion":"",` +
			`"cookies":[` + cookies + `],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"","httpVersion":"",` +
			`"cookies":[],"headers":[],"content":{"size":0,"mimeType":""},"redirectURL":"","headersSize":-1,"bodySize":0},` +
			`"cache":{},"timings":{"send":0,"wait":1,"receive":0}}`
	}
	wrong := func(n int) string { return strings.TrimSuffix(strings.Repeat("7,", n), ",") }
	// The extension stands at level 2, and so do the brackets around what is in it.
	nested := func(level int) string {
		return har(`,"_n":`+strings.Repeat("[", level-2)+"1"+strings.Repeat("]", level-2), "")
	}
	return []bounded{
		{"64 levels", nested(deepest)},
		{"65 levels", nested(deepest + 1)},
		{"32 schema failures", har("", entry(wrong(schemaErrors)))},
		{"33 schema failures", har("", entry(wrong(schemaErrors+1)))},
		{"64 deviations of a record", har("", entry(wrong(listed))+","+entry(wrong(1)))},
		{"65 deviations of a record", har("", entry(wrong(listed+1))+","+entry(wrong(1)))},
		{"64 deviations of the container", har(`,"pages":[`+wrong(listed)+"]", entry(wrong(1)))},
		{"65 deviations of the container", har(`,"pages":[`+wrong(listed+1)+"]", entry(wrong(1)))},
	}
}

// checkBounds makes all comparisons on them.
func checkBounds(ctx context.Context, b *bench.Bench, run *runner) error {
	dir := filepath.Join(b.Temp, "bounds")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	var files []captures.File
	for _, c := range boundedCaptures() {
		path := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-")+".har")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			return err
		}
		files = append(files, captures.File{Name: c.name, Path: path, SHA256: captures.Digest([]byte(c.text)), Bytes: int64(len(c.text))})
	}
	verdicts, err := b.Judge.Verdicts(ctx, paths(files))
	if err != nil {
		return err
	}
	for i, f := range files {
		if err := checkHAR(ctx, b.Check, run, f, verdicts[i]); err != nil {
			return err
		}
	}
	return nil
}
