package lanes

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/verify/bench"
	"rea.example/verify/captures"
	"rea.example/verify/harfile"
	"rea.example/verify/judge"
	"rea.example/verify/product"
	"rea.example/verify/report"
)

const oneEntry = `{"log":{"version":"1.2","entries":[{"time":1.50,"big":9007199254740993,
"request":{"url":"u","headers":[{"name":"Cookie","value":"c"}],"cookies":[]},
"response":{"content":{"encoding":"base64","text":"AP9B"}}}]}}`

// good is Evidence on oneEntry as the product should give it.
const good = `{"evidence_id":"ev_1","provider":{"id":"d"},"normalized_result":{
"artifact":{"sha256":"DIGEST","bytes":SIZE},"decoder":{"id":"d"},"total_records":1,
"container":{"reported":{"log":{"version":"1.2","entries":null}},"numeric_literals":[],"redactions":[],"records_pointer":"/log/entries"},
"records":[{"ordinal":0,"location":{"kind":"json-pointer","pointer":"/log/entries/0"},
"reported":{"time":1.5,"big":null,"request":{"url":"u","headers":[{"name":"Cookie","value":null}],"cookies":[]},"response":{"content":{"encoding":"base64","text":"AP9B"}}},
"binary_fields":[{"pointer":"/response/content/text","state":"retained","content_base64":"AP9B","bytes":3,"sha256":"BODY"}],
"numeric_literals":[{"pointer":"/time","literal":"1.50"},{"pointer":"/big","literal":"9007199254740993"}],
"redactions":[{"pointer":"/request/headers/0/value","reason":"transport-credential"}]}]}}`

