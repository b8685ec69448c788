package report_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rea.example/verify/report"
)

// node is a schema as far as this test reads it.
type node struct {
	Type       any             `json:"type"` // a name, or a list of names
	Enum       []any           `json:"enum"`
	Const      any             `json:"const"`
	Format     string          `json:"format"`
	Closed     *bool           `json:"additionalProperties"`
	Required   []string        `json:"required"`
	Properties map[string]node `json:"properties"`
	Items      *node           `json:"items"`
}

func (n node) types() []string {
	switch t := n.Type.(type) {
	case string:
		return []string{t}
	case []any:
		var list []string
		for _, name := range t {
			list = append(list, name.(string))
		}
		return list
	}
	return nil
}

// TestTheSchemaIsTheReport holds the published schema to the type that is written:
// the same members, the same that may be left out, the same that may be null.
func TestTheSchemaIsTheReport(t *testing.T) {
	data, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root node
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	same(t, "report", root, reflect.TypeFor[report.Report]())
	for _, v := range []report.Verdict{report.Passed, report.Failed, report.Unavailable} {
		if !slices.Contains(root.Properties["verdict"].Enum, any(string(v))) || !slices.Contains(root.Properties["checks"].Items.Properties["verdict"].Enum, any(string(v))) {
			t.Errorf("no verdict %q", v)
		}
	}
	r := report.New("verify:test")
	for _, status := range []string{r.Status, "finished"} {
		if !slices.Contains(root.Properties["status"].Enum, any(status)) {
			t.Errorf("no status %q", status)
		}
	}
	if root.Properties["schema"].Const != float64(r.Schema) {
		t.Errorf("the schema is of version %v, reports are of %d", root.Properties["schema"].Const, r.Schema)
	}
}

func same(t *testing.T, at string, n node, typ reflect.Type) {
	t.Helper()
	nullable := typ.Kind() == reflect.Pointer
	if nullable {
		typ = typ.Elem()
	}
	if nullable != slices.Contains(n.types(), "null") {
		t.Errorf("%s: null is allowed: %t", at, !nullable)
	}
	is := func(name string) {
		if len(n.Enum) == 0 && n.Const == nil && !slices.Contains(n.types(), name) {
			t.Errorf("%s is a %s, the schema says %v", at, name, n.Type)
		}
	}
	switch {
	case typ == reflect.TypeFor[time.Time]():
		is("string")
		if n.Format != "date-time" {
			t.Errorf("%s has no format of a time", at)
		}
	case typ.Kind() == reflect.Struct:
		is("object")
		members(t, at, n, typ)
	case typ.Kind() == reflect.Slice:
		is("array")
		if n.Items == nil {
			t.Fatalf("%s has no items", at)
		}
		same(t, at+"[]", *n.Items, typ.Elem())
	case typ.Kind() == reflect.String:
		is("string")
	case typ.Kind() == reflect.Int:
		is("integer")
	case typ.Kind() == reflect.Float64:
		is("number")
	default:
		t.Errorf("%s: a %s is new to this test", at, typ)
	}
}

func members(t *testing.T, at string, n node, typ reflect.Type) {
	t.Helper()
	if n.Closed == nil || *n.Closed {
		t.Errorf("%s allows more members", at)
	}
	if len(n.Properties) != typ.NumField() {
		t.Errorf("%s has %d members, the schema %d", at, typ.NumField(), len(n.Properties))
	}
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		p, ok := n.Properties[name]
		if !ok {
			t.Errorf("%s.%s is not in the schema", at, name)
			continue
		}
		if slices.Contains(n.Required, name) == (option == "omitempty") {
			t.Errorf("%s.%s may be left out: %t", at, name, option == "omitempty")
		}
		same(t, at+"."+name, p, f.Type)
	}
}
