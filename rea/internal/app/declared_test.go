package app_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rea.example/rea/internal/app"
)

// limitations are all texts that the program itself wrote into a result.
func (a answer) limitations() string {
	result := a.doc["normalized_result"].(map[string]any)
	lists := []any{a.doc["limitations"], result["limitations"]}
	for _, r := range result["records"].([]any) {
		lists = append(lists, r.(map[string]any)["limitations"])
	}
	var out strings.Builder
	for _, l := range lists {
		for _, text := range l.([]any) {
			out.WriteString(text.(string) + "\n")
		}
	}
	return out.String()
}

func TestDeclaredPath(t *testing.T) {
	private(t)
	path := save(t, "dir[REDACTED]/secret-name.har", har(entry()))
	whole := do(t, app.App{}, args{"capture_path": path, "format": "har"})
	for _, literal := range []string{"[", "]", "REDACTED", path, "secret-name", "/"} {
		a := do(t, app.App{}, args{"capture_path": path, "format": "har", "sensitive_values": []string{literal}})
		a.want(t, "subject.local_path", `""`, "subject.name", `"artifact"`, "parameters.capture_path", `""`, "locations", "[]",
			"normalized_result.artifact.path", `""`, "subject.digest", whole.at("subject.digest"),
			"normalized_result.artifact.bytes", whole.at("normalized_result.artifact.bytes"))
		if strings.Contains(a.limitations(), literal) {
			t.Errorf("%q is in %s", literal, a.limitations())
		}
		if got := len(a.doc["limitations"].([]any)); got <= len(whole.doc["limitations"].([]any)) {
			t.Errorf("%q: nothing says that the path is left out", literal)
		}
	}
}

func TestDeclaredDigest(t *testing.T) {
	private(t)
	capture := har(entry())
	path := save(t, "a.har", capture)
	for _, literal := range []string{sum(capture), sum(capture)[10:20]} {
		a := do(t, app.App{}, args{"capture_path": path, "format": "har", "sensitive_values": []string{literal}})
		a.want(t, "subject", "null", "normalized_result.artifact.sha256", "null", "normalized_result.artifact.path", strconv.Quote(path),
			"locations.0.kind", `"artifact-path"`)
		a.wantNot(t, literal)
		// The note comes first in the envelope and last in the result.
		env, res := a.doc["limitations"].([]any), a.doc["normalized_result"].(map[string]any)["limitations"].([]any)
		if env[0] != res[len(res)-1] || !strings.Contains(env[0].(string), "digest") || len(env) != len(res) {
			t.Errorf("limitations %q and %q", env, res)
		}
	}
}

// Sentences lose what is declared, down to a letter; the contract's own words
// and what was recorded beside it stay.
func TestDeclaredInSentences(t *testing.T) {
	private(t)
	path := save(t, "x.har", har(entry()))
	plain := do(t, app.App{}, args{"capture_path": path, "format": "har"})
	for _, literal := range []string{"a", "producer", "was", ".", " "} {
		a := do(t, app.App{}, args{"capture_path": path, "format": "har", "sensitive_values": []string{literal}})
		if strings.Contains(a.limitations(), literal) {
			t.Errorf("%q is in %s", literal, a.limitations())
		}
		a.want(t, "normalized_result.decoder", plain.at("normalized_result.decoder"), "provider", plain.at("provider"),
			"authority", plain.at("authority"), "normalized_result.format", `"har"`, "operation", plain.at("operation"))
	}
	a := do(t, app.App{}, args{"capture_path": path, "format": "har", "sensitive_values": []string{"producer"}})
	a.want(t, "normalized_result.records", strings.ReplaceAll(plain.at("normalized_result.records"), "producer's", "[REDACTED]'s"))
}

func TestDeclaredFormatName(t *testing.T) {
	private(t)
	path := save(t, "x.capture", har(entry()))
	for _, literal := range []string{"har", "ha", "r"} {
		a := do(t, app.App{}, args{"capture_path": path, "format": "har", "sensitive_values": []string{literal}})
		a.want(t, "parameters.format", "<absent>", "normalized_result.format", `"har"`, "parameters.sensitive_value_count", "1")
	}
}

func TestDeclaredCoordinates(t *testing.T) {
	private(t)
	path := save(t, "x.har", har(entry(`"cache":{}`, `"cache":{},"field/name":12,"other":13`)))
	for _, literal := range []string{"log", "entries"} {
		a := do(t, app.App{}, args{"capture_path": path, "format": "har", "sensitive_values": []string{literal}})
		a.want(t, "normalized_result.container.records_pointer", "null", "normalized_result.records.0.reported", "null",
			"normalized_result.records.0.location", `{"kind":"unknown","reason":"explicit-sensitive-value"}`,
			"normalized_result.records.0.redactions", `[{"pointer":"","reason":"explicit-sensitive-value"}]`, "normalized_result.total_records", "1")
	}
	a := do(t, app.App{}, args{"capture_path": path, "format": "har", "sensitive_values": []string{"~1"}})
	a.want(t, "normalized_result.records.0.reported.field/name", "12")
	if s := a.at("normalized_result.records.0.numeric_literals"); strings.Contains(s, `~1`) || !strings.Contains(s, "/other") {
		t.Errorf("sidecars %s", s)
	}
}

// Failures lose what is declared, and keep what they are.
func TestDeclaredInFailures(t *testing.T) {
	private(t)
	dir := filepath.Join(open(t), "caller-secret-12345")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat(`{"child":`, 70) + "0" + strings.Repeat("}", 70)
	literals := []string{"12345", "Each", "absolute", "secret", "private/~", `q"uote`}
	for name, c := range map[string]struct {
		capture   string // "" for none
		arguments args
		code      string
		path      string
	}{
		"missing":         {"", args{}, "invalid_request", `["capture_path"]`},
		"relative":        {"", args{"capture_path": "secret/12345"}, "invalid_request", `["capture_path"]`},
		"malformed":       {`{"secret":`, args{}, "invalid_request", `["capture_path",""]`},
		"duplicate":       {`{"x":{"private/~":1,"private/~":2}}`, args{}, "invalid_request", `["capture_path","/x"]`},
		"quoted":          {`{"x":{"q\"uote":{"y":1,"y":2}}}`, args{}, "invalid_request", `["capture_path","/x"]`},
		"deep":            {`{"metadata":{"private/~":` + deep + `}}`, args{}, "invalid_request", `["capture_path","/metadata"]`},
		"profile":         {har("", `"1.2"`, `"1.1"`), args{}, "capability_unavailable", "<absent>"},
		"unknown":         {har(""), args{"mysecret": 1}, "invalid_request", `[]`},
		"unknown pointer": {har(""), args{"/x/secret": 1}, "invalid_request", `[]`},
		"ordinal":         {har(""), args{"record_ordinals": []int{12345}}, "invalid_request", `["record_ordinals"]`},
		"type":            {har(""), args{"format": []string{"secret"}}, "invalid_request", `["format"]`},
	} {
		path := filepath.Join(dir, name)
		if c.capture != "" {
			if err := os.WriteFile(path, []byte(c.capture), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		all := args{"capture_path": path, "format": "har", "sensitive_values": literals}
		for k, v := range c.arguments {
			all[k] = v
		}
		a := do(t, app.App{}, all)
		a.want(t, "code", `"`+c.code+`"`, "details.issues.0.path", c.path)
		a.wantNot(t, literals...)
		a.wantNot(t, "private~1", `q\"uote`, `q\\\"uote`)
	}
}
