package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"rea.example/containers/engine"
)

// TestANamedEngineIsTheOneMeant also where another would answer.
func TestANamedEngineIsTheOneMeant(t *testing.T) {
	socket := "unix://" + filepath.Join(t.TempDir(), "absent.sock")
	t.Setenv("DOCKER_HOST", socket)
	_, err := engine.Open(context.Background())
	if !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "containers:engine -install") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	if err := engine.Install(context.Background(), t.Output()); err == nil {
		t.Error("another engine was installed beside the named one")
	}
}
