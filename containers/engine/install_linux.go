package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"rea.example/verify/workspace"
)

// patience bounds the wait for a daemon that was started.
const patience = 30 * time.Second

// Install makes an engine answer: on Debian, as root, it installs docker.io where
// there is no dockerd, and starts dockerd unless an engine answers already. The
// daemon outlives this process; its log and its process id lie in the cache
// folder. Ctx bounds the installation alone.
func Install(ctx context.Context, log io.Writer) error {
	if answers(ctx) == nil {
		return nil
	}
	if host := os.Getenv("DOCKER_HOST"); host != "" {
		return fmt.Errorf("engine: DOCKER_HOST names an engine that does not answer; none is installed beside it")
	}
	if os.Geteuid() != 0 {
		return errors.New("engine: only root can install and start an engine")
	}
	if _, err := exec.LookPath("dockerd"); err != nil {
		if err := aptInstall(ctx, log); err != nil {
			return err
		}
		// Where there is a service manager, the package starts one itself.
		for range 10 {
			if answers(ctx) == nil {
				return nil
			}
			time.Sleep(200 * time.Millisecond)
		}
	}
	return start(ctx, log)
}

func aptInstall(ctx context.Context, log io.Writer) error {
	release, err := os.ReadFile("/etc/os-release")
	if err != nil || !strings.Contains(string(release), "debian") {
		return errors.New("engine: this is no Debian, and how to install an engine elsewhere is not known here")
	}
	for _, args := range [][]string{
		{"update", "-qq"},
		{"install", "-y", "-qq", "--no-install-recommends", "docker.io"},
	} {
		fmt.Fprintf(log, "apt-get %s\n", strings.Join(args, " "))
		cmd := exec.CommandContext(ctx, "apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		cmd.Stdout, cmd.Stderr = log, log
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("engine: apt-get %s: %w", args[0], err)
		}
	}
	return nil
}

// start starts dockerd in a session of its own and waits until it answers.
func start(ctx context.Context, log io.Writer) error {
	pid, err := pidFile()
	if err != nil {
		return err
	}
	path := strings.TrimSuffix(pid, ".pid") + ".log"
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	cmd := exec.Command("dockerd", "--pidfile="+pid)
	cmd.Stdout, cmd.Stderr = file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	fmt.Fprintf(log, "dockerd is process %d, its log %s\n", cmd.Process.Pid, path)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for limit := time.After(patience); ; {
		select {
		case err := <-ended:
			return fmt.Errorf("engine: dockerd ended (%w): %s", err, lastLine(path))
		case <-limit:
			return errors.Join(fmt.Errorf("engine: dockerd did not answer within %s: %s", patience, lastLine(path)), cmd.Process.Kill())
		case <-time.After(200 * time.Millisecond):
			if answers(ctx) == nil {
				return nil
			}
		}
	}
}

// Stop ends the daemon that Install started, and waits for its end. It leaves
// alone any other.
func Stop() error {
	path, err := pidFile()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return errors.New("engine: none that was started by `containers:engine -install` runs")
	}
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return fmt.Errorf("engine: %s: %w", path, err)
	}
	// The number may have gone to another process since.
	if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); strings.TrimSpace(string(name)) != "dockerd" {
		return fmt.Errorf("engine: process %d is no dockerd any more", pid)
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		return err
	}
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(100 * time.Millisecond) {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return nil
		}
	}
	return fmt.Errorf("engine: dockerd, process %d, did not end within %s", pid, patience)
}

func pidFile() (string, error) { return workspace.Cache("engine", "dockerd.pid") }

func lastLine(path string) string {
	text, _ := os.ReadFile(filepath.Clean(path))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
