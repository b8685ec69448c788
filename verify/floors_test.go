package verify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rea.example/verify/workspace"
)

// goFiles parses every Go file of the workbench.
func goFiles(t *testing.T, visit func(path string, f *ast.File)) {
	t.Helper()
	root, err := workspace.Root()
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || path == filepath.Join(root, "rea")) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		visit(filepath.ToSlash(rel), f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFloorsTheWorkbenchKnowsTheProductFromOutsideOnly(t *testing.T) {
	seen := 0
	goFiles(t, func(path string, f *ast.File) {
		seen++
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if name == "rea.example/rea" || strings.HasPrefix(name, "rea.example/rea/") {
				t.Errorf("%s imports %s: a judge that shares the product's code agrees with its mistakes", path, name)
			}
		}
	})
	if seen < 10 {
		t.Errorf("only %d files were looked at", seen)
	}
}

// TestFloorsTargetsAreTargets keeps the packages that mage reads thin: mage makes a
// target of every exported function it can call and says nothing about the others.
func TestFloorsTargetsAreTargets(t *testing.T) {
	want := map[string][]string{
		"magefiles/magefile.go":     {"Build", "Test", "Lint", "Floors", "Fuzz", "Bench", "Soak", "Verify"},
		"verify/targets/report.go":  {"Report"},
		"verify/targets/targets.go": {"Judge"},
		"verify/targets/web.go": {
			"Web.Har", "Web.Mitmproxy", "Web.Saz", "Web.Views", "Web.Mcp", "Web.Offline", "Web.Qlog", "Web.Aioquic",
		},
	}
	got := map[string][]string{}
	goFiles(t, func(path string, f *ast.File) {
		dir := filepath.ToSlash(filepath.Dir(path))
		if dir != "magefiles" && dir != "verify/targets" || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				receiver, ok := fn.Recv.List[0].Type.(*ast.Ident)
				if !ok {
					t.Errorf("%s: the receiver of %s is no namespace", path, name)
					continue
				}
				name = receiver.Name + "." + name
			}
			got[path] = append(got[path], name)
			if p := fn.Type.Params.List; len(p) == 0 || !isContext(p[0].Type) || fn.Type.Results.NumFields() != 1 {
				t.Errorf("%s: %s is no target: one takes a context and gives an error", path, name)
			}
		}
	})
	for path, names := range want {
		if !slices.Equal(got[path], names) {
			t.Errorf("%s exports %v, known targets are %v", path, got[path], names)
		}
		delete(got, path)
	}
	for path, names := range got {
		t.Errorf("%s exports %v; name its targets in this test", path, names)
	}
}

func isContext(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Context"
}

func TestFloorsEveryPackageSaysWhatItIs(t *testing.T) {
	packages := map[string]bool{}
	goFiles(t, func(path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		packages[dir] = packages[dir] || strings.Count(f.Doc.Text(), "\n") > 2 || dir == "magefiles"
	})
	for dir, told := range packages {
		if !told {
			t.Errorf("%s has no package comment that says what it promises", dir)
		}
	}
}

// TestFloorsTopLevel keeps the first page a reader sees as designed.
func TestFloorsTopLevel(t *testing.T) {
	root, err := workspace.Root()
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{"rea", "verify", "corpora", "containers", "magefiles", "docs", "go.mod", "go.sum", "go.work",
		"go.work.sum", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s stands at the top level, where there is no place for it", e.Name())
		}
	}
}
