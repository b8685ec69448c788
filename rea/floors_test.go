package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors is the house from the cellar up. "a < b" means that b may import a, and
// whatever a may import. A package that isn't here stands nowhere, and one that
// imports something not below it breaks the build of the house, not of Go.
//
// DO NOT CHANGE THIS TEXT TO MAKE A TEST PASS. It is the design; a change to it
// is a change of design and belongs in docs/adr, with its reason.
const floors = `
	# words: no input, no output
	NONE < failure, limits, exactint
	failure, limits < tree < strictjson, recordedurl

	# nouns
	tree, strictjson < evidence < redact
	recordedurl < redact
	failure, limits < source, owned

	# formats
	evidence, redact, exactint < format
	limits, strictjson < format/har/schema
	format, format/har/schema < format/har
	format < format/mitmproxy, format/saz
	redact, exactint < format/qlog/facts
	format, format/qlog/facts < format/qlog
	format/har, format/mitmproxy, format/saz, format/qlog < format/all

	# engines
	format/all < decode
	evidence < view/headline
	evidence, format/qlog/facts < view
	view < store
	view, view/headline, recordedurl, format/qlog/facts < view/summary, view/capturepage, view/apisurface, view/qlogfacet

	# the door
	view/summary, view/capturepage, view/apisurface, view/qlogfacet < app
	decode, owned, source, redact, store < app

	# faces
	app < render < cli
	app < mcpserver
	cli, mcpserver, decode, owned < main
`

// support is what tests alone may import. It may import anything.
var support = []string{"judge", "format/formattest", "view/viewtest", "canary"}

// A fence says who alone may import something, and the sentence that someone
// else is shown.
type fence struct {
	what []string // import paths; a trailing * stands for any rest
	only []string // packages of ours
	why  string
}

var fences = []fence{
	{[]string{"net", "net/http*", "net/rpc*", "net/smtp", "net/textproto"}, nil,
		"the product is offline: nothing of ours imports the network"},
	{[]string{"net/url"}, []string{},
		"recorded URLs have one parser, recordedurl, and it is not this one"},
	{[]string{"os/exec"}, []string{"owned"},
		"only owned starts processes, because only it proves that they are gone"},
	{[]string{"os"}, []string{"main", "source", "owned", "app", "cli"},
		"words, formats and engines work on bytes they are given; they know of no operating system"},
	{[]string{"syscall", "golang.org/x/sys*"}, []string{"source", "owned", "cli"},
		"system calls belong to the reader of files, the owner of processes and the face that meets signals"},
	{[]string{"github.com/go-json-experiment/json*"}, []string{"strictjson"},
		"JSON of captures is read in strictjson alone"},
	{[]string{"encoding/json", "encoding/gob", "encoding/xml"}, nil,
		"these readers lose what a capture holds (duplicates, number text, bad bytes)"},
	{[]string{"github.com/goccy/go-json*"}, []string{"cli"},
		"this library writes what need not be canonical; it never reads a capture"},
	{[]string{"github.com/nlnwa/whatwg-url*"}, []string{"recordedurl"},
		"recorded URLs are parsed in one place"},
	{[]string{"github.com/spf13/*", "github.com/inconshreveable/*"}, []string{"cli"},
		"command-line libraries stay in the command line"},
	{[]string{"github.com/modelcontextprotocol/*"}, []string{"mcpserver"},
		"the tool server's library brings a network stack; it stays behind its face"},
	{[]string{"golang.org/x/term"}, []string{"cli"},
		"only the command line meets a terminal"},
	{[]string{"github.com/goccy/go-yaml*", "github.com/rivo/uniseg*"}, []string{"render"},
		"how a document looks to people is render's alone"},
	{[]string{"testing*", "github.com/rogpeppe/go-internal*"}, nil,
		"the product does not know that it is tested"},
}

// bans forbid what the floors alone would allow.
var bans = []struct {
	from, to, unless []string
	why              string
}{
	{[]string{"cli", "mcpserver"}, []string{"*"}, []string{"app", "render", "failure"},
		"a face reaches what is below through the one door, app"},
	{[]string{"main"}, []string{"*"}, []string{"cli", "mcpserver", "decode", "owned"},
		"main only chooses between being the program and being its child"},
	{[]string{"format/*"}, []string{"format/*"}, []string{"format/har/schema", "format/qlog/facts"},
		"a format imports no other format; format/all alone knows them"},
}

// opens are the functions of os that reach the file system, and openers the
// packages that may call them.
var (
	opens = []string{"Open", "OpenFile", "OpenRoot", "OpenInRoot", "DirFS", "Create", "CreateTemp", "Mkdir", "MkdirAll",
		"MkdirTemp", "ReadFile", "ReadDir", "WriteFile", "Remove", "RemoveAll", "Rename", "Truncate", "Symlink", "Link"}
	openers = []string{"source", "owned", "cli"}
)

const nobody = "util utils common helper helpers misc types manager shared base"

