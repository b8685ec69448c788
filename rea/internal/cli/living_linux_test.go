package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// living lists the processes that have a directory in their environment.
func living(t *testing.T, dir string) (pids []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(files) == 0 {
		t.Fatalf("the system does not tell of processes: %v", err)
	}
	for _, f := range files {
		// Those that are gone meanwhile, or another user's, are not ours.
		if env, err := os.ReadFile(f); err == nil && bytes.Contains(env, []byte("="+dir)) {
			pids = append(pids, filepath.Base(filepath.Dir(f)))
		}
	}
	return pids
}
