package verify_test

import (
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

// TestTheWorkflowRunsEveryLane holds its list to the lanes that there are, but for
// the one that needs files of the caller's.
func TestTheWorkflowRunsEveryLane(t *testing.T) {
	_, list, found := strings.Cut(read(t, ".github/workflows/verify.yml"), "        lane:\n")
	if !found {
		t.Fatal("there is no list")
	}
	var got []string
	for line := range strings.Lines(list) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			break
		}
		got = append(got, name)
	}
	var want []string
	for _, l := range slices.Concat(lanes.All, lanes.Supplied) {
		if len(l.Needs.Supplied) == 0 {
			want = append(want, l.Name)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf(".github/workflows/verify.yml runs %v, and the lanes are %v", got, want)
	}
}