// pkg is one package as the checker sees it.
type pkg struct {
	name    string // "main", or the path below internal
	imports []string
	tests   []string // imports of its test files
	files   []file
}

type file struct {
	name  string
	inits bool     // declares func init()
	calls []string // functions of os that it names
	prose bool     // a doc.go with a doc comment and nothing else
}

const ours = "rea.example/rea"

// short is the name of one of our packages, or "".
func short(importPath string) string {
	if importPath == ours {
		return "main"
	}
	name, _ := strings.CutPrefix(importPath, ours+"/internal/")
	if name == importPath {
		return ""
	}
	return name
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, open := strings.CutSuffix(p, "*")
		return p == name || open && strings.HasPrefix(name, prefix)
	})
}

// parseFloors gives, for each package, everything that lies below it.
func parseFloors(text string) (map[string]map[string]bool, error) {
	below := map[string]map[string]bool{"NONE": {}}
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if line == "" {
			continue
		}
		var under []string
		for i, level := range strings.Split(line, "<") {
			names := strings.Split(level, ",")
			for j, name := range names {
				name = strings.TrimSpace(name)
				names[j] = name
				if name == "" || i == 0 && below[name] == nil {
					return nil, fmt.Errorf("floors, line %d: %q stands on nothing yet", n, name)
				}
				if i > 0 && below[name] == nil {
					below[name] = map[string]bool{}
				}
				for _, u := range under {
					if u == name || below[u][name] {
						return nil, fmt.Errorf("floors, line %d: %s lies below itself", n, name)
					}
					below[name][u] = true
					maps.Copy(below[name], below[u])
				}
			}
			under = names
		}
	}
	return below, nil
}

// check gives one sentence for each rule that is broken.
func check(below map[string]map[string]bool, packages []pkg) (broken []string) {
	for _, p := range packages {
		say := func(format string, args ...any) { broken = append(broken, p.name+": "+fmt.Sprintf(format, args...)) }
		helper := slices.Contains(support, p.name)
		if below[p.name] == nil && !helper {
			say("stands on no floor; name it in floors, above what it imports")
		}
		for _, i := range p.imports {
			if name := short(i); name != "" {
				checkOurs(p.name, name, helper, below, say)
			} else if !helper {
				checkFences(fences, p.name, i, say)
			}
		}
		for _, i := range p.tests {
			name := short(i)
			switch {
			case name == "":
				checkFences(fences[:1], p.name, i, say)
			case p.name != "main" && name != p.name && !helper && !slices.Contains(support, name) && !below[p.name][name]:
				say("its tests import %s, which is not below it", name)
			}
		}
		checkFiles(p, helper, say)
	}
	return broken
}

func checkOurs(from, to string, helper bool, below map[string]map[string]bool, say func(string, ...any)) {
	if slices.Contains(support, to) {
		say("imports %s: that package is for tests", to)
		return
	}
	for _, b := range bans {
		if from != "format/all" && matches(b.from, from) && matches(b.to, to) && !slices.Contains(b.unless, to) {
			say("imports %s: %s", to, b.why)
			return
		}
	}
	if !helper && !below[from][to] {
		say("imports %s, which is not below it", to)
	}
}

func checkFences(list []fence, from, what string, say func(string, ...any)) {
	for _, f := range list {
		if matches(f.what, what) && !slices.Contains(f.only, from) {
			say("imports %s: %s", what, f.why)
		}
	}
}

func checkFiles(p pkg, helper bool, say func(string, ...any)) {
	prose := p.name == "main"
	for _, f := range p.files {
		stem, _, _ := strings.Cut(strings.TrimSuffix(f.name, ".go"), "_")
		if slices.Contains(strings.Fields(nobody), stem) || slices.Contains(strings.Fields(nobody), path.Base(p.name)) {
			say("%s: a name says what is inside; this one says nothing", f.name)
		}
		if f.inits {
			say("%s: init() runs where no reader looks; call it from where it is needed", f.name)
		}
		for _, c := range f.calls {
			if slices.Contains(opens, c) && !slices.Contains(openers, p.name) && !helper {
				say("%s: os.%s: files are opened in %s alone", f.name, c, strings.Join(openers, ", "))
			}
		}
		prose = prose || f.name == "doc.go" && f.prose
	}
	if !prose {
		say("has no doc.go that holds prose alone: what it promises, and what it will never do")
	}
}

func TestFloors(t *testing.T) {
	below, err := parseFloors(floors)
	if err != nil {
		t.Fatal(err)
	}
	// Each system compiles files that the others do not.
	for _, system := range []string{"linux", "windows", "darwin"} {
		packages, err := list(system)
		if err != nil {
			t.Fatal(err)
		}
		for _, sentence := range check(below, packages) {
			t.Errorf("%s: %s", system, sentence)
		}
	}
}