// compareAll is what the lane checks on an accepted capture, as one error.
func compareAll(t *testing.T, document string) error {
	t.Helper()
	document = strings.NewReplacer(
		"DIGEST", captures.Digest([]byte(oneEntry)),
		"SIZE", fmt.Sprint(len(oneEntry)),
		"BODY", captures.Digest([]byte("\x00\xffA")),
	).Replace(document)
	e, err := product.Output{Stdout: []byte(document)}.Evidence()
	if err != nil {
		t.Fatal(err)
	}
	r, err := harfile.Read([]byte(oneEntry))
	if err != nil {
		t.Fatal(err)
	}
	f := captures.File{SHA256: captures.Digest([]byte(oneEntry)), Bytes: int64(len(oneEntry))}
	for name, check := range map[string]func() error{
		"artifact":    func() error { return sameArtifact(e, f, r) },
		"numbers":     func() error { return sameNumbers(e, r) },
		"bodies":      func() error { return sameBodies(e, r) },
		"credentials": func() error { return noCredentials(e) },
		"values":      func() error { return sameValues(e, r) },
	} {
		if err := check(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func TestWebHARSeesEachFault(t *testing.T) {
	if err := compareAll(t, good); err != nil {
		t.Errorf("a right answer is refused: %v", err)
	}
	for name, fault := range map[string][2]string{
		"another digest":           {`"DIGEST"`, `"0000"`},
		"no digest":                {`"DIGEST"`, `null`},
		"a record more":            {`"total_records":1`, `"total_records":2`},
		"another ordinal":          {`"ordinal":0`, `"ordinal":1`},
		"another location":         {`/log/entries/0"`, `/log/entries/1"`},
		"a number rounded":         {`9007199254740993`, `9007199254740992`},
		"a number forgotten":       {`{"pointer":"/time","literal":"1.50"},`, ``},
		"a body lost":              {`"binary_fields":[{`, `"binary_fields":[],"x":[{`},
		"a body changed":           {`"content_base64":"AP9B"`, `"content_base64":"AP9C"`},
		"a body's digest":          {`"BODY"`, `"00"`},
		"a cookie shown":           {`"value":null`, `"value":"c"`},
		"a cookie hidden silently": {`"redactions":[{"pointer":"/request/headers/0/value","reason":"transport-credential"}]`, `"redactions":[]`},
		"a text changed":           {`"url":"u"`, `"url":"v"`},
		"a text hidden silently":   {`"url":"u"`, `"url":null`},
		"a safe number hidden":     {`"time":1.5`, `"time":null`},
		"a member dropped":         {`"big":null,`, ``},
		"a container changed":      {`"version":"1.2"`, `"version":"1.3"`},
		"another provider":         {`"provider":{"id":"d"}`, `"provider":{"id":"e"}`},
	} {
		wrong := strings.Replace(good, fault[0], fault[1], 1)
		if wrong == good {
			t.Fatalf("%s: no such place", name)
		}
		if err := compareAll(t, wrong); err == nil {
			t.Errorf("%s goes unseen", name)
		}
	}
}

func TestTheIdentifierIsTheDigestOfTheRest(t *testing.T) {
	const canonical = `{"a":{"z":1},"operation":"o","subject":{"architecture":null,"digest":{"sha256":"00"},"format":"file"}}`
	id := "ev_" + captures.Digest([]byte(canonical))
	const printed = `{ "a": { "z": 1 }, "evidence_id": "x", "operation": "o",
"subject": { "architecture": null, "digest": { "sha256": "00" }, "format": "file", "local_path": "/p", "name": "p" } }`
	if err := sameID([]byte(printed), id); err != nil {
		t.Error(err)
	}
	for _, changed := range []string{
		strings.Replace(printed, `"z": 1`, `"z": 2`, 1),
		strings.Replace(printed, `"00"`, `"01"`, 1),
		strings.Replace(printed, `"operation": "o",`, ``, 1),
	} {
		if err := sameID([]byte(changed), id); err == nil {
			t.Errorf("another document has the same identifier: %s", changed)
		}
	}
	if err := sameID([]byte(strings.Replace(printed, `"/p"`, `"/q"`, 1)), id); err != nil {
		t.Errorf("the path of the subject is part of the identity: %v", err)
	}
	if err := sameID([]byte(`{"subject":null}`), "ev_"+captures.Digest([]byte(`{"subject":null}`))); err != nil {
		t.Error(err)
	}
}

func verdict(t *testing.T, text string) judge.Verdict {
	t.Helper()
	var v judge.Verdict
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestExpectationJoinsTheJudgeWithTheSecondReading(t *testing.T) {
	const accept = `{"verdict":"accept"}`
	deep := `{"log":{"entries":[]},"x":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`
	for name, c := range map[string]struct{ data, verdict, stage, pointer string }{
		"accepted":                 {oneEntry, accept, "", ""},
		"not JSON":                 {`{`, `{"verdict":"reject","stage":"json"}`, "json", ""},
		"schema":                   {oneEntry, `{"verdict":"reject","stage":"schema","pointer":"/log","keyword":"required"}`, "schema", "/log"},
		"one level too deep":       {deep, accept, "depth", ""},
		"too deep before schema":   {deep, `{"verdict":"reject","stage":"schema","pointer":"/log"}`, "depth", ""},
		"base64 not canonical":     {strings.Replace(oneEntry, "AP9B", "AR==", 1), accept, "base64", "/log/entries/0/response/content/text"},
		"a judge without judgment": {oneEntry, `{"verdict":"none"}`, "none", ""},
	} {
		got, _ := expect([]byte(c.data), verdict(t, c.verdict))
		if got.Stage != c.stage || got.Pointer != c.pointer {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got, _ := expect([]byte(strings.Replace(deep, "[[[]]]", "[[]]", 1)), verdict(t, accept)); got.Stage == "depth" {
		t.Error("64 levels are too many")
	}
}

// failure is a refusal as the product prints it.
func failure(t *testing.T, code, path, reason, more string) *product.Failure {
	t.Helper()
	f, err := product.Output{Exit: 1, Stdout: []byte(`{"code":"` + code + `","category":"c","message":"malformed JSON","remediation":{"action":"a"},
"details":{"issues":[{"path":` + path + `,"reason":"` + reason + `"}]` + more + `}}`)}.Failure()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRefusalsAreHeldToStageAndPointer(t *testing.T) {
	schema := expectation{Stage: "schema", Pointer: "/log", Keyword: "required", Total: 2}
	const list = `,"schema_errors":[{"pointer":"/log","keyword":"required"},{"pointer":"/log","keyword":"type"}],"schema_error_total":2`
	many := func(listed int) string {
		return `,"schema_errors":[{"pointer":"/log","keyword":"required"}` + strings.Repeat(`,{"pointer":"/x","keyword":"type"}`, listed-1) + `],"schema_error_total":40`
	}
	forty := expectation{Stage: "schema", Pointer: "/log", Keyword: "required", Total: 40}
	for name, c := range map[string]struct {
		want expectation
		got  *product.Failure
		same bool
	}{
		"schema":                    {schema, failure(t, "invalid_request", `["capture_path","/log"]`, "invalid_format", list), true},
		"schema, another pointer":   {schema, failure(t, "invalid_request", `["capture_path","/x"]`, "invalid_format", list), false},
		"schema, another keyword":   {schema, failure(t, "invalid_request", `["capture_path","/log"]`, "invalid_format", strings.Replace(list, "required", "type", 1)), false},
		"schema, another total":     {schema, failure(t, "invalid_request", `["capture_path","/log"]`, "invalid_format", strings.Replace(list, ":2", ":3", 1)), false},
		"schema, one not listed":    {schema, failure(t, "invalid_request", `["capture_path","/log"]`, "invalid_format", strings.Replace(list, `,{"pointer":"/log","keyword":"type"}`, "", 1)), false},
		"schema, 32 of 40":          {forty, failure(t, "invalid_request", `["capture_path","/log"]`, "invalid_format", many(32)), true},
		"schema, 33 of 40":          {forty, failure(t, "invalid_request", `["capture_path","/log"]`, "invalid_format", many(33)), false},
		"schema, no list":           {schema, failure(t, "invalid_request", `["capture_path","/log"]`, "invalid_format", ""), false},
		"schema, not of the file":   {schema, failure(t, "invalid_request", `["format"]`, "invalid_format", list), false},
		"json":                      {expectation{Stage: "json"}, failure(t, "invalid_request", `["capture_path",""]`, "invalid_format", ""), true},
		"json taken for schema":     {expectation{Stage: "json"}, failure(t, "invalid_request", `["capture_path",""]`, "invalid_format", list), false},
		"depth":                     {expectation{Stage: "depth"}, failure(t, "invalid_request", `["capture_path","/a"]`, "out_of_range", ""), true},
		"depth taken for malformed": {expectation{Stage: "depth"}, failure(t, "invalid_request", `["capture_path","/a"]`, "invalid_format", ""), false},
		"version":                   {expectation{Stage: "version", Pointer: "/v"}, failure(t, "capability_unavailable", `["x"]`, "y", `,"reason":"r","pointer":"/v"`), true},
		"version elsewhere":         {expectation{Stage: "version", Pointer: "/v"}, failure(t, "capability_unavailable", `["x"]`, "y", `,"reason":"r","pointer":"/w"`), false},
		"utf8 taken for json":       {expectation{Stage: "utf8"}, failure(t, "invalid_request", `["capture_path",""]`, "invalid_format", ""), false},
		"version taken for schema":  {expectation{Stage: "version"}, failure(t, "invalid_request", `["capture_path","/log/version"]`, "invalid_format", ""), false},
		"base64":                    {expectation{Stage: "base64", Pointer: "/p"}, failure(t, "invalid_request", `["capture_path","/p"]`, "invalid_format", ""), true},
		"base64 elsewhere":          {expectation{Stage: "base64", Pointer: "/p"}, failure(t, "invalid_request", `["capture_path","/q"]`, "invalid_format", ""), false},
	} {
		if err := c.want.compare(c.got); (err == nil) != c.same {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDeviationsGoToTheirRecords(t *testing.T) {
	v := verdict(t, `{"verdict":"reject","stage":"schema","all":[
{"pointer":"/log","keyword":"required"},{"pointer":"/log/entries/1","keyword":"required"},
{"pointer":"/log/entries/0/time","keyword":"type"},{"pointer":"/log/entries","keyword":"x"}]}`)
	container, records := split(v, 2)
	if fmt.Sprint(container, records) != "[{/log required} {/log/entries x}] [[{/time type}] [{ required}]]" {
		t.Errorf("%v %v", container, records)
	}
}

func TestDeviationLists(t *testing.T) {
	many := func(n int) (list []product.Deviation) {
		for i := range n {
			list = append(list, product.Deviation{Pointer: fmt.Sprint("/", i), Keyword: "type"})
		}
		return list
	}
	own := product.Deviation{Pointer: "/log/version", Keyword: "profile"}
	for name, c := range map[string]struct {
		got   []product.Deviation
		total int
		want  []product.Deviation
		same  bool
	}{
		"equal":                     {many(3), 3, many(3), true},
		"none":                      {nil, 0, nil, true},
		"one missing":               {many(2), 3, many(3), false},
		"a wrong total":             {many(3), 4, many(3), false},
		"cut at the cap":            {many(64), 70, many(70), true},
		"cut before the cap":        {many(63), 70, many(70), false},
		"not cut":                   {many(70), 70, many(70), false},
		"with a row of its own":     {append([]product.Deviation{own}, many(3)...), 4, many(3), true},
		"in another order":          {[]product.Deviation{{Pointer: "/1", Keyword: "type"}, {Pointer: "/0", Keyword: "type"}}, 2, many(2), false},
		"a row that does not exist": {many(4), 4, many(3), false},
	} {
		if err := sameList(c.got, c.total, c.want); (err == nil) != c.same {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCanaryCapturesAreWhatTheyClaim(t *testing.T) {
	planted := map[string]bool{}
	c := &canary{plant: func(s string) { planted[s] = true }}
	text := c.transportCapture()
	if len(c.secrets) < 20 || len(planted) != len(c.secrets) {
		t.Errorf("%d secrets, %d of them distinct", len(c.secrets), len(planted))
	}
	if f, err := harfile.Read([]byte(text)); err != nil || len(f.Entries) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	for i, secret := range c.secrets {
		if !report.Leaks([]byte(text), secret) {
			t.Errorf("secret %d is not in the capture", i)
		}
		if err := c.absent(product.Output{Stdout: []byte("x" + secret)}); err == nil {
			t.Errorf("secret %d on standard output goes unseen", i)
		}
		if err := c.absent(product.Output{Stderr: []byte("x" + secret)}); err == nil {
			t.Errorf("secret %d on standard error goes unseen", i)
		}
	}
	if err := c.absent(product.Output{Stdout: []byte("{}")}); err != nil {
		t.Error(err)
	}
	for _, s := range spoilt {
		if !strings.Contains(text, s.old) {
			t.Errorf("%s spoils nothing", s.name)
		}
	}
}

func TestTheManualHasOneRecipe(t *testing.T) {
	const block = "\n```js\ncode\nmore\n```\n"
	if got, err := recipe("a" + block + "b"); err != nil || got != "code\nmore" {
		t.Errorf("%q, %v", got, err)
	}
	for _, manual := range []string{"", block + block, "\n```js\nopen"} {
		if got, err := recipe(manual); err == nil {
			t.Errorf("%q was found in %q", got, manual)
		}
	}
}

func TestTheCorpusIsNamedAndNotEmpty(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "rea", "internal", "format", "har", "testdata")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv(captures.Variable, "")
	if _, _, err := harCorpus(root); err == nil {
		t.Error("an empty corpus is a corpus")
	}
	if err := os.WriteFile(filepath.Join(dir, "a.har"), []byte(oneEntry), 0o600); err != nil {
		t.Fatal(err)
	}
	if files, name, err := harCorpus(root); err != nil || len(files) != 1 || name != "1 committed capture" {
		t.Errorf("%v %q %v", files, name, err)
	}
	t.Setenv(captures.Variable, root)
	if _, _, err := harCorpus(root); err == nil {
		t.Error("a folder without a table is a corpus")
	}
}

// leavesFiles makes this test binary a product that forgets a file.
const leavesFiles = "REA_TEST_LEAVES_FILES"

func TestMain(m *testing.M) {
	if os.Getenv(leavesFiles) != "" {
		if _, err := os.CreateTemp("", "forgotten-"); err != nil {
			panic(err)
		}
		fmt.Println("fake")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestFilesLeftBehindAreSeen(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := report.New("test")
	b, err := bench.New(t.TempDir(), &r, io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.Product = &product.Product{Path: self, Env: []string{leavesFiles + "=1"}}
	run, err := newRunner(b, "tmp")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.inspect(context.Background(), "x.har", "har"); err == nil || !strings.Contains(err.Error(), "left 1 files behind") {
		t.Errorf("error %v", err)
	}
}
