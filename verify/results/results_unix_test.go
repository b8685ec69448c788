//go:build !windows

package results_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"rea.example/verify/report"
	"rea.example/verify/results"
)

func TestNobodyWaitsForAPipeAmongReports(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "r.json", of("verify:a", time.Now(), report.Passed), true)
	if err := syscall.Mkfifo(filepath.Join(dir, "x.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := results.Open(dir); err != nil || len(r.Lanes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
