package verify_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rea.example/verify/lanes"
	"rea.example/verify/workspace"
)

// read gives a file of the workspace.
func read(t *testing.T, path string) string {
	t.Helper()
	root, err := workspace.Root()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTheWorkflowRunsEveryLane holds its list, and those of the page about other
// systems, to the lanes that there are, but for the one that needs files of the
// caller's.
func TestTheWorkflowRunsEveryLane(t *testing.T) {
	page := read(t, "docs/verify-ci.md")
	_, list, _ := strings.Cut(read(t, ".github/workflows/verify.yml"), "        lane:\n")
	_, needs, _ := strings.Cut(page, "\n## What a machine needs\n")
	needs, _, _ = strings.Cut(needs, "\n## ")
	var want []string
	for _, l := range lanes.All {
		want = append(want, l.Name)
	}
	slices.Sort(want)
	for place, got := range map[string][]string{
		"the workflow": items(list),
		"the table of what a machine needs in docs/verify-ci.md": first(needs),
		"GitLab's matrix in docs/verify-ci.md":                   strings.Split(between(page, "- LANE: [", "]"), ", "),
		"the loop over machines in docs/verify-ci.md":            strings.Fields(between(page, "for lane in ", ";")),
	} {
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, and the lanes are %q", place, got, want)
		}
	}
}

// items are those of a list in YAML, from its first line on.
func items(text string) (list []string) {
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			break
		}
		list = append(list, name)
	}
	return list
}

// first gives the lanes in the first column of a table in Markdown.
func first(text string) (list []string) {
	for line := range strings.Lines(text) {
		if cell, ok := strings.CutPrefix(line, "| `web:"); ok {
			name, _, _ := strings.Cut(cell, "`")
			list = append(list, "web:"+name)
		}
	}
	return list
}

func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}

// TestEveryLaneHasItsCommandAndItsRow holds the methods of the namespace Web, and
// the table of the manual, to the lanes that there are.
func TestEveryLaneHasItsCommandAndItsRow(t *testing.T) {
	var want []string
	for _, l := range slices.Concat(lanes.All, lanes.Supplied) {
		want = append(want, l.Name)
	}
	_, table, _ := strings.Cut(read(t, "docs/verify.md"), "\n## The lanes\n")
	table, _, _ = strings.Cut(table, "\n## ")
	slices.Sort(want)
	for place, got := range map[string][]string{
		"verify/targets/web.go":       commands(t),
		"the table in docs/verify.md": first(table),
	} {
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, and the lanes are %q", place, got, want)
		}
	}
}

// commands gives the lanes that the namespace Web has a method for, which has to run
// the lane of its own name.
func commands(t *testing.T) (list []string) {
	t.Helper()
	goFiles(t, func(path string, f *ast.File) {
		if path != "verify/targets/web.go" {
			return
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !fn.Name.IsExported() {
				continue
			}
			list = append(list, "web:"+strings.ToLower(fn.Name.Name))
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if from, ok := s.X.(*ast.Ident); ok && from.Name == "lanes" && !strings.EqualFold(s.Sel.Name, "Web"+fn.Name.Name) {
					t.Errorf("%s runs lanes.%s", fn.Name.Name, s.Sel.Name)
				}
				return true
			})
		}
	})
	return list
}
