package verify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rea.example/verify/lanes"
	"rea.example/verify/workspace"
)

// docs/claims.md says for every sentence of the README by what it is shown. These
// tests keep the two together, and keep the names from pointing at nothing.

// nowhere is the proof of a sentence that promises nothing.
const nowhere = "says where to look"

type claim struct{ text, proof string }

func claims(t *testing.T) (list []claim) {
	t.Helper()
	for line := range strings.Lines(read(t, "docs/claims.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| the README says") {
			continue
		}
		n := len(cells) - 1
		list = append(list, claim{plain(strings.Join(cells[:n], " | ")), strings.TrimSpace(cells[n])})
	}
	return list
}

var (
	link     = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	emphasis = strings.NewReplacer("**", "", "`", "", `\|`, "|")
	ending   = regexp.MustCompile(`([.!?:)])\s+([A-Z(` + "`" + `*-])`)
)

// plain is a text without its Markdown, in one line.
func plain(text string) string {
	text = emphasis.Replace(link.ReplaceAllString(text, "$1"))
	return strings.Join(strings.Fields(text), " ")
}

// sentences gives what the README says: the sentences of its paragraphs and lists,
// the rows of its tables, the commands that it shows. Headings say nothing, and the
// list of folders is one that a reader sees to be true.
func sentences(text string) (list []string) {
	text, _, _ = strings.Cut(text, "\n## Where things are")
	fenced, rows := false, 0
	var paragraph []string
	flush := func() {
		marked := ending.ReplaceAllString(strings.Join(paragraph, " "), "$1\x00$2")
		for each := range strings.SplitSeq(marked, "\x00") {
			if each = plain(strings.TrimPrefix(each, "- ")); each != "" {
				list = append(list, each)
			}
		}
		paragraph = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		isRow := strings.HasPrefix(line, "|") && !fenced
		if !isRow {
			rows = 0
		}
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			fenced = !fenced
		case fenced:
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				command, _, _ = strings.Cut(command, " #")
				list = append(list, plain(command))
			}
		case isRow:
			flush()
			if rows++; rows > 2 { // behind the head and its rule
				list = append(list, plain(strings.Trim(line, "| ")))
			}
		case line == "" || strings.HasPrefix(line, "#"):
			flush()
		default:
			if strings.HasPrefix(line, "- ") {
				flush()
			}
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return list
}

func TestEverySentenceOfTheREADMEIsShownBySomething(t *testing.T) {
	shown := map[string]string{}
	for _, c := range claims(t) {
		if _, twice := shown[c.text]; twice {
			t.Errorf("docs/claims.md has this twice: %s", c.text)
		}
		shown[c.text] = c.proof
	}
	said := sentences(read(t, "README.md"))
	if len(said) < 20 {
		t.Fatalf("only %d sentences were found", len(said))
	}
	for _, s := range said {
		proof, ok := shown[s]
		delete(shown, s)
		switch {
		case !ok:
			t.Errorf("the README says, and docs/claims.md does not say what shows it:\n| %s | … |", strings.ReplaceAll(s, "|", `\|`))
		case proof == nowhere && strings.ContainsAny(s, "0123456789"):
			t.Errorf("a figure that nothing shows: %s", s)
		}
	}
	for text := range shown {
		t.Errorf("docs/claims.md shows what the README does not say (any more): %s", text)
	}
}

func TestWhatShowsTheREADMEIsThere(t *testing.T) {
	tests, scripts := tests(t)
	var known []string
	for _, l := range slices.Concat(lanes.All, lanes.Supplied) {
		known = append(known, l.Name)
	}
	chores := map[string]bool{}
	for line := range strings.Lines(read(t, "magefiles/magefile.go")) {
		if name, ok := strings.CutPrefix(line, "func "); ok {
			name, _, _ = strings.Cut(name, "(")
			chores[strings.ToLower(name)] = true
		}
	}
	for _, c := range claims(t) {
		if c.proof == nowhere {
			continue
		}
		for proof := range strings.SplitSeq(c.proof, "; ") {
			kind, name, _ := strings.Cut(proof, " ")
			var there bool
			switch kind {
			case "lane":
				there = slices.Contains(known, name)
			case "chore":
				there = chores[name]
			default: // TestName in folder, TestName/script in folder
				function, script, hasScript := strings.Cut(kind, "/")
				folder := strings.TrimPrefix(name, "in ")
				there = tests[folder+" "+function] && (!hasScript || scripts[folder+" "+script])
			}
			if !there {
				t.Errorf("there is no %q, which is to show: %s", proof, c.text)
			}
		}
	}
}

// tests gives the test functions and the txtar scripts of both modules, as "folder
// name".
func tests(t *testing.T) (functions, scripts map[string]bool) {
	t.Helper()
	root, err := workspace.Root()
	if err != nil {
		t.Fatal(err)
	}
	functions, scripts = map[string]bool{}, map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (d.Name() == ".git" || d.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if folder, script, ok := strings.Cut(rel, "/testdata/"); ok && strings.HasSuffix(script, ".txtar") {
			scripts[folder+" "+strings.TrimSuffix(script[strings.LastIndex(script, "/")+1:], ".txtar")] = true
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, _, _ := strings.Cut(rel, "/"+d.Name())
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
				functions[folder+" "+fn.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return functions, scripts
}

// TestTheREADMEShowsWhatTheProgramPrints compares its first page with the script
// that runs the program.
func TestTheREADMEShowsWhatTheProgramPrints(t *testing.T) {
	_, shown, _ := strings.Cut(read(t, "README.md"), "$ go run -C rea . sample har\n")
	shown, _, _ = strings.Cut(shown, "```")
	_, printed, _ := strings.Cut(read(t, "rea/internal/cli/testdata/script/sample.txtar"), "\n-- sample.txt --\n")
	printed, _, _ = strings.Cut(printed, "\n-- ")
	if printed = strings.ReplaceAll(printed, "ev_ID", "ev_…"); strings.TrimSpace(shown) != strings.TrimSpace(printed) || shown == "" {
		t.Errorf("the README shows\n%s\nand the program prints\n%s", shown, printed)
	}
}

func TestSentencesAreTakenApart(t *testing.T) {
	got := sentences("# rea\n\nOne (a, b) is. **Two** is\nlong: see [it](x.md). Three\n\n```console\n$ run it   # why\noutput\n```\n\n" +
		"| a | b |\n|---|---|\n| `x` | [y](z) |\n\n- Four. Five\n- Six\n\n## Where things are\n\nSeven.\n")
	want := []string{"One (a, b) is.", "Two is long: see it.", "Three", "run it", "x | y", "Four.", "Five", "Six"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
