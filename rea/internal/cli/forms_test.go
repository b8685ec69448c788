package cli

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"rea.example/rea/internal/app"
	"rea.example/rea/internal/failure"
)

// captures are some that say all there is to say.
func captures(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	sample := filepath.Join(dir, "sample.har")
	for _, f := range app.Formats() {
		if f.Name == "har" {
			if err := os.WriteFile(sample, f.Sample, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := map[string]string{"sample": sample}
	for _, name := range []string{"every-field", "least", "urls", "unsafe-numbers", "everything-wrong"} {
		path, err := filepath.Abs(filepath.Join("../format/har/schema/testdata", name+".har"))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = path
	}
	return out
}

func output(t *testing.T, args ...string) []byte {
	t.Helper()
	var errs bytes.Buffer
	cmd := command(t, args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		t.Fatalf("%s: %v\n%s", args, err, &errs)
	}
	return out
}

// Every form holds the same document: the canonical one.
func TestFormsAgree(t *testing.T) {
	for name, path := range captures(t) {
		t.Run(name, func(t *testing.T) {
			args := func(form string) []string {
				return []string{"inspect-web-network-capture", path, "har", "--conformance", "report", "--format", form}
			}
			arguments, err := json.Marshal(map[string]string{"capture_path": path, "format": "har", "conformance": "report"})
			if err != nil {
				t.Fatal(err)
			}
			var a app.App
			outcome := a.Do(t.Context(), app.Call{Operation: inspectOperation, Arguments: arguments})
			defer outcome.Close()
			if outcome.Failure != nil {
				t.Fatal(outcome.Failure)
			}
			canonical, err := outcome.Document.Bytes()
			if err != nil {
				t.Fatal(err)
			}

			printed := output(t, args("json")...)
			var compact bytes.Buffer
			if err := json.Compact(&compact, printed); err != nil || !bytes.Equal(compact.Bytes(), canonical) {
				t.Errorf("json is more than the canonical document and white space: %v", err)
			}
			if !bytes.HasPrefix(printed, []byte("{\n  \"analysis_profile\": null,\n")) || !bytes.HasSuffix(printed, []byte("\n}\n")) {
				t.Error("json is not laid out by two spaces")
			}

			lines := strings.Split(strings.TrimSuffix(string(output(t, args("jsonl")...)), "\n"), "\n")
			joined := strings.Replace(lines[0], `"records":null`, `"records":[`+strings.Join(lines[1:], ",")+`]`, 1)
			if joined != string(canonical) {
				t.Error("the lines don't join to the document")
			}

			var fromYAML, fromJSON any
			if err := yaml.Unmarshal(output(t, args("yaml")...), &fromYAML); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(canonical, &fromJSON); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(plain(fromYAML), plain(fromJSON)) {
				t.Error("yaml says something else than json")
			}

			if text := output(t, args("text")...); !strings.Contains(string(text), outcome.EvidenceID) {
				t.Error("text does not name the Evidence")
			}
		})
	}
}

// The same with what is written for a failure.
func TestFailureFormsAgree(t *testing.T) {
	args := []string{"inspect-web-network-capture", captures(t)["everything-wrong"], "har", "--format"}
	docs := map[string]any{}
	for _, form := range []string{"json", "jsonl", "yaml"} {
		out, err := command(t, append(args, form)...).Output()
		if err == nil {
			t.Fatal("no failure")
		}
		var doc any
		if form == "yaml" {
			err = yaml.Unmarshal(out, &doc)
		} else {
			err = json.Unmarshal(out, &doc)
		}
		if err != nil {
			t.Fatal(err)
		}
		docs[form] = plain(doc)
	}
	if !reflect.DeepEqual(docs["json"], docs["jsonl"]) || !reflect.DeepEqual(docs["json"], docs["yaml"]) {
		t.Error("the forms of a failure differ")
	}
}

// plain gives all numbers one type.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case uint64:
		return float64(v)
	case int64:
		return float64(v)
	case int:
		return float64(v)
	case float64:
		if v == 0 {
			return math.Abs(v)
		}
	}
	return v
}

func TestHelpListsFormatsAndExitStatus(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"help", "inspect-web-network-capture"}} {
		help := string(output(t, args...))
		for _, f := range app.Formats() {
			if !strings.Contains(help, "  "+f.Name+" ") || !strings.Contains(help, f.Title) {
				t.Errorf("%s: %s is missing", args, f.Name)
			}
		}
		for _, r := range failure.Table {
			if !strings.Contains(help, string(r.Code)) || !strings.Contains(help, r.Meaning) {
				t.Errorf("%s: %s is missing", args, r.Code)
			}
		}
	}
}
