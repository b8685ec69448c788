package child

import (
	"context"
	"os/exec"
	"time"
)

// patience is how long the streams of a child that was killed may stay open.
const patience = 5 * time.Second

// Command is exec.CommandContext for a program in a process group of its own.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = patience
	apart(cmd)
	return cmd
}