// TestFloorsOffline looks past our own imports at everything that is linked.
// The tool server's library brings net/http along; nothing else may.
func TestFloorsOffline(t *testing.T) {
	packages, err := list("linux")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"list", "-deps"}
	for _, p := range packages {
		if p.name != "main" && p.name != "mcpserver" && !slices.Contains(support, p.name) {
			args = append(args, "./internal/"+p.name)
		}
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if deps := strings.Fields(string(out)); len(deps) < len(args) || slices.Contains(deps, "net/http") {
		t.Errorf("among %d dependencies, one brings net/http into the program", len(deps))
	}
}

// list asks go which packages there are, and parses their files.
func list(system string) ([]pkg, error) {
	cmd := exec.Command("go", "list", "-json=Dir,ImportPath,Imports,TestImports,XTestImports,GoFiles", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	var packages []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir, ImportPath                             string
			Imports, TestImports, XTestImports, GoFiles []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		one := pkg{name: short(p.ImportPath), imports: p.Imports, tests: append(p.TestImports, p.XTestImports...)}
		for _, name := range p.GoFiles {
			f, err := parse(filepath.Join(p.Dir, name), nil)
			if err != nil {
				return nil, err
			}
			one.files = append(one.files, f)
		}
		packages = append(packages, one)
	}
}

// parse reads what the checker wants of one file; a nil source is on disk.
func parse(name string, source any) (file, error) {
	tree, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments)
	if err != nil {
		return file{}, err
	}
	f := file{name: filepath.Base(name)}
	f.prose = len(tree.Decls) == 0 && strings.Count(tree.Doc.Text(), "\n") > 1
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			f.inits = f.inits || n.Recv == nil && n.Name.Name == "init"
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "os" {
				f.calls = append(f.calls, n.Sel.Name)
			}
		}
		return true
	})
	return f, nil
}

// TestFloorsChecker breaks each rule once in a house of its own.
func TestFloorsChecker(t *testing.T) {
	below, err := parseFloors("NONE < failure, limits\nfailure < tree < format\nformat < format/har, format/saz < format/all < app < render < cli < main")
	if err != nil {
		t.Fatal(err)
	}
	doc := file{name: "doc.go", prose: true}
	i := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, ours+"/internal/"+n)
		}
		return paths
	}
	source := func(text string) file {
		f, err := parse("some.go", "package p\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for name, c := range map[string]struct {
		p    pkg
		want string // "" where no rule is broken
	}{
		"a good package":      {pkg{"tree", append(i("failure"), "strings"), []string{"os", "encoding/json"}, []file{doc}}, ""},
		"a floor too low":     {pkg{"failure", i("tree"), nil, []file{doc}}, "not below it"},
		"beside, not below":   {pkg{"tree", i("limits"), nil, []file{doc}}, "not below it"},
		"on no floor":         {pkg{"stray", nil, nil, []file{doc}}, "no floor"},
		"a test too low":      {pkg{"failure", nil, i("tree"), []file{doc}}, "its tests import tree"},
		"a test with support": {pkg{"failure", nil, i("judge"), []file{doc}}, ""},
		"support in product":  {pkg{"tree", i("judge"), nil, []file{doc}}, "for tests"},
		"another format":      {pkg{"format/har", i("format/saz"), nil, []file{doc}}, "no other format"},
		"past the door":       {pkg{"cli", i("tree"), nil, []file{doc}}, "the one door"},
		"main does more":      {pkg{"main", i("tree"), nil, nil}, "main only chooses"},
		"the network":         {pkg{"app", []string{"net/http"}, nil, []file{doc}}, "offline"},
		"the network in test": {pkg{"app", nil, []string{"net/http/httptest"}, []file{doc}}, "offline"},
		"a process":           {pkg{"app", []string{"os/exec"}, nil, []file{doc}}, "only owned"},
		"an operating system": {pkg{"tree", []string{"os"}, nil, []file{doc}}, "no operating system"},
		"a lossy reader":      {pkg{"tree", []string{"encoding/json"}, nil, []file{doc}}, "lose"},
		"a face's library":    {pkg{"app", []string{"github.com/spf13/cobra"}, nil, []file{doc}}, "command line"},
		"an opened file":      {pkg{"app", nil, nil, []file{doc, source(`import "os"; var f, _ = os.Open("x")`)}}, "os.Open"},
		"an init":             {pkg{"app", nil, nil, []file{doc, source("func init() {}")}}, "init()"},
		"a method named init": {pkg{"app", nil, nil, []file{doc, source("type t int\nfunc (t) init() {}")}}, ""},
		"no prose":            {pkg{"app", nil, nil, []file{source("")}}, "no doc.go"},
		"code in doc.go":      {pkg{"app", nil, nil, []file{{name: "doc.go"}}}, "no doc.go"},
		"an empty name":       {pkg{"app", nil, nil, []file{doc, {name: "helpers_linux.go"}}}, "says nothing"},
	} {
		got := strings.Join(check(below, []pkg{c.p}), "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, text := range []string{"a < b", "NONE < a < a", "NONE < a < b\nb < a", "NONE < , a"} {
		if _, err := parseFloors(text); err == nil {
			t.Errorf("%q was taken for a policy", text)
		}
	}
}
